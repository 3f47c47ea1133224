"""Rewinds in Claude Code's tree of records: which branches the person left for another one.

Records name their parent, so a session is a tree; but parallel calls, progress and attachments make siblings too,
parents may be missing, and histories are copied. Only one shape is beyond doubt: two real prompts that follow the same
message, which was itself read before. Bookkeeping and what the harness says may stand between, and differ: attachments,
progress, caveats, envelopes of commands. Where no message stands above them, the topmost of them is what is followed.
The earlier prompt and all that hangs below it is abandoned. Prompts that were sent together leave nothing: those that
waited in the queue, and the records of one prompt, hang on the first of them. Whatever is still added below an
abandoned branch shows that it lives (two terminals in one session): the branch is taken back and never marked again.

Memory is bounded by the prompts, not by the records: a prompt and the records below it up to the next prompt are one
*turn*. Turns are rows of integer arrays; ids are kept of the newest records only (`RECENT_RECORDS`), and as hashes of
the prompts and the messages before them. A record whose parent is older hangs below nothing for certain.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from unspool.formats.base import Mark
from unspool.formats.key import text_key
from unspool.formats.piece import Flag
from unspool.named_tuple import NamedTuple

RECENT_RECORDS: Final = 16_384
"""Ids kept by name, at least this many and at most twice as many: parents are nearly always a few records back."""

_LIVE, _ABANDONED, _CONTESTED = 0, 1, 2
_NONE: Final = -1
_TOP: Final = 0
"""The turn of what hangs below no prompt for certain; it is never abandoned."""


class _Place(NamedTuple):
    """Where a record stands: its turn, and the hash of the message that it is or follows."""

    turn: int
    message: int


_place: Final[Callable[[tuple[int, int]], _Place]] = partial(tuple.__new__, _Place)


class Branches:
    """Follows the tree record by record and marks rows of branches that were left."""

    def __init__(self) -> None:
        self._recent: dict[str, _Place] = {}
        self._older: dict[str, _Place] = {}
        self._prompts: dict[int, int] = {}
        """Turn of each prompt, by the hash of its id."""
        self._newest_after: dict[int, int] = {}
        """Turn of the newest prompt after a message, by the hash of the message's id."""
        self._sent_as: dict[int, int] = {}
        """What the newest prompt after a message was sent as, both by hash; where nothing is told it is not held."""
        self._above, self._first_child, self._next_sibling = array("i"), array("i"), array("i")
        self._left_with, self._last_run = array("i"), array("i")
        self._state = bytearray()
        self._run_start, self._run_stop, self._run_before = array("q"), array("q"), array("i")
        self._open_run: tuple[int, int] = (_NONE, _NONE)
        self._new_turn(_NONE)

    def knows(self, uuid: str) -> bool:
        """Say whether a record with this id was read lately."""
        return self._recalled(uuid) is not None

    def add(
        self,
        uuid: str | None,
        parent: str | None,
        rows: range,
        *,
        message: bool,
        prompt: bool = False,
        queued: bool = False,
        sent_as: str | None = None,
    ) -> list[Mark]:
        """Take the next record and return marks on rows read so far.

        `message` says that a person or the model speaks in it or a tool answers, `prompt` that it is nothing but words
        of a person. All else is passed over, except at a root. Of a prompt, `queued` says that it waited in the queue,
        and `sent_as` is the id of what was sent, which several records may hold.
        """
        before = (self._recent.get(parent) or self._place_of(parent)) if parent is not None else None
        place = self._recalled(uuid) if uuid is not None else before or _Place(_TOP, 0)
        if place is None and before is not None and not prompt and not self._state[before[0]]:
            return self._followed(uuid, before, rows, message)
        marks: list[Mark] = []
        if place is None and uuid is not None:
            together = prompt and (queued or (before is not None and self._is_sent_as(before.message, sent_as)))
            place, marks = self._placed(uuid, before, message, prompt, together)
            if prompt and before and sent_as is not None:
                self._sent_as[before.message] = text_key(sent_as)
            self._remember(uuid, place)
        assert place is not None
        if rows and place.turn != _TOP:
            self._extend(place.turn, rows)
        if self._state[place.turn] == _ABANDONED:
            marks += [Mark(row, Flag.ABANDONED) for row in rows]
        return marks

    def follow(self, uuid: str, parent: str | None, rows: range) -> list[Mark]:
        """Take the next record, a message that is no prompt, as nearly all are."""
        recent = self._recent
        before = recent.get(parent) if parent is not None else None
        if before is None or self._state[before[0]] or uuid in recent or uuid in self._older:
            return self.add(uuid, parent, rows, message=True)
        return self._followed(uuid, before, rows, True)

    def _followed(self, uuid: str | None, before: _Place, rows: range, message: bool) -> list[Mark]:
        """Place a record that hangs below a living branch and begins none, as nearly all do."""
        assert uuid is not None
        turn = before.turn
        place = _place((turn, text_key(uuid))) if message else before
        self._remember(uuid, place)
        if rows and turn != _TOP:
            self._extend(turn, rows)
        return []

    def _is_sent_as(self, message: int, sent_as: str | None) -> bool:
        return sent_as is not None and self._sent_as.get(message) == text_key(sent_as)

    def _placed(
        self, uuid: str, before: _Place | None, message: bool, prompt: bool, together: bool
    ) -> tuple[_Place, list[Mark]]:
        """Place a record that was not read lately."""
        key = text_key(uuid)
        turn = before.turn if before else _TOP
        copied = self._prompts.get(key) if prompt else None
        if copied is not None:
            return _Place(copied, key), []
        marks = list(self._revive(turn))
        if prompt:
            newest = self._newest_after.get(before.message) if before and before.message else None
            together = together and newest is not None
            turn = self._prompts[key] = self._new_turn(turn if newest is None or not together else newest)
            if before and before.message and not together:
                marks += self._leave(self._newest_after.get(before.message, _NONE))
                self._newest_after[before.message] = turn
        followed = key if message or not before or not before.message else before.message
        return _Place(turn, followed), marks

    def _place_of(self, uuid: str) -> _Place | None:
        found = self._recalled(uuid)
        if found is None:
            after = self._newest_after.get(text_key(uuid))
            found = _Place(self._above[after], text_key(uuid)) if after is not None else None
        return found

    def _recalled(self, uuid: str) -> _Place | None:
        return self._recent.get(uuid) or self._older.get(uuid)

    def _remember(self, uuid: str, place: _Place) -> None:
        if len(self._recent) >= RECENT_RECORDS:
            self._older, self._recent = self._recent, {}
        self._recent[uuid] = place

    def _new_turn(self, above: int) -> int:
        turn = len(self._above)
        self._above.append(above)
        self._first_child.append(_NONE)
        self._next_sibling.append(_NONE if above == _NONE else self._first_child[above])
        if above != _NONE:
            self._first_child[above] = turn
        self._left_with.append(_NONE)
        self._last_run.append(_NONE)
        self._state.append(_LIVE)
        return turn

    def _extend(self, turn: int, rows: range) -> None:
        """Note that rows belong to a turn; neighbouring rows of one turn are one run."""
        if self._open_run == (turn, rows.start):
            self._run_stop[self._last_run[turn]] = rows.stop
        else:
            self._run_start.append(rows.start)
            self._run_stop.append(rows.stop)
            self._run_before.append(self._last_run[turn])
            self._last_run[turn] = len(self._run_start) - 1
        self._open_run = (turn, rows.stop)

    def _leave(self, root: int) -> Iterator[Mark]:
        """Abandon a turn and every living one below it. Each turn is left once, so all walks together are linear."""
        pending = [root] if root != _NONE else []
        while pending:
            turn = pending.pop()
            if self._state[turn] != _LIVE:
                continue
            self._state[turn] = _ABANDONED
            self._left_with[turn] = root
            yield from self._marks(turn, on=True)
            pending += self._children(turn)

    def _revive(self, turn: int) -> Iterator[Mark]:
        """Take back, for good, that the branch around a turn was left, and those that it hangs on."""
        while turn != _NONE and self._state[turn] == _ABANDONED:
            root = self._left_with[turn]
            pending = [root]
            while pending:
                turn = pending.pop()
                if self._state[turn] != _ABANDONED or self._left_with[turn] != root:
                    continue
                self._state[turn] = _CONTESTED
                yield from self._marks(turn, on=False)
                pending += self._children(turn)
            turn = self._above[root]

    def _children(self, turn: int) -> Iterator[int]:
        child = self._first_child[turn]
        while child != _NONE:
            yield child
            child = self._next_sibling[child]

    def _marks(self, turn: int, *, on: bool) -> Iterator[Mark]:
        run = self._last_run[turn]
        while run != _NONE:
            yield from (Mark(row, Flag.ABANDONED, on) for row in range(self._run_start[run], self._run_stop[run]))
            run = self._run_before[run]
