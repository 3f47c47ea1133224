"""Figures of one view: counts, sizes, worst outputs, tokens."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from unspool.dataclass import dataclass
from unspool.formats.piece import Flag, ToolPart
from unspool.views.filter import Filter
from unspool.views.ledger import Ledger, Weight

if TYPE_CHECKING:
    from unspool.columns.chain import BrokenLink
    from unspool.formats.facts import Facts, Usage
    from unspool.sources.record import Unreadable
    from unspool.views.counts import Counts
    from unspool.views.evidence import Evidence
    from unspool.views.material import Material
    from unspool.views.path_uses import PathUse

WORST: Final = 10
"""Largest outputs named."""


@dataclass(frozen=True, slots=True)
class Stats:
    """Figures of one view; sizes in bytes of full texts. `by_tool` maps a tool to its calls and its outputs' weight.

    `outputs` is the weight of all outputs, `paths` what the session touches where that was asked for, else `None`.
    """

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
    by_tool: dict[str, tuple[int, Weight]]
    outputs: Weight
    worst: tuple[Evidence, ...]
    usage: Usage | None
    facts: Facts
    paths: tuple[PathUse, ...] | None = None
    broken_links: tuple[BrokenLink, ...] | None = None
    """Records that do not fit into the chain that the agent made of them; `None` where it made none."""

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
            **({} if self.broken_links is None else {"broken_links": [*map(unreadable_json, self.broken_links)]}),
            "bytes_by_kind": self.by_kind,
            "outputs": weight_json(self.outputs),
            "tools": {tool: {"calls": calls, **weight_json(weight)} for tool, (calls, weight) in self.by_tool.items()},
            "worst": [each.to_json() for each in self.worst],
            "tokens": usage_json(self.usage),
            **({} if self.facts.cost_usd is None else {"cost_usd": self.facts.cost_usd}),
            "context": {"tokens": self.facts.context_tokens, "window": self.facts.context_window},
            "models": list(self.facts.models),
            "versions": list(self.facts.versions),
            **({} if self.paths is None else {"paths": {use.path: path_json(use) for use in self.paths}}),
        }


def unreadable_json(line: Unreadable | BrokenLink) -> dict[str, Any]:
    """Return a line with a fault as JSON lists it."""
    return {"line": line.line, "byte_range": [line.offset, line.offset + line.length], "reason": line.reason}


def weight_json(weight: Weight) -> dict[str, int]:
    """Return outputs taken together as JSON names them: what they made, and what the model saw of that."""
    return {"outputs": weight.outputs, "bytes": weight.made, "model_bytes": weight.seen}


def path_json(use: PathUse) -> dict[str, int]:
    """Return what touches a path as JSON names it."""
    return {"pieces": use.pieces, "calls": use.calls, "errors": use.errors, **weight_json(use.weight)}


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
    for row in index.select(Filter()):
        part = index.tool_part(row)
        by_kind[str(index.kind(row)) if part is None else f"tool_{part}"] += index.bytes(row)
    calls, ledger = index.tool_counts(), Ledger.of(index, index.select(Filter(tool_part=ToolPart.OUTPUT)))
    weights = {tool or "?": weight for tool, weight in ledger.tools.items()}
    weights |= {tool: Weight() for tool in calls if tool not in weights}
    ranked = sorted(weights.items(), key=lambda item: (-item[1].made, item[0]))
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
        by_tool={tool: (calls.get(tool, 0), weight) for tool, weight in ranked},
        outputs=ledger.total,
        worst=tuple(material.evidence(row) for row in ledger.rows[:WORST]),
        usage=facts.usage,
        facts=facts,
    )
