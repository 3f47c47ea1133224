"""Why a range holds no piece: what its entry is, or which entries there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from unspool.ids import EntryRange

if TYPE_CHECKING:
    from unspool.sources.jsonl import JsonLines
    from unspool.sources.record import Entry, Unreadable
    from unspool.views.material import Material

RAW: Final = "--raw shows it"

_STATES: Final = {
    "blank": "is blank",
    "value": f"is JSON, but no record; {RAW}",
    "pending": f"is half a record; {RAW}",
}


def absence(material: Material, lines: JsonLines, unreadable: Sequence[Unreadable], wanted: EntryRange) -> str:
    """Return what there is instead of a piece, in one line without the session's name."""
    index, entry = material.index, wanted.first
    within = index.entry_range or EntryRange(0, max(0, index.entries - 1))
    if wanted.first != wanted.last or not within.first <= entry <= min(within.last, index.entries - 1):
        return f"there is no piece {wanted}; the entries are E{within.first} to E{within.last}"
    others = [str(index.id(row)) for row in index.rows_in(EntryRange(entry, entry))]
    if others:
        return f"there is no piece {wanted}; E{entry} has {', '.join(others)}"
    broken = next((each.reason for each in unreadable if each.line == entry + 1), None)
    if broken is not None:
        return f"line {entry + 1} (E{entry}) is unreadable: {broken}; {RAW}"
    first = _begins(material, entry)
    if first is not None:
        return f"line {entry + 1} (E{entry}) belongs to the record that begins in E{first}"
    return _kind(material, next(lines.entries(entry, material.records.columns.offsets[entry])))


def _begins(material: Material, entry: int) -> int | None:
    """Return the entry in which a record begins that an entry is inside of."""
    columns = material.records.columns
    offset = columns.offsets[entry]
    for first, spans in columns.spans.items():
        if first < entry and any(span.offset <= offset < span.offset + span.length for span in spans):
            return first
    return None


def _kind(material: Material, entry: Entry) -> str:
    place = f"line {entry.number + 1} (E{entry.number})"
    if entry.state in _STATES:
        return f"{place} {_STATES[entry.state]}"
    if not entry.records:
        return f"{place} holds no record; {RAW}"
    decoded = material.format.decode(entry.records[0].value)
    what = "without anything to show" if decoded.empty else "and no evidence"
    return f"E{entry.number} is {'an' if decoded.type[:1] in 'aeiou' else 'a'} {decoded.type} record {what}; {RAW}"
