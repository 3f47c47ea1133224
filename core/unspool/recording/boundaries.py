"""Events that say how the context of a model changed: what was compacted, snipped away, collapsed into a summary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from unspool.dataclass import dataclass
from unspool.recording.event import Event, time_label

Trigger = Literal["auto", "manual"]
Status = Literal["staged", "committed"]
Reason = Literal["context_pressure", "manual", "overflow_recovery"]


@dataclass(frozen=True, slots=True)
class Decided:
    """How a span was decided on, and the tokens that it took before and takes now."""

    status: Status
    reason: Reason
    tokens_before: int
    tokens_after: int


def compaction(trigger: Trigger, pre_tokens: int, post_tokens: int) -> Event:
    """Return the boundary behind which the context begins anew."""
    told = {"trigger": trigger, "preTokens": pre_tokens, "postTokens": post_tokens}
    return {"type": "compact_boundary", "subtype": "compact_boundary", "compactMetadata": told}


def summary_of_compaction(summary: str) -> Event:
    """Return what stands right behind a boundary; its message has no id, by which readers know it."""
    return {"type": "user", "message": {"role": "user", "content": summary}}


def snip(removed_ids: Sequence[str], tokens_freed: int, content: str | None, now: float) -> Event:
    """Return what says that messages were taken away; `now` is in seconds."""
    removed, count = list(removed_ids), len(removed_ids)
    told = {"removedMessageIds": removed, "removedCount": count, "tokensFreed": tokens_freed}
    own_id = f"snip-{int(now * 1_000)}-{removed[0] if removed else 'none'}"
    text = content or f"[Earlier context snipped: {count} messages removed, about {tokens_freed} tokens freed]"
    times = {"timestamp": time_label(now), "createdAt": time_label(now)}
    return {
        "type": "snip_boundary",
        "subtype": "snip_boundary",
        "uuid": own_id,
        "timestamp": time_label(now),
        "snipMetadata": {"type": "snip_boundary", **told, **times},
        "message": {"role": "snip_boundary", "id": own_id, "content": text, **told, "timestamp": int(now * 1_000)},
    }


def collapse(message_ids: Sequence[str], summary: str, decided: Decided, now: float, number: int) -> Event:
    """Return what says that a summary stands in for messages; `number` tells spans of one moment apart."""
    moment = int(now * 1_000)
    span = {
        "id": f"collapse-{moment}-{number}-{message_ids[0]}",
        "startMessageId": message_ids[0],
        "endMessageId": message_ids[-1],
        "messageIds": list(message_ids),
        "summary": summary,
        "tokensBefore": decided.tokens_before,
        "tokensAfter": decided.tokens_after,
        "status": decided.status,
        "createdAt": moment,
        "reason": decided.reason,
    }
    event = {"type": "context_collapse", "subtype": "context_collapse", "uuid": span["id"]}
    return event | {"contextCollapseSpan": span}
