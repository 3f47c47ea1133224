"""A plan carried out: what it names goes to the trash of its home, and what lay there long enough goes for ever.

The home is read once more first: what does not look as it did when the plan was made stays, and when the home cannot be
read as a whole, or a clock was set, everything does.

Of a session the log goes first, under its lock, and then its saved outputs, into the same batch. Whatever interrupts
this, a session is whole where it lay, or its log is in the trash; then the next run takes the outputs after it. Every
step is taken by the handle of a folder that was found to be the one of the plan, and only moves names within the home:
a link that is put in the way is at worst moved itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from unspool.blobs.calls import OS, Os
from unspool.dataclass import dataclass, field
from unspool.errors import Unreadable
from unspool.retention.folder import Folder, Identity
from unspool.retention.log_facts import LogState, open_file
from unspool.retention.moment import SKEW_MS, Moment
from unspool.retention.moving import Changed, move
from unspool.retention.plan import RetentionPlan, plan_retention
from unspool.retention.scan import PINNED, Place, measured, taken
from unspool.retention.trash import TRASH, empty, new_batch
from unspool.stores.minicode import ENDING

if TYPE_CHECKING:
    from unspool.retention.item import Item

TOGETHER: Final = 32
"""Items that are held at once: a folder with thousands of sessions is not listed for each of them. Each takes up to
five descriptors, of which a process has some hundreds."""


@dataclass(frozen=True, slots=True)
class Left:
    """What a plan named and what stayed all the same; `failed` when the system refused, and not something changed."""

    item: Item
    why: str
    failed: bool = False


@dataclass(slots=True)
class Applied:
    """What became of a plan.

    `gone` is in the batch `batch` of the trash, or in the one that an earlier run began for it. `held_back` says why
    nothing was done at all, `faults` what could not be done besides.
    """

    home: str
    batch: str | None = None
    gone: list[Item] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)
    emptied: list[str] = field(default_factory=list)
    held_back: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        """Whether nothing failed; what changed in the meantime stays for the next plan, and is no failure."""
        return not self.held_back and not self.faults and not any(left.failed for left in self.left)

    def to_json(self) -> dict[str, Any]:
        """Return what a program is told of it as a whole."""
        return {
            "home": self.home,
            "trash": os.path.join(self.home, TRASH, self.batch) if self.batch is not None else None,
            "gone": len(self.gone),
            "left": len(self.left),
            "bytes": sum(item.bytes for item in self.gone),
            "emptied": self.emptied,
            "held_back": self.held_back,
            "faults": self.faults,
        }


def apply_retention(
    plan: RetentionPlan,
    *,
    environ: Mapping[str, str] | None = None,
    now: Callable[[], Moment] = Moment.now,
    calls: Os = OS,
) -> Applied:
    """Carry out a plan: exactly what it names goes, unless that changed since.

    Raises as `plan_retention` does. What the system refuses is told in the answer; nothing of it is half done.
    """
    done = Applied(plan.home)
    moment = now()
    if plan.held_back or not (plan.going or plan.emptied):
        done.held_back += plan.held_back
        return done
    if moment.jumped_since(plan.made):
        done.held_back.append("the clock was set since the plan was made; make it anew")
        return done
    fresh = plan_retention(plan.home, plan.max_age, environ=environ, now=lambda: moment, calls=calls)
    done.held_back += fresh.held_back
    if not done.held_back:
        _Applying(plan, fresh, moment, calls, done).run()
    return done


@dataclass(frozen=True, slots=True)
class _Grasp:
    """The folder that an item lies in, and its log, `None` of outputs without one: locked as long as they are held."""

    source: Folder
    log: int | None
    held: ExitStack


def _portions(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    return (items[first : first + TOGETHER] for first in range(0, len(items), TOGETHER))


class _Applying:
    """One run. `fresh` is the home as it is now."""

    def __init__(self, plan: RetentionPlan, fresh: RetentionPlan, moment: Moment, calls: Os, done: Applied) -> None:
        self._plan = plan
        self._fresh = fresh
        self._still_going = frozenset(fresh.going)
        self._moment = moment
        self._calls = calls
        self._done = done
        self._logs = {place: set(names) for place, names in fresh.scan.logs.items()}

    def run(self) -> None:
        """Empty what is over, then move what goes; what the system refuses outside of an item is a fault."""
        try:
            with ExitStack() as opened:
                home = opened.enter_context(Folder.open(self._calls, self._plan.home))
                self._demand(home.identity, self._plan.scan.home, self._plan.home)
                trash = opened.enter_context(home.made(TRASH))
                self._at_trash(home, trash)
        except Changed as change:
            self._done.held_back.append(str(change))
        except OSError as error:
            self._done.faults.append(f"{self._plan.home}: {error.strerror or error}")

    def _at_trash(self, home: Folder, trash: Folder) -> None:
        batch = new_batch(trash, self._moment.wall)
        try:
            with trash.below(batch) as folder:
                self._compare_clocks(folder)
                self._empty(trash)
                for items in _portions(self._plan.going):
                    self._take(items, home, trash, batch)
        finally:
            if self._done.batch is None:
                with suppress(OSError):
                    trash.calls.rmdir(batch, dir_fd=trash.descriptor)

    def _compare_clocks(self, new: Folder) -> None:
        """Raise `Changed` when what was just made bears another time than ours: ages would be wrong by as much."""
        stamped = self._calls.stat(new.descriptor).st_mtime_ns // 1_000_000
        if abs(stamped - self._moment.wall) > SKEW_MS:
            raise Changed("the clock of this process and that of the file system differ; is the clock right?")

    def _empty(self, trash: Folder) -> None:
        for batch in self._plan.emptied:
            if batch not in self._fresh.emptied:
                continue
            try:
                empty(trash, batch)
            except OSError as error:
                self._done.faults.append(f"{os.path.join(trash.path, batch)}: {error.strerror or error}")
            else:
                self._done.emptied.append(batch)

    def _take(self, items: Sequence[Item], home: Folder, trash: Folder, batch: str) -> None:
        """Move some items, or say why they stay. All are held before what else lies beside them is looked at once."""
        looked_at: set[Place] = set()
        with ExitStack() as opened:
            held = [(item, self._held(item, home, opened)) for item in items]
            for item, grasp in held:
                if grasp is None:
                    continue
                with self._told(item), grasp.held:
                    self._move(item, grasp, trash, item.begun or batch, looked_at)
                    self._done.gone.append(item)
                    self._done.batch = self._done.batch or (batch if item.begun is None else None)

    @contextmanager
    def _told(self, item: Item) -> Iterator[None]:
        """Say why an item stays when something is not as it was, or the system refuses."""
        try:
            yield
        except (Changed, Unreadable) as change:
            self._done.left.append(Left(item, str(change)))
        except OSError as error:
            self._done.left.append(Left(item, error.strerror or str(error), failed=True))

    def _held(self, item: Item, home: Folder, opened: ExitStack) -> _Grasp | None:
        """Open the folder that an item lies in and lock the item, for as long as `opened`; `None` when it stays."""
        with self._told(item), ExitStack() as here:
            if item not in self._still_going:
                raise Changed("it changed since the plan was made")
            source = here.enter_context(self._place(home, item.place))
            log = None
            if item.log is not None:
                log = open_file(source, item.name + ENDING)
                here.callback(self._let_go, log)
                self._demand_log(log, item.log)
            if item.outputs is not None:
                folder = here.enter_context(source.below(item.name))
                if not taken(folder):
                    raise Changed("an agent has it open")
                here.callback(self._unlock, folder.descriptor)
            held = opened.enter_context(here.pop_all())
            return _Grasp(source, log, held)
        return None

    def _move(self, item: Item, grasp: _Grasp, trash: Folder, batch: str, looked_at: set[Place]) -> None:
        source = grasp.source
        self._demand_no_other(source, item.place, looked_at)
        self._demand_unchanged(source, item)
        with ExitStack() as opened:
            target = opened.enter_context(trash.below(batch))
            for name in item.place:
                target = opened.enter_context(target.made(name))
            move(source, target, item, grasp.log)
        self._logs[item.place].discard(item.name + ENDING)

    def _let_go(self, descriptor: int) -> None:
        self._unlock(descriptor)
        with suppress(OSError):
            self._calls.close(descriptor)

    def _unlock(self, descriptor: int) -> None:
        """Give a lock back; closing would not do where a child process has a copy of the descriptor."""
        with suppress(OSError):
            self._calls.unlock(descriptor)

    @contextmanager
    def _place(self, home: Folder, place: Place) -> Iterator[Folder]:
        """Open the folder of a place, each on the way found to be the one that was scanned."""
        with ExitStack() as opened:
            folder = home
            for depth, name in enumerate(place, 1):
                folder = opened.enter_context(folder.below(name))
                self._demand(folder.identity, self._fresh.scan.places[place[:depth]], folder.path)
            yield folder

    def _demand(self, found: Identity, wanted: Identity, path: str) -> None:
        if found != wanted:
            raise Changed(f"{path}: another folder than the one that was looked at")

    def _demand_log(self, descriptor: int, wanted: LogState) -> None:
        """Take the lock of a log, and raise `Changed` when a writer has it or had it since."""
        if not self._calls.try_lock(descriptor):
            raise Changed("an agent has it open")
        if LogState.of(self._calls.stat(descriptor)) != wanted:
            raise Changed("it was written meanwhile")

    def _demand_no_other(self, source: Folder, place: Place, looked_at: set[Place]) -> None:
        """Raise `Changed` when a log appeared in a place. It may be a fork: while one is made its source is locked."""
        if place in looked_at:
            return
        known = self._logs[place]
        if any(name.endswith(ENDING) and name not in known for name in self._calls.names(source.descriptor)):
            raise Changed("a session came into its project meanwhile, which may refer to it")
        looked_at.add(place)

    def _demand_unchanged(self, source: Folder, item: Item) -> None:
        """Raise `Changed` when an item was pinned, or when outputs came or went."""
        if source.look(item.name + PINNED) is not None:
            raise Changed("it was pinned meanwhile")
        if item.outputs is None:
            if source.look(item.name) is not None:
                raise Changed("outputs were saved meanwhile")
            return
        with source.below(item.name) as folder:
            if measured(folder, inner=item.kind != "run") != item.outputs:
                raise Changed("its saved outputs changed meanwhile")
