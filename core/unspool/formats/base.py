"""What every format is: its two halves.

A format is pure. `decode` turns one record into pieces and looks at nothing else, so that ids never depend on
neighbours. `fold` returns a state that walks the records in order and says what one record tells about others:
twins, branches, titles, usage. Pairing of calls and results by call id, and replayed native ids, are the same for
every agent and live in `columns.build`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from unspool.dataclass import dataclass

if TYPE_CHECKING:
    from unspool.formats.decoded import Decoded
    from unspool.formats.facts import Facts
    from unspool.formats.piece import Flag


@dataclass(frozen=True, slots=True)
class Mark:
    """A flag that a later record sets on (or, with `on=False`, takes from) the row of an earlier piece."""

    row: int
    flag: Flag
    on: bool = True


class Fold(Protocol):
    """State that walks the records of one source in order."""

    facts: Facts

    def add(self, record: Mapping[str, Any], decoded: Decoded, rows: range) -> Iterable[Mark]:
        """Take the next record, whose pieces got `rows` (one per piece, in order); return marks on any rows so far.

        Rows of this record may be marked too. Never called for unreadable records.
        """
        ...


@runtime_checkable
class Hearing(Protocol):
    """A fold of a format some of whose records repeat what was said, and now and then are the only ones to say it."""

    def unheard(self, decoded: Decoded) -> Decoded:
        """Return a record without those of its `echoes` that were said before it."""
        ...


@runtime_checkable
class Direct(Protocol):
    """A format with a direct way to read its commonest records: most of the time that opening takes goes by here.

    The direct way gives up at the first doubt. What it does say is to the last field what the general way says, and it
    is tried first by `decode`, so that whoever opens, follows or reads again takes it.
    """

    def plain(self, record: Mapping[str, Any]) -> Decoded | None:
        """Return what a record of a common shape means, `None` for every other one."""
        ...

    def decode_any(self, record: Mapping[str, Any]) -> Decoded:
        """Return what any record means, the general way alone."""
        ...


class Format(Protocol):
    """What one agent's records mean."""

    @property
    def agent(self) -> str:
        """The name used in references: `claude`, `codex`."""
        ...

    def detect(self, head: Sequence[Mapping[str, Any]]) -> bool:
        """Say whether the first records of a source look like this agent's."""
        ...

    def decode(self, record: Mapping[str, Any]) -> Decoded:
        """Turn one record into pieces; must never raise, whatever JSON object it is given."""
        ...

    def fold(self) -> Fold:
        """Return a fresh fold state."""
        ...

    def headline(self, tool: str, arguments: Any) -> str:
        """Return the one argument that tells most about a call (a command, a path), or an empty string."""
        ...

    def files(self, tool: str, arguments: Any) -> tuple[str, ...]:
        """Return the paths that a call names in its structured arguments, in order, without repeats."""
        ...

    def detail(self, record: Mapping[str, Any]) -> Any | None:
        """Return the richer form of a tool result in its own record or in one with `detail_of`; mostly `None`."""
        ...
