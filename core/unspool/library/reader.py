"""Reading the sessions that were listed: by which format, and with what lies beside their files."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

from unspool.cache import APART_FROM, KEPT_FROM
from unspool.dataclass import replace
from unspool.errors import SourceChanged, Unreadable
from unspool.formats import by_agent
from unspool.ids import EntryRange, SessionRef
from unspool.library.mentions import mentions
from unspool.library.streamed import ID, told_of_stream
from unspool.stores import by_agent as store_of

if TYPE_CHECKING:
    from unspool.cache.sessions import SessionCache
    from unspool.columns.side_files import SideFiles
    from unspool.formats.base import Format
    from unspool.library.blob_stores import BlobStores
    from unspool.library.catalogue import Listed
    from unspool.library.lacks import Lacks
    from unspool.library.shelf import Shelf
    from unspool.search.exclusion import Exclusion
    from unspool.views.view import SessionView

LONG: Final = 64 << 20
"""Bytes of a session that takes seconds to be read: so long nobody waits for the first hit."""

END_BYTES: Final = 16 << 20
"""Bytes of the newest lines, which are searched before: they take a part of a second."""

COLUMNS: Final = "columns"
"""The folder below that of the cache in which sessions are kept."""


class SessionReader:
    """Takes views of listed files. What it needs for that is imported when the first is taken.

    `cache` is the folder in which what was read is kept; without one nothing is. `apart` says that a process of its own
    reads what is long, and keeps it there.
    """

    def __init__(self, shelf: Shelf, blobs: BlobStores, cache: str | None, *, apart: bool) -> None:
        self._shelf = shelf
        self._blobs = blobs
        self._folder = cache
        self.columns = None if cache is None else os.path.join(cache, COLUMNS)
        """The folder in which columns are kept."""
        self._apart = APART_FROM if apart else None

    def view(self, listed: Listed, entry_range: EntryRange | None = None) -> SessionView:
        """Take a view of a file, of several parts the newest; raises `Unreadable`."""
        from unspool.views.opened import Opened
        from unspool.views.view import SessionView

        listed = listed.each[-1]
        cache = self._cache_of(listed)
        try:
            opened = (Opened if cache is None else cache).open(listed.source.path, *self._read_by(listed))
        except Unreadable as error:
            raise told_of_stream(error, listed) from None
        return SessionView(listed.ref, opened, entry_range)

    def head(self, listed: Listed, most: int, begun: SessionView | None = None) -> SessionView | None:
        """Take a view of the first whole lines of a file, of at most so many bytes together; `None` where none can be.

        Where all but so many bytes of it was kept, it is a view of the whole. A glimpse that was `begun` of the same
        session is gone on with: to its end, or as it stands where the session is longer. Raises `Unreadable`.
        """
        from unspool.views.view import SessionView

        path, cache = listed.source.path, self._cache_of(listed)
        kept = None if cache is None else cache.find(path, *self._read_by(listed), most)
        if kept is not None:
            return SessionView(listed.ref, kept)
        format, side_files = self._read_by(listed)
        is_it = begun is not None and (begun.ref, begun.source_path) == (listed.ref, path)
        gone_on = begun.gone_on(side_files, most) if begun is not None and is_it else None
        return gone_on or SessionView.open_head(path, listed.ref, format, side_files, most)

    def end(self, listed: Listed) -> SessionView | None:
        """Take a view of the newest lines of a file that is long, and of which nothing was kept; else `None`.

        Raises `Unreadable` and `SourceChanged`.
        """
        from unspool.views.ending import open_end

        path, cache, read_by = listed.source.path, self._cache_of(listed), self._read_by(listed)
        if listed.source.size < LONG or (cache is not None and cache.holds(path, *read_by)):
            return None
        return open_end(path, listed.ref, *read_by, END_BYTES)

    def _cache_of(self, listed: Listed) -> SessionCache | None:
        """Return what keeps a session that is read; `None` for a short one, and for what streams in."""
        return None if listed.source.size < KEPT_FROM or listed.ref.session_id == ID else self._cache

    @cached_property
    def _lacks(self) -> Lacks:
        from unspool.library.lacks import Lacks

        return Lacks(self._folder)

    @cached_property
    def _cache(self) -> SessionCache | None:
        from unspool.cache.sessions import SessionCache

        return None if self.columns is None else SessionCache(self.columns, apart=self._apart)

    def excluded(self, listed: Listed, exclusion: Exclusion, stop: Callable[[], bool]) -> int | None:
        """Return the bytes of a file in which nothing can match, as they tell themselves; `None` for all others.

        What cannot be looked through is for who opens it to tell of.
        """
        source, lacks = listed.source, self._lacks
        stamp = source.size, source.mtime_ns
        lacking = {stamp: {*lacks.of(source)}}
        try:
            size = exclusion.excludes(source.path, *self._read_by(listed), stop, lacking)
        except (Unreadable, SourceChanged):
            return None
        lacks.learn(source, frozenset(lacking[stamp]))
        return size

    def keep_lacks(self, now: int) -> None:
        """Keep what was learned of the files that were looked through; `now` is in milliseconds since 1970."""
        self._lacks.keep(now)

    def _read_by(self, listed: Listed) -> tuple[Format, SideFiles]:
        """Return by what a file is read: its format, and what lies beside it."""
        from unspool.columns.side_files import SideFiles

        source = listed.source
        store, format = store_of(source.agent), by_agent(source.agent)
        assert store is not None, source.agent
        assert format is not None, source.agent
        shares = partial(self._shares, listed)
        named = replace(source, session_id=listed.ref.session_id)
        return format, SideFiles(store.artifacts(named), shares, self._blobs.of(store, source))

    def _shares(self, listed: Listed, session_id: str, call: str) -> bool:
        """Say whether another session of the same folder holds a call."""
        ref = SessionRef(listed.ref.agent, session_id)
        other = self._shelf.around(ref).listed.get(ref)
        same = other is not None and os.path.dirname(other.source.path) == os.path.dirname(listed.source.path)
        return other is not None and same and mentions(other.source.path, [call])
