"""What an export did, and what every writer of a format has to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from unspool.dataclass import dataclass
from unspool.export.figures import counted
from unspool.ids import EvidenceId

if TYPE_CHECKING:
    from unspool.export.exhibit import Exhibit
    from unspool.export.heading import Heading

Prompts = Sequence[tuple[EvidenceId, str]]
"""The prompts of an export, each with its telling line."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: pieces, how many of them were cut, secrets replaced by rule (`None`: not looked for).

    `complete` is False for an export that was given up halfway.
    """

    format: str
    pieces: int
    cut: int
    redactions: Mapping[str, int] | None
    complete: bool = True

    def redacted(self) -> str:
        """Say what was redacted: `3 secrets redacted (2 github-token, 1 jwt)`."""
        if self.redactions is None:
            return "secrets were not looked for"
        if not self.redactions:
            return "no secret was recognised"
        rules = ", ".join(f"{number} {rule}" for rule, number in self.redactions.items())
        return f"{counted(sum(self.redactions.values()), 'secret')} redacted ({rules})"

    def to_json(self) -> dict[str, Any]:
        """Return the object of the command's JSON."""
        redactions = None if self.redactions is None else dict(self.redactions)
        return {"format": self.format, "pieces": self.pieces, "cut": self.cut, "redactions": redactions}


class Writer(Protocol):
    """Writes one format, from the top to the bottom."""

    def begin(self, heading: Heading, prompts: Prompts) -> Iterator[str]:
        """Yield what stands above the pieces."""
        ...

    def piece(self, exhibit: Exhibit) -> Iterator[str]:
        """Yield one piece."""
        ...

    def end(self, exported: Exported) -> Iterator[str]:
        """Yield what stands below the pieces."""
        ...
