"""Events of a log: what surrounds a message, the order of the keys, the line that an event becomes.

A message says who speaks in its `role`; its event's `type` follows from that. Ids and times are those that were given
with a message or an event, or new ones. The chain (`parentUuid`) is not given but made: see `chained`.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import orjson

from unspool.errors import BadEvent
from unspool.pattern import pattern
from unspool.sources.json_value import compact

Event = dict[str, Any]
"""One line of a log, decoded."""

TYPES: Final[Mapping[str, str]] = {
    "assistant": "assistant",
    "assistant_progress": "progress",
    "assistant_thinking": "thinking",
    "assistant_tool_call": "tool_call",
    "context_summary": "summary",
    "snip_boundary": "snip_boundary",
    "tool_result": "tool_result",
    "user": "user",
}
"""The type of a message's event, by the message's role."""

BOUNDARIES: Final = frozenset({"compact_boundary", "context_collapse", "snip_boundary"})
"""Events that no event is the parent of; `logicalParentUuid` tells what stood before them."""

_PROMPT: Final = "system"

_SURROGATE: Final = pattern("[\ud800-\udfff]")

_EVENT_KEYS: Final = (
    "type", "subtype", "uuid", "parentUuid", "logicalParentUuid", "timestamp", "sessionId", "cwd", "title",
    "forkedFrom", "compactMetadata", "snipMetadata", "contextCollapseSpan", "message",
)  # fmt: skip
_MESSAGE_KEYS: Final = ("role", "id", "toolUseId", "toolName", "input", "content", "blocks", "isError")
"""The order in which keys are written; others follow as they were given."""


def events_of(given: Iterable[Mapping[str, Any]]) -> list[Event]:
    """Return what is to be written of messages (which have a `role`) and whole events (which have a `type`).

    The system prompt is left out: a host makes it anew whenever it starts. Raises `BadEvent` for anything else.
    """
    events: list[Event] = []
    for each in given:
        if not isinstance(each, Mapping):
            raise BadEvent(f"neither a message nor an event, of which a list is given: {each!r:.80}")
        if each.get("role") != _PROMPT:
            events.append(_event_of(each))
    return events


def enveloped(event: Mapping[str, Any], session_id: str, cwd: str, time: str) -> Event:
    """Return an event with everything around its message but its place in the chain."""
    message = event.get("message")
    ids = (event.get("uuid"), message.get("id") if isinstance(message, Mapping) else None)
    return {
        **event,
        "uuid": next((each for each in ids if isinstance(each, str) and each), None) or str(uuid.uuid4()),
        "timestamp": event.get("timestamp") or time,
        "sessionId": session_id,
        "cwd": event.get("cwd") or cwd,
    }


def chained(events: Iterable[Event], last: str | None) -> list[Event]:
    """Return events with their parents: each hangs on the one before it, the first on the `last` that was written.

    Boundaries begin a chain of their own and say behind what they stand; a name hangs on nothing, but can be hung on.
    """
    done: list[Event] = []
    for event in events:
        linked = {key: value for key, value in event.items() if key not in ("parentUuid", "logicalParentUuid")}
        if event["type"] in BOUNDARIES:
            linked |= {"parentUuid": None, "logicalParentUuid": last}
        elif event["type"] != "rename":
            linked["parentUuid"] = last
        done.append(_identified(linked))
        last = event["uuid"]
    return done


def line_of(event: Mapping[str, Any]) -> bytes:
    """Return the line of an event, its LF included, with the keys in their order; raises `BadEvent`."""
    ordered = _in_order(event, _EVENT_KEYS)
    if isinstance(ordered.get("message"), Mapping):
        ordered["message"] = _in_order(ordered["message"], _MESSAGE_KEYS)
    try:
        return orjson.dumps(ordered) + b"\n"
    except TypeError:  # a lone surrogate, a number of over 64 bits, or deep nesting: valid JSON all the same
        return _plainly(ordered)


def time_label(seconds: float) -> str:
    """Return a time as the format writes it: ISO 8601, UTC, milliseconds."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def messages_of(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Return the messages of events, of those that have one, each under its event's id."""
    return [{**event["message"], "id": event.get("uuid")} for event in events if type(event.get("message")) is dict]


def _event_of(given: Mapping[str, Any]) -> Event:
    if "role" not in given:
        if not isinstance(given.get("type"), str):
            raise BadEvent(f"neither a message (with a role) nor an event (with a type): {_told(given)}")
        return dict(given)
    role = given["role"]
    kind = TYPES.get(role) if isinstance(role, str) else None
    if kind is None:
        raise BadEvent(f"no role of a message: {role!r}; there are {', '.join(TYPES)}")
    event: Event = {"type": kind, "message": {**given, "id": given.get("id") or str(uuid.uuid4())}}
    return event


def _identified(event: Event) -> Event:
    """Return an event whose message has the event's id, where it had any."""
    message = event.get("message")
    if not isinstance(message, Mapping) or "id" not in message or message["id"] == event["uuid"]:
        return event
    return {**event, "message": {**message, "id": event["uuid"]}}


def _in_order(given: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: given[key] for key in keys if key in given} | dict(given)


def _plainly(event: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(event, separators=(",", ":"), allow_nan=False).encode() + b"\n"
    except RecursionError:
        text = compact(event)  # as deep as what can be read
        return _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text).encode() + b"\n"
    except (TypeError, ValueError) as error:
        raise BadEvent(f"an event that is no JSON: {error}") from error


def _told(given: Mapping[str, Any]) -> str:
    return ", ".join(map(str, given)) or "it is empty"
