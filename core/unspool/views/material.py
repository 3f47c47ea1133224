"""What the answers of a view are made from: its index and its records, and the rows they give together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from unspool.columns.stored_blob import StoredBlob
from unspool.dataclass import dataclass, field
from unspool.errors import SourceChanged
from unspool.formats.headline import patch_told
from unspool.formats.piece import Flag, JsonPart, Kind, Piece, ToolPart
from unspool.sources.json_value import Clipped, compact, leaves
from unspool.text import elided
from unspool.views.evidence import Evidence
from unspool.views.label import exit_code, label
from unspool.views.members import MEMBERS_BYTES, readable, said_in, wrapped
from unspool.views.telling import LINE_CHARACTERS, TAIL_CHARACTERS, first_line, telling_line

if TYPE_CHECKING:
    from unspool.columns.piece_text import PieceText
    from unspool.columns.records import Records
    from unspool.formats.base import Format
    from unspool.views.index import Index

HEAD_BYTES: Final = 65_536
"""Bytes of a side file read for its summary."""

COMPACTED: Final = "context compacted"
"""The summary of a boundary that says nothing in words: what it tells in members stands in its label."""


@dataclass(slots=True, eq=False)
class Material:
    """Index and records of one snapshot; every access here reads the source, so it belongs into a worker."""

    index: Index
    records: Records
    format: Format
    _evidence: dict[int, Evidence] = field(default_factory=dict)
    _text: tuple[tuple[int, bool], PieceText] | None = None

    def evidence(self, row: int) -> Evidence:
        """Return the row as the evidence index shows it."""
        found = self._evidence.get(row)
        if found is None:
            if len(self._evidence) > 4_096:
                self._evidence.clear()
            found = self._evidence[row] = self._make(row)
        return found

    def arguments(self, row: int) -> Any | None:
        """Return the structured arguments of a call, `None` for other pieces, unstructured ones, and ones too long."""
        return self.structure(row) if self.index.tool_part(row) == ToolPart.INPUT else None

    def members(self, row: int) -> Mapping[str, Any] | None:
        """Return the members by which people read a piece, `None` for one that is read as it is."""
        if self.index.tool_part(row) == ToolPart.OUTPUT:
            return self._wrapped(row, self.text(row)) if row not in self.records.stored else None
        value = self.arguments(row)
        return value if isinstance(value, dict) and value else None

    def _wrapped(self, row: int, text: PieceText) -> Mapping[str, Any] | None:
        """Return the members of an output that is a wrapper; most are told by their lines not to be one."""
        if self.index.lines(row) > 1 or text.size > MEMBERS_BYTES or text.read(0, 1) != b"{":
            return None
        return wrapped(text.read(0, text.size).decode())

    def structure(self, row: int) -> Any | None:
        """Return the structured value that a piece is, `None` for text, several parts, and values too long."""
        value = _structure(self.records.piece(row))
        return None if any(isinstance(leaf, Clipped) for leaf in leaves(value)) else value

    def result_detail(self, row: int) -> Any | None:
        """Return the agent's own richer form of a call's result: from a record of its own, else from the row's."""
        columns = self.records.columns
        found = columns.details.get(self.index.call_id(row) or "")
        if found is not None and sum(found) <= columns.ends[self.index.entries - 1]:
            return self.format.detail(self.records.source.record(*found))
        return self.format.detail(self.records.decoded(row)[0])

    def text(self, row: int, model_view: bool = False) -> PieceText:
        """Return the row's text; the one asked for last is kept, with the way that was measured through it."""
        key, kept = (row, model_view), self._text
        if kept is None or kept[0] != key:
            kept = self._text = (key, self.records.text(row, model_view=model_view))
        return kept[1]

    def head(self, row: int, piece: Piece | None = None) -> str:
        """Return the beginning of the full text, at least as much as a summary needs; `piece` is the row's, if known.

        When its side file is gone meanwhile, what the log holds: a list must not fail for one of its rows.
        """
        located = self.records.stored.get(row)
        if located is not None and located.file is not None:
            try:
                return located.file.read(0, HEAD_BYTES).decode(errors="replace")
            except SourceChanged:
                pass
        return (piece or self.records.piece(row)).text()

    def notice(self, row: int) -> str | None:
        """Return what a person must know before reading the piece, `None` when all is well."""
        located = self.records.stored.get(row)
        return located.notice if located is not None else None

    def stored_blob(self, row: int) -> StoredBlob | None:
        """Return the stored output that holds a row's full text, `None` for rows whose text lies elsewhere."""
        located = self.records.stored.get(row)
        return located.file if located is not None and isinstance(located.file, StoredBlob) else None

    def _make(self, row: int) -> Evidence:
        index, piece = self.index, self.records.piece(row)
        kind, part, flags = index.kind(row), index.tool_part(row), index.flags(row)
        head = self.head(row, piece) if part != ToolPart.INPUT else ""
        code = exit_code(head) if part == ToolPart.OUTPUT else None
        arguments = _arguments(piece)
        tool = index.tool(row)
        headline = self._headline(piece, tool, arguments) if part == ToolPart.INPUT else ""
        compaction = self.records.decoded(row)[1].compaction if index.is_compaction(row) else None
        if compaction is not None and _structure(piece) is not None:
            head = COMPACTED
        stored = self.stored_blob(row)
        peers = tuple(index.id(peer) for peer in index.peer_rows(row))
        return Evidence(
            id=index.id(row),
            row=row,
            kind=kind,
            tool_part=part,
            tool=tool,
            call_id=index.call_id(row),
            peer=peers[0] if peers else None,
            peers=peers,
            label=label(
                kind, part, tool, flags, headline, code, self._lines(row), compaction, self.notice(row), piece.blob
            ),
            summary=headline if part == ToolPart.INPUT else self._summary(row, part, head, flags, code),
            time=index.time(row),
            bytes=index.bytes(row),
            model_bytes=index.model_bytes(row),
            lines=index.lines(row),
            images=index.images(row),
            files=self.files(piece, tool, arguments),
            flags=flags,
            native_id=piece.native_id,
            exit_code=code,
            blob=piece.blob or (stored.id if stored is not None else None),
        )

    def _lines(self, row: int) -> int:
        """Count the lines that people read."""
        members = self.members(row) if self.index.tool_part(row) == ToolPart.OUTPUT else None
        return self.index.lines(row) if members is None else readable(members).count("\n") + 1

    def _summary(self, row: int, part: ToolPart | None, head: str, flags: Flag, code: int | None) -> str:
        if part is None:
            return first_line(head)
        failed = Flag.ERROR in flags or bool(code)
        members = wrapped(head) if self.index.lines(row) == 1 and len(head) <= MEMBERS_BYTES else None
        said = said_in(members) if members is not None else None
        if said is not None:
            return telling_line(said, said[-TAIL_CHARACTERS:], failed=failed)
        return telling_line(head, self._tail(row, head), failed=failed)

    def _tail(self, row: int, head: str) -> str:
        located = self.records.stored.get(row)
        if located is not None and located.file is not None:
            start = max(0, located.file.size - TAIL_CHARACTERS)
            try:
                return located.file.read(start, TAIL_CHARACTERS).decode(errors="replace")
            except SourceChanged:
                pass
        return head[-TAIL_CHARACTERS:]

    def _headline(self, piece: Piece, tool: str | None, arguments: Any) -> str:
        if arguments is not None:
            named = self.format.headline(tool or "", arguments)
            return " ".join(named.split()) or (elided(compact(arguments), LINE_CHARACTERS) if arguments else "")
        text = piece.text()
        return patch_told(text) or first_line(text)

    def asking(self, row: int) -> int:
        """Return the row whose files count for a row: the call of a result, else the row itself."""
        peer = self.index.peer_row(row)
        return peer if peer is not None and self.index.tool_part(row) == ToolPart.OUTPUT else row

    def touched(self, row: int) -> tuple[str, ...]:
        """Return the paths that a row touches: those its call names, or a prompt mentions."""
        asking = self.asking(row)
        piece = self.records.piece(asking)
        return self.files(piece, self.index.tool(asking), _arguments(piece))

    def files(self, piece: Piece, tool: str | None, arguments: Any) -> tuple[str, ...]:
        """Return the paths that a call names, or a prompt mentions as `@path`."""
        if piece.tool_part == ToolPart.INPUT:
            named = arguments if arguments is not None else piece.text()
            return self.format.files(tool or "", named)
        if piece.kind == Kind.USER and Flag.BY_USER not in piece.flags:
            return mentioned(piece.text())
        return ()


def mentioned(text: str) -> tuple[str, ...]:
    """Return the `@path` mentions of a prompt: words that begin with `@` and hold a dot or a slash."""
    words = (word[1:].rstrip(".,:;!?)'\"`]") for word in text[:65_536].split() if word.startswith("@"))
    return tuple(dict.fromkeys(word for word in words if "/" in word or "." in word))


def _arguments(piece: Piece) -> Any | None:
    return _structure(piece) if piece.tool_part == ToolPart.INPUT else None


def _structure(piece: Piece) -> Any | None:
    part = piece.parts[0] if len(piece.parts) == 1 else None
    return part.value if isinstance(part, JsonPart) else None
