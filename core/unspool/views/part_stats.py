"""Figures of a session that is made of several parts: those of all parts together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from unspool.dataclass import dataclass
from unspool.views.stats import WORST, Stats

if TYPE_CHECKING:
    from unspool.views.evidence import Evidence


@dataclass(frozen=True, slots=True)
class PartStats:
    """The figures of each part, by its id, in the order of the parts.

    Numbers add up. What is listed says of which part it is; the fill of the context is that of the newest part.
    """

    parts: tuple[tuple[str, Stats], ...]

    @property
    def worst(self) -> list[tuple[str, Evidence]]:
        """The largest outputs of all parts, with the id of their part."""
        every = [(part, row) for part, stats in self.parts for row in stats.worst]
        return sorted(every, key=lambda each: -each[1].bytes)[:WORST]

    def to_json(self) -> dict[str, Any]:
        """Return the object of the command's JSON."""
        told = [(part, stats.to_json()) for part, stats in self.parts]
        names = dict.fromkeys(name for _, values in told for name in values)
        made = {name: _together([(part, values[name]) for part, values in told if name in values]) for name in names}
        tools = made.get("tools") or {}
        made["tools"] = dict(sorted(tools.items(), key=lambda item: (-item[1]["bytes"], item[0])))
        return made | {
            "worst": [{"part": part, **row.to_json()} for part, row in self.worst],
            "context": told[-1][1]["context"],
        }


def _together(told: Sequence[tuple[str, Any]]) -> Any:
    """Put together what parts say under one name: numbers are added, listed objects carry their part."""
    known = [(part, value) for part, value in told if value is not None]
    if not known:
        return None
    first = known[0][1]
    if isinstance(first, dict):
        keys = dict.fromkeys(key for _, value in known for key in value)
        return {key: _together([(part, value[key]) for part, value in known if key in value]) for key in keys}
    if isinstance(first, list):
        every = [{"part": part, **each} if isinstance(each, dict) else each for part, value in known for each in value]
        return every if any(isinstance(each, dict) for each in every) else list(dict.fromkeys(every))
    return sum(value for _, value in known)
