"""What the lines of a source are made of: entries, the records that begin in them, the bytes that are none."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

from unspool.named_tuple import NamedTuple
from unspool.sources.bad_json import BadJson, Reason
from unspool.sources.json_value import loads, loads_exact

if TYPE_CHECKING:
    from unspool.sources.structure import Read

State = Literal["record", "blank", "continuation", "unreadable", "value", "pending"]


class RawRecord(NamedTuple):
    """One JSON object: where its bytes are, and its value.

    `length` may span several lines; beyond the limit of its source the value is a skeleton (see
    `structure.skeleton`). `salvaged` records stand behind a torn stub.
    """

    offset: int
    length: int
    value: dict[str, Any]
    salvaged: bool = False


class Unreadable(NamedTuple):
    """Bytes that are no record; `line` counts from 1."""

    line: int
    offset: int
    length: int
    reason: Reason


class Entry(NamedTuple):
    """One physical line.

    `number` counts from 0; `length` excludes the LF. `records` begin in this line. `terminated` says whether its LF
    (for a record spread over lines: the LF behind the record) is there. An entry that is not `settled` may read
    differently once the file has grown: reading on begins at the first of these.

    States: `record` (at least one), `blank` (white space and NULs), `continuation` (belongs to a record, or to the
    beginning of one, in a line before), `unreadable`, `value` (JSON, but no object), `pending` (still being written).
    """

    number: int
    offset: int
    length: int
    records: tuple[RawRecord, ...]
    unreadable: tuple[Unreadable, ...]
    state: State
    terminated: bool = True
    settled: bool = True


entry_of: Final[Callable[[tuple[Any, ...]], Entry]] = partial(tuple.__new__, Entry)
record_of: Final[Callable[[tuple[Any, ...]], RawRecord]] = partial(tuple.__new__, RawRecord)
"""Return an entry or a record from all its fields in order: in a third of the time, for what is made of every line."""


def decode_record(read: Read, offset: int, length: int, limit: int, *, exact: bool = False) -> dict[str, Any]:
    """Decode the record in a range; `exact` keeps the text of numbers.

    What it is read as depends on its length alone: over `limit` bytes it comes as its skeleton. Raises `BadJson`, with
    the place in the file, when the bytes are no object or too much of one.
    """
    try:
        value = _decode(read, offset, length, limit, exact)
    except BadJson as error:
        raise BadJson(error.reason, offset + error.pos) from None
    if not isinstance(value, dict):
        raise BadJson("syntax", offset)
    return value


def _decode(read: Read, offset: int, length: int, limit: int, exact: bool) -> Any:
    if length > limit:
        from unspool.sources.structure import skeleton

        return skeleton(lambda start, size: read(offset + start, size), length, exact=exact)
    data = read(offset, length)
    return loads_exact(data) if exact else loads(data)
