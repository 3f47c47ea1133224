"""What a log says now, in one snapshot from one pass over the file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Final, Self

from unspool.blobs.calls import OS, Os
from unspool.errors import NotFound, Unreadable
from unspool.ids import EntryRange
from unspool.recording.collapse import CollapseState
from unspool.recording.collecting import no_collecting
from unspool.recording.event import Event, message_of
from unspool.recording.log_lines import events, reader
from unspool.recording.place import Session, SessionPlace, calls_of, place_of
from unspool.recording.replacement_state import ReplacementState
from unspool.recording.snips import call_id, seen_by_model
from unspool.recording.stand_in import read_stand_in
from unspool.recording.tool_results import ResultLimits, ToolResult, ToolResultStore
from unspool.recording.transcript import TOLD, TranscriptEntry, transcript_of

_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_FORK: Final = re.compile(r"_fork\d+\Z")
"""How the name of a fork ends. Those of other programs name no source otherwise."""

_TITLE: Final = 60
"""Characters of a title that is made of a prompt."""


@dataclass(slots=True)
class _Told:
    """What was gathered of a log so far."""

    active: list[Event] = field(default_factory=list)
    boundary: Event | None = None
    entries: tuple[int, int] | None = None
    shown: list[Event] = field(default_factory=list)
    outcomes: dict[str | None, bool] = field(default_factory=dict)
    name: str | None = None
    prompt: str | None = None
    origins: tuple[str, ...] = ()
    _active_ids: set[str | None] = field(default_factory=set)
    _shown_ids: set[str | None] = field(default_factory=set)

    def take(self, number: int, event: Event) -> None:
        kind, uuid = event["type"], event.get("uuid")
        if type(uuid) is not str:
            uuid = None
        if kind == "compact_boundary":
            self.active, self._active_ids, self.boundary, self.entries = [], set(), event, None
        elif uuid is None or uuid not in self._active_ids:
            self._active_ids.add(uuid)
            self.active.append(event)
            self.entries = (number if self.entries is None else self.entries[0], number)
        if kind in TOLD:
            if uuid is None or uuid not in self._shown_ids:
                self._shown_ids.add(uuid)
                self._show(event, kind)
        elif kind == "tool_result":
            self._take_outcome(event)
        elif kind == "rename":
            self._take_name(event)

    def _show(self, event: Event, kind: str) -> None:
        self.shown.append(event)
        if kind == "user" and self.prompt is None:
            self._take_prompt(event)

    def _take_name(self, event: Event) -> None:
        title, origins = event.get("title"), event.get("forkedFrom")
        self.name = title if isinstance(title, str) and title else self.name
        if isinstance(origins, list):
            self.origins = tuple(each for each in origins if isinstance(each, str))

    def _take_outcome(self, event: Event) -> None:
        message = event.get("message")
        self.outcomes.setdefault(call_id(event), isinstance(message, dict) and message.get("isError") is True)

    def _take_prompt(self, event: Event) -> None:
        message = event.get("message")
        text = message.get("content") if isinstance(message, dict) else None
        self.prompt = (text.strip() or None) if isinstance(text, str) else None


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
        self._seen = seen_by_model(told.active, told.outcomes)
        self._told = told
        self._calls = calls

    @classmethod
    def read(cls, session: Session) -> Self:
        """Read the log of a session: a `SessionLog`, a `SessionPlace`, or the path of a log.

        Raises `NotFound` when it has no log, `Unreadable` when that cannot be read.
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

    @property
    def title(self) -> str | None:
        """The last name, else the first prompt, cut; `None` when nothing was said."""
        if self._told.name or self._told.prompt is None:
            return self._told.name
        prompt = self._told.prompt
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
            found = map(message_of, self._seen)
            return [message for message in found if message is not None]

    def replacements(self) -> ReplacementState:
        """Return the decisions on the active tool results, as the store had taken them."""
        return self.result_store().rebuild(_results(self._seen))

    def collapse_state(self) -> CollapseState | None:
        """Return the committed spans among the active events, `None` when there are none."""
        spans = [event.get("contextCollapseSpan") for event in self.events if event.get("type") == "context_collapse"]
        held = tuple(span for span in spans if isinstance(span, dict) and span.get("status") == "committed")
        return CollapseState(held) if held else None

    def transcript(self) -> list[TranscriptEntry]:
        """Return the whole session as people read it: what a compaction wrote again comes once."""
        with no_collecting():
            return transcript_of(self._told.shown, self._told.outcomes)

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
            for number, event in events(reader(calls, descriptor), size):
                told.take(number, event)
    finally:
        calls.close(descriptor)
    return size


def _results(seen: Iterable[Event]) -> Iterator[ToolResult]:
    for event in seen:
        call = call_id(event) if event.get("type") == "tool_result" else None
        if call is not None:
            message = event["message"]
            yield ToolResult(call, str(message.get("toolName")), message.get("content"))


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
