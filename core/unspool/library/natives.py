"""Finding pieces by the ids that the logs themselves use: call ids and message ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unspool.errors import NotFound
from unspool.formats import by_agent
from unspool.formats.piece import ToolPart
from unspool.ids import EntryRange
from unspool.sources.document import open_log

if TYPE_CHECKING:
    from unspool.views.view import SessionView


def place_of(native: str, view: SessionView, part: ToolPart | None = None) -> EntryRange:
    """Return the piece of a call id (its result where there is one, unless `part` says input), or a message's entry.

    Raises `NotFound`.
    """
    rows = [row for row in range(view.rows) if view.call_id(row) == native]
    for wanted in [part] if part is not None else [ToolPart.OUTPUT, ToolPart.INPUT]:
        for row in rows:
            if view.tool_part(row) == wanted:
                return EntryRange.of(view.id(row))
    entry = _entry_of(native, view)
    if entry is None:
        raise NotFound(
            f"{view.ref} has nothing under the id {native!r}; `unspool evidence {view.ref}` lists its pieces"
        )
    return EntryRange(entry, entry)


def _entry_of(native: str, view: SessionView) -> int | None:
    """Return the entry whose record or piece has a native id: those that hold it as bytes are decoded."""
    format = by_agent(view.agent)
    needle = native.encode(errors="replace")
    with open_log(view.source_path) as lines:
        for entry in lines.entries():
            if format is None or not entry.records or needle not in lines.read(entry.offset, entry.length):
                continue
            for record in entry.records:
                decoded = format.decode(record.value)
                if native in (decoded.native_id, *(piece.native_id for piece in decoded.pieces)):
                    return entry.number
    return None
