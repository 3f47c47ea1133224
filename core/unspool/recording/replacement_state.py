"""Which tool results were decided on, and what stands in for those that were saved."""

from __future__ import annotations

from unspool.dataclass import dataclass, field


@dataclass(slots=True)
class ReplacementState:
    """The decisions of one session, which are taken once and hold for ever.

    `seen_ids` are the results that were decided on, `replacements` the texts that stand in for some of them: what a
    model saw once it sees again, byte for byte, so that its provider's cache of the prompt stays good.
    """

    seen_ids: set[str] = field(default_factory=set)
    replacements: dict[str, str] = field(default_factory=dict)

    def keep(self, tool_use_id: str) -> None:
        """Note that a result stays as it is."""
        self.seen_ids.add(tool_use_id)

    def replace(self, tool_use_id: str, text: str) -> str:
        """Note what stands in for a result, and return it."""
        self.seen_ids.add(tool_use_id)
        return self.replacements.setdefault(tool_use_id, text)

    def copy(self) -> ReplacementState:
        """Return a state of its own with the same decisions."""
        return ReplacementState(set(self.seen_ids), dict(self.replacements))
