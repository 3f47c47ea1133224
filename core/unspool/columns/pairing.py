"""Linking calls and results by call id, over the whole source, whatever their order.

Flags here are plain integers: this runs once for every piece of a session, and `IntFlag` costs a microsecond each time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unspool.formats.piece import Flag

if TYPE_CHECKING:
    from unspool.columns.table import Columns

UNANSWERED: Final = int(Flag.UNANSWERED)
ORPHAN: Final = int(Flag.ORPHAN)
DUPLICATE: Final = int(Flag.DUPLICATE)

PAIR: Final = 2
"""Pieces that share a call id as a rule."""


class Pairing:
    """Who asked first and who answered first, by the number of the call id in the columns; 0 is no id."""

    def __init__(self) -> None:
        self._met = bytearray()
        """How many pieces share each call id, up to `PAIR`."""
        self._inputs: dict[int, int] = {}
        self._outputs: dict[int, int] = {}
        self._asking: dict[int, list[int]] = {}
        self._orphans: dict[int, list[int]] = {}

    def add_input(self, columns: Columns, row: int, call: int, tool: int) -> int:
        """Link a call; return its flags. A call without an id has no result that could be told, and no flag."""
        if not call:
            return 0
        self._meet(columns, row, call)
        self._inputs.setdefault(call, row)
        orphans = self._orphans.pop(call, None)
        if orphans is not None:
            self._adopt(columns, row, tool, orphans)
        elif call not in self._outputs:
            self._asking.setdefault(call, []).append(row)
            return UNANSWERED
        else:
            columns.peer[row] = self._outputs[call]
        return 0

    def add_output(self, columns: Columns, row: int, call: int, *, replayed: bool) -> int:
        """Link a result; return its flags. A replayed one is no second result."""
        if not call:
            return ORPHAN
        self._meet(columns, row, call)
        second = not replayed and self._outputs.setdefault(call, row) != row
        flags = DUPLICATE if second else 0
        asked = self._inputs.get(call)
        if asked is None:
            self._orphans.setdefault(call, []).append(row)
            return flags | ORPHAN
        columns.peer[row] = asked
        for other in self._asking.pop(call, ()):
            columns.peer[other] = row
            columns.flags[other] &= ~UNANSWERED
        return flags

    def _meet(self, columns: Columns, row: int, call: int) -> None:
        met = self._met
        if call >= len(met):
            met.extend(bytes(call + 1 - len(met)))
        if met[call] < PAIR:
            met[call] += 1
            return
        if call not in columns.crowds:
            first = columns.call.index(call)
            columns.crowds[call] = [first, columns.call.index(call, first + 1)]
        columns.crowds[call].append(row)

    def _adopt(self, columns: Columns, row: int, tool: int, orphans: list[int]) -> None:
        """Give results that were written before their call what only the call tells."""
        columns.peer[row] = orphans[0]
        for other in orphans:
            columns.peer[other] = row
            columns.tool[other] = columns.tool[other] or tool
            columns.flags[other] &= ~ORPHAN
