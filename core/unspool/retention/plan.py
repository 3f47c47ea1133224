"""What of a home would go, what stays and why. Nothing is touched.

An incomplete scan deletes nothing: a folder or log that could not be read may point to any saved output, so with one of
them in the home the plan is held back as a whole. So it is when the clock is before what was written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, Literal

from unspool.blobs.calls import OS, Os
from unspool.dataclass import dataclass, field
from unspool.errors import BadQuery, Unreadable
from unspool.retention.foreign import home_named
from unspool.retention.moment import AHEAD_MS, Moment
from unspool.retention.scan import Scan, scan_home
from unspool.retention.trash import KEPT_MS, moment_of

if TYPE_CHECKING:
    from unspool.retention.item import Item

Reason = Literal[
    "live", "referenced", "pinned", "too young", "clock looks wrong", "unreadable", "other files", "held back"
]

LIVE_MS: Final = 10 * 60_000
"""Milliseconds since anything of a session was written in which it counts as live: agents think and wait that long."""


@dataclass(frozen=True, slots=True)
class Staying:
    """What stays, and why; `detail` names what the reason alone does not tell, `None` when it tells all."""

    item: Item
    reason: Reason
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class RetentionPlan:
    """What would go from `home`, in the order in which it would, and what stays.

    `emptied` are the batches of the trash that would be removed for ever. `held_back` says why nothing would go or be
    emptied at all, one line each; then both are empty.
    """

    home: str
    max_age: timedelta
    made: Moment
    going: tuple[Item, ...]
    staying: tuple[Staying, ...]
    emptied: tuple[str, ...]
    held_back: tuple[str, ...]
    scan: Scan = field(repr=False, compare=False)

    @property
    def bytes(self) -> int:
        """How many bytes would go."""
        return sum(item.bytes for item in self.going)

    def to_json(self) -> dict[str, Any]:
        """Return what a program is told of the plan as a whole."""
        return {
            "home": self.home,
            "going": len(self.going),
            "staying": len(self.staying),
            "bytes": self.bytes,
            "emptied": list(self.emptied),
            "held_back": list(self.held_back),
        }


def plan_retention(
    root: str | os.PathLike[str],
    max_age: timedelta,
    *,
    environ: Mapping[str, str] | None = None,
    now: Callable[[], Moment] = Moment.now,
    calls: Os = OS,
) -> RetentionPlan:
    """Return what would go from a home of recorded sessions: what was not written to for `max_age`.

    `root` is the home itself. `environ` tells where agents keep their files (by default this process's). Raises
    `BadQuery` for an age that is not above zero, `Unwritable` for a folder of another agent, and `Unreadable` for one
    that is no such home.
    """
    if max_age <= timedelta(0):
        raise BadQuery("an age is above zero: with none, everything would go")
    home = home_named(os.fspath(root), os.environ if environ is None else environ)
    try:
        scan = scan_home(calls, home)
    except OSError as error:
        raise Unreadable(f"{home} cannot be read: {error.strerror or error}", path=home) from error
    return _planned(home, max_age, now(), scan)


def _planned(home: str, max_age: timedelta, made: Moment, scan: Scan) -> RetentionPlan:
    staying: dict[int, Staying] = {}
    for number, item in enumerate(scan.items):
        own = _own_reason(item, home, made.wall, max_age)
        if own is not None:
            staying[number] = own
    _keep_referenced(scan.items, staying)
    held_back = (*scan.faults, *_of_the_future(home, scan, made.wall))
    if held_back:
        for number, item in enumerate(scan.items):
            staying.setdefault(number, Staying(item, "held back"))
    going = _referring_first([item for number, item in enumerate(scan.items) if number not in staying])
    over = [each for each in scan.batches if _is_over(each, made.wall)]
    emptied = () if held_back else (*scan.half_gone, *over)
    kept = tuple(staying[number] for number in sorted(staying))
    return RetentionPlan(home, max_age, made, going, kept, emptied, held_back, scan)


def _own_reason(item: Item, home: str, now: int, max_age: timedelta) -> Staying | None:
    """Return why an item stays whatever the others are, `None` when nothing of its own keeps it."""
    limit = now - max_age // timedelta(milliseconds=1)
    active = item.last_activity or 0
    newest = max(active, item.stamped)
    stray = item.outputs.stray if item.outputs is not None else None
    if item.fault is not None:
        return Staying(item, "unreadable", item.fault)
    if newest > now + AHEAD_MS:
        return Staying(item, "clock looks wrong", "it was written in the future")
    if item.locked:
        return Staying(item, "live", "an agent has it open")
    if newest > now - LIVE_MS:
        return Staying(item, "live", "it was written just now")
    if item.pinned:
        return Staying(item, "pinned")
    if stray is not None:
        return Staying(item, "other files", f"{os.path.relpath(stray, home)} is no saved output")
    if active > limit and item.begun is None:
        return Staying(item, "too young")
    return None


def _keep_referenced(items: Sequence[Item], staying: dict[int, Staying]) -> None:
    """Keep what the logs that stay point to, and what the logs that stay for that point to, and so on."""
    named: dict[str, list[int]] = {}
    for number, item in enumerate(items):
        named.setdefault(item.name.casefold(), []).append(number)
    pending = list(staying)
    while pending:
        by = pending.pop()
        for pointer in items[by].pointers:
            for number in named.get(pointer, ()):
                if number not in staying:
                    staying[number] = Staying(items[number], "referenced", f"by {items[by].name}")
                    pending.append(number)


def _of_the_future(home: str, scan: Scan, now: int) -> list[str]:
    """Return why the clock cannot be right: a file system stamps what it is given with the time that it is."""
    late = [item.path(home) for item in scan.items if item.stamped > now + AHEAD_MS]
    late += [batch for batch in scan.batches if (moment_of(batch) or 0) > now + AHEAD_MS]
    return [f"{path}: written after the present; is the clock right?" for path in late[:1]]


def _is_over(batch: str, now: int) -> bool:
    moment = moment_of(batch)
    return moment is not None and moment < now - KEPT_MS


def _referring_first(items: Iterable[Item]) -> tuple[Item, ...]:
    """Order items so that whoever points to another goes before it: an interruption leaves no pointer dangling."""
    waiting = sorted(items, key=lambda item: (item.last_activity or 0, item.place, item.name))
    named: dict[str, list[Item]] = {}
    for item in waiting:
        named.setdefault(item.name.casefold(), []).append(item)
    referring: dict[int, int] = {id(item): 0 for item in waiting}
    for item in waiting:
        for other in _others(item, named):
            referring[id(other)] += 1
    ordered: dict[int, Item] = {}
    for first in (*(item for item in waiting if not referring[id(item)]), *waiting):  # the rest point in a circle
        ready = [first]
        while ready:
            item = ready.pop()
            if id(item) in ordered:
                continue
            ordered[id(item)] = item
            for other in _others(item, named):
                referring[id(other)] -= 1
                if not referring[id(other)]:
                    ready.append(other)
    return tuple(ordered.values())


def _others(item: Item, named: Mapping[str, Sequence[Item]]) -> list[Item]:
    return [other for pointer in sorted(item.pointers) for other in named.get(pointer, ()) if other is not item]
