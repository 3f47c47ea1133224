"""The log of a session: one event a line, hung on one another, written by as many as like."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Self

from unspool.blobs.calls import OS, Os
from unspool.blobs.folder import make_folder as make_durable_folder
from unspool.dataclass import dataclass
from unspool.errors import BadEvent, NotFound, Unwritable
from unspool.recording.active_log import ActiveLog
from unspool.recording.boundaries import (
    Decided,
    Reason,
    Status,
    Trigger,
    collapse,
    compaction,
    snip,
    summary_of_compaction,
)
from unspool.recording.clearing import Cleared, clear
from unspool.recording.event import Event, chained, enveloped, events_of, line_of, time_label
from unspool.recording.folders import make_folder
from unspool.recording.forks import fork_events
from unspool.recording.log_file import append, locked
from unspool.recording.log_lines import last_event, reader
from unspool.recording.place import SessionPlace
from unspool.recording.presence import Presence
from unspool.recording.tool_results import ResultLimits, ToolResultStore

if TYPE_CHECKING:
    from unspool.ids import EntryRange

_ID_CHARACTERS: Final = 8
"""Of a UUID: what MiniCode names its sessions by."""

_TRIES: Final = 8
"""How often a folder is made that somebody else removes at the same time."""

Given = Mapping[str, Any]
"""A message (with a `role`) or a whole event (with a `type`)."""


_State = tuple[int, int, int]
"""Inode, bytes and the time of the last change: a log that is begun anew may get the inode and the length of the one
before."""


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a log as it was left: which file in which state, and what its last event was."""

    state: _State
    last: str | None
    cwd: str | None


class SessionLog:
    """The log of one session, in the folder of its project; it comes into being with the first event.

    Any number of threads and processes may hold a log of the same session: each append is one write of whole lines
    under a lock, and hangs on the event that was last at that moment. With `durable`, what was appended outlives a loss
    of power; without, the end of the process. `cwd` is the folder that the agent works in: by default the one that the
    log's last event names, else that of the process. What cannot be written raises `Unwritable`, and leaves no trace.

    As long as there is such an object, and it was not closed, its session is open and retention leaves it alone; that
    takes a descriptor.
    """

    def __init__(
        self,
        place: SessionPlace,
        *,
        cwd: str | None = None,
        durable: bool = False,
        calls: Os = OS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.place = place
        self.durable = durable
        self.calls = calls
        self._cwd = cwd
        self._clock = clock
        self._end: _End | None = None
        self._is_named = False
        self._spans = itertools.count()
        self._mutex = threading.Lock()
        self._presence = Presence(calls, place)
        if place.log.exists():
            self._presence.hold()

    @classmethod
    def of(
        cls, home: str | os.PathLike[str], cwd: str, session_id: str | None = None, *, durable: bool = False
    ) -> Self:
        """Return the log of a session of a home (MiniCode's is `~/.mini-code`); without an id, of a new one."""
        return cls(SessionPlace.of(home, cwd, session_id or new_session_id()), cwd=cwd, durable=durable)

    @classmethod
    def at(cls, path: str | os.PathLike[str], *, durable: bool = False) -> Self:
        """Return the log that has a path, to go on with it; raises `BadReference` when no log is called so."""
        return cls(SessionPlace.at(path), durable=durable)

    @property
    def session_id(self) -> str:
        """The id of the session."""
        return self.place.session_id

    def append(self, given: Iterable[Given], *, durable: bool | None = None) -> list[Event]:
        """Write messages or whole events to the end of the log, and return the events as they stand there.

        They are written all or not at all. A message without an `id` gets a new one, which is its event's too. The
        system prompt is left out. Raises `BadEvent` for what cannot be written, `Unwritable` when writing fails.
        """
        return self._append(events_of(given), self.durable if durable is None else durable)

    def append_compact_boundary(
        self,
        summary: str,
        retained: Sequence[Given] = (),
        *,
        trigger: Trigger = "auto",
        pre_tokens: int = 0,
        post_tokens: int = 0,
    ) -> list[Event]:
        """Write that the context was compacted: a summary takes the place of all but the messages that are retained.

        Those are written again behind it, under their ids. What stands before stays in the log.
        """
        given = [compaction(trigger, pre_tokens, post_tokens), summary_of_compaction(summary), *events_of(retained)]
        return self._append(given, self.durable)

    def append_snip(self, removed_ids: Sequence[str], tokens_freed: int = 0, *, content: str | None = None) -> Event:
        """Write that messages were taken out of the context; a model sees `content` in their place."""
        return self._append([snip(removed_ids, tokens_freed, content, self._clock())], self.durable)[0]

    def append_collapse(
        self,
        message_ids: Sequence[str],
        summary: str,
        *,
        tokens_before: int = 0,
        tokens_after: int = 0,
        status: Status = "committed",
        reason: Reason = "context_pressure",
    ) -> Event:
        """Write that a model sees a summary of messages that follow one another, from now on; `BadEvent` for none."""
        if not message_ids:
            raise BadEvent("a span is of at least one message")
        decided = Decided(status, reason, tokens_before, tokens_after)
        event = collapse(message_ids, summary, decided, self._clock(), next(self._spans))
        return self._append([event], self.durable)[0]

    def rename(self, title: str) -> Event:
        """Give the session a name; raises `NotFound` when it has no log."""
        return self._append([{"type": "rename", "title": title}], self.durable, create=False)[0]

    def fork(self, session_id: str | None = None) -> SessionLog:
        """Return the log of a new session that goes on from here, with the active events of this one.

        They keep their ids; the last event of the copy names it and its source, whose large results it points to.
        Raises `NotFound` when nothing is active.
        """
        try:
            with locked(self.calls, str(self.place.log)):
                copied = fork_events(ActiveLog.read(self), self.calls)
                place = SessionPlace(self.place.project, session_id or new_session_id())
                log = SessionLog(place, cwd=self._cwd, durable=self.durable, calls=self.calls, clock=self._clock)
                if place.log.exists():
                    raise Unwritable(f"a session {place.session_id} is there already", path=str(place.log))
                log._append(copied, self.durable)
        except FileNotFoundError:
            raise self._missing() from None
        except OSError as error:
            raise self._failed(error) from error
        return log

    def clear(self) -> Cleared:
        """Remove the log, and the large results but for those that another session of the project points to.

        Says what stayed and for whom. Nothing happens when there is no session. Raises `Unwritable`.
        """
        with self._mutex:
            self._end, self._is_named = None, False
            self._presence.let_go()
            try:
                return clear(self.place, self.calls)
            except OSError as error:
                raise self._failed(error) from error

    def close(self) -> None:
        """Let go of the session, which is open again with the next event that is appended."""
        with self._mutex:
            self._presence.let_go()

    def active_range(self) -> EntryRange | None:
        """Return the lines that stand behind the last compaction, `None` when there are none.

        Raises `NotFound` when there is no log.
        """
        return ActiveLog.read(self).entry_range

    def result_store(self, limits: ResultLimits | None = None) -> ToolResultStore:
        """Return the store of the session's large results. A log that is there is read, for what it was forked from."""
        try:
            return ActiveLog.read(self).result_store(limits)
        except NotFound:
            return ToolResultStore(self.place.results, limits=limits, calls=self.calls)

    def _append(self, events: Sequence[Event], durable: bool, *, create: bool = True) -> list[Event]:
        if not events:
            return []
        with self._mutex:
            try:
                with self._opened(create) as descriptor:
                    return self._append_locked(descriptor, events, durable)
            except FileNotFoundError:
                raise self._missing() from None
            except OSError as error:
                raise self._failed(error) from error

    @contextlib.contextmanager
    def _opened(self, create: bool) -> Iterator[int]:
        """Open the log under its lock; with `create`, its folder is made, again if somebody removes it meanwhile."""
        with contextlib.ExitStack() as stack:
            for _ in range(_TRIES):
                if create:
                    make_folder(self.calls, self.place.project)
                try:
                    descriptor = stack.enter_context(locked(self.calls, str(self.place.log), create=create))
                except FileNotFoundError:
                    continue
                yield descriptor
                return
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))

    def _append_locked(self, descriptor: int, events: Sequence[Event], durable: bool) -> list[Event]:
        end = self._end_of(descriptor)
        cwd = self._cwd or end.cwd or os.getcwd()
        now = time_label(self._clock())
        written = chained((enveloped(event, self.session_id, cwd, now) for event in events), end.last)
        data = b"".join(map(line_of, written))
        append(self.calls, descriptor, data, lambda: self._flush(descriptor) if durable else None)
        self._end = None
        with contextlib.suppress(OSError):  # what was written is written: the next append looks for the end itself
            self._end = _End(self._state_of(descriptor), written[-1]["uuid"], cwd)
        self._presence.hold()
        return written

    def _flush(self, descriptor: int) -> None:
        """Flush the log, and once its name and those of the folders above it, whoever made them."""
        self.calls.fsync(descriptor)
        if not self._is_named:
            make_durable_folder(self.calls, str(self.place.project))
            self._is_named = True

    def _end_of(self, descriptor: int) -> _End:
        """Return the end of the log, which is looked for only when somebody else wrote last."""
        state = self._state_of(descriptor)
        known = self._end
        if known is not None and known.state == state:
            return known
        _, size, _ = state
        read = reader(self.calls, descriptor)
        last = last_event(read, size, lambda event: isinstance(event.get("uuid"), str)) or {}
        cwd = last.get("cwd")
        return _End(state, last.get("uuid"), cwd if isinstance(cwd, str) else None)

    def _state_of(self, descriptor: int) -> _State:
        state = self.calls.stat(descriptor)
        return state.st_ino, state.st_size, state.st_ctime_ns

    def _missing(self) -> NotFound:
        return NotFound(f"no log of the session {self.session_id}: {self.place.log}")

    def _failed(self, error: OSError) -> Unwritable:
        return Unwritable(f"{self.place.log} cannot be written: {error.strerror or error}", path=str(self.place.log))


def new_session_id() -> str:
    """Return a new id of a session, as MiniCode makes them."""
    return uuid.uuid4().hex[:_ID_CHARACTERS]
