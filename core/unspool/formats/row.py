"""A record that is one piece, understood in one step: what a fold of common records hands to the columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from unspool.formats.base64 import may_be_base64
from unspool.named_tuple import NamedTuple
from unspool.sources import codec

if TYPE_CHECKING:
    from unspool.formats.base import Mark
    from unspool.formats.piece import Kind, ToolPart


class Row(NamedTuple):
    """The only piece of a record, which is its block 0, and when it was said (milliseconds since 1970 UTC).

    `written` is the text as JSON writes it, quotes included; a structured value has no `text` beside that, and is
    `encoded` as `JsonPart` says. `said` is the key of the text, `flags` are those of the piece alone. `marks` are on
    rows so far, this one included.
    """

    kind: Kind
    tool_part: ToolPart | None
    tool: str | None
    call_id: str | None
    flags: int
    time: int | None
    native_id: str | None
    text: str | None
    written: bytes
    encoded: bool
    said: int
    marks: Sequence[Mark] = ()


class Other(NamedTuple):
    """A record without a piece: what it is counted as, unless it is a message of which nothing is left to show."""

    type: str | None
    time: int | None
    marks: Sequence[Mark] = ()


Step = Row | Other

row_of: Final[Callable[[tuple[Any, ...]], Row]] = partial(tuple.__new__, Row)
"""Returns a row from all its fields in order: in a third of the time, for what is made of most records."""


@runtime_checkable
class Stepping(Protocol):
    """A fold that takes common records in one step: it says of them what `decode` and `add` say, in less time.

    Most of the time that opening takes goes by here. It gives up at the first doubt, and has changed nothing then.
    """

    def step(self, record: Mapping[str, Any], row: int) -> Step | None:
        """Take the next record, whose piece, if it has one, gets a row; `None` leaves it to `decode` and `add`."""
        ...


def written_as(value: Any) -> bytes | None:
    """Write a value as compact JSON; `None` for one that cannot be written as it was read."""
    try:
        return codec.dumps(value)
    except (TypeError, ValueError):
        return None


def is_flat(value: Any) -> bool:
    """Say whether a value is an object of nothing but words, lists of words, and whole numbers, none of them base64."""
    if type(value) is not dict:
        return False
    for each in value.values():
        if type(each) is str:
            if may_be_base64(each):
                return False
        elif type(each) is list:
            if not all(type(word) is str and not may_be_base64(word) for word in each):
                return False
        elif each is not None and type(each) is not bool and (type(each) is not int or not each):
            return False  # a zero may have been written otherwise
    return True
