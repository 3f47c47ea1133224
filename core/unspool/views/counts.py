"""How many pieces of which sort a view holds; each piece counts once."""

from __future__ import annotations

from unspool.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Counts:
    """The default-visible pieces by sort, and beside them those that default lists leave out."""

    user: int = 0
    assistant: int = 0
    system: int = 0
    tool_input: int = 0
    tool_output: int = 0
    twin: int = 0
    replayed: int = 0
    abandoned: int = 0
    reasoning: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, name) + getattr(other, name) for name in self.__match_args__))

    @property
    def visible(self) -> int:
        """Pieces in default lists."""
        return self.user + self.assistant + self.system + self.tool_input + self.tool_output

    @property
    def total(self) -> int:
        """Pieces of every flag: the rows of `evidence --all`."""
        return self.visible + self.twin + self.replayed + self.abandoned + self.reasoning

    def to_json(self) -> dict[str, int]:
        """Return the five counts that JSON calls `counts`."""
        return {
            "user": self.user,
            "assistant": self.assistant,
            "system": self.system,
            "tool_input": self.tool_input,
            "tool_output": self.tool_output,
        }

    def others_to_json(self) -> dict[str, int]:
        """Return the counts that stand beside `counts`."""
        return {
            "twin": self.twin,
            "replayed": self.replayed,
            "abandoned": self.abandoned,
            "reasoning": self.reasoning,
        }
