"""What raw bytes tell of a block of rows: the rows that match, and those that have to be decoded.

Where the text of a row stands verbatim, raw bytes prove what it holds; short texts that stand nowhere are kept. Of the
other rows those are decoded in whose record the needle's fragment stands, and those of which raw bytes prove nothing:
records that write characters as escapes, records with images, texts in side files or composed of parts, records too
long to be held.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from operator import add
from typing import TYPE_CHECKING, Final

from unspool.columns.records import Records
from unspool.columns.table import code_of
from unspool.columns.verbatim import DOCUMENT, LONG, SPACED, TEXT, VALUE, searched
from unspool.dataclass import dataclass, field
from unspool.formats.piece import Kind, ToolPart
from unspool.search.escapes import ESCAPE_BYTES, find_escape, find_solidus
from unspool.search.needle import Find, Needle
from unspool.search.ranges import holding
from unspool.search.windows import mentions, proves
from unspool.search.written import Written, spans_structure
from unspool.text import utf8

if TYPE_CHECKING:
    from array import array

_CALL: Final = code_of(Kind.TOOL, ToolPart.INPUT)

Proof = tuple[Written, frozenset[int]]
"""What raw bytes have to hold, and the forms of text in which that is proof."""
Sifted = tuple[dict[int, int], Sequence[int]]
"""The number of matches of each row that is known to match, and the rows that have to be decoded."""


@dataclass(frozen=True, slots=True)
class Sieve:
    """One needle, ready to be looked for in block after block of one source.

    Without `counted` the number of matches of a row is at least 1 and says no more. `proving` are the forms of text in
    which raw bytes are proof. `named` are the tools whose names match, by number, with how often: a format may give
    names that its records do not hold. `bare` are runs of rows whose raw bytes hold nothing of the needle: all rows
    from the first of a block to its last, whether they were asked for or not.
    """

    records: Records
    needle: Needle
    counted: bool
    proofs: tuple[Proof, ...]
    proving: frozenset[int]
    named: dict[int, int]
    bare: list[range] = field(default_factory=list)

    @classmethod
    def of(cls, records: Records, needle: Needle, *, counted: bool) -> Sieve:
        """Prepare for a source."""
        compact, spaced = (not spans_structure(needle, blanks=blanks) for blanks in (False, True))
        forms = {TEXT: True, VALUE: compact, DOCUMENT: compact, SPACED: spaced}
        proving = frozenset(form for form, proves in forms.items() if proves)
        once, twice = Written.of(needle, 1), Written.of(needle, 2)
        proofs = (once, proving & {TEXT, VALUE}), (twice, proving & {DOCUMENT, SPACED})
        counts = ((number, needle.count(utf8(name))) for number, name in enumerate(records.columns.tools))
        records.verbatim.reach(len(records.columns))
        return cls(records, needle, counted, proofs, proving, {number: count for number, count in counts if count})

    def sifted(self, rows: Sequence[int]) -> Sifted:
        """Sift the ascending rows of a block; the raw bytes are let go before anything is decoded."""
        source, columns = self.records.source, self.records.columns
        begin = columns.span(rows[0])[0]
        size = sum(columns.span(rows[-1])) - begin
        if size > source.limit:
            return self._sifted_by_windows(rows, begin, size)
        raw, named = source.read(begin, size), self._named(rows)
        if source.stamp() is not None:  # written since: its records have to be compared with what they were
            return {}, self._candidates(raw, begin, rows, named)
        forms, present = _taken(self.records.verbatim.forms, rows), list(self._present(raw))
        found = self._proven(raw, begin, rows, forms, present)
        if not present:
            self.bare.append(range(rows[0], rows[-1] + 1))
        left = [] if self.proving.issuperset(forms) else self._unproven(rows, forms, found)
        for row in named.keys() - left:
            found[row] = found.get(row, 0) + named[row]
        return found, self._candidates(raw, begin, left, named) if left else left

    def _sifted_by_windows(self, rows: Sequence[int], begin: int, size: int) -> Sifted:
        """Sift the rows of a record that is too long to be held; where matches are counted, those are decoded."""
        source = self.records.source
        if source.stamp() is not None:
            return {}, rows
        found = {} if self.counted else {row: 1 for row in rows if self._is_proven(row)}
        left = [row for row in rows if row not in found]
        overlap = max(self.needle.overlap, ESCAPE_BYTES)
        if left and self.needle.fragment and not mentions(source.read, begin, size, self._finds, overlap):
            named = self._named(left)
            left = [row for row in left if row in named or self._is_opaque(row)]
        return found, left

    def _is_proven(self, row: int) -> bool:
        """Say whether the text of a row stands in one string, and a match stands in that."""
        verbatim, read = self.records.verbatim, self.records.source.read
        return verbatim.forms[row] in (TEXT, LONG) and proves(
            read, verbatim.starts[row], verbatim.lengths[row], self.proofs[0][0]
        )

    @property
    def _finds(self) -> Sequence[Find]:
        """What finds all that the text of a match may stand in."""
        solidus = [find_solidus] if b"/" in self.needle.fragment else []
        return self.needle.fragment_finder, *solidus, find_escape

    def unsettled(self, rows: Sequence[int]) -> Sequence[int]:
        """Return those of some rows that may match for all that is known of the blocks that were sifted."""
        forms, tools = self.records.verbatim.forms, self.records.columns.tool
        settled = bytearray(len(forms))
        for run in self.bare:
            settled[run.start : run.stop] = b"\1" * len(run)
        return [row for row in rows if not settled[row] or forms[row] not in self.proving or tools[row] in self.named]

    def _unproven(self, rows: Sequence[int], forms: Sequence[int], found: dict[int, int]) -> list[int]:
        """Add the rows whose texts are kept, and match; return those of which nothing is known."""
        texts, proving = self.records.verbatim.texts, self.proving
        left = [row for row, form in zip(rows, forms, strict=True) if form not in proving]
        counts = {row: self.needle.count(texts[row]) for row in left if row in texts}
        found.update((row, count) for row, count in counts.items() if count)
        return [row for row in left if row not in counts]

    def _proven(
        self, raw: bytes, begin: int, rows: Sequence[int], forms: Sequence[int], proofs: Iterable[Proof]
    ) -> dict[int, int]:
        """Return how often each row matches that does so where its text stands verbatim."""
        verbatim, found = self.records.verbatim, dict[int, int]()
        for written, proving in proofs:
            wanted: Sequence[int] = rows
            if not proving.issuperset(forms):
                wanted = [row for row, form in zip(rows, forms, strict=True) if form in proving]
            starts = _taken(verbatim.starts, wanted)
            stops = list(map(add, starts, _taken(verbatim.lengths, wanted)))
            stands = None if written.is_proof(raw) else written.stands
            holders = holding(raw, begin, starts, stops, written.find, stands)
            if not self.counted:
                found.update(dict.fromkeys(map(wanted.__getitem__, holders), 1))
                continue
            count = written.counter(raw)
            for number in holders:
                row, start, stop = wanted[number], starts[number] - begin, stops[number] - begin
                matches = count(start, stop)
                found[row] = self._decoded(raw[start:stop], verbatim.forms[row]) if matches is None else matches
        return found

    def _present(self, raw: bytes) -> Iterator[Proof]:
        """Yield what raw bytes hold at all, with the forms of text in which that is proof."""
        missed = b""
        for written, proving in self.proofs:
            if written.needle.literal == missed:
                continue
            if written.find(raw, 0) >= 0:
                yield written, proving
            else:
                missed = written.needle.literal

    def _decoded(self, part: bytes, form: int) -> int:
        return sum(self.needle.count(utf8(text)) for text in searched(part, form))

    def _named(self, rows: Sequence[int]) -> dict[int, int]:
        """Return how often the name of the tool matches, for calls of tools whose name does."""
        columns, named = self.records.columns, self.named
        if not named:
            return {}
        calls = (row for row, code in zip(rows, _taken(columns.code, rows), strict=True) if code == _CALL)
        return {row: named[tool] for row in calls if (tool := columns.tool[row]) in named}

    def _candidates(self, raw: bytes, begin: int, rows: Sequence[int], named: Container[int]) -> Sequence[int]:
        """Return those rows that have to be decoded."""
        if not self.needle.fragment:
            return rows
        opaque = [row for row in rows if row in named or self._is_opaque(row)]
        plain = sorted({*rows}.difference(opaque))
        spans = list(map(self.records.columns.span, plain))
        starts, stops = [offset for offset, _ in spans], list(map(sum, spans))
        touched = {number for find in self._finds for number in holding(raw, begin, starts, stops, find)}
        return [*opaque, *map(plain.__getitem__, touched)]

    def _is_opaque(self, row: int) -> bool:
        """Say whether a record may hide a text that holds the fragment."""
        records, columns = self.records, self.records.columns
        return (
            columns.images[row] > 0
            or columns.entry[row] in columns.spans
            or row in records.stored
            or row in columns.composed
        )


def _taken(column: array[int], rows: Sequence[int]) -> list[int]:
    """Return the items of a column in some ascending rows."""
    if not rows or rows[-1] - rows[0] >= len(rows):
        return [*map(column.__getitem__, rows)]
    return column[rows[0] : rows[-1] + 1].tolist()
