"""What a format makes of one record, looking at nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol

from unspool.dataclass import dataclass
from unspool.named_tuple import NamedTuple

if TYPE_CHECKING:
    from unspool.formats.piece import Piece


@dataclass(frozen=True, slots=True)
class Compaction:
    """What a record tells of a compaction: what set it off, tokens before and after; `None` where it does not tell."""

    trigger: str | None = None
    before: int | None = None
    after: int | None = None


class Seal(Protocol):
    """What a record of a chain says: its own hash, and that of the record before it.

    An agent that chains its records makes every change of one of them show.
    """

    @property
    def own(self) -> str:
        """The hash that the record says it has."""
        ...

    @property
    def before(self) -> str | None:
        """The hash of the record before it, `None` for the first of a chain."""
        ...

    def holds(self, blocks: Iterable[bytes]) -> bool:
        """Say whether the record's bytes, given block by block, have the hash that it says.

        Bytes that cannot be judged are taken at their word.
        """
        ...


class Decoded(NamedTuple):
    """One record, understood.

    `type` names the record for the count of other records (`progress`, `event_msg/token_count`); `known` is False
    when the format has never heard of it or of one of its blocks. `time` is in milliseconds since 1970 UTC.
    A record without pieces is an other record, except an `empty` one: a message of which nothing is left to show
    (reasoning that the agent kept to itself, an empty text). `places` is how many piece numbers the record takes: one
    for each of its blocks, understood or not, so that what is glued behind it keeps its numbers. `detail_of` is the id
    of a call about which this record tells more than its result does.
    """

    type: str
    known: bool = True
    pieces: tuple[Piece, ...] = ()
    time: int | None = None
    native_id: str | None = None
    parent_id: str | None = None
    empty: bool = False
    places: int = 1
    compaction: Compaction | None = None
    """What the record tells of a compaction, when its system piece stands where one was made: boundary and summary."""
    detail_of: str | None = None
    seal: Seal | None = None
    echoes: frozenset[int] = frozenset()
    """Numbers of pieces that are none where something before says the same: see `Hearing`."""


decoded_of: Final[Callable[[tuple[Any, ...]], Decoded]] = partial(tuple.__new__, Decoded)
"""Returns a record from all its fields in order: in a third of the time, for what is made of every record."""
