"""A session as people read it on a screen: what was said and done, each once, over all compactions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

import orjson

from unspool.named_tuple import NamedTuple
from unspool.recording.snips import call_id
from unspool.sources.json_value import compact

if TYPE_CHECKING:
    from unspool.recording.event import Event

Speaker = Literal["user", "assistant", "progress", "tool", "notice"]
Status = Literal["running", "success", "error"]

_SPEAKERS: Final[Mapping[str, Speaker]] = {
    "assistant": "assistant",
    "compact_boundary": "notice",
    "progress": "progress",
    "snip_boundary": "notice",
    "summary": "notice",
    "tool_call": "tool",
    "user": "user",
}
"""Who speaks in the events that a transcript tells of."""


class TranscriptEntry(NamedTuple):
    """One thing that was said or done; `id` is its event's.

    The text of a tool's entry is its input, a string as it is and else as compact JSON; `tool` is its name and `status`
    how the call went, both `None` for any other. `time` is as the log has it, `None` when it has none.
    """

    kind: Speaker
    text: str
    id: str | None = None
    time: str | None = None
    tool: str | None = None
    status: Status | None = None


def transcript_of(events: Iterable[Event], outcomes: Mapping[str | None, bool]) -> list[TranscriptEntry]:
    """Return the entries of events; `outcomes` says of answered calls whether they failed."""
    return [_entry(event, outcomes) for event in events if event["type"] in _SPEAKERS]


def _entry(event: Event, outcomes: Mapping[str | None, bool]) -> TranscriptEntry:
    kind = event["type"]
    speaker = _SPEAKERS[kind]
    uuid, time = _text(event.get("uuid")), _text(event.get("timestamp"))
    if speaker != "tool":
        return TranscriptEntry(speaker, _said(event, kind), uuid, time)
    failed = outcomes.get(call_id(event))
    status: Status = "running" if failed is None else "error" if failed else "success"
    told = _mapping(event.get("message"))
    given = told.get("input")
    return TranscriptEntry(speaker, _written(given), uuid, time, _text(told.get("toolName")), status)


def _written(given: Any) -> str:
    if isinstance(given, str):
        return given
    try:
        return orjson.dumps(given).decode()
    except TypeError:
        return compact(given)


def _said(event: Event, kind: str) -> str:
    if kind == "compact_boundary":
        told = _mapping(event.get("compactMetadata"))
        return f"Context compacted: {_number(told, 'preTokens')} → {_number(told, 'postTokens')} tokens"
    if kind == "snip_boundary":
        told = _mapping(event.get("snipMetadata"))
        removed, freed = _number(told, "removedCount"), _number(told, "tokensFreed")
        return f"Earlier context snipped: {removed} messages removed, about {freed} tokens freed"
    return _text(_mapping(event.get("message")).get("content")) or ""


def _number(told: Mapping[str, Any], key: str) -> str:
    value = told.get(key)
    return f"{value:,}" if isinstance(value, int) else "?"


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
