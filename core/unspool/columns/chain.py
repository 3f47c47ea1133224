"""Whether the records of a chain are what they were written as, and still stand behind one another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from unspool.columns.piece_text import BLOCK
from unspool.named_tuple import NamedTuple

if TYPE_CHECKING:
    from unspool.columns.source import Source
    from unspool.formats.decoded import Seal

Fault = Literal["content", "order"]
"""The record is not what its hash says; or it does not follow on the record before it."""


class BrokenLink(NamedTuple):
    """A record that does not fit into its chain; `line` counts from 1. It is evidence all the same."""

    line: int
    offset: int
    length: int
    reason: Fault


class Chain:
    """The chain of one source so far. `links` counts the records that claim to be part of it."""

    def __init__(self) -> None:
        self.links = 0
        self.broken: list[BrokenLink] = []
        self._newest: str | None = None

    def take(self, seal: Seal, line: int, span: tuple[int, int], blocks: Callable[[], Iterable[bytes]]) -> None:
        """Take the next record of the chain: its line, its offset and length, and its bytes when they are asked for.

        One that both was changed and stands in the wrong place is told once, for its content.
        """
        self.links += 1
        if not seal.holds(blocks()):
            self.broken.append(BrokenLink(line, *span, "content"))
        elif seal.before != self._newest:
            self.broken.append(BrokenLink(line, *span, "order"))
        self._newest = seal.own


def blocks_of(source: Source, offset: int, length: int) -> Iterator[bytes]:
    """Yield the bytes of a record of any size."""
    for start in range(0, length, BLOCK):
        yield source.read(offset + start, min(BLOCK, length - start))
