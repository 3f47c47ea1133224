"""Finding the session that a target names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from unspool.dataclass import replace
from unspool.errors import NotFound, Unreadable
from unspool.library.catalogue import Listed, grouped, named
from unspool.library.streamed import STREAM, Stream, listed_stream
from unspool.library.targets import Target, expanded, is_path, matching, one_of, split_target, wanted_refs
from unspool.stores.discovery import UNKNOWN, discover, why_no_session

if TYPE_CHECKING:
    from unspool.ids import SessionRef
    from unspool.library.glances import Glances
    from unspool.library.shelf import Shelf
    from unspool.library.summary import SessionSummary
    from unspool.stores.base import ScanError


class Finder:
    """Looks targets up in the last listing, and looks again before it says that something is not there."""

    def __init__(self, shelf: Shelf, glances: Glances, folder: str | None, stream: Stream | None = None) -> None:
        self._shelf = shelf
        self._glances = glances
        self._folder = folder
        self._stream = stream
        self.streamed: Listed | None = None
        """The session that streams in, once it was asked for."""
        self._elsewhere: dict[SessionRef, Listed] = {}
        """Files outside the roots that were named by their paths, and what streams in."""

    def target(self, text: str) -> Target:
        """Return what a text names; raises `NotFound`, `Ambiguous`, `BadReference` and `Unreadable`."""
        head, place = split_target(text)
        return Target(self.listed(head), place)

    def file(self, ref: SessionRef) -> Listed:
        """Return the file of a reference; raises `NotFound`."""
        return self.known(ref) or self.listed(str(ref))

    def known(self, ref: SessionRef) -> Listed | None:
        """Return the file of a reference as far as it was listed or named, `None` for none."""
        return self._elsewhere.get(ref) or self.find(ref)

    def find(self, ref: SessionRef, *, again: bool = False) -> Listed | None:
        """Return the listed file of a reference, `None` for none; with `again` the roots are looked at anew."""
        return self._shelf.around(ref, again=again).find(ref, self._glances)

    def noted(self, listed: Listed) -> Listed:
        """Remember a file outside the roots, under a reference that no other file has."""
        if listed is self.streamed:
            self._elsewhere[listed.ref] = listed
            return listed
        taken = self.find(listed.ref) or self._elsewhere.get(listed.ref)
        if taken is not None and taken.source.path != listed.source.path:
            return self.noted(replace(listed, ref=replace(listed.ref, copy=listed.ref.copy + 1)))
        if taken is None:
            self._elsewhere[listed.ref] = listed
        return listed

    def named_elsewhere(self, ref: SessionRef) -> str | None:
        """Return what names a session that lies under no root: its path, or `-`; `None` for all others."""
        elsewhere = self._elsewhere.get(ref)
        if elsewhere is None:
            return None
        return STREAM if elsewhere is self.streamed else elsewhere.source.path

    def listed(self, text: str) -> Listed:
        """Return the session that a text without a piece names."""
        if text == STREAM:
            self.streamed = listed_stream(self._stream)
            return self.streamed
        if text == "last":
            return self._newest(self._summaries(), "there is no session yet (`unspool demo` shows one)")
        if text == ".":
            return self._here()
        if is_path(text):
            return self._file(expanded(text))
        found = self._matching(text) or self._matching(text, again=True)
        return self._named(one_of(found, text))

    def _matching(self, text: str, *, again: bool = False) -> list[SessionRef]:
        """Return the sessions that a reference, or the beginning of one, fits."""
        return matching(text, self._shelf.around(wanted_refs(text)[0], again=again).refs)

    def _named(self, ref: SessionRef) -> Listed:
        found = self.find(ref)
        if found is None:
            raise NotFound(f"no session {str(ref)!r}; `unspool sessions` lists those there are")
        return found

    def _summaries(self) -> Iterator[SessionSummary]:
        return (summary for summary in self._shelf.listing().summaries() if summary.ref.part is None)

    def _newest(self, summaries: Iterable[SessionSummary], otherwise: str) -> Listed:
        """Return the first session that can be read; where there is none the first, for opening it says why."""
        unread: Listed | None = None
        for summary in summaries:
            if not summary.empty and summary.parent is None:
                listed = self._named(summary.ref)
                if self._glances.of(listed.each[-1].source).fault is None:
                    return listed
                unread = unread or listed
        if unread is not None:
            return unread
        raise NotFound(f"{otherwise}; `unspool doctor` says where it looked, --root DIR points elsewhere")

    def _here(self) -> Listed:
        """Return the newest session of the project that the folder belongs to: its own, or the nearest above it."""
        from pathlib import PurePath

        folder = os.path.abspath(self._folder or os.getcwd())
        worked = self._worked()
        nearest = [folder, *map(str, PurePath(folder).parents)]
        near = (summary for each in nearest for summary in worked.get(each, ()))
        return self._newest(near, f"no session has worked in {folder}")

    def _worked(self) -> dict[str, list[SessionSummary]]:
        """Return the sessions by the folder that they worked in, newest first."""
        worked: dict[str, list[SessionSummary]] = {}
        for summary in self._summaries():
            if summary.cwd:
                worked.setdefault(os.path.normpath(summary.cwd), []).append(summary)
        return worked

    def _file(self, path: str) -> Listed:
        """Return the session of a file, of a folder that holds just one, or the newest that worked in a folder."""
        if not os.path.exists(path):
            link = " (a link to nothing)" if os.path.lexists(path) else ""
            raise NotFound(f"no such file or folder: {path}{link}")
        errors: list[ScanError] = []
        sources = list(discover(path, errors=errors))
        if os.path.isdir(path):
            every = grouped(named(sources, self._glances), self._glances)
            found = {each.ref: each for each in every if not each.source.is_subagent and each.source.size}
            if found:
                return found[one_of(sorted(found, key=lambda ref: -found[ref].source.mtime_ns), path)]
            worked = self._worked().get(os.path.abspath(path))
            if worked:
                return self._newest(worked, f"no session has worked in {path}")
            raise nothing_in(path, errors)
        if sources:
            return self._known(named(sources, self._glances)[0])
        raise Unreadable(_refusal(path, errors), path=path)

    def _known(self, listed: Listed) -> Listed:
        """Return the same file as the library lists it, so that it has the same reference everywhere."""
        where = os.path.realpath(listed.source.path)
        for each in self._shelf.around(listed.ref).listed.values():
            if each.source.session_id == listed.source.session_id and os.path.realpath(each.source.path) == where:
                return each
        return listed


def _refusal(path: str, errors: list[ScanError]) -> str:
    reason = errors[0].reason if errors else UNKNOWN
    if reason.startswith(path):
        return reason
    if reason == UNKNOWN:
        return f"{path} {why_no_session(path)}"
    return f"{path} cannot be read: {reason}"


def nothing_in(path: str, errors: Sequence[ScanError]) -> Unreadable:
    """Return the error for a folder without sessions: what stood in the way, or how to point elsewhere."""
    own = next((error.reason for error in errors if os.path.realpath(error.path) == os.path.realpath(path)), None)
    if own is not None:
        return Unreadable(f"{path} cannot be read: {own}; check its permissions", path=path)
    unknown = "1 file in it is" if len(errors) == 1 else f"{len(errors)} files in it are"
    other = f"; {unknown} not known: `unspool doctor {path}` says more" if errors else ""
    elsewhere = "name a session's file, or a folder that one has worked in"
    return Unreadable(f"{path} holds no session that unspool knows; {elsewhere}{other}", path=path)
