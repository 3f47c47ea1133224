"""A folder of blobs is known by the names in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from unspool.blobs.content import Text
from unspool.blobs.files import FileBlobStore
from unspool.blobs.names import blob_id_of, holds_blobs

ID = "019d6f3e-52d0-7c4a-9f11-2b8d3c5e7a90"


@pytest.mark.parametrize("name", [f"{ID}.txt", f"{ID}.json"])
def test_a_canonical_name_is_that_of_a_blob(name: str) -> None:
    assert str(blob_id_of(name)) == ID


@pytest.mark.parametrize(
    "name", [ID, f"{ID}.", f"{ID}.TXT", f"{ID.upper()}.txt", f"{ID}.txt.bak", f".tmp-{ID}.txt", f"{ID}.jsonl", "txt"]
)
def test_another_name_is_none(name: str) -> None:
    assert blob_id_of(name) is None


def test_a_folder_of_blobs_is_told_from_others(tmp_path: Path) -> None:
    assert not holds_blobs(tmp_path)
    assert not holds_blobs(tmp_path / "nowhere")
    (tmp_path / f"{ID}.jsonl").touch()
    assert not holds_blobs(tmp_path)
    (tmp_path / f"{ID}.json").touch()
    assert holds_blobs(tmp_path)
    assert not holds_blobs(tmp_path / f"{ID}.json")


def test_a_folder_whose_blobs_are_all_deleted_is_still_one(tmp_path: Path) -> None:
    store = FileBlobStore(tmp_path)
    store.delete(store.store(Text("x")))
    assert holds_blobs(tmp_path)
