"""Blobs after a loss of power: runs of a store, and what must hold in every state that they may leave."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.faults.power import InPlace, NoDigestFlush, NoFileFlush, NoFolderFlush, NoParentFlush, RecordingOs, State
from unspool.blobs.content import Content, Structured, Text, encoded
from unspool.blobs.digests import NAME as DIGESTS
from unspool.blobs.files import FileBlobStore
from unspool.blobs.new_file import TEMPORARY
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
    """Two blobs, one after the other, in folders that are made for them."""
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
    make_folders(run)
    folder = run.calls.open(str(run.store.root), os.O_RDONLY | os.O_DIRECTORY)
    temporary = f"{TEMPORARY}01234567-{blob_id}.txt"
    descriptor = run.calls.open(temporary, os.O_WRONLY | os.O_CREAT, dir_fd=folder)
    run.calls.write(descriptor, encoded(LONG))
    run.calls.fsync(descriptor)
    run.calls.close(descriptor)
    run.calls.link(temporary, f"{blob_id}.txt", dir_fd=folder)
    run.calls.unlink(temporary, dir_fd=folder)
    run.calls.close(folder)
    run.keep(LONG, blob_id)


def store_where_a_writer_died(run: Run) -> None:
    """A writer died when it had made the folders, and half a line of the digests."""
    make_folders(run)
    folder = run.calls.open(str(run.store.root), os.O_RDONLY | os.O_DIRECTORY)
    digests = run.calls.open(DIGESTS, os.O_WRONLY | os.O_APPEND | os.O_CREAT, dir_fd=folder)
    run.calls.write(digests, f"{new_id()} 0123".encode())
    run.calls.close(digests)
    run.calls.close(folder)
    run.keep(LONG)


def make_folders(run: Run) -> None:
    """Make the folders of the store, and leave it at that."""
    for path in (run.store.root.parent, run.store.root):
        with contextlib.suppress(FileExistsError):
            run.calls.mkdir(str(path))


def delete_one(run: Run) -> None:
    """One of two blobs is deleted."""
    first = run.keep(LONG)
    run.keep(Text("stays"))
    run.safe.remove(first)
    run.calls.acknowledged = frozenset(run.safe)
    run.store.delete(first)


Act = Callable[[Run], None]
RUNS: tuple[Act, ...] = (store_twice, quote_each, try_again, store_where_a_writer_died, delete_one)


def quote_before_storing(run: Run) -> None:
    """A planted mistake: the log refers to a blob before it is stored."""
    blob_id = new_id()
    run.quote(blob_id)
    run.keep(LONG, blob_id)


MISTAKES: tuple[tuple[type[RecordingOs], Act, str], ...] = (
    (NoFileFlush, store_twice, "torn"),
    (NoFolderFlush, store_twice, "lost"),
    (InPlace, store_twice, "torn"),
    (NoFolderFlush, try_again, "lost"),
    (NoParentFlush, store_where_a_writer_died, "lost"),
    (NoDigestFlush, store_twice, "unnoted"),
    (RecordingOs, quote_before_storing, "dangling"),
)
"""Planted mistakes of the protocol, each with a run that shows it, and as what."""


@dataclass(frozen=True)
class Tally:
    """How many states were reached, how many of them different, and in how many of these something was wrong.

    Torn: a visible blob is not whole. Lost: one that was acknowledged is not there. Dangling: a log refers to one that
    is not there. Unnoted: the digest of one that was acknowledged is not. False alarms: one is called damaged or lost.
    """

    states: int
    different: int
    torn: int
    lost: int
    dangling: int
    unnoted: int
    false_alarms: int

    @property
    def bad(self) -> int:
        return self.torn + self.lost + self.dangling + self.unnoted + self.false_alarms

    def __str__(self) -> str:
        return ", ".join(f"{name.replace('_', ' ')} {number:,}" for name, number in asdict(self).items())


def explore(act: Callable[[Run], None], calls: RecordingOs, home: Path) -> Tally:
    """Run, and look at every state that a loss of power may leave."""
    root = home / "agent" / "blobs"
    run = Run(calls, FileBlobStore(root, calls=calls), home / "log")
    act(run)
    calls.note()  # what was acknowledged last must be there from now on
    faults = [_faults(run, safe, _below(home, state), home / "found") for safe, state in calls.found]
    return Tally(calls.looks, len(faults), *(sum(column) for column in zip(*faults, strict=True)))


def _below(home: Path, state: State) -> State:
    return frozenset((os.path.relpath(path, home), data) for path, data in state)


def _faults(run: Run, safe: frozenset[object], state: State, place: Path) -> tuple[bool, ...]:
    """Lay a state out as files, and look at it with the store: torn, lost, dangling, unnoted, falsely reported."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for path, data in state:
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_bytes(data)
    store = FileBlobStore(place / run.store.root.relative_to(run.log.parent))
    torn = any(_bytes(store, blob_id) != run.begun[blob_id] for blob_id in store.ids())
    lost = any(_bytes(store, blob_id) != run.begun[blob_id] for blob_id in run.begun if blob_id in safe)
    log = (place / "log").read_bytes() if (place / "log").exists() else b""
    quoted = [line for line in log.split(b"\n")[:-1] if line.startswith(b"[blob:")]
    dangling = any(not store.exists(BlobId.parse(line[6:-1].decode())) for line in quoted)
    states = {check.id: check.state for check in store.verify()}
    unnoted = any(states.get(blob_id) == "unknown" for blob_id in run.begun if blob_id in safe)
    return torn, lost, dangling, unnoted, not {"bad", "missing"}.isdisjoint(states.values())


def _bytes(store: FileBlobStore, blob_id: BlobId) -> bytes | None:
    try:
        with store.open(blob_id) as blob:
            return blob.read(0, blob.size)
    except BlobError:
        return None
