"""Blobs after a loss of power: runs of a store, and what must hold in every state that they may leave."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.power import RecordingOs, State
from unspool.blobs.content import Content, Structured, Text, encoded
from unspool.blobs.files import FileBlobStore
from unspool.blobs.store import new_id
from unspool.errors import BlobError
from unspool.ids import BlobId

LONG = Text("payload line\n" * 300)


@dataclass
class Run:
    """What a run stored: everything that it began, and how much of that it was told to be safe."""

    calls: RecordingOs
    store: FileBlobStore
    log: Path
    begun: dict[BlobId, bytes] = field(default_factory=dict)
    safe: set[BlobId] = field(default_factory=set)

    def keep(self, content: Content, blob_id: BlobId | None = None) -> BlobId:
        """Store a content, and note that it is safe when the answer comes."""
        blob_id = blob_id or new_id()
        self.begun[blob_id] = encoded(content)
        self.store.keep(blob_id, content)
        self.safe.add(blob_id)
        self.calls.acknowledged = frozenset(self.safe)
        return blob_id

    def quote(self, blob_id: BlobId) -> None:
        """Write the id of a blob into a log beside the store, as an agent does after the answer."""
        descriptor = self.calls.open(str(self.log), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self.calls.write(descriptor, f"[blob:{blob_id}]\n".encode())
        self.calls.fsync(descriptor)
        self.calls.close(descriptor)


def store_twice(run: Run) -> None:
    """Two blobs, one after the other."""
    run.keep(LONG)
    run.keep(Structured({"rows": [1, 2, 3]}))


def quote_each(run: Run) -> None:
    """Blobs that a log refers to, each after it was stored."""
    for content in (LONG, Text("second")):
        run.quote(run.keep(content))


def try_again(run: Run) -> None:
    """A writer that got no answer tries again, under the same id, after everything but the folder's flush was done."""
    blob_id = new_id()
    run.begun[blob_id] = encoded(LONG)
    with contextlib.suppress(FileExistsError):
        run.calls.mkdir(str(run.store.root))
    folder = run.calls.open(str(run.store.root), os.O_RDONLY | os.O_DIRECTORY)
    descriptor = run.calls.open(f".tmp-{blob_id}.txt", os.O_WRONLY | os.O_CREAT, dir_fd=folder)
    run.calls.write(descriptor, encoded(LONG))
    run.calls.fsync(descriptor)
    run.calls.close(descriptor)
    run.calls.link(f".tmp-{blob_id}.txt", f"{blob_id}.txt", dir_fd=folder)
    run.calls.unlink(f".tmp-{blob_id}.txt", dir_fd=folder)
    run.calls.close(folder)
    run.keep(LONG, blob_id)


def delete_one(run: Run) -> None:
    """One of two blobs is deleted."""
    first = run.keep(LONG)
    run.keep(Text("stays"))
    run.safe.remove(first)
    run.calls.acknowledged = frozenset(run.safe)
    run.store.delete(first)


RUNS: tuple[Callable[[Run], None], ...] = (store_twice, quote_each, try_again, delete_one)


@dataclass(frozen=True)
class Tally:
    """How many states were reached, and in how many different ones something was wrong."""

    states: int
    torn: int
    lost: int
    dangling: int
    false_alarms: int

    @property
    def bad(self) -> int:
        return self.torn + self.lost + self.dangling + self.false_alarms


def explore(act: Callable[[Run], None], calls: RecordingOs, home: Path) -> Tally:
    """Run, and look at every state that a loss of power may leave."""
    root = home / "blobs"
    run = Run(calls, FileBlobStore(root, calls=calls), home / "log")
    act(run)
    faults = [_faults(run, safe, _below(home, state), home / "found") for safe, state in calls.found]
    return Tally(calls.looks, *(sum(column) for column in zip(*faults, strict=True)))


def _below(home: Path, state: State) -> State:
    return frozenset((os.path.relpath(path, home), data) for path, data in state)


def _faults(run: Run, safe: frozenset[object], state: State, place: Path) -> tuple[bool, bool, bool, bool]:
    """Lay a state out as files, and look at it with the store: torn, lost, dangling, falsely reported."""
    shutil.rmtree(place, ignore_errors=True)
    (place / "blobs").mkdir(parents=True)
    for path, data in state:
        (place / path).write_bytes(data)
    store = FileBlobStore(place / "blobs")
    torn = any(_bytes(store, blob_id) != run.begun[blob_id] for blob_id in store.ids())
    lost = any(_bytes(store, blob_id) != run.begun[blob_id] for blob_id in run.begun if blob_id in safe)
    log = (place / "log").read_bytes() if (place / "log").exists() else b""
    quoted = [line for line in log.split(b"\n")[:-1] if line.startswith(b"[blob:")]
    dangling = any(not store.exists(BlobId.parse(line[6:-1].decode())) for line in quoted)
    states = {check.id: check.state for check in store.verify()}
    deleted = set(run.begun) - set(run.safe)
    alarms = any(found in ("bad", "missing") for blob_id, found in states.items() if blob_id not in deleted)
    return torn, lost, dangling, alarms


def _bytes(store: FileBlobStore, blob_id: BlobId) -> bytes | None:
    try:
        with store.open(blob_id) as blob:
            return blob.read(0, blob.size)
    except BlobError:
        return None
