"""Figures of one view: counts, sizes, worst outputs, tokens."""

from __future__ import annotations

import heapq
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Final

from unspool.formats.base import Facts, Flag, Usage
from unspool.sources.record import Unreadable
from unspool.views.counts import Counts
from unspool.views.evidence import Evidence
from unspool.views.filter import Filter
from unspool.views.material import Material

WORST: Final = 10
"""Largest outputs named."""


@dataclass(frozen=True, slots=True)
class Stats:
    """Figures of one view; sizes in bytes of full texts. `by_tool` maps a tool to (calls, bytes of its outputs)."""

    counts: Counts
    entries: int
    bytes: int
    errors: int
    stored: int
    inherited: int
    other_records: dict[str, int]
    unknown_records: dict[str, int]
    unreadable: tuple[Unreadable, ...]
    by_kind: dict[str, int]
    by_tool: dict[str, tuple[int, int]]
    worst: tuple[Evidence, ...]
    usage: Usage | None
    facts: Facts

    def to_json(self) -> dict[str, Any]:
        """Return the object of the command's JSON."""
        return {
            "entries": self.entries,
            "bytes": self.bytes,
            "counts": self.counts.to_json(),
            **self.counts.others_to_json(),
            "errors": self.errors,
            "stored": self.stored,
            "inherited": self.inherited,
            "other_records": self.other_records,
            "unknown_records": self.unknown_records,
            "unreadable": [unreadable_json(each) for each in self.unreadable],
            "bytes_by_kind": self.by_kind,
            "tools": {tool: {"calls": calls, "bytes": size} for tool, (calls, size) in self.by_tool.items()},
            "worst": [each.to_json() for each in self.worst],
            "tokens": usage_json(self.usage),
            "context": {"tokens": self.facts.context_tokens, "window": self.facts.context_window},
            "models": list(self.facts.models),
            "versions": list(self.facts.versions),
        }


def unreadable_json(line: Unreadable) -> dict[str, Any]:
    """Return an unreadable line as JSON lists it."""
    return {"line": line.line, "byte_range": [line.offset, line.offset + line.length], "reason": line.reason}


def usage_json(usage: Usage | None) -> dict[str, int] | None:
    """Return tokens as JSON names them."""
    if usage is None:
        return None
    return {
        "input": usage.input,
        "output": usage.output,
        "cache_read": usage.cache_read,
        "cache_write": usage.cache_write,
    }


def make_stats(
    material: Material,
    facts: Facts,
    size: int,
    other_records: dict[str, int],
    unknown_records: dict[str, int],
    unreadable: tuple[Unreadable, ...],
) -> Stats:
    """Measure a view."""
    index = material.index
    by_kind: dict[str, int] = defaultdict(int)
    outputs: dict[str, int] = defaultdict(int)
    for row in index.select(Filter()):
        part = index.tool_part(row)
        by_kind[str(index.kind(row)) if part is None else f"tool_{part}"] += index.bytes(row)
        if str(part) == "output":
            outputs[index.tool(row) or "?"] += index.bytes(row)
    calls = index.tool_counts()
    ranked = sorted({*calls, *outputs}, key=lambda tool: (-outputs.get(tool, 0), tool))
    results = index.select(Filter.parse("part:output")[0])
    return Stats(
        counts=index.counts,
        entries=index.entries,
        bytes=size,
        errors=len(index.select(Filter(errors=True))),
        stored=len(index.select(Filter(stored=True))),
        inherited=sum(Flag.INHERITED in index.flags(row) for row in index.select(Filter(hidden=True))),
        other_records=other_records,
        unknown_records=unknown_records,
        unreadable=unreadable,
        by_kind=dict(by_kind),
        by_tool={tool: (calls.get(tool, 0), outputs.get(tool, 0)) for tool in ranked},
        worst=tuple(material.evidence(row) for row in heapq.nlargest(WORST, results, key=index.bytes)),
        usage=facts.usage,
        facts=facts,
    )
