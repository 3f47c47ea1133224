"""What a model sees of active events: without what was snipped away, and no call without its result or the reverse."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unspool.recording.event import Event

_CALL, _RESULT = "tool_call", "tool_result"


def seen_by_model(events: Sequence[Event], answered: Container[str | None]) -> list[Event]:
    """Return active events without what snips removed, each snip at the place of the first that it removed.

    A snip of which nothing is there is left out; one that a compaction retained, as a message alone, stays. A call
    goes when its result was removed, and a result that no call comes before goes too: no provider takes them. A call
    stays that is not among those that were `answered`, in all of the log; it may still run.
    """
    snips = [event for event in events if event["type"] == "snip_boundary" and _removed(event)]
    left = _snipped(events, snips) if snips else events
    return _paired(left, answered)


def _snipped(events: Sequence[Event], snips: Sequence[Event]) -> list[Event]:
    by_removed: dict[str, list[Event]] = defaultdict(list)
    for snip in snips:
        for removed in _removed(snip):
            by_removed[removed].append(snip)
    return list(_in_place(events, by_removed))


def _in_place(events: Iterable[Event], by_removed: Mapping[str, list[Event]]) -> Iterator[Event]:
    placed: set[int] = set()
    for event in events:
        if event["type"] == "snip_boundary" and "snipMetadata" in event:
            continue
        uuid = event.get("uuid")
        removing = by_removed.get(uuid, ()) if isinstance(uuid, str) else ()
        for snip in removing:
            if id(snip) not in placed:
                placed.add(id(snip))
                yield snip
        if not removing:
            yield event


def _removed(snip: Event) -> list[str]:
    told = snip.get("snipMetadata")
    removed = told.get("removedMessageIds") if isinstance(told, dict) else None
    return [each for each in removed if isinstance(each, str)] if isinstance(removed, list) else []


def _paired(events: Sequence[Event], answered: Container[str | None]) -> list[Event]:
    """Return events without halves of pairs. Nearly always there are none, which is found out in one go."""
    called: set[str | None] = set()
    answers: set[str | None] = set()
    orphans: set[int] = set()
    for event in events:
        kind = event["type"]
        if kind == _CALL:
            called.add(call_id(event))
        elif kind == _RESULT:
            call = call_id(event)
            if call in called:
                answers.add(call)
            else:
                orphans.add(id(event))
    left = {call for call in called - answers if call in answered}
    if not left and not orphans:
        return list(events)
    return [
        event
        for event in events
        if id(event) not in orphans and not (event["type"] == _CALL and call_id(event) in left)
    ]


def call_id(event: Event) -> str | None:
    """Return the id that a call and its result share; `None` of any other event."""
    try:
        told = event["message"]["toolUseId"]
    except (KeyError, TypeError):
        return None
    return told if type(told) is str else None


def failed(event: Event) -> bool:
    """Say whether a result is of a call that failed."""
    try:
        return event["message"]["isError"] is True
    except (KeyError, TypeError):
        return False
