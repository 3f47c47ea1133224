"""Resolving a quote: where its piece lies, and whether it is still what was quoted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from unspool.dataclass import replace
from unspool.errors import SourceChanged
from unspool.ids import EntryRange, EvidenceId, Reference, SessionRef
from unspool.views.anchor import SourceAnchor, State
from unspool.views.filter import Filter

if TYPE_CHECKING:
    from unspool.columns.piece_text import PieceText
    from unspool.views.material import Material

SEARCHED_BYTES: Final = 256 << 20
"""Text hashed at most to find a piece again by its digest: about a second."""


def digest(text: PieceText) -> str:
    """Return the SHA-256 of a text in UTF-8, as hex."""
    result = sha256()
    for _, block in text.blocks():
        result.update(block)
    return result.hexdigest()


def resolve_target(
    material: Material, session: SessionRef, source: str, target: EntryRange, quoted: str | None
) -> SourceAnchor:
    """Return the anchor of a piece or range; `quoted` is the digest that a reference carries.

    A digest is always that of one piece. It is looked for in the target first, then everywhere, within bounds; a range
    that holds the quoted piece is answered by that piece.
    """
    rows = material.index.rows_in(target)
    if quoted is None:
        if len(rows) == 1:
            return _anchor(material, session, source, rows[0], "unverified", None)
        return _range(material, session, source, target, rows)
    found = _with_digest(material, rows, quoted)
    if found is None:
        found = _with_digest(material, _bounded(material, frozenset(rows)), quoted)
    if found is not None:
        return _anchor(material, session, source, found, "intact", quoted)
    if len(rows) == 1:
        return _anchor(material, session, source, rows[0], "changed", None)
    anchor = _range(material, session, source, target, rows)
    return replace(anchor, state="changed") if anchor.state == "unverified" else anchor


def gone(session: SessionRef, target: EntryRange) -> SourceAnchor:
    """Return the answer for a session that is no longer there."""
    nothing = (None, None, None, None, None, None, None)
    return SourceAnchor(session, "", target, None, (), *nothing, pieces=(), state="source gone")


def _anchor(
    material: Material, session: SessionRef, source: str, row: int, state: State, known: str | None
) -> SourceAnchor:
    evidence, piece = material.evidence(row), material.records.piece(row)
    offset, length = material.records.columns.span(row)
    part = evidence.tool_part
    return SourceAnchor(
        session=session,
        source=source,
        entry_range=evidence.entry_range,
        byte_range=(offset, offset + length),
        pointers=tuple(part.pointer for part in piece.parts),
        native_id=evidence.native_id,
        evidence_id=evidence.id,
        kind=str(evidence.kind),
        tool_part=str(part) if part is not None else None,
        label=evidence.label,
        summary=evidence.summary,
        digest=known if known is not None and len(known) == 64 else _digest_of(material, row),
        pieces=(evidence.id,),
        state=state,
    )


def _range(material: Material, session: SessionRef, source: str, target: EntryRange, rows: list[int]) -> SourceAnchor:
    columns = material.records.columns
    spans = [columns.span(row) for row in rows]
    byte_range = (spans[0][0], sum(spans[-1])) if spans else _entries_span(material, target)
    exists = bool(rows) or byte_range is not None
    return SourceAnchor(
        session=session,
        source=source,
        entry_range=target,
        byte_range=byte_range,
        pointers=(),
        native_id=None,
        evidence_id=None,
        kind=None,
        tool_part=None,
        label=None,
        summary=None,
        digest=None,
        pieces=tuple(material.index.id(row) for row in rows),
        state="unverified" if exists else "missing",
    )


def _entries_span(material: Material, target: EntryRange) -> tuple[int, int] | None:
    """Return the bytes of entries that hold no pieces; `None` when a piece was named or they lie behind the end."""
    index, columns = material.index, material.records.columns
    if target.single is not None or target.first_piece is not None or target.first >= index.entries:
        return None
    return columns.offsets[target.first], columns.ends[min(target.last, index.entries - 1)]


def _digest_of(material: Material, row: int) -> str | None:
    """Return a row's digest, `None` when its full text is gone or changed."""
    try:
        return digest(material.records.text(row))
    except SourceChanged:
        return None


def _with_digest(material: Material, rows: Iterable[int], quoted: str) -> int | None:
    """Return the first of some rows whose text has a digest that begins like this."""
    for row in rows:
        actual = _digest_of(material, row)
        if actual is not None and actual.startswith(quoted):
            return row
    return None


def _bounded(material: Material, searched: frozenset[int]) -> Iterator[int]:
    """Yield the rows that are not searched yet, as far as the bound on their texts reaches."""
    left = SEARCHED_BYTES
    for row in material.index.select(Filter(reasoning=True, hidden=True)):
        if row not in searched and material.index.bytes(row) <= left:
            left -= material.index.bytes(row)
            yield row


def reference_of(material: Material, session: SessionRef, evidence_id: EvidenceId, row: int) -> Reference:
    """Return the citable reference of a piece, its digest included."""
    return Reference(session, EntryRange.of(evidence_id), None, _digest_of(material, row))
