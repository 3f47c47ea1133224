"""What the store in a folder promises beyond the others: layout, permissions, damage, traversal."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from unspool.blobs.content import Structured, Text
from unspool.blobs.digests import NAME
from unspool.blobs.files import STALE, FileBlobStore
from unspool.blobs.new_file import TEMPORARY
from unspool.blobs.store import new_id
from unspool.errors import BadReference, BlobConflict, BlobError, BlobNotFound
from unspool.ids import BlobId


@pytest.fixture
def store(tmp_path: Path) -> FileBlobStore:
    return FileBlobStore(tmp_path / "home" / "agent" / "blobs")


def names(store: FileBlobStore) -> set[str]:
    return set(os.listdir(store.root)) - {NAME}


def test_a_text_lies_in_its_file_as_it_is_and_a_value_as_indented_json(store: FileBlobStore) -> None:
    text, value = store.store(Text("no newline ü")), store.store(Structured({"b": [1], "a": "ü"}))
    assert (store.root / f"{text}.txt").read_bytes() == "no newline ü".encode()
    assert (store.root / f"{value}.json").read_bytes() == '{\n  "b": [\n    1\n  ],\n  "a": "ü"\n}'.encode()
    assert names(store) == {f"{text}.txt", f"{value}.json"}


def test_folders_and_files_are_the_owners_alone_new_parents_too(store: FileBlobStore, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        blob_id = store.store(Text("x"))
    finally:
        os.umask(before)
    for folder in (tmp_path / "home", tmp_path / "home" / "agent", store.root):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for name in (f"{blob_id}.txt", NAME):
        assert stat.S_IMODE((store.root / name).stat().st_mode) == 0o600


def test_a_folder_that_is_not_there_is_an_empty_store_and_is_not_made_by_reading(store: FileBlobStore) -> None:
    assert list(store.ids()) == list(store.verify()) == []
    assert not store.exists(new_id())
    assert not store.root.exists()


def test_blobs_of_the_original_load_and_the_text_comes_before_the_value(store: FileBlobStore) -> None:
    store.root.mkdir(parents=True)
    both, value = new_id(), new_id()
    (store.root / f"{both}.txt").write_bytes(b"text \xff")
    (store.root / f"{both}.json").write_bytes(b"{}")
    (store.root / f"{value}.json").write_bytes(b'{\n  "a": 1,\n  "b": 12345678901234567890123\n}')
    assert store.load(both) == Text("text \ufffd")
    assert store.load(value) == Structured({"a": 1, "b": 12345678901234567890123})
    assert list(store.ids()) == [both, value]
    assert {check.state for check in store.verify()} == {"unknown"}


def test_json_that_cannot_be_read_is_an_error_that_names_it_and_its_bytes_stay_readable(store: FileBlobStore) -> None:
    store.root.mkdir(parents=True)
    blob_id = new_id()
    (store.root / f"{blob_id}.json").write_bytes(b'{"torn": ')
    with pytest.raises(BlobError, match="JSON"):
        store.load(blob_id)
    with store.open(blob_id) as blob:
        assert blob.read(0, 99) == b'{"torn": '


def test_only_canonical_names_are_blobs(store: FileBlobStore) -> None:
    blob_id = store.store(Text("x"))
    for name in ("notes.txt", f"{str(new_id()).upper()}.txt", f"{new_id()}.TXT", f"{new_id()}.txt.bak", f"{new_id()}"):
        (store.root / name).write_text("y")
    assert list(store.ids()) == [blob_id]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "..",
        "../../etc/passwd",
        "/etc/passwd",
        "a/b",
        "019d6f3e-52d0-7c4a-9f11-2b8d3c5e7a90/../x",
        "019d6f3e-52d0-7c4a-9f11-2b8d3c5e7a90\x00.txt",
        "019d6f3e-52d0-7c4a-9f11-2b8d3c5e7a90.txt",
        "019d6f3e-52d0-4c4a-9f11-2b8d3c5e7a90",
        "019d6f3e-52d0-7c4a-cf11-2b8d3c5e7a90",
        "٠١9d6f3e-52d0-7c4a-9f11-2b8d3c5e7a90",
        "019d6f3e-52d0-7c4a-9f11-2b8d3c5e7a9",
    ],
)
def test_what_is_no_version_7_id_never_becomes_one(text: str) -> None:
    with pytest.raises(BadReference, match="UUID v7"):
        BlobId.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "019D6F3E-52D0-7C4A-9F11-2B8D3C5E7A90",
        "019d6f3e52d07c4a9f112b8d3c5e7a90",
        "{019d6f3e-52d0-7c4a-9f11-2b8d3c5e7a90}",
        "urn:uuid:019d6f3e-52d0-7c4a-9f11-2b8d3c5e7a90",
    ],
)
def test_other_spellings_of_an_id_are_the_same_id(text: str) -> None:
    assert str(BlobId.parse(text)) == "019d6f3e-52d0-7c4a-9f11-2b8d3c5e7a90"


@pytest.mark.parametrize("kind", ["link", "folder", "fifo", "socket-like device"])
def test_what_is_no_plain_file_is_not_opened(store: FileBlobStore, kind: str, tmp_path: Path) -> None:
    blob_id = new_id()
    store.root.mkdir(parents=True)
    place = store.root / f"{blob_id}.txt"
    secret = tmp_path / "secret"
    secret.write_text("secret")
    if kind == "link":
        place.symlink_to(secret)
    elif kind == "folder":
        place.mkdir()
    elif kind == "fifo":
        os.mkfifo(place)
    else:
        place.symlink_to("/dev/zero")
    assert not store.exists(blob_id)
    with pytest.raises(BlobError, match=str(blob_id)):
        store.load(blob_id)


def test_verify_tells_damage_from_what_was_never_noted_and_from_what_is_gone(store: FileBlobStore) -> None:
    good, bad, shorter, gone, deleted = (store.store(Text(f"content {number}")) for number in range(5))
    unknown = new_id()
    (store.root / f"{unknown}.txt").write_text("from elsewhere")
    (store.root / f"{bad}.txt").write_text("CONTENT 1")
    (store.root / f"{shorter}.txt").write_text("cont")
    (store.root / f"{gone}.txt").unlink()
    store.delete(deleted)
    states = {check.id: check.state for check in store.verify()}
    assert states == {good: "good", bad: "bad", shorter: "bad", unknown: "unknown", gone: "missing"}


def test_a_torn_line_of_the_digests_costs_nothing_but_its_own_blob(store: FileBlobStore) -> None:
    first, torn = store.store(Text("first")), store.store(Text("torn"))
    notes = store.root / NAME
    notes.write_bytes(notes.read_bytes()[:-20])
    third = store.store(Text("third"))
    states = {check.id: check.state for check in store.verify()}
    assert states == {first: "good", torn: "unknown", third: "good"}


def test_a_second_try_with_the_same_content_succeeds_and_another_content_is_a_conflict(store: FileBlobStore) -> None:
    blob_id = store.store(Text("first"))
    store.keep(blob_id, Text("first"))
    for other in (Text("second"), Structured("first")):
        with pytest.raises(BlobConflict):
            store.keep(blob_id, other)
    assert store.load(blob_id) == Text("first")
    assert names(store) == {f"{blob_id}.txt"}


def test_what_dead_writers_left_is_swept_when_it_is_old_and_only_that(store: FileBlobStore, tmp_path: Path) -> None:
    store.root.mkdir(parents=True)
    (tmp_path / "outside").write_text("stays")
    for name in ("old", "young"):
        (store.root / f"{TEMPORARY}{name}.txt").write_text("half")
    (store.root / f"{TEMPORARY}link").symlink_to(tmp_path / "outside")
    (store.root / "other.tmp").write_text("not ours")
    now = (store.root / f"{TEMPORARY}young.txt").stat().st_mtime
    os.utime(store.root / f"{TEMPORARY}old.txt", (now - STALE - 5, now - STALE - 5))
    blob_id = FileBlobStore(store.root, clock=lambda: now).store(Text("new"))
    assert names(store) == {f"{TEMPORARY}young.txt", f"{TEMPORARY}link", "other.tmp", f"{blob_id}.txt"}
    assert (tmp_path / "outside").read_text() == "stays"


def test_a_blob_that_shrinks_while_it_is_read_is_said(store: FileBlobStore) -> None:
    blob_id = store.store(Text("0123456789"))
    with store.open(blob_id) as blob:
        os.truncate(store.root / f"{blob_id}.txt", 4)
        with pytest.raises(BlobError, match="shorter"):
            blob.read(0, 10)


def test_a_folder_that_cannot_be_made_is_one_plain_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(BlobError, match="could not be stored"):
        FileBlobStore(tmp_path / "file" / "blobs").store(Text("x"))
    with pytest.raises(BlobNotFound):
        FileBlobStore(tmp_path / "nowhere").load(new_id())
