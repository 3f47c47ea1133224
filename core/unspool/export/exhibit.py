"""The pieces of a session as they are exported: without secrets, cut where they are long, a window at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass, replace
from unspool.errors import SourceChanged
from unspool.export.redaction import HELD_CHARACTERS, Redactor
from unspool.formats.piece import ToolPart
from unspool.text import size
from unspool.views.bounds import MIN_BYTES
from unspool.views.members import named_texts, told
from unspool.views.telling import first_line

if TYPE_CHECKING:
    from unspool.ids import EvidenceId
    from unspool.views.evidence import Evidence
    from unspool.views.reading import Slice
    from unspool.views.view import SessionView

CUT_BYTES: Final = 65_536
"""A longer piece is cut unless a person asks for all: some 800 lines, more than anyone reads of one in a file."""

WINDOW_BYTES: Final = 1 << 20
"""What is held of a piece at once."""

CHANGED: Final = "the full output is no longer what it was; this is what the model saw"


@dataclass(frozen=True, slots=True)
class Cut:
    """What was left out at the end of a piece, in bytes of its text; `after` is the token with which a read goes on."""

    shown: int
    left: int
    after: str


@dataclass(frozen=True, slots=True)
class Long:
    """A text that is not held: read and redacted by windows."""

    view: SessionView
    id: EvidenceId
    redactor: Redactor

    def blocks(self, *, counted: bool) -> Iterator[str]:
        """Yield the text without its secrets."""
        return self.redactor.blocks(self._windows(), counted=counted)

    def _windows(self) -> Iterator[str]:
        start, whole = 0, False
        while not whole:
            window = _window(self.view, self.id, start, WINDOW_BYTES)
            yield window.text
            start, whole = window.stop, window.at_end


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One piece as it is exported; nothing of it is cleaned for a screen yet.

    `evidence` is its row, `text` what is shown of it: `None` for a text that is too long to be held, which `blocks`
    gives bit by bit. `told` says that the text names members one after the other instead of being JSON.
    """

    evidence: Evidence
    text: str | None
    cut: Cut | None = None
    notice: str | None = None
    told: bool = False
    long: Long | None = None

    def blocks(self, *, again: bool = False) -> Iterator[str]:
        """Yield the text; `again` says that its secrets are counted another time."""
        if self.long is not None:
            yield from self.long.blocks(counted=not again)
        elif self.text:
            yield self.text


@dataclass(frozen=True, slots=True)
class Exhibits:
    """Makes exhibits of the rows of a view. `readable` tells structured arguments as names and values."""

    view: SessionView
    redactor: Redactor
    full: bool = False
    readable: bool = True

    def of(self, rows: Iterable[int]) -> Iterator[Exhibit]:
        """Yield the rows' pieces; raises `SourceChanged`."""
        for row in rows:
            before = self.redactor.counts.total()
            made = self._exhibit(row)
            touched = made.text if self.redactor.counts.total() > before else None
            yield replace(made, evidence=self._without_secrets(made.evidence, touched))

    def summary(self, row: int) -> str:
        """Return the line that says most about a piece."""
        return self.redactor.quietly(self.view.evidence_at(row).summary)

    def _exhibit(self, row: int) -> Exhibit:
        evidence, notice = self.view.evidence_at(row), self.view.notice(row)
        told = self._told(evidence) if self.readable else None
        if told is not None:
            return Exhibit(evidence, told, notice=notice, told=True)
        try:
            if self.full and evidence.bytes > WINDOW_BYTES:
                _window(self.view, evidence.id, 0, MIN_BYTES)  # raises before anything is written
                return Exhibit(evidence, None, notice=notice, long=Long(self.view, evidence.id, self.redactor))
            text, cut = self._text(evidence)
        except SourceChanged:
            if evidence.model_bytes is None:
                raise
            seen = self.view.slice(evidence.id, model_view=True, max_bytes=WINDOW_BYTES)
            return Exhibit(evidence, self.redactor.text(seen.text), notice=CHANGED)
        return Exhibit(evidence, text, cut, notice)

    def _text(self, evidence: Evidence) -> tuple[str, Cut | None]:
        """Return the text, or its beginning; a secret that begins before the cut is replaced whole."""
        most = WINDOW_BYTES if self.full else CUT_BYTES
        window = _window(self.view, evidence.id, 0, most)
        if window.at_end:
            return self.redactor.text(window.text), None
        stop = window.text.rfind("\n", len(window.text) // 2) + 1 or len(window.text)
        behind = _window(self.view, evidence.id, window.stop, HELD_CHARACTERS)
        shown = size(window.text[:stop])
        cut = Cut(shown, window.total_bytes - shown, f"{evidence.id}+{shown}")
        return self.redactor.text(window.text + behind.text, stop), cut

    def _told(self, evidence: Evidence) -> str | None:
        """Return what is read by its members as names and values, `None` for other and for long pieces."""
        members = self.view.members(evidence.row) if evidence.bytes <= CUT_BYTES else None
        if members is None:
            return None
        redactor = self.redactor
        return told((redactor.quietly(name), redactor.named(name, text)) for name, text in named_texts(members))

    def _without_secrets(self, evidence: Evidence, touched: str | None) -> Evidence:
        """Return a row without secrets; where some were in the text (`touched`), a line of it may hold part of one."""
        if not self.redactor.rules:
            return evidence
        quietly = self.redactor.quietly
        summary = quietly(evidence.summary)
        if touched is not None and evidence.tool_part is not ToolPart.INPUT and evidence.summary not in touched:
            summary = first_line(touched)
        return replace(
            evidence,
            label=quietly(evidence.label),
            summary=summary,
            tool=quietly(evidence.tool) if evidence.tool else evidence.tool,
            files=tuple(map(quietly, evidence.files)),
            call_id=quietly(evidence.call_id) if evidence.call_id else evidence.call_id,
            native_id=quietly(evidence.native_id) if evidence.native_id else evidence.native_id,
        )


def _window(view: SessionView, evidence_id: EvidenceId, start: int, length: int) -> Slice:
    return view.slice(evidence_id, bytes=(start, start + length), max_bytes=length)
