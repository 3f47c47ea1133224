"""Taking a session away: its log, and its large results as far as nobody else points to them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass, field
from unspool.recording.folders import open_folder
from unspool.recording.forks import names_needed, sibling_logs
from unspool.recording.log_file import locked
from unspool.stores.minicode import ENDING

if TYPE_CHECKING:
    from unspool.blobs.calls import Os
    from unspool.recording.place import SessionPlace

_BELOW: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


@dataclass(frozen=True, slots=True)
class Cleared:
    """What was taken away and what stays.

    `log` says whether there was one; `removed` and `kept` are names of large results. `needed_by` are the ids of the
    sessions that point to what is kept, `unread` those whose logs could not be looked at: while there is one, every
    large result stays.
    """

    log: bool = False
    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    needed_by: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    def __str__(self) -> str:
        gone = f"{'log and ' if self.log else ''}{len(self.removed)} large results removed"
        if not self.kept:
            return gone
        why = f"needed by {', '.join(self.needed_by)}" if self.needed_by else "no files that may be removed"
        return f"{gone}, {len(self.kept)} kept: {f'{self.unread[0]} cannot be read' if self.unread else why}"


@dataclass(slots=True)
class _Needs:
    """Which results of a session the others of its project point to, by their ids."""

    by_session: dict[str, set[str]] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)

    def of(self, name: str) -> list[str]:
        return [session for session, names in self.by_session.items() if name in names]


def clear(place: SessionPlace, calls: Os) -> Cleared:
    """Remove a session. Raises `OSError`; what is gone by then is gone."""
    if not place.project.is_dir():
        return Cleared()
    try:
        with locked(calls, str(place.log)):
            needs = _needs(place, calls)
            with open_folder(calls, place.project) as project:
                calls.unlink(place.log.name, dir_fd=project)
            done = _without_results(place, needs, calls, log=True)
    except FileNotFoundError:
        done = _without_results(place, _needs(place, calls), calls, log=False)
    with contextlib.suppress(OSError), open_folder(calls, place.project.parent) as above:
        calls.rmdir(place.project.name, dir_fd=above)
    return done


def _needs(place: SessionPlace, calls: Os) -> _Needs:
    needs = _Needs()
    for log in sibling_logs(place, calls):
        session = log.name.removesuffix(ENDING)
        try:
            names = names_needed(place, log, calls)
        except FileNotFoundError:
            continue
        except OSError:
            needs.unread.append(session)
        else:
            needs.by_session[session] = names
    return needs


def _without_results(place: SessionPlace, needs: _Needs, calls: Os, *, log: bool) -> Cleared:
    """Remove the results that nobody needs, by the handle of their folder, so that no link leads out of it."""
    removed: list[str] = []
    kept: list[str] = []
    needed_by: dict[str, None] = {}
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), _results(place, calls) as (session, results):
        for name in sorted(calls.names(results)):
            needing = needs.of(name)
            needed_by |= dict.fromkeys(needing)
            gone = not needing and not needs.unread and _is_removed(calls, results, name)
            (removed if gone else kept).append(name)
        if not kept:
            calls.rmdir(place.results.name, dir_fd=session)
    with contextlib.suppress(OSError), open_folder(calls, place.project) as project:
        calls.rmdir(place.name, dir_fd=project)
    return Cleared(log, tuple(removed), tuple(kept), tuple(needed_by), tuple(needs.unread))


@contextlib.contextmanager
def _results(place: SessionPlace, calls: Os) -> Iterator[tuple[int, int]]:
    """Open the folder of a session, and in it that of its results; no link is followed."""
    with contextlib.ExitStack() as opened:
        project = opened.enter_context(open_folder(calls, place.project))
        session = calls.open(place.name, _BELOW, dir_fd=project)
        opened.callback(calls.close, session)
        results = calls.open(place.results.name, _BELOW, dir_fd=session)
        opened.callback(calls.close, results)
        yield session, results


def _is_removed(calls: Os, folder: int, name: str) -> bool:
    """Remove a file; a folder stays, nobody here made it."""
    try:
        calls.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        return True
    except (IsADirectoryError, PermissionError):
        return False
    return True
