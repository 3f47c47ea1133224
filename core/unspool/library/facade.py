"""The library: sessions of every agent under some roots, listed, opened, searched."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from unspool.dataclass import replace
from unspool.errors import Unreadable
from unspool.ids import EntryRange, SessionRef
from unspool.library.blob_stores import BlobStores
from unspool.library.glances import Glances
from unspool.library.nesting import Callers
from unspool.library.roots import RootReport, roots_of
from unspool.library.shelf import Shelf
from unspool.library.summary import SessionSummary, whole
from unspool.stores.base import Alive, runs

if TYPE_CHECKING:
    from unspool.blobs.files import FileBlobStore
    from unspool.follow.following import Following, Setting
    from unspool.follow.tail import Tail
    from unspool.formats.piece import ToolPart
    from unspool.library.catalogue import Listed
    from unspool.library.doctor import DoctorLine
    from unspool.library.elders import Elders
    from unspool.library.finding import Finder
    from unspool.library.followed import Followed
    from unspool.library.reader import SessionReader
    from unspool.library.searching import Searching
    from unspool.library.streamed import Stream
    from unspool.library.targets import Target
    from unspool.search.needle import Case
    from unspool.views.anchor import SourceAnchor
    from unspool.views.filter import Filter
    from unspool.views.hits import Hit
    from unspool.views.view import SessionView


class Library:
    """Sessions under some roots. Listing looks again each time; everything else asks the last listing first.

    Nothing is ever written but what is remembered in the folder `cache`, and only session files are opened.
    """

    def __init__(
        self,
        roots: Sequence[str] | None,
        *,
        environ: Mapping[str, str],
        home: str,
        now: Callable[[], int],
        alive: Alive = runs,
        folder: str | None = None,
        blobs: BlobStores | None = None,
        absent: bool = False,
        stream: Stream | None = None,
        cache: str | None = None,
        apart: bool = False,
    ) -> None:
        self._blobs = blobs or BlobStores()
        self._roots = roots_of(roots, environ, home, absent=absent)
        self._glances = Glances(cache)
        self._shelf = Shelf(self._roots, self._glances, Callers(cache), now=now, alive=alive)
        self._folder, self._stream, self._now = folder, stream, now
        self._cache, self._apart = cache, apart

    @cached_property
    def _finder(self) -> Finder:
        from unspool.library.finding import Finder

        return Finder(self._shelf, self._glances, self._folder, self._stream)

    @cached_property
    def _reader(self) -> SessionReader:
        from unspool.library.reader import SessionReader

        return SessionReader(self._shelf, self._blobs, self._cache, apart=self._apart)

    @cached_property
    def _followed(self) -> Followed:
        from unspool.library.followed import Followed

        return Followed(self._roots, self._shelf, self._glances, self._finder, self._reader)

    @property
    def roots(self) -> tuple[str, ...]:
        """The folders and files that are looked at, existing or not."""
        return tuple(root.path for root in self._roots)

    def sessions(self, *, full: bool = False) -> Iterator[SessionSummary]:
        """List the sessions, newest first by their records' own times, each with its subagents behind it.

        What head and tail of a file do not tell is `None`, unless `full` asks to read every file whole. Empty ones
        are listed and say so.
        """
        summaries = self._shelf.listing(again=True).summaries()
        return self._filled(summaries) if full else summaries

    def newest(self, number: int, *, again: bool = True) -> list[SessionSummary]:
        """List so many sessions whose files were written last, at once however many there are; `sessions` tells all.

        The order among them is that of `sessions`, but a session that lists there among the first may be missing: files
        are sometimes written long after their records. Without `again`, those are told that were listed so last, if any
        were.
        """
        return list(self._shelf.newest(number, again=again).summaries())

    def is_listed(self) -> bool:
        """Say whether all is as `sessions` found it last, as far as names, sizes and times of files tell."""
        return self._shelf.is_listed()

    def summary(self, ref: SessionRef, *, full: bool = False) -> SessionSummary:
        """Return the summary of one session; raises `NotFound`."""
        summary = self._shelf.listing().summary(self._finder.file(ref))
        return next(self._filled([summary])) if full else summary

    def lives(self, ref: SessionRef) -> bool:
        """Say whether somebody writes a session, as its summary does, looking at no other; raises `NotFound`."""
        return self._shelf.alone(ref).summary(self._finder.file(ref)).live

    def view(self, target: str | SessionRef | Target, *, entry_range: EntryRange | None = None) -> SessionView:
        """Take a view of a session: a target's text, a reference, or a resolved target.

        Raises `NotFound`, `Ambiguous`, `BadReference` and `Unreadable`.
        """
        return self._read(self._listed(target), entry_range)[1]

    def parts(self, target: SessionRef | Target) -> list[SessionRef]:
        """Return the files that a session is made of, in order: itself, or its parts where it has several.

        Raises `NotFound`.
        """
        return [each.ref for each in self._listed(target).each]

    def newest_part(self, ref: SessionRef, *, again: bool = False) -> SessionRef | None:
        """Return the last of the parts of a session that one belongs to; `None` for what is no part.

        With `again` it is looked for anew.
        """
        found = self._finder.find(ref.session, again=again)
        parts = [each.ref for each in found.parts] if found is not None else []
        return parts[-1] if ref in parts else None

    def session_of(self, ref: SessionRef) -> SessionRef:
        """Return the session that a part belongs to; of everything else the reference itself."""
        found = self._finder.known(ref)
        return ref.session if found is not None and found.source.ordered else ref

    def resolve_target(self, text: str) -> Target:
        """Find what a person or program named; raises `NotFound`, `Ambiguous`, `BadReference` and `Unreadable`."""
        target = self._finder.target(text)
        return replace(target, listed=self._finder.noted(target.listed))

    def place(self, target: Target, view: SessionView, part: ToolPart | None = None) -> EntryRange | None:
        """Return the piece or range that a target names in its view, `None` for the whole; raises `NotFound`.

        A call id names the result of its call, unless `part` says otherwise.
        """
        from unspool.library.natives import place_of

        place = target.place
        if place is None:
            return None
        return place.within if place.native is None else place_of(place.native, view, part)

    def resolve(self, text: str, *, within: EntryRange | None = None) -> SourceAnchor:
        """Say where a piece or range lies, and for a reference with a digest whether it is what was quoted.

        A reference to a session that is not there is `source gone`. Raises like `resolve_target`.
        """
        from unspool.library.quotes import resolve_quote

        return resolve_quote(self, text, within)

    def search(
        self,
        query: str,
        *,
        refs: Sequence[SessionRef] | None = None,
        filter: Filter | None = None,
        limit: int = 20,
        case: Case = "ignore",
        cancelled: Callable[[], bool] | None = None,
    ) -> Iterator[tuple[SessionSummary, Hit]]:
        """Yield hits as they are found, newest session first; a piece that was copied comes once.

        Raises `BadQuery`.
        """
        searching = self.searching(query, refs=refs, filter=filter, case=case, cancelled=cancelled)
        return ((found.summary, hit) for found in searching.hits(limit) for hit in found.result.hits)

    def searching(
        self,
        query: str,
        *,
        refs: Sequence[SessionRef] | None = None,
        filter: Filter | None = None,
        case: Case = "ignore",
        raw: bool = False,
        cancelled: Callable[[], bool] | None = None,
    ) -> Searching:
        """Prepare a search whose results come session by session, with their totals; raises `BadQuery`."""
        from unspool.library.search_scope import files_of, listed_files
        from unspool.library.searching import Question, Searching
        from unspool.search.exclusion import Exclusion
        from unspool.search.needle import Needle
        from unspool.views.view import SEARCH_FILTER

        needle = Needle.of(query, case)
        question = Question(query, filter or SEARCH_FILTER, case, raw, cancelled)
        if refs is not None and len(set(refs)) == 1:
            parts = files_of(refs[0], self._finder)
            return Searching(question, parts, None, self.view, open_end=self.end)
        summaries = listed_files(refs, self._finder, self._shelf.listing(), raw=raw)
        exclusion, stop = Exclusion(needle, raw=raw), cancelled or (lambda: False)

        def excluded(ref: SessionRef) -> int | None:
            return self._reader.excluded(self._finder.file(ref), exclusion, stop)

        def ended() -> None:
            self._reader.keep_lacks(self._now())

        return Searching(question, summaries, self._elders(), self.view, excluded, ended=ended)

    def follow(
        self,
        refs: Sequence[SessionRef] | None = None,
        *,
        filter: Filter | None = None,
        stop: Setting | None = None,
    ) -> Following:
        """Follow everything under the roots, or some sessions and their subagents, or a subagent alone, from now on.

        What comes is iterated over, in a plain loop or an asynchronous one, until its `stop` is called or the given
        `stop` is set. `filter` chooses the pieces that are told. Raises `NotFound`.
        """
        listed = None if refs is None else [each for ref in refs for each in self._finder.file(ref).each]
        return self._followed.sessions(listed, filter, stop)

    def tail(self, target: str | SessionRef | Target) -> Tail:
        """Return a tail of one session: a view of it, and what becomes of its file whenever it is asked.

        Raises as `view` does.
        """
        return self._followed.tail(*self._read(self._listed(target).each[-1]))

    def head(self, target: str | SessionRef | Target, most: int, begun: SessionView | None = None) -> Tail | None:
        """Return a tail of one session that begins with its first whole lines, of at most so many bytes together.

        It is there at once, however long the session is, and its looks find the rest. What a glimpse of it has `begun`
        with is not read again. `None` for a session whose beginning cannot be read alone. Raises as `view` does.
        """
        listed = self._listed(target).each[-1]
        view = self._reader.head(listed, most, begun)
        return None if view is None else self._followed.tail(listed, view)

    def end(self, target: str | SessionRef | Target) -> SessionView | None:
        """Take a view of the newest lines of a session that takes long to be read; `None` for all others.

        Its pieces have the ids that they have in the whole; what only the lines before tell is not known. Raises as
        `view` does, and `SourceChanged`.
        """
        return self._reader.end(self._listed(target).each[-1])

    def _read(self, listed: Listed, entry_range: EntryRange | None = None) -> tuple[Listed, SessionView]:
        """Take a view of a file, where it lies now: it may have moved since it was listed."""
        try:
            return listed, self._reader.view(listed, entry_range)
        except Unreadable:
            moved = None if os.path.lexists(listed.source.path) else self._finder.find(listed.ref, again=True)
            if moved is None:
                raise
            return moved.each[-1], self._reader.view(moved, entry_range)

    def _listed(self, target: str | SessionRef | Target) -> Listed:
        """Return the files of a session; the last of them is the one that is still written, if any is."""
        if isinstance(target, SessionRef):
            return self._finder.file(target)
        return (self.resolve_target(target) if isinstance(target, str) else target).listed

    def doctor(self, *, quick: bool = False, progress: Callable[[int, int], None] | None = None) -> list[DoctorLine]:
        """Say what was found where, and what was not understood; one line each.

        Every session is read whole, unless `quick` asks for heads and tails only. `progress` is told how many sessions
        of how many were read.
        """
        from unspool.library.doctor import examine, kept_in

        views = None if quick else self._reader.view
        found = examine(self._shelf.catalogue(again=True), self._glances, views, progress)
        return [*found, *kept_in(self._reader.columns)]

    def examine_blobs(
        self, store: FileBlobStore, *, progress: Callable[[int, int], None] | None = None
    ) -> list[DoctorLine]:
        """Say which blobs of a folder are what was stored, and which no listed session names; one line each.

        Raises `BlobError` when the folder cannot be read.
        """
        from unspool.library.blob_doctor import examine_blobs

        return list(examine_blobs(store, (source.path for source in self._shelf.sources()), progress))

    def blob_stores(self) -> list[FileBlobStore]:
        """Return where the listed sessions keep their stored outputs; folders that are not there are left out."""
        return self._blobs.known(self._shelf.sources())

    def scanned(self) -> list[RootReport]:
        """Return what each root gave at the last listing."""
        return self._shelf.catalogue().reports

    def short(self, ref: SessionRef) -> str:
        """Return the shortest beginning of a reference that names no other session, of at least eight characters.

        A file outside the roots is named by its path, and what streams in by `-`: no reference leads there.
        """
        return self._finder.named_elsewhere(ref) or str(self._shelf.around(ref).short(ref))

    def _elders(self) -> Elders:
        from unspool.library.elders import Elders

        catalogue = self._shelf.catalogue()
        return Elders(catalogue, self._glances, self._shelf.relations(catalogue).origins)

    def _filled(self, summaries: Iterable[SessionSummary]) -> Iterator[SessionSummary]:
        from unspool.library.filling import Calls, filled

        calls, elders, listing = Calls(self.view), self._elders(), self._shelf.listing()
        for summary in summaries:
            parts = [filled(part, self.view, calls, elders) for part in listing.parts_of(summary)]
            yield whole(summary.ref, parts) if summary.parts else parts[0]
