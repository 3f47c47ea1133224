"""What is followed of a library: all that lies under its roots, some sessions there, or the tail of one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from threading import Event
from typing import TYPE_CHECKING

from unspool.errors import Unreadable
from unspool.follow.poll import stamp_of
from unspool.follow.tail import Tail
from unspool.library.places import RootPlaces
from unspool.library.streamed import StreamPlaces

if TYPE_CHECKING:
    from unspool.follow.following import Following, Setting
    from unspool.ids import SessionRef
    from unspool.library.catalogue import Catalogue, Listed
    from unspool.library.finding import Finder
    from unspool.library.glances import Glances
    from unspool.library.reader import SessionReader
    from unspool.library.roots import Root
    from unspool.library.shelf import Shelf
    from unspool.stores.base import SourceFile
    from unspool.views.filter import Filter
    from unspool.views.view import SessionView

Places = RootPlaces | StreamPlaces


class Followed:
    """Follows what was listed, wherever under the roots it goes."""

    def __init__(
        self, roots: Sequence[Root], shelf: Shelf, glances: Glances, finder: Finder, reader: SessionReader
    ) -> None:
        self._roots = roots
        self._shelf = shelf
        self._glances = glances
        self._finder = finder
        self._reader = reader

    def sessions(self, listed: Sequence[Listed] | None, filter: Filter | None, stop: Setting | None) -> Following:
        """Follow everything, or (`listed`) some sessions with their parts and subagents.

        A subagent that is listed is followed alone. A stream is told from its beginning: nobody has seen what came
        before it was looked at.
        """
        from unspool.follow.follower import Follower
        from unspool.follow.following import Following
        from unspool.follow.watch import Watch

        stop = Event() if stop is None else stop
        places = self._places(listed or (), self._shelf.catalogue())
        wanted = None
        if listed is not None:
            alone = {each.ref for each in listed if each.source.is_subagent}
            sessions = {each.ref.session for each in listed if each.ref not in alone}
            wanted = partial(_is_of, sessions, {each.session_id for each in sessions}, alone, places)
        whole = isinstance(places, StreamPlaces)
        return Following(Follower(places, Watch(stop), wanted=wanted, filter=filter, whole=whole), stop)

    def tail(self, listed: Listed, view: SessionView) -> Tail:
        """Return a tail of one session from a view on, which finds its file again wherever under the roots it goes."""
        places = self._places([listed], self._shelf.around(listed.ref))

        def reopen(path: str) -> SessionView:
            found = next(iter(places.sources(path, [])), None)
            if found is None:
                raise Unreadable(f"{path} is not there", path=path)
            return places.open(found, listed.ref)

        def find(device: int, inode: int) -> str | None:
            found = ((source.path, stamp_of(source.path)) for source in places.sources(None, []))
            return next((path for path, stamp in found if stamp is not None and stamp[:2] == (device, inode)), None)

        return Tail(view, reopen, find)

    def _places(self, listed: Sequence[Listed], catalogue: Catalogue) -> Places:
        streamed = self._finder.streamed
        if streamed is not None and streamed.ref in (each.ref for each in listed):
            return StreamPlaces(streamed, self._reader.view)
        refs = {each.source.path: each.ref for each in catalogue.listed.values()}
        elsewhere = tuple(each.source.path for each in listed if each.source.path not in refs)
        refs.update({each.source.path: each.ref for each in listed})
        return RootPlaces(self._roots, elsewhere, refs, self._glances, self._reader.view)


def _is_of(
    sessions: Collection[SessionRef],
    ids: Collection[str],
    alone: Collection[SessionRef],
    places: Places,
    ref: SessionRef,
    source: SourceFile,
) -> bool:
    """Say whether a file is one of some sessions, a part or a subagent of one, or wanted `alone`."""
    if ref.session in sessions or ref in alone:
        return True
    return (ref.session_id in ids and ref.part is not None) or places.parent(source) in ids
