"""A view with texts of our own, and an app with nothing but a reader."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any
from unittest.mock import patch

from textual import on
from textual.app import App, ComposeResult

from unspool.columns.piece_text import PieceText
from unspool.formats.piece import Flag, Kind, ToolPart
from unspool.ids import EvidenceId
from unspool.text import line_count, size
from unspool.views.evidence import Evidence
from unspool.views.reading import Slice
from unspool.views.windows import slice_text
from unspool_tui.present import windows
from unspool_tui.present.matches import Case
from unspool_tui.present.opening import open_piece
from unspool_tui.present.windows import answer
from unspool_tui.themes import themes
from unspool_tui.widgets.reader import Reader


@dataclass
class Piece:
    """One piece of a made-up view; what is not given is what a plain assistant text has."""

    text: str
    kind: Kind = Kind.ASSISTANT
    tool_part: ToolPart | None = None
    tool: str | None = None
    label: str = ""
    flags: Flag = Flag(0)
    exit_code: int | None = None
    time: int | None = None
    peer: int | None = None
    seen: str | None = None
    arguments: Any = None
    detail: Any = None
    notice: str | None = None
    files: tuple[str, ...] = ()


def call(text: str, **more: Any) -> Piece:
    """Return a call."""
    return Piece(text, Kind.TOOL, ToolPart.INPUT, **{"tool": "Bash", **more})


def result(text: str, **more: Any) -> Piece:
    """Return a result."""
    return Piece(text, Kind.TOOL, ToolPart.OUTPUT, **{"tool": "Bash", **more})


@dataclass
class MadeUpView:
    """Rows of made-up pieces, sliced as a real view slices; `slices` counts how often it was read."""

    pieces: list[Piece]
    slices: int = 0
    largest: int = 0
    found: list[tuple[str, int]] = field(default_factory=list)

    def evidence_at(self, row: int) -> Evidence:
        piece = self.pieces[row]
        return Evidence(
            id=EvidenceId(row, 0),
            row=row,
            kind=piece.kind,
            tool_part=piece.tool_part,
            tool=piece.tool,
            call_id=None,
            peer=EvidenceId(piece.peer, 0) if piece.peer is not None else None,
            peers=(),
            label=piece.label,
            summary=piece.label.partition(" · ")[2] or piece.text[:200].partition("\n")[0],
            time=piece.time,
            bytes=size(piece.text),
            model_bytes=size(piece.seen) if piece.seen is not None else None,
            lines=line_count(piece.text),
            images=0,
            files=piece.files,
            flags=piece.flags,
            native_id=None,
            exit_code=piece.exit_code,
        )

    def peer_row(self, row: int) -> int | None:
        return self.pieces[row].peer

    def arguments(self, row: int) -> Any | None:
        return self.pieces[row].arguments

    def result_detail(self, row: int) -> Any | None:
        return self.pieces[row].detail

    def notice(self, row: int) -> str | None:
        return self.pieces[row].notice

    def slice(
        self,
        target: EvidenceId,
        *,
        lines: tuple[int, int] | None = None,
        bytes: tuple[int, int] | None = None,  # noqa: A002 - the view's own word
        model_view: bool = False,
        raw: bool = False,
        max_bytes: int = 262_144,
    ) -> Slice:
        piece = self.pieces[target.entry]
        text = f'{{"record":{target.entry}}}' if raw else piece.seen if model_view and piece.seen else piece.text
        self.slices += 1
        answered = slice_text(PieceText.of(text), lines=lines, bytes=bytes, max_bytes=max_bytes)
        self.largest = max(self.largest, answered.stop - answered.start)
        return answered

    def find(
        self, target: EvidenceId, query: str, *, start: int = 0, case: Case = "ignore", model_view: bool = False
    ) -> tuple[int, int] | None:
        self.found.append((query, start))
        data, needle = self.pieces[target.entry].text.encode(), query.encode()
        at = data.find(needle, start) if case == "exact" else data.lower().find(needle.lower(), start)
        return (at, len(needle)) if at >= 0 else None


class ReaderHost(App[None]):
    """An app with a reader that is answered at once, or by the test when `held`."""

    def __init__(self, view: MadeUpView, *, held: bool = False, theme: str = "unspool-dark") -> None:
        super().__init__()
        self.view = view
        self.held = held
        self.wanted: list[Reader.Wanted] = []
        self.ended: list[Reader.SearchEnded] = []
        self.peers = 0
        for each in themes():
            self.register_theme(each)
        self.theme = theme

    def compose(self) -> ComposeResult:
        yield Reader(id="reader")

    def on_mount(self) -> None:
        self.reader.tz = UTC
        self.reader.focus()

    @property
    def reader(self) -> Reader:
        return self.query_one(Reader)

    def read(self, row: int = 0, **more: Any) -> None:
        """Open a piece as a worker would."""
        self.reader.show(open_piece(self.view, row, **more))

    def answer(self, wanted: Reader.Wanted) -> None:
        """Answer a request as a worker would."""
        self.reader.deliver(answer(self.view, wanted.request), wanted.generation)

    @on(Reader.Wanted)
    def _wanted(self, event: Reader.Wanted) -> None:
        self.wanted.append(event)
        if not self.held:
            self.answer(event)

    @on(Reader.SearchEnded)
    def _ended(self, event: Reader.SearchEnded) -> None:
        self.ended.append(event)

    @on(Reader.PeerWanted)
    def _peer(self) -> None:
        self.peers += 1


@contextmanager
def windows_of(size: int) -> Iterator[None]:
    """Make windows small, so that a short text has many."""
    with patch.multiple(windows, WINDOW=size, BEFORE=size // 2, LINES_ASKED=size):
        yield


def screen_rows(app: App[None]) -> list[str]:
    """Return what is on the screen, row by row."""
    return ["".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips()]
