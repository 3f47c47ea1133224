"""Stores whose calls fail: what each leaves behind, and what it says."""

from __future__ import annotations

import gc
import os
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from pathlib import Path

from tests.faults.failing import Arm, FailingOs
from unspool.blobs.content import Text
from unspool.blobs.files import STALE, FileBlobStore
from unspool.blobs.new_file import TEMPORARY
from unspool.blobs.store import new_id
from unspool.errors import BlobError
from unspool.ids import BlobId

CONTENT = Text("a line of it\n" * 1_000)


@dataclass(frozen=True)
class Act:
    """One thing to do with a store: what is there before, and the call that may fail. The id is the blob's in question.

    `stays`: when the call says that it succeeded, the blob is there.
    """

    name: str
    call: Callable[[FileBlobStore, BlobId], object]
    prepare: Callable[[FileBlobStore, BlobId], object] = lambda store, blob_id: None
    stays: bool = True


def keep(store: FileBlobStore, blob_id: BlobId) -> None:
    store.keep(blob_id, CONTENT)


def leave_old(store: FileBlobStore, blob_id: BlobId) -> None:
    """Leave a blob, and a temporary file of a writer that died long ago."""
    store.keep(new_id(), CONTENT)
    temporary = store.root / f"{TEMPORARY}01234567-{blob_id}.txt"
    temporary.write_text("half")
    os.utime(temporary, (0, temporary.stat().st_mtime - STALE - 60))


def read(store: FileBlobStore, blob_id: BlobId) -> None:
    assert store.load(blob_id) == CONTENT
    assert store.stat(blob_id).lines == 1_000
    assert list(store.ids()) == [blob_id]
    assert {check.state for check in store.verify()} <= {"good", "bad"}


ACTS = (
    Act("store in a new folder", keep),
    Act("store beside others", keep, leave_old),
    Act("store again", keep, keep),
    Act("delete", lambda store, blob_id: store.delete(blob_id), keep, stays=False),
    Act("read", read, keep),
)


@dataclass
class Harm:
    """What was counted over all failures; all but the first three must be none.

    `broken`: the store does not work on when its calls work again.
    """

    failures: int = 0
    refused: int = 0
    succeeded: int = 0
    temporaries: int = 0
    descriptors: int = 0
    half: int = 0
    lost: int = 0
    broken: int = 0

    @property
    def bad(self) -> int:
        return self.temporaries + self.descriptors + self.half + self.lost + self.broken

    def __str__(self) -> str:
        return ", ".join(f"{field.name} {getattr(self, field.name):,}" for field in fields(self))


def fail_each_call(home: Path, act: Act, error: int, arm: Arm) -> Harm:
    """Do one thing again and again, each time with a later call that fails, until none does."""
    harm, at = Harm(), 1
    while True:
        root, blob_id = home / f"{at}" / "blobs", new_id()
        root.parent.mkdir(parents=True)
        act.prepare(FileBlobStore(root), blob_id)
        before = set(os.listdir("/dev/fd"))
        calls = FailingOs(at, error, arm=arm)
        told = _told(act, FileBlobStore(root, calls=calls), blob_id)
        if not calls.failed:
            assert told, act.name
            return harm
        harm.failures += 1
        harm.refused += not told
        harm.succeeded += told
        harm.descriptors += _left_open(before)
        _look(FileBlobStore(root), blob_id, harm, stays=told and act.stays, arm=arm)
        at += 1


def _told(act: Act, store: FileBlobStore, blob_id: BlobId) -> bool:
    """Say whether the store said that it succeeded; any other error than its own is a fault of its."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            act.call(store, blob_id)
        except BlobError:
            return False
    return True


def _left_open(before: set[str]) -> bool:
    """Say whether more files are open than before, leaving out those that only wait for the collector."""
    if set(os.listdir("/dev/fd")) <= before:
        return False
    gc.collect()
    return not set(os.listdir("/dev/fd")) <= before


def _look(store: FileBlobStore, blob_id: BlobId, harm: Harm, *, stays: bool, arm: Arm) -> None:
    names = os.listdir(store.root) if store.root.exists() else []
    ours = [name for name in names if name.startswith(TEMPORARY) and not name.startswith(f"{TEMPORARY}01234567-")]
    harm.temporaries += len(ours) if arm != "from then on" else 0
    harm.half += sum(store.load(each) != CONTENT for each in store.ids())
    harm.lost += stays and not store.exists(blob_id)
    try:
        store.keep(blob_id, CONTENT)
        works = store.load(blob_id) == CONTENT
    except BlobError:
        works = False
    harm.broken += not works or any(check.state in ("bad", "missing") for check in store.verify())


def total(harms: Iterable[Harm]) -> Harm:
    """Add up."""
    result = Harm()
    for harm in harms:
        for field in fields(Harm):
            setattr(result, field.name, getattr(result, field.name) + getattr(harm, field.name))
    return result
