"""Linking calls and results by call id, over the whole source, whatever their order.

Flags here are plain integers: this runs once for every piece of a session, and `IntFlag` costs a microsecond each time.
"""

from __future__ import annotations

from typing import Final

from unspool.columns.table import NO_ROW, Columns
from unspool.formats.base import Flag

UNANSWERED: Final = int(Flag.UNANSWERED)
ORPHAN: Final = int(Flag.ORPHAN)
DUPLICATE: Final = int(Flag.DUPLICATE)


class Pairing:
    """Who asked first and who answered first, by the number of the call id in the columns; 0 is no id."""

    def __init__(self) -> None:
        self._inputs: dict[int, int] = {}
        self._outputs: dict[int, int] = {}

    def copy(self) -> Pairing:
        """Return an independent copy."""
        twin = Pairing()
        twin._inputs, twin._outputs = self._inputs.copy(), self._outputs.copy()
        return twin

    def add_input(self, columns: Columns, row: int, call: int, tool: int) -> int:
        """Link a call; return its flags. A call without an id has no result that could be told, and no flag."""
        if not call:
            return 0
        answered = self._outputs.get(call)
        first = self._inputs.setdefault(call, row) == row
        if answered is None:
            return UNANSWERED
        columns.peer[row] = answered
        if first:
            self._adopt(columns, row, call, tool, answered)
        return 0

    def add_output(self, columns: Columns, row: int, call: int, *, replayed: bool) -> int:
        """Link a result; return its flags. A replayed one is no second result."""
        if not call:
            return ORPHAN
        asked = self._inputs.get(call)
        second = not replayed and self._outputs.setdefault(call, row) != row
        flags = DUPLICATE if second else 0
        if asked is None:
            return flags | ORPHAN
        columns.peer[row] = asked
        if columns.peer[asked] == NO_ROW:
            columns.peer[asked] = row
            columns.flags[asked] &= ~UNANSWERED
        return flags

    def _adopt(self, columns: Columns, row: int, call: int, tool: int, answered: int) -> None:
        """Give results that were written before their call what only the call tells."""
        for other in range(answered, row):
            if columns.call[other] == call:
                columns.peer[other] = row
                columns.tool[other] = tool
                columns.flags[other] &= ~ORPHAN
