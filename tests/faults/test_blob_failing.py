from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tests.faults.blob_failing import ACTS, CONTENT, Act, fail_each_call
from tests.faults.failing import ARMS, ERRORS, Arm, ShortWrites
from unspool.blobs.files import FileBlobStore
from unspool.errors import BlobError

SHORT = [(error, "once") for error in ERRORS] + [(errno.EIO, arm) for arm in ARMS if arm != "once"]


@pytest.mark.parametrize(("error", "arm"), SHORT, ids=[f"{errno.errorcode[error]}-{arm}" for error, arm in SHORT])
@pytest.mark.parametrize("act", ACTS, ids=[act.name for act in ACTS])
def test_whichever_call_fails_nothing_half_stays(act: Act, error: int, arm: Arm, quick: Path) -> None:
    harm = fail_each_call(quick, act, error, arm)
    assert harm.bad == 0, harm
    assert harm.failures > 10
    assert harm.refused


@pytest.mark.parametrize("room", [0, 1, 4_096, 12_999, 13_000, 13_010, 13_080])
def test_a_disk_that_fills_up_leaves_nothing_half(room: int, tmp_path: Path) -> None:
    root = tmp_path / "blobs"
    with pytest.raises(BlobError, match="No space left"):
        FileBlobStore(root, calls=ShortWrites(room)).store(CONTENT)
    assert [name for name in os.listdir(root) if name != ".digests"] == []
    store = FileBlobStore(root)
    assert store.load(store.store(CONTENT)) == CONTENT
    assert {check.state for check in store.verify()} == {"good"}
