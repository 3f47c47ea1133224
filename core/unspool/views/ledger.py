"""The ledger of a session: what its outputs made against what the model saw of it, one by one and by tool."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass, field
from unspool.formats.piece import Flag, ToolPart
from unspool.views.filter import Filter
from unspool.views.masks import STORED

if TYPE_CHECKING:
    from unspool.views.index import Index

_OUTPUTS: Final = Filter(tool_part=ToolPart.OUTPUT, reasoning=True, hidden=True, twins=True)
"""Every output, also of those that no list shows."""


@dataclass(slots=True)
class Weight:
    """Outputs taken together; sizes in bytes. `worst` is the row of the largest, `None` without any output.

    `made` measures the full texts, `seen` what the model saw of them, `stored` counts those of which it saw less,
    `cut` those among them of which the rest was kept nowhere: what is left of these is all that is measured.
    """

    outputs: int = 0
    made: int = 0
    seen: int = 0
    stored: int = 0
    cut: int = 0
    worst: int | None = None
    _largest: int = -1

    @classmethod
    def of(cls, index: Index, outputs: Sequence[int]) -> Weight:
        """Weigh outputs, ascending rows, at once."""
        made, seen = [*map(index.bytes, outputs)], map(index.model_bytes, outputs)
        stored, largest = index.flagged(outputs, STORED), max(made, default=-1)
        return cls(
            outputs=len(outputs),
            made=sum(made),
            seen=sum(map(_seen, made, seen)),
            stored=len(stored),
            cut=sum(index.model_bytes(row) is None for row in index.flagged(stored, Flag.SHORTENED)),
            worst=outputs[made.index(largest)] if made else None,
            _largest=largest,
        )

    def add(self, index: Index, row: int) -> None:
        """Take an output; other rows weigh nothing."""
        if index.tool_part(row) is ToolPart.OUTPUT:
            self.take(Weight.of(index, (row,)))

    def take(self, other: Weight) -> None:
        """Take the outputs of another weight, which are none of this one's."""
        self.outputs += other.outputs
        self.made += other.made
        self.seen += other.seen
        self.stored += other.stored
        self.cut += other.cut
        if other.worst is not None and (-other._largest, other.worst) < (-self._largest, self.worst or 0):
            self._largest, self.worst = other._largest, other.worst


@dataclass(frozen=True, slots=True, eq=False)
class Ledger:
    """Outputs, the largest first: their rows, their weight together, and by tool, the heaviest tool first.

    A result whose tool is not known is filed under `None`.
    """

    rows: array[int] = field(default_factory=lambda: array("I"))
    total: Weight = field(default_factory=Weight)
    tools: Mapping[str | None, Weight] = field(default_factory=dict)

    @classmethod
    def of(cls, index: Index, rows: Iterable[int]) -> Ledger:
        """Weigh the outputs among some ascending rows; reads nothing but columns."""
        outputs = array("I", filter(set(rows).__contains__, index.select(_OUTPUTS)))
        by_tool: dict[str | None, array[int]] = {}
        for row in outputs:
            by_tool.setdefault(index.tool(row), array("I")).append(row)
        total, tools = Weight(), {tool: Weight.of(index, found) for tool, found in by_tool.items()}
        for weight in tools.values():
            total.take(weight)
        ranked = sorted(tools.items(), key=lambda item: (-item[1].made, item[0] or ""))
        return cls(array("I", sorted(outputs, key=index.bytes, reverse=True)), total, dict(ranked))


def _seen(made: int, seen: int | None) -> int:
    return made if seen is None else seen
