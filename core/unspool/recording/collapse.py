"""Spans of messages that a model sees a summary of: nothing is removed, and all of it can be shown again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unspool.dataclass import dataclass

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CollapseState:
    """The spans that hold, in the order in which they were decided; `enabled` and `failures` are for the host."""

    spans: tuple[Mapping[str, Any], ...]
    enabled: bool = True
    failures: int = 0

    def project(self, messages: Sequence[Message]) -> list[Message]:
        """Return messages with a summary in the place of each span.

        A span counts only when its messages are all there, in a row and in their order; of two that overlap the first
        counts.
        """
        places = {message.get("id"): place for place, message in enumerate(messages)}
        summaries: dict[int, Message] = {}
        hidden: set[int] = set()
        for span in self.spans:
            found = _places(span, places)
            if found is None or hidden.intersection(found):
                continue
            hidden.update(found)
            summaries[found.start] = _summary(span, len(found))
        return [
            summaries.get(place, message)
            for place, message in enumerate(messages)
            if place not in hidden or place in summaries
        ]


def _places(span: Mapping[str, Any], places: Mapping[Any, int]) -> range | None:
    ids = span.get("messageIds")
    if (
        not isinstance(ids, list)
        or not ids
        or (ids[0], ids[-1]) != (span.get("startMessageId"), span.get("endMessageId"))
    ):
        return None
    first = places.get(ids[0])
    if first is None or any(places.get(each) != place for place, each in enumerate(ids, first)):
        return None
    return range(first, first + len(ids))


def _summary(span: Mapping[str, Any], count: int) -> Message:
    return {
        "role": "context_summary",
        "id": f"collapse-summary-{span.get('id')}",
        "content": span.get("summary"),
        "compressedCount": count,
        "timestamp": span.get("createdAt"),
    }
