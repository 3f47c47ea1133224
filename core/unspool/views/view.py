"""`SessionView`: an immutable snapshot of one source, and every bounded question that can be asked of it."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from unspool.dataclass import replace
from unspool.errors import BadQuery
from unspool.formats.piece import Flag
from unspool.ids import EvidenceId, Reference
from unspool.text import elided, line_count
from unspool.views.bounds import EVIDENCE_ITEMS, OVERVIEW_ITEMS, SEARCH_ITEMS, Bounds
from unspool.views.filter import Filter, parse_part
from unspool.views.taken import TakenView
from unspool.views.target import Target, parse_target
from unspool.views.telling import LINE_CHARACTERS

if TYPE_CHECKING:
    from typing import Unpack

    from unspool.search.needle import Case
    from unspool.views.anchor import SourceAnchor
    from unspool.views.evidence import EvidencePage
    from unspool.views.hits import SearchResult
    from unspool.views.overview import Overview
    from unspool.views.reading import Reading, Slice
    from unspool.views.stats import Stats
    from unspool.views.words import Words

SLICE_BYTES: Final = 262_144
"""A window for a screen: more than anyone reads at once, little enough to wrap at once."""

SEARCH_FILTER: Final = Filter(reasoning=True, hidden=True)
"""A search covers reasoning and abandoned pieces by default, never twins and replays."""


class SessionView(TakenView):
    """A snapshot of one source: what it holds was fixed when it was made, and never changes.

    Questions about rows (`kind`, `select`, `facets`, …, from `Index`) need no file access; all others read the source
    and raise `SourceChanged` when its bytes are no longer those of the snapshot. Times are in milliseconds since 1970
    UTC, sizes in bytes. What answers a question is imported when it is first asked.
    """

    def overview(
        self,
        max_items: int = OVERVIEW_ITEMS,
        *,
        known: Overview | None = None,
        first: int | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Overview:
        """Return the user and assistant texts in order, thinned evenly to `max_items`.

        `known` is an overview of an earlier view with the same rows and texts as far as it goes: they are not read
        again. With `first`, only so many items are made, from the beginning; when `cancelled` says so, no more.
        """
        from unspool.views.thread import make_overview

        if max_items < 1:
            raise BadQuery(f"max_items is {max_items}; it must be at least 1")
        return make_overview(self._material, max_items, known, first, cancelled)

    def evidence(
        self,
        filter: Filter | None = None,
        *,
        limit: int | None = EVIDENCE_ITEMS,
        after: str | None = None,
        **words: Unpack[Words],
    ) -> EvidencePage:
        """Return a page of the evidence index; `limit=None` gives all, `after` goes on behind an id.

        What is wanted is a `Filter`, or keywords (`kinds={"tool"}`, `tool_part="output"`, …), or both. With a limit of
        0 the page tells only how many there are. Raises `BadQuery` and `BadReference`.
        """
        from unspool.views.evidence import EvidencePage
        from unspool.views.searching import searchable

        if limit is not None and limit < 0:
            raise BadQuery(f"limit is {limit}; it must be at least 0")
        rows = searchable(self._material, (filter or Filter()).narrowed(words))
        total = len(rows)
        if after is not None:
            rows = rows[bisect_right(rows, EvidenceId.parse(after), key=self.id) :]
        page = rows if limit is None else rows[:limit]
        following = str(self.id(page[-1])) if len(page) < len(rows) and len(page) else None
        return EvidencePage(tuple(self.evidence_rows(page)), total, following)

    def wanted(self, filter: Filter) -> array[int]:
        """Return the rows that a filter wants, its `path` included; without `path` the same as `select`."""
        from unspool.views.searching import searchable

        return searchable(self._material, filter)

    def search(
        self,
        query: str,
        filter: Filter = SEARCH_FILTER,
        *,
        limit: int = SEARCH_ITEMS,
        after: str | None = None,
        case: Case = "ignore",
        raw: bool = False,
        seconds: float | None = None,
        cancelled: Callable[[], bool] | None = None,
        **words: Unpack[Words],
    ) -> SearchResult:
        """Search the decoded texts and leaves for a literal; raises `BadQuery`.

        What is searched is a `Filter`, or keywords (`kinds={"tool"}`, `tool_part="output"`, …), or both.
        `seconds` bounds the time: the result then says how far it came. `raw` also looks into unreadable and other
        records.
        """
        from unspool.views.searching import Request, deadline, search_view

        request = Request.of(query, filter.narrowed(words), case, limit, after)
        lines = self._opened.lines if raw else None
        found = search_view(self._material, request, deadline(seconds, cancelled), lines)
        return replace(found, searched=replace(found.searched, begin=self.begin)) if self.begin else found

    def search_rows(
        self,
        query: str,
        filter: Filter = SEARCH_FILTER,
        *,
        case: Case = "ignore",
        cancelled: Callable[[], bool] | None = None,
        rows: Sequence[int] | None = None,
    ) -> Iterator[tuple[int, int]]:
        """Yield (row, number of matches) in order, as they are found; of some ascending `rows`, whatever the filter."""
        from unspool.search.needle import Needle
        from unspool.search.scan import matching_rows
        from unspool.views.searching import deadline, searchable

        rows = searchable(self._material, filter.with_(twins=False)) if rows is None else rows
        return matching_rows(self._material.records, rows, Needle.of(query, case), stop=deadline(None, cancelled))

    def read(
        self,
        target: Target,
        *,
        include_tools: bool = True,
        tool_part: str | None = None,
        detail: str = "full",
        bounds: Bounds | None = None,
        after: str | None = None,
        model_view: bool = False,
        raw: bool = False,
        without: Flag = Flag(0),
    ) -> Reading:
        """Read the texts of a piece or range within bounds; windows read on with `after` concatenate to the texts.

        `detail="compact"` says the size of arguments and outputs instead of giving them; "readable" tells what is JSON
        by its members, as people read it. `model_view` gives what the model saw, `raw` the records themselves. Pieces
        with a flag of `without` are left out. Raises `NotFound` and `BadQuery`.
        """
        from unspool.views.windows import read_raw, read_rows

        wanted = parse_target(target)
        bounds = bounds or Bounds()
        if raw:
            return read_raw(self._material, self._opened.source, wanted, bounds, after)
        rows = self._rows_of(wanted)
        if not include_tools:
            rows = [row for row in rows if self.tool_part(row) is None]
        if tool_part is not None:
            part = parse_part(str(tool_part))
            rows = [row for row in rows if self.tool_part(row) == part]
        rows = [row for row in rows if not self.flags(row) & without]
        return read_rows(self._material, rows, bounds, after, detail, model_view)

    def members(self, row: int) -> Mapping[str, Any] | None:
        """Return the members by which people read a piece that is one JSON object, `None` for any other piece."""
        return self._material.members(row)

    def slice(
        self,
        target: Target,
        *,
        lines: tuple[int, int] | None = None,
        bytes: tuple[int, int] | None = None,  # noqa: A002 (the word of the contract)
        model_view: bool = False,
        raw: bool = False,
        max_bytes: int = SLICE_BYTES,
    ) -> Slice:
        """Return a window of one piece of any size: lines (1-based, inclusive) or bytes (half open).

        Without either, the beginning. `raw` shows the record. Raises `NotFound` and `BadQuery`.
        """
        from unspool.views.windows import slice_text

        row = self.row(target)
        text = self._raw_text(row) if raw else self._material.text(row, model_view)
        return slice_text(text, lines=lines, bytes=bytes, max_bytes=max_bytes)

    def find(
        self, target: Target, query: str, *, start: int = 0, case: Case = "ignore", model_view: bool = False
    ) -> tuple[int, int] | None:
        """Return (offset, length) in bytes of the next match in one piece from byte `start` on, `None` for none."""
        from unspool.search.match import match_text
        from unspool.search.needle import Needle

        text = self.text(target, model_view=model_view)
        found = match_text(text, Needle.of(query, case), start=text.border_after(start), counted=False)
        if found is None or found.start is None or found.stop is None:
            return None
        return found.start, found.stop - found.start

    def resolve(self, target: Target) -> SourceAnchor:
        """Return where a piece or range lies, and for a reference with a digest whether it is what was quoted.

        Lines that the piece does not have are `missing`.
        """
        from unspool.views.resolving import resolve_target

        quoted = target.digest if isinstance(target, Reference) else None
        anchor = resolve_target(self._material, self.ref, self.source_path, parse_target(target), quoted)
        lines = target.lines if isinstance(target, Reference) else None
        stands = lines is None or anchor.state == "changed" or self._has_line(anchor.evidence_id, lines[0])
        return anchor if stands else anchor.without_lines()

    def _has_line(self, piece: EvidenceId | None, line: int) -> bool:
        """Say whether a piece has a line: of its text, or of the text in which people read it and are told its hits.

        What is no piece is not asked for its lines, and an empty text has one.
        """
        from unspool.views.members import readable

        if piece is None or line == 1 or self.text(piece).line_start(line) is not None:
            return True
        members = self.members(self.row(piece))
        return members is not None and line <= line_count(readable(members))

    def reference(self, target: Target, lines: tuple[int, int] | None = None) -> Reference:
        """Return the citable reference of a piece, with its digest; raises `NotFound` and `BadReference`."""
        from unspool.views.resolving import reference_of

        row = self.row(target)
        made = reference_of(self._material, self.ref, self.id(row), row)
        return Reference(made.session, made.target, lines, made.digest)

    def brief(self, bounds: Bounds | None = None) -> str:
        """Return overview and head of the evidence index as one bounded text with ids."""
        from unspool.views.brief import brief_bounds, make_brief

        title = self.facts.title or self.facts.generated_title or self.facts.first_prompt or "(no title)"
        return make_brief(
            self._material, f"{self.ref}  {elided(' '.join(title.split()), LINE_CHARACTERS)}", bounds or brief_bounds()
        )

    def stats(self, *, paths: bool = False) -> Stats:
        """Measure the view; `paths` also looks at every call for the paths that it touches."""
        from unspool.views.path_uses import PathUses
        from unspool.views.stats import make_stats

        stats = make_stats(
            self._material, self.facts, self.size, self.other_records, self.unknown_records, self.unreadable
        )
        stats = replace(stats, broken_links=self.broken_links)
        return replace(stats, paths=PathUses.of(self, self.select(Filter())).ranked()) if paths else stats
