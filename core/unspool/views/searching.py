"""Searching a view: pages of hits, what was hidden by filters, and how to go on."""

from __future__ import annotations

import time
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from unspool.columns.piece_text import PieceText, border_after
from unspool.dataclass import dataclass, field
from unspool.errors import BadQuery, SourceChanged
from unspool.formats.piece import Kind
from unspool.ids import EvidenceId
from unspool.pattern import pattern
from unspool.search.match import Match, match_row, match_text
from unspool.search.needle import Case, Needle
from unspool.search.scan import Progress, matching_blocks, matching_rows
from unspool.search.sieve import Sieve
from unspool.views.bounds import SEARCH_MOST
from unspool.views.filter import Filter
from unspool.views.hits import Hit, Searched, SearchResult
from unspool.views.members import readable
from unspool.views.raw_hits import raw_hits

if TYPE_CHECKING:
    from unspool.sources.jsonl import JsonLines
    from unspool.views.index import Index
    from unspool.views.material import Material

SNIPPET_BEFORE: Final = 60
"""Characters shown before the first match: enough to see what it belongs to, and it stays in view."""

SNIPPET_CHARACTERS: Final = 240
"""Characters of a snippet."""

_AFTER = pattern(r"([Ee]\d{1,15}\.\d{1,9})\+(\d{1,15})\Z")
"""The last piece looked at, and how many matched up to it."""


@dataclass(frozen=True, slots=True)
class Request:
    """One search, ready to run."""

    needle: Needle
    filter: Filter
    limit: int
    after: EvidenceId | None
    before: int

    @classmethod
    def of(cls, query: str, filter: Filter, case: Case, limit: int, after: str | None) -> Request:
        """Check the parts of a request; raises `BadQuery`."""
        if not 1 <= limit <= SEARCH_MOST:
            raise BadQuery(f"limit is {limit}; a search gives 1 to {SEARCH_MOST} hits, go on with `after`")
        needle, wanted = Needle.of(query, case), filter.with_(twins=False)
        if after is None:
            return cls(needle, wanted, limit, None, 0)
        found = _AFTER.match(after.strip())
        if found is None:
            raise BadQuery(f"not a continuation of a search: {after!r}; pass the `next` of the answer before")
        return cls(needle, wanted, limit, EvidenceId.parse(found[1]), int(found[2]))


def search_view(
    material: Material, request: Request, stop: Callable[[], bool], lines: JsonLines | None = None
) -> SearchResult:
    """Search; with `lines` also look into unreadable and other records."""
    index = material.index
    wanted = searchable(material, request.filter)
    rows = wanted[_behind(index, wanted, request.after) :]
    progress, page = Progress(), _Page(material, request, request.before)
    sieve = Sieve.of(material.records, request.needle, counted=False)
    for matching in matching_blocks(sieve, rows, stop=stop, progress=progress):
        page.take([*matching])
    complete = progress.pieces >= len(rows)
    if not complete and page.following is None:
        page.following = f"{index.id(rows[progress.pieces - 1])}+{page.total}"
    searched = Searched(len(wanted) - len(rows) + progress.pieces, progress.bytes)
    hidden = _hidden(material, request.filter, wanted, sieve, stop) if complete and not page.total else {}
    raw = tuple(raw_hits(index, request.needle, lines, stop)) if lines is not None and request.after is None else ()
    return SearchResult(tuple(page.hits), page.total, complete, page.following, searched, hidden, raw)


@dataclass(slots=True)
class _Page:
    """The first hits of a search, and how many pieces match; `following` is behind the last hit when more do."""

    material: Material
    request: Request
    total: int
    hits: list[Hit] = field(default_factory=list)
    following: str | None = None
    _resume: str | None = None

    def take(self, rows: Sequence[int]) -> None:
        """Take the next matching rows; those that are shown are decoded."""
        needle, room = self.request.needle, self.request.limit - len(self.hits)
        for number, row in enumerate(rows[:room], self.total + 1):
            match = match_row(self.material.records, row, needle)
            if match is not None:
                self.hits.append(make_hit(self.material, row, match, needle))
            self._resume = f"{self.material.index.id(row)}+{number}"
        if len(rows) > room:
            self.following = self._resume
        self.total += len(rows)


def _behind(index: Index, rows: array[int], after: EvidenceId | None) -> int:
    """Return the position of the first row behind a piece."""
    return bisect_right(rows, after, key=index.id) if after is not None else 0


def searchable(material: Material, filter: Filter) -> array[int]:
    """Return the rows that a filter wants, its path included."""
    rows = material.index.select(filter)
    if filter.path is None:
        return rows
    wanted = filter.path.casefold()
    return array("I", (row for row in _mentioning(material, rows, filter.path) if _names(material, row, wanted)))


def deadline(seconds: float | None, cancelled: Callable[[], bool] | None) -> Callable[[], bool]:
    """Return a function that says when to stop: after so many seconds, or when the caller says so."""
    end = time.monotonic() + seconds if seconds is not None else None

    def stop() -> bool:
        return (cancelled is not None and cancelled()) or (end is not None and time.monotonic() >= end)

    return stop


def make_hit(material: Material, row: int, match: Match, needle: Needle) -> Hit:
    """Return the hit of a matching row, its first match placed and shown."""
    evidence = material.evidence(row)
    if match.start is None or match.stop is None:
        return Hit(evidence, match.count, None, None, None, evidence.label, ())
    try:
        line, column, snippet = _placed(material.text(row), match.start, match.stop)
    except SourceChanged:
        line, column, snippet = _placed(material.text(row, model_view=True), match.start, match.stop)
    spans = tuple(_spans(snippet, needle))
    return Hit(
        evidence, match.count, line, column, match.start, snippet, spans, _readable(material, row, match, needle)
    )


def _readable(material: Material, row: int, match: Match, needle: Needle) -> Hit | None:
    """Return the hit in the text by which people read members; without a place where only JSON shows it."""
    members = material.members(row)
    if members is None:
        return None
    evidence, text = material.evidence(row), PieceText.of(readable(members))
    found = match_text(text, needle, counted=False)
    if found is None or found.start is None or found.stop is None:
        return Hit(evidence, match.count, None, None, None, evidence.summary, ())
    line, column, snippet = _placed(text, found.start, found.stop)
    return Hit(evidence, match.count, line, column, found.start, snippet, tuple(_spans(snippet, needle)))


def _placed(text: PieceText, start: int, stop: int) -> tuple[int, int, str]:
    """Return line, column and snippet of a match."""
    column, snippet = _snippet(text, text.line_begin(start), start, stop)
    return text.line_at(start), column, snippet


def _snippet(text: PieceText, begin: int, start: int, stop: int) -> tuple[int, str]:
    """Return the 1-based column of a match, and its line around it."""
    column = sum(len(chunk) for chunk in _characters(text, begin, start)) + 1
    window = max(begin, start - SNIPPET_BEFORE * 4)
    near = text.read(window, stop + SNIPPET_CHARACTERS * 4)
    lead = near[border_after(near, 0) : start - window].decode(errors="replace")[-SNIPPET_BEFORE:]
    match = near[start - window : stop - window].decode(errors="replace")[:SNIPPET_CHARACTERS]
    room = max(0, SNIPPET_CHARACTERS - len(lead) - len(match))
    trail = near[stop - window :].decode(errors="ignore").partition("\n")[0]
    return column, lead + match + trail[:room]


def _characters(text: PieceText, begin: int, end: int) -> Iterator[str]:
    for offset, block in text.blocks(begin):
        if offset >= end:
            return
        yield block[max(0, begin - offset) : end - offset].decode(errors="replace")


def _spans(snippet: str, needle: Needle) -> Iterator[tuple[int, int]]:
    data = snippet.encode(errors="replace")
    for start, stop in needle.matches(data):
        yield len(data[:start].decode(errors="replace")), len(data[:stop].decode(errors="replace"))


def _mentioning(material: Material, rows: array[int], path: str) -> Iterator[int]:
    """Yield rows of calls and prompts in which the path's text stands."""
    index = material.index
    wanted = array("I", (row for row in rows if index.kind(row) in (Kind.TOOL, Kind.USER)))
    calls = array("I", sorted({material.asking(row) for row in wanted}))
    found = {row for row, _ in matching_rows(material.records, calls, Needle.of(path), counted=False)}
    return (row for row in wanted if material.asking(row) in found)


def _names(material: Material, row: int, path: str) -> bool:
    return any(path in file.casefold() for file in material.touched(row))


def _hidden(
    material: Material, filter: Filter, rows: array[int], sieve: Sieve, stop: Callable[[], bool]
) -> dict[str, int]:
    """Say which filter words kept matching pieces out of an empty answer, and how many each one did."""
    every = Filter(reasoning=True, hidden=True, twins=False)
    left = sieve.unsettled(material.index.without(every, rows))
    counts: dict[str, int] = {}
    matched = {row for found in matching_blocks(sieve, left, stop=stop) for row in found}
    for name, without in _loosened(filter) if matched else ():
        wanted = searchable(material, without)
        hits = sum(1 for row in matched if _holds(wanted, row))
        if hits:
            counts[name] = hits
    if matched and not counts:
        counts["filters"] = len(matched)
    return counts


def _holds(rows: array[int], row: int) -> bool:
    position = bisect_left(rows, row)
    return position < len(rows) and rows[position] == row


def _loosened(filter: Filter) -> Iterator[tuple[str, Filter]]:
    """Yield each word that narrows a filter, with the filter without it."""
    if filter.kinds:
        yield "kind", filter.with_(kinds=frozenset())
    if filter.tool_part is not None:
        yield "part", filter.with_(tool_part=None)
    if filter.tools:
        yield "tool", filter.with_(tools=frozenset())
    if filter.errors:
        yield "errors", filter.with_(errors=False)
    if filter.stored:
        yield "stored", filter.with_(stored=False)
    if filter.within is not None:
        yield "in", filter.with_(within=None)
    if filter.path is not None:
        yield "path", filter.with_(path=None)
    if filter.ids is not None:
        yield "ids", filter.with_(ids=None)
    if not filter.reasoning:
        yield "reasoning", filter.with_(reasoning=True)
    if not filter.hidden:
        yield "abandoned", filter.with_(hidden=True)
