"""Following one session: what became of its file since the last look.

The truth is what `stat` says and what the bytes are. Nothing runs between two looks, and a look never waits: who
follows decides when to look, by a clock or because something told of a change.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from unspool.dataclass import dataclass
from unspool.errors import SourceChanged, Unreadable
from unspool.follow.effort import Effort
from unspool.follow.events import Event, Gone, How, LineUnreadable, Moved, Pending, Replaced, Truncated
from unspool.formats.piece import Flag
from unspool.sources.document import ENDING
from unspool.sources.zstd import SUFFIX
from unspool.views.view import SessionView

Reopen = Callable[[str], SessionView]
"""Reads a session again from a path, under its reference; raises `Unreadable`."""

Find = Callable[[int, int], str | None]
"""Returns where the file with a device and inode lies now, `None` when it is nowhere to be found."""

Stamp = tuple[int, int, int, int, int]
"""Device, inode, size, and the times of change of content and of state in nanoseconds."""

SIDE_FILES_EVERY: Final = 1.0
"""Seconds between two looks at the side files when nothing tells of a change: they are opened one by one."""

READ_AT_ONCE: Final = 1 << 17
"""Bytes of what was appended that are read with one look: some hundredths of a second for the shortest records."""

REFUSED_EVERY: Final = 1.0
"""Seconds until a file that cannot be read is tried again though it is the same: the fault may lie elsewhere."""

NOWHERE: Final = (0, 0, 0, 0, 0)
"""The stamp of a file that cannot be looked at."""

NEVER: Final = None
"""When the folders of side files had changed that were looked into for all that are missing: none was."""


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """What one look found. Rows of `view` below `kept` are those of the view before, under the same numbers.

    So the rows from `kept` on are new. `restored` are older rows whose side file changed. `events` are told in order,
    before the new rows are.
    """

    view: SessionView
    kept: int
    restored: tuple[int, ...] = ()
    events: tuple[Event, ...] = ()


class Tail:
    """Follows one session from a view on. `view` is always the newest one; views before it keep working.

    Not for two threads at once.
    """

    def __init__(
        self, view: SessionView, reopen: Reopen, find: Find | None = None, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.view = view
        self.path = view.source_path
        self.gone = False
        self._reopen = reopen
        self._find = find or (lambda device, inode: None)
        self._now = now
        self._suspect: Stamp | None = None
        self._seen_size = 0
        self._refused: Stamp | None = None
        self._refused_for: str | None = None
        self._refused_until = 0.0
        self._missing = False
        self._folder: Stamp | None = None
        self._sides_at = now() + SIDE_FILES_EVERY
        self._sides: Mapping[str, int | None] | None = NEVER

    @property
    def unsettled(self) -> bool:
        """Whether the next look may tell what this one could not: it is worth looking again soon."""
        return self._suspect is not None or (self._missing and not self.gone) or self.has_more

    @property
    def has_more(self) -> bool:
        """Whether more was appended than the last look read."""
        readable = self._refused is None and not self._missing
        return readable and self._seen_size > self.view.identity.size

    def poll(self, *, side_files: bool = False) -> Turn | None:
        """Look once; `None` when nothing happened. `side_files` looks at these too, whatever the clock says."""
        try:
            found = os.stat(self.path)
        except (FileNotFoundError, NotADirectoryError):
            return self._vanished()
        except OSError as error:  # nobody can say now whether it is there
            return self._refuse(NOWHERE, f"{self.path} cannot be read: {error.strerror}")
        stamp = found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
        returned = self._returned()
        is_folder = stat.S_ISDIR(found.st_mode)
        self._seen_size = 0 if is_folder else found.st_size
        rests = stamp == (self._folder if is_folder else self._known)
        if rests if self._refused is None else self._still_refused(stamp):
            self._suspect = None
            turn = self._look_at_side_files(side_files)
        else:
            turn = self._of_folder(stamp) if is_folder else self._of_file(stamp)
        return self._told_first(returned, turn)

    def go_to(self, path: str) -> Turn | None:
        """Follow the session's file at the path where it lies now."""
        if path == self.path:
            return self.poll()
        moved = Moved(self.view.ref, path, self.path)
        self.path, self.gone, self._missing = path, False, False
        return self._told_first((moved,), self._again("replaced", _stamp(path)))

    def release(self) -> None:
        """Let go of what was read of the file last, but for an unfinished line, once nobody is to read it at once."""
        self.view.release()

    def close(self) -> None:
        """Let the file go. The tail may still be polled; views that were taken can no longer be read."""
        self.view.close()

    @property
    def _known(self) -> Stamp:
        known = self.view.identity
        return known.device, known.inode, known.size, known.mtime_ns, known.ctime_ns

    def _of_file(self, stamp: Stamp) -> Turn | None:
        known = self._known
        if stamp[:2] != known[:2]:
            return self._again("replaced", stamp)
        if stamp[2] > known[2]:
            self._suspect = None
            return self._grown(stamp)
        if self._refused is not None:
            return self._again("rewritten", stamp)
        if stamp[2] == known[2] and self._suspect != stamp:
            self._suspect = stamp  # a write that is under way is stamped before it makes the file longer
            return None
        return self._again("rewritten", stamp)

    def _grown(self, stamp: Stamp) -> Turn | None:
        before = self.view
        try:
            self.view = before.refreshed(READ_AT_ONCE)
        except (SourceChanged, Unreadable):
            return self._again("rewritten", stamp)
        return self._told_first(self._allowed(), self._more(before))

    def _more(self, before: SessionView) -> Turn | None:
        """Tell what was appended to the view before."""
        if self.view is before:
            return None
        kept = before.rows
        if self.view.common_rows(before) < kept:
            return self._changed(before, "rewritten")
        if any(Flag.MISSING in self.view.flags(row) for row in range(kept, self.view.rows)):
            self._sides = NEVER
        return Turn(self.view, kept, (), self._lines(before))

    def _again(self, how: How, stamp: Stamp) -> Turn | None:
        """Read all of it again."""
        self._suspect = None
        older = self.view
        try:
            self.view = self._reopen(self.path)
        except (Unreadable, OSError) as error:
            return self._refuse(stamp, str(error))
        self._sides = NEVER
        return self._told_first(self._allowed(), self._changed(older, how))

    def _allowed(self) -> tuple[Event, ...]:
        """Tell that the file can be read again, if that was refused."""
        told, self._refused, self._refused_for = self._refused_for, None, None
        return () if told is None else (Moved(self.view.ref, self.path, self.path),)

    def _refuse(self, stamp: Stamp, reason: str) -> Turn | None:
        """Say once why the file cannot be read; the view stays."""
        view = self.view
        told, self._refused_for = self._refused_for, reason
        self._refused, self._refused_until = stamp, self._now() + REFUSED_EVERY
        event = LineUnreadable(view.ref, None, None, reason)
        return None if reason == told else Turn(view, view.rows, (), (event,))

    def _still_refused(self, stamp: Stamp) -> bool:
        return stamp == self._refused and self._now() < self._refused_until

    def _told_first(self, events: tuple[Event, ...], turn: Turn | None) -> Turn | None:
        """Return a turn with some events before its own."""
        if not events:
            return turn
        turn = turn or Turn(self.view, self.view.rows)
        return Turn(turn.view, turn.kept, turn.restored, (*events, *turn.events))

    def _changed(self, before: SessionView, how: How) -> Turn | None:
        """Tell what is left of the view before; nothing when the file was only touched."""
        view = self.view
        kept = view.common_rows(before)
        restored = view.saved_otherwise(before, kept)
        if kept == view.rows == before.rows and view.same_lines(before):
            return Turn(view, kept, restored) if restored else None
        if kept == before.rows and self.path.endswith(ENDING):
            return Turn(view, kept, restored, self._lines(before))  # a document is written anew when it grows
        cut = how == "rewritten" and kept == view.rows and view.size < before.size
        kept = view.first_shown_anew(before, kept)
        ends = [each.id(kept).entry for each in (view, before) if kept < each.rows]
        first = min(ends, default=min(view.entries, before.entries))
        kept = view.nearest_row(first)
        sizes = first, view.entries, view.rows
        event = Truncated(view.ref, *sizes) if cut else Replaced(view.ref, *sizes, how)
        restored = tuple(row for row in restored if row < kept)
        return Turn(view, kept, restored, (event, *self._lines(before, first)))

    def _lines(self, before: SessionView, first: int | None = None) -> tuple[Event, ...]:
        """Tell the lines that cannot be read which were not known, and the one that is being written."""
        view = self.view
        known = {(each.line, each.offset) for each in before.unreadable if first is None or each.line <= first}
        events: list[Event] = [
            LineUnreadable(view.ref, each.line, (each.offset, each.offset + each.length), each.reason)
            for each in view.unreadable
            if (each.line, each.offset) not in known
        ]
        if view.pending is not None and (view.pending != before.pending or first is not None):
            events.append(Pending(view.ref, view.pending))
        return tuple(events)

    def _of_folder(self, stamp: Stamp) -> Turn | None:
        """Look at a session that is a folder: what it holds is listed again when it changed."""
        self._folder = stamp
        if self._refused is not None:
            return self._again("rewritten", stamp)
        before = self.view
        try:
            self.view = before.refreshed()
        except (SourceChanged, Unreadable):
            return self._again("rewritten", stamp)
        return None if self.view is before else Turn(self.view, before.rows, (), self._lines(before))

    def _vanished(self) -> Turn | None:
        """Look where the file went: it may have been compressed, or moved; say that it is gone at the second look."""
        for path in self._elsewhere():
            if path is not None and path != self.path and os.path.isfile(path):
                return self.go_to(path)
        if self.gone:
            return None
        if not self._missing:
            self._missing = True
            return None
        self.gone = True
        return Turn(self.view, self.view.rows, (), (Gone(self.view.ref, self.path),))

    def _elsewhere(self) -> Iterator[str | None]:
        """Yield where the file may lie now; of one that is gone, its inode may be another file's already."""
        yield self.path.removesuffix(SUFFIX) if self.path.endswith(SUFFIX) else self.path + SUFFIX
        if not self.gone:
            yield self._find(*self._known[:2])

    def _returned(self) -> tuple[Event, ...]:
        self._missing = False
        allowed = self._allowed() if self._refused == NOWHERE else ()
        if not self.gone:
            return allowed
        self.gone = False
        return (Moved(self.view.ref, self.path, self.path),)

    def _look_at_side_files(self, asked: bool) -> Turn | None:
        if self._now() < self._sides_at and not asked:
            return None
        effort = Effort(self._now)
        changed_at = self.view.side_files_changed_at()
        view, rows = self.view, tuple[int, ...]()
        try:
            view, rows = view.resaved(missing=changed_at != self._sides)
        except (SourceChanged, Unreadable):
            pass  # the next look tells what became of the session itself
        else:
            self.view, self._sides = view, changed_at
        self._sides_at = self._now() + effort.pause(SIDE_FILES_EVERY)
        return Turn(view, view.rows, rows) if rows else None


def _stamp(path: str) -> Stamp:
    try:
        found = os.stat(path)
    except OSError:
        return NOWHERE
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
