"""What lies in a home, looked at without touching anything; what cannot be looked at is a fault of the whole."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass, field, replace
from unspool.errors import Unreadable
from unspool.retention.folder import Folder, Identity, identity_of, is_folder
from unspool.retention.item import Item, Outputs
from unspool.retention.log_facts import open_file, read_log
from unspool.retention.trash import TRASH, batches_in, leftovers_in, moment_of
from unspool.stores.minicode import ARTIFACTS, ENDING, PROJECTS

if TYPE_CHECKING:
    from unspool.blobs.calls import Os

PINNED: Final = ".pinned"
"""Ending of the file that keeps what lies beside it under the same name; what it holds is nobody's concern."""

_LINKS: Final = (errno.ELOOP, errno.EMLINK)
"""What systems answer when a link is not to be followed."""
_SAVED: Final = (".txt", ".json")
"""Endings of the files of saved outputs."""

Place = tuple[str, ...]
"""Folders from the home down."""


@dataclass(slots=True)
class Scan:
    """A home as it was found. With a fault nobody knows what is referred to, and nothing may go.

    `places` says which folders the names of places stood for, `logs` which logs lay in them. `batches` are those of the
    trash, `half_gone` those whose emptying was interrupted, `begun` what of the batches lacks its saved outputs: place
    and name, and the batch.
    """

    home: Identity
    items: list[Item] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    places: dict[Place, Identity] = field(default_factory=dict)
    logs: dict[Place, frozenset[str]] = field(default_factory=dict)
    batches: list[str] = field(default_factory=list)
    half_gone: list[str] = field(default_factory=list)
    begun: dict[tuple[Place, str], str] = field(default_factory=dict)


def scan_home(calls: Os, path: str) -> Scan:
    """Look at a whole home; raises `OSError` when it cannot even be opened."""
    with Folder.open(calls, path) as home:
        scan = Scan(home.identity)
        _Looking(scan).at_home(home)
    return scan


class _Looking:
    """Walks through a home, and notes what it finds and what it cannot look at."""

    def __init__(self, scan: Scan) -> None:
        self._scan = scan

    def at_home(self, home: Folder) -> None:
        with self._noted(os.path.join(home.path, TRASH)):
            if home.look(TRASH) is not None:
                with home.below(TRASH) as trash:
                    self._at_trash(trash)
        with self._noted(os.path.join(home.path, PROJECTS)), home.below(PROJECTS) as projects:
            self._at_place(projects, (PROJECTS,))
        with self._noted(os.path.join(home.path, ARTIFACTS)):
            if home.look(ARTIFACTS) is not None:
                with home.below(ARTIFACTS) as runs:
                    self._at_runs(runs)

    def _at_trash(self, trash: Folder) -> None:
        self._scan.batches += batches_in(trash)
        self._scan.half_gone += leftovers_in(trash)
        for batch in self._scan.batches:
            with trash.below(batch) as folder:
                if folder.look(PROJECTS) is None:
                    continue
                with folder.below(PROJECTS) as projects:
                    self._note_begun(projects, (PROJECTS,), batch)

    def _note_begun(self, folder: Folder, place: Place, batch: str) -> None:
        """Note the logs in a batch that no folder of saved outputs lies beside."""
        names = frozenset(folder.names())
        for name in names:
            if name.endswith(ENDING) and name.removesuffix(ENDING) not in names:
                self._scan.begun[place, name.removesuffix(ENDING)] = batch
            elif len(place) == 1 and name + ENDING not in names and _is_folder(folder, name):
                with folder.below(name) as project:
                    self._note_begun(project, (*place, name), batch)

    def _at_place(self, folder: Folder, place: Place) -> None:
        """Look at a folder of sessions; right below `projects` there are those of the root, and the projects."""
        self._scan.places[place] = folder.identity
        names = folder.names()
        known = frozenset(names)
        self._scan.logs[place] = logs = frozenset(name for name in names if name.endswith(ENDING))
        for name in sorted(logs):
            self._at_session(folder, place, name.removesuffix(ENDING), known)
        for name in names:
            if name not in logs and name + ENDING not in logs:
                with self._noted(os.path.join(folder.path, name)):
                    self._at_folder(folder, place, name, known)

    def _at_folder(self, folder: Folder, place: Place, name: str, names: frozenset[str]) -> None:
        state = folder.look(name)
        if state is None or not is_folder(state):
            if state is not None and len(place) == 1 and stat.S_ISLNK(state.st_mode):
                self._scan.faults.append(f"{os.path.join(folder.path, name)}: a link, which is not followed")
            return
        with folder.below(name) as inside:
            held = inside.look(ARTIFACTS)
            if held is not None and is_folder(held) and inside.names() == [ARTIFACTS]:
                self._add_outputs(inside, place, name, names)
            elif len(place) == 1:
                self._at_place(inside, (*place, name))

    def _add_outputs(self, folder: Folder, place: Place, name: str, names: frozenset[str]) -> None:
        outputs, pinned = measured(folder), name + PINNED in names
        begun = self._scan.begun.get((place, name))
        if begun is not None and outputs.written_ns // 1_000_000 > (moment_of(begun) or 0):
            begun = None  # saved since: its session goes on
        self._scan.items.append(Item("outputs", place, name, outputs=outputs, pinned=pinned, begun=begun))

    def _at_session(self, folder: Folder, place: Place, name: str, names: frozenset[str]) -> None:
        path = os.path.join(folder.path, name + ENDING)
        pinned, facts, outputs, locked, fault = name + PINNED in names, None, None, False, None
        try:
            outputs = _outputs_of(folder, name)
            facts = read_log(folder, name + ENDING)
            locked = is_locked(folder, name + ENDING) or is_open(folder, name)
            fault = facts.fault
        except FileNotFoundError:
            fault = f"{path}: it vanished while it was read"
        except OSError as error:
            fault = f"{os.path.join(folder.path, error.filename or name + ENDING)}: {_why(error)}"
        except Unreadable as error:
            fault = str(error)
        if fault is not None:
            self._scan.faults.append(fault)
        item = Item("session", place, name, outputs=outputs, locked=locked, pinned=pinned, fault=fault)
        if facts is not None:
            told = frozenset(facts.pointers)
            item = replace(item, log=facts.state, pointers=told, recorded=facts.recorded)
        self._scan.items.append(item)
        if len(place) == 1 and outputs is not None and outputs.stray is not None:
            with self._noted(os.path.join(folder.path, name)), folder.below(name) as project:
                self._at_place(project, (*place, name))

    def _at_runs(self, runs: Folder) -> None:
        place = (ARTIFACTS,)
        self._scan.places[place], self._scan.logs[place] = runs.identity, frozenset()
        names = frozenset(runs.names())
        for name in sorted(names):
            with self._noted(os.path.join(runs.path, name)):
                if _is_folder(runs, name):
                    with runs.below(name) as run:
                        outputs = measured(run, inner=False)
                    self._scan.items.append(Item("run", place, name, outputs=outputs, pinned=name + PINNED in names))

    @contextmanager
    def _noted(self, path: str) -> Iterator[None]:
        """Note what cannot be looked at."""
        try:
            yield
        except OSError as error:
            self._scan.faults.append(f"{path}: {_why(error)}")


def is_locked(folder: Folder, name: str) -> bool:
    """Say whether a writer holds the lock of a log; raises `OSError` and `Unreadable`."""
    descriptor = open_file(folder, name)
    try:
        free = folder.calls.try_lock(descriptor)
        if free:
            folder.calls.unlock(descriptor)
        return not free
    finally:
        folder.calls.close(descriptor)


def is_open(folder: Folder, name: str) -> bool:
    """Say whether somebody has a session open, and shares the lock of its folder for that; raises `OSError`."""
    if folder.look(name) is None:
        return False
    with folder.below(name) as inside:
        free = taken(inside)
        if free:
            inside.calls.unlock(inside.descriptor)
        return not free


def taken(folder: Folder) -> bool:
    """Take the lock of a folder if nobody has a share of it, and say whether nobody has; raises `OSError`."""
    try:
        return folder.calls.try_lock(folder.descriptor)
    except OSError as error:
        if error.errno == errno.EBADF:  # a folder on a server, which is not locked at all
            return True
        raise


def measured(folder: Folder, *, inner: bool = True) -> Outputs:
    """Measure an open folder of saved outputs, whose files lie in the one folder inside or, without `inner`, in it.

    Raises `OSError`.
    """
    if not inner:
        return _measured(folder, folder.identity, None)
    names = folder.names()
    other = next((os.path.join(folder.path, name) for name in names if name != ARTIFACTS), None)
    if not _is_folder(folder, ARTIFACTS):
        stray = os.path.join(folder.path, ARTIFACTS) if ARTIFACTS in names else None
        written = folder.calls.stat(folder.descriptor).st_mtime_ns
        return Outputs(folder.identity, None, 0, 0, written, other or stray)
    with folder.below(ARTIFACTS) as held:
        return _measured(held, folder.identity, other)


def _measured(held: Folder, identity: Identity, stray: str | None) -> Outputs:
    own = held.calls.stat(held.descriptor)
    states = [(name, state) for name in held.names() if (state := held.look(name)) is not None]
    stray = stray or next((os.path.join(held.path, name) for name, state in states if not _is_saved(name, state)), None)
    written = max((state.st_mtime_ns for _, state in states if not is_folder(state)), default=own.st_mtime_ns)
    size = sum(state.st_size for _, state in states)
    return Outputs(identity, (identity_of(own), own.st_mtime_ns), len(states), size, written, stray)


def _is_saved(name: str, state: os.stat_result) -> bool:
    return name.endswith(_SAVED) and not is_folder(state)


def _outputs_of(folder: Folder, name: str) -> Outputs | None:
    """Measure the saved outputs of a session, `None` without any; raises `OSError`, also when a link stands there."""
    if folder.look(name) is None:
        return None
    with folder.below(name) as inside:
        return measured(inside)


def _is_folder(folder: Folder, name: str) -> bool:
    state = folder.look(name)
    return state is not None and is_folder(state)


def _why(error: OSError) -> str:
    if error.errno in _LINKS:
        return "a link, which is not followed"
    if error.errno == errno.ENOTDIR:
        return "no folder, or a link to one, which is not followed"
    return error.strerror or str(error)
