"""Writers that die at each of their steps: what they leave is whole, and trying again succeeds."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.faults.failing import FailingOs
from unspool.blobs.content import Text
from unspool.blobs.files import FileBlobStore
from unspool.blobs.store import new_id
from unspool.errors import BlobError
from unspool.ids import BlobId

CONTENT = Text("a line of it\n" * 1_000)
DIED = 9


class DyingOs(FailingOs):
    """Ends the process, without any cleaning up, instead of making its n-th call."""

    def __init__(self, at: int) -> None:
        super().__init__(at, 0)

    def _check(self) -> None:
        if self._due():
            os._exit(DIED)


def store(store: FileBlobStore, blob_id: BlobId) -> None:
    store.keep(blob_id, CONTENT)


def delete(store: FileBlobStore, blob_id: BlobId) -> None:
    store.delete(blob_id)


@dataclass
class Steps:
    """How many steps a writer died at, and after how many of them something was wrong.

    Torn: a visible blob was not whole. Refused: trying again failed. Suspected: `verify` called a blob damaged or lost.
    """

    steps: int = 0
    torn: int = 0
    refused: int = 0
    suspected: int = 0

    @property
    def bad(self) -> int:
        return self.torn + self.refused + self.suspected

    def __str__(self) -> str:
        return ", ".join(f"{name} {number:,}" for name, number in asdict(self).items())


def die_at_each_step(home: Path, act: Callable[[FileBlobStore, BlobId], None]) -> Steps:
    """Let a writer die before its first call, its second, and so on until it survives; try again after each."""
    found = Steps()
    while True:
        root, blob_id = home / f"{act.__name__}-{found.steps}" / "agent" / "blobs", new_id()
        root.parent.parent.mkdir()
        if act is delete:
            FileBlobStore(root).keep(blob_id, CONTENT)
        if not _died(FileBlobStore(root, calls=DyingOs(found.steps + 1)), act, blob_id):
            return found
        found.steps += 1
        _look(FileBlobStore(root), blob_id, found)


def _died(store: FileBlobStore, act: Callable[[FileBlobStore, BlobId], None], blob_id: BlobId) -> bool:
    child = os.fork()
    if not child:
        act(store, blob_id)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == DIED


def _look(store: FileBlobStore, blob_id: BlobId, found: Steps) -> None:
    found.torn += any(store.load(each) != CONTENT for each in store.ids())
    found.suspected += any(check.state in ("bad", "missing") for check in store.verify())
    try:
        store.keep(blob_id, CONTENT)
    except BlobError:
        found.refused += 1
    else:
        found.torn += store.load(blob_id) != CONTENT
        found.suspected += {check.state for check in store.verify()} != {"good"}
