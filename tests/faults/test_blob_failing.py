from __future__ import annotations

import errno
import gc
import os
import warnings
from pathlib import Path

import pytest

from tests.faults.failing import ERRORS, FailingOs, ShortWrites
from unspool.blobs.content import Text
from unspool.blobs.files import FileBlobStore
from unspool.errors import BlobError

CONTENT = Text("a line of it\n" * 1_000)


def open_descriptors() -> set[str]:
    """The numbers of the files that are open, without those that only wait for the collector."""
    gc.collect()
    return set(os.listdir("/dev/fd"))


def left_over(root: Path) -> list[str]:
    """What lies in a folder beside whole blobs and their digests."""
    names = os.listdir(root) if root.exists() else []
    return [name for name in names if name != ".digests" and (root / name).read_text() != CONTENT.text]


def try_to_store(root: Path, calls: FailingOs | ShortWrites) -> bool:
    """Store once; say whether the store promised that the blob is safe."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            blob_id = FileBlobStore(root, calls=calls).store(CONTENT)
        except BlobError:
            return False
    assert FileBlobStore(root).load(blob_id) == CONTENT
    return True


def check(root: Path, before: set[str]) -> None:
    """Nothing of a failed call stays, and the store works on."""
    assert left_over(root) == []
    assert not [name for name in (os.listdir(root) if root.exists() else []) if name.startswith(".tmp-")]
    assert open_descriptors() <= before
    store = FileBlobStore(root)
    assert store.load(store.store(CONTENT)) == CONTENT
    assert {found.state for found in store.verify()} <= {"good", "unknown"}


@pytest.mark.parametrize("error", ERRORS, ids=[errno.errorcode[error] for error in ERRORS])
@pytest.mark.parametrize("again", [False, True], ids=["once", "again and again"])
def test_whichever_call_fails_nothing_half_stays(error: int, again: bool, tmp_path: Path) -> None:
    before = open_descriptors()
    at, answers = 1, []
    while True:
        root = tmp_path / str(at) / "blobs"
        root.parent.mkdir()
        calls = FailingOs(at, error, again=again)
        answers.append(try_to_store(root, calls))
        if not calls.failed:
            break
        check(root, before)
        at += 1
    assert at > 15
    assert answers[-1]
    assert not all(answers)


@pytest.mark.parametrize("room", [0, 1, 4_096, 12_999, 13_000, 13_010, 13_080])
def test_a_disk_that_fills_up_leaves_nothing_half(room: int, tmp_path: Path) -> None:
    root = tmp_path / "blobs"
    assert not try_to_store(root, ShortWrites(room))
    check(root, open_descriptors())
