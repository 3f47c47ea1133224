"""Rewinds in Claude Code's tree of records: which branches the person left for another one.

Records name their parent, so a session is a tree; but parallel calls, progress and attachments make siblings too,
parents may be missing, and histories are copied. Only one shape is beyond doubt: two real prompts under the same
parent, which was itself read before. The earlier prompt and all that hangs below it is abandoned. A prompt that later
goes on below an abandoned branch shows that it lives (two terminals in one session): the branch is taken back and
never marked again.

Memory is bounded by the prompts, not by the records: a prompt and the records below it up to the next prompt are one
*turn*. Turns are rows of integer arrays; ids are kept of the newest records only (`RECENT_RECORDS`), and as hashes of
the prompts and their parents. A record whose parent is older than that hangs below nothing for certain.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Final

from unspool.formats.base import Flag, Mark

RECENT_RECORDS: Final = 16_384
"""Ids kept by name, at least this many and at most twice as many: parents are nearly always a few records back."""

_LIVE, _ABANDONED, _CONTESTED = 0, 1, 2
_NONE: Final = -1
_TOP: Final = 0
"""The turn of what hangs below no prompt for certain; it is never abandoned."""


class Branches:
    """Follows the tree record by record and marks rows of branches that were left."""

    def __init__(self) -> None:
        self._recent: dict[str, int] = {}
        self._older: dict[str, int] = {}
        self._prompts: dict[int, int] = {}
        """Turn of each prompt, by the hash of its id."""
        self._newest_under: dict[int, int] = {}
        """The newest prompt's turn below a parent, by the hash of the parent's id."""
        self._above, self._first_child, self._next_sibling = array("i"), array("i"), array("i")
        self._last_run = array("i")
        self._state = bytearray()
        self._run_start, self._run_stop, self._run_before = array("q"), array("q"), array("i")
        self._open_run: tuple[int, int] = (_NONE, _NONE)
        self._new_turn(_NONE)

    def knows(self, uuid: str) -> bool:
        """Say whether a record with this id was read lately."""
        return uuid in self._recent or uuid in self._older

    def add(self, uuid: str | None, parent: str | None, prompt: bool, rows: range) -> list[Mark]:
        """Take the next record; `prompt` says that a person wrote it. Returns marks on rows read so far."""
        marks: list[Mark] = []
        above = self._turn_of(parent)
        turn = above if above is not None else _TOP
        if prompt and uuid is not None:
            copied = self._prompts.get(hash(uuid))
            turn = copied if copied is not None else self._new_turn(turn)
            self._prompts[hash(uuid)] = turn
            if copied is None and above is not None and parent is not None:
                marks += self._revive(above)
                marks += self._leave(self._newest_under.get(hash(parent), _NONE))
                self._newest_under[hash(parent)] = turn
        if uuid is not None:
            self._remember(uuid, turn)
        self._extend(turn, rows)
        if self._state[turn] == _ABANDONED:
            marks += [Mark(row, Flag.ABANDONED) for row in rows]
        return marks

    def copy(self) -> Branches:
        """Return an independent copy."""
        twin = Branches()
        for name, value in vars(self).items():
            setattr(twin, name, value if isinstance(value, tuple) else value[:] if _is_flat(value) else value.copy())
        return twin

    def _turn_of(self, uuid: str | None) -> int | None:
        if uuid is None:
            return None
        found = self._recent.get(uuid)
        if found is None:
            found = self._older.get(uuid)
        if found is None:
            below = self._newest_under.get(hash(uuid))
            found = self._above[below] if below is not None else None
        return found

    def _remember(self, uuid: str, turn: int) -> None:
        if len(self._recent) >= RECENT_RECORDS:
            self._older, self._recent = self._recent, {}
        self._recent[uuid] = turn

    def _new_turn(self, above: int) -> int:
        turn = len(self._above)
        self._above.append(above)
        self._first_child.append(_NONE)
        self._next_sibling.append(_NONE if above == _NONE else self._first_child[above])
        if above != _NONE:
            self._first_child[above] = turn
        self._last_run.append(_NONE)
        self._state.append(_LIVE)
        return turn

    def _extend(self, turn: int, rows: range) -> None:
        """Note that rows belong to a turn; neighbouring rows of one turn are one run."""
        if turn == _TOP or not rows:
            return
        if self._open_run == (turn, rows.start):
            self._run_stop[self._last_run[turn]] = rows.stop
        else:
            self._run_start.append(rows.start)
            self._run_stop.append(rows.stop)
            self._run_before.append(self._last_run[turn])
            self._last_run[turn] = len(self._run_start) - 1
        self._open_run = (turn, rows.stop)

    def _leave(self, turn: int) -> Iterator[Mark]:
        """Abandon a turn and every living one below it. Each turn is left once, so the whole walk is linear."""
        pending = [turn] if turn != _NONE else []
        while pending:
            turn = pending.pop()
            if self._state[turn] != _LIVE:
                continue
            self._state[turn] = _ABANDONED
            yield from self._marks(turn, on=True)
            child = self._first_child[turn]
            while child != _NONE:
                pending.append(child)
                child = self._next_sibling[child]

    def _revive(self, turn: int) -> Iterator[Mark]:
        """Take back that a turn and those above it were left, for good."""
        while turn != _NONE and self._state[turn] == _ABANDONED:
            self._state[turn] = _CONTESTED
            yield from self._marks(turn, on=False)
            turn = self._above[turn]

    def _marks(self, turn: int, *, on: bool) -> Iterator[Mark]:
        run = self._last_run[turn]
        while run != _NONE:
            yield from (Mark(row, Flag.ABANDONED, on) for row in range(self._run_start[run], self._run_stop[run]))
            run = self._run_before[run]


def _is_flat(value: object) -> bool:
    return isinstance(value, (array, bytearray))
