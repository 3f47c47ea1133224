"""What a log says now, in one snapshot from one pass over the file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final, Self

from unspool.blobs.calls import OS, Os
from unspool.dataclass import dataclass, field
from unspool.errors import NotFound, Unreadable
from unspool.ids import EntryRange
from unspool.pattern import pattern
from unspool.recording.collapse import CollapseState
from unspool.recording.collecting import no_collecting
from unspool.recording.event import Event, messages_of
from unspool.recording.log_lines import events, reader
from unspool.recording.place import Session, SessionPlace, calls_of, place_of
from unspool.recording.snips import call_id, failed, seen_by_model
from unspool.recording.stand_in import read_stand_in
from unspool.recording.tool_results import ResultLimits, ToolResultStore
from unspool.recording.transcript import TranscriptEntry, transcript_of

if TYPE_CHECKING:
    from unspool.recording.replacement_state import ReplacementState

_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_FORK: Final = pattern(r"_fork\d+\Z")
"""How the name of a fork ends. Those of other programs name no source otherwise."""

_BOUNDARY: Final = "compact_boundary"
_RESULT: Final = "tool_result"
_TITLE: Final = 60
"""Characters of a title that is made of a prompt."""


@dataclass(slots=True)
class _Told:
    """What was gathered of a log: active events, and all that was said, each once and without the results of tools.

    `outcomes` says of every call that was answered whether it failed.
    """

    active: list[Event] = field(default_factory=list)
    boundary: Event | None = None
    entries: tuple[int, int] | None = None
    said: list[Event] = field(default_factory=list)
    outcomes: dict[str | None, bool] = field(default_factory=dict)

    def take(self, found: Iterable[tuple[int, Event]]) -> None:
        """Gather events with the numbers of their lines.

        An id that comes again tells the same again: behind a boundary it is active once more, but not said once more.
        This is run for every event of a log and so does little.
        """
        active, said, outcomes = self.active, self.said, self.outcomes
        last_boundary: dict[str, int] = {}  # how many boundaries stood before an id when it came last
        boundaries, first, last = 0, -1, -1
        for number, event in found:
            kind, uuid = event["type"], event.get("uuid")
            known = None
            if type(uuid) is str:
                known = last_boundary.get(uuid)
                last_boundary[uuid] = boundaries
            if kind == _BOUNDARY:
                active, first, boundaries, self.boundary = [], -1, boundaries + 1, event
            elif known != boundaries:
                active.append(event)
                first, last = number if first < 0 else first, number
            if known is None:
                if kind == _RESULT:
                    outcomes.setdefault(call_id(event), failed(event))
                else:
                    said.append(event)
        self.active, self.entries = active, (first, last) if first >= 0 else None

    @property
    def name(self) -> str | None:
        """The last name that the session got."""
        titles = (event.get("title") for event in reversed(self.said) if event["type"] == "rename")
        return next((title for title in titles if isinstance(title, str) and title), None)

    @property
    def origins(self) -> tuple[str, ...]:
        """The sessions that it says it was forked from."""
        named = (event.get("forkedFrom") for event in reversed(self.said) if event["type"] == "rename")
        found = next((each for each in named if isinstance(each, list)), [])
        return tuple(each for each in found if isinstance(each, str))

    @property
    def prompt(self) -> str | None:
        """The first thing that a user said."""
        messages = (event.get("message") for event in self.said if event["type"] == "user")
        texts = (message.get("content") for message in messages if isinstance(message, dict))
        return next((text.strip() for text in texts if isinstance(text, str) and text.strip()), None)


class ActiveLog:
    """A log as it was when it was read: what is active, and the whole of what was said.

    Active is what stands behind the last compaction. `size` is how many bytes were read, `entry_range` the lines that
    are active, `None` when none is; `origins` are the sessions that this one was forked from, the nearest first.
    """

    def __init__(self, place: SessionPlace, size: int, told: _Told, calls: Os = OS) -> None:
        self.place = place
        self.size = size
        self.events: tuple[Event, ...] = tuple(told.active)
        self.boundary = told.boundary
        self.entry_range = EntryRange(*told.entries) if told.entries else None
        self._told = told
        self._calls = calls

    @classmethod
    def read(cls, session: Session) -> Self:
        """Read the log of a session: a `SessionLog`, a `SessionPlace`, or the path of a log.

        Raises `NotFound` when it has no log, `Unreadable` when that cannot be read, `BadReference` for a path by which
        no log is called.
        """
        place, calls = place_of(session), calls_of(session)
        told = _Told()
        try:
            size = _read(calls, str(place.log), told)
        except FileNotFoundError:
            raise NotFound(f"no log of the session {place.session_id}: {place.log}") from None
        except OSError as error:
            raise Unreadable(f"{place.log} cannot be read: {error.strerror}", path=str(place.log)) from error
        return cls(place, size, told, calls)

    @cached_property
    def _seen(self) -> list[Event]:
        return seen_by_model(self.events, self._told.outcomes)

    @property
    def title(self) -> str | None:
        """The last name, else the first prompt, cut; `None` when nothing was said."""
        name = self._told.name
        prompt = None if name else self._told.prompt
        if prompt is None:
            return name
        return prompt if len(prompt) <= _TITLE else f"{prompt[:_TITLE]}..."

    @property
    def origins(self) -> tuple[str, ...]:
        """The sessions that this one was forked from, the nearest first.

        Where the log names none but is called a fork, those whose results it points to.
        """
        named = self._told.origins
        if named or not _FORK.search(self._told.name or ""):
            return named
        return tuple(dict.fromkeys(_pointed_to(self.events, self.place)))

    def messages(self) -> list[dict[str, Any]]:
        """Return what a model sees: active messages under their ids, snips applied, pairs of calls and results whole.

        Spans that were collapsed are still there; see `collapse_state`.
        """
        with no_collecting():
            return messages_of(self._seen)

    def replacements(self) -> ReplacementState:
        """Return the decisions on the active tool results, as the store had taken them."""
        return self.result_store().rebuild_from(_results(self._seen))

    def collapse_state(self) -> CollapseState | None:
        """Return the committed spans among the active events, `None` when there are none."""
        spans = [event.get("contextCollapseSpan") for event in self.events if event.get("type") == "context_collapse"]
        held = tuple(span for span in spans if isinstance(span, dict) and span.get("status") == "committed")
        return CollapseState(held) if held else None

    def transcript(self) -> list[TranscriptEntry]:
        """Return the whole session as people read it: what a compaction wrote again comes once."""
        with no_collecting():
            return transcript_of(self._told.said, self._told.outcomes)

    def result_store(self, limits: ResultLimits | None = None) -> ToolResultStore:
        """Return the store of the session's large results, which knows those of the sessions it was forked from."""
        origins = [self.place.sibling(each).results for each in self.origins]
        return ToolResultStore(self.place.results, limits=limits, origins=origins, calls=self._calls)


def _read(calls: Os, path: str, told: _Told) -> int:
    """Gather what a log tells; return how many bytes that were."""
    descriptor = calls.open(path, _FLAGS)
    try:
        size = calls.stat(descriptor).st_size
        with no_collecting():
            told.take(events(reader(calls, descriptor), size))
    finally:
        calls.close(descriptor)
    return size


def _results(seen: Iterable[Event]) -> Iterator[tuple[str, Any]]:
    """Yield the ids and contents of results."""
    for event in seen:
        if event["type"] == _RESULT and (call := call_id(event)) is not None:
            yield call, event["message"].get("content")


def _pointed_to(active: Iterable[Event], place: SessionPlace) -> Iterable[str]:
    """Yield the sessions of the project whose folders the results of events name."""
    for event in active:
        message = event.get("message") if event.get("type") == "tool_result" else None
        content = message.get("content") if isinstance(message, dict) else None
        told = read_stand_in(content) if isinstance(content, str) else None
        steps = PurePosixPath(told.path.replace("\\", "/")).parts if told else ()
        if len(steps) >= 4 and steps[-2] == place.results.name and steps[-4] == place.project.name:
            named = steps[-3]
            if named != place.name:
                yield named
