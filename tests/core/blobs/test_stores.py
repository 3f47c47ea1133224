"""What both stores promise alike."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unspool.blobs.background import AsyncBlobStore
from unspool.blobs.content import Content, Structured, Text
from unspool.blobs.files import FileBlobStore
from unspool.blobs.memory import MemoryBlobStore
from unspool.blobs.store import BlobStore, new_id
from unspool.errors import BlobError, BlobNotFound

Stores = Callable[[], BlobStore]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture(params=["files", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> BlobStore:
    return FileBlobStore(tmp_path / "blobs") if request.param == "files" else MemoryBlobStore()


@pytest.mark.parametrize(
    "content",
    [
        Text(""),
        Text("one line"),
        Text("ends\n"),
        Text("carriage\r\nreturn\rand \u2028 and \x0b"),
        Text('{"looks": "like JSON"}'),
        Text("\ufeffbom, nul \x00, esc \x1b[31m"),
        Structured(None),
        Structured([1, {"z": 1, "a": [True, 1.5, "ü"]}]),
        Structured({"big": 2**200, "nested": [[[]]], "": ""}),
    ],
)
def test_what_was_stored_is_loaded_again(store: BlobStore, content: Content) -> None:
    blob_id = store.store(content)
    assert store.exists(blob_id)
    assert store.load(blob_id) == content


@given(VALUES)
def test_any_json_value_comes_back_equal(value: object) -> None:
    store = MemoryBlobStore()
    assert store.load(store.store(Structured(value))) == Structured(value)


def test_keys_keep_the_order_in_which_they_were_given(store: BlobStore) -> None:
    loaded = store.load(store.store(Structured({"z": 1, "a": 2, "m": 3})))
    assert isinstance(loaded, Structured)
    assert list(loaded.value) == ["z", "a", "m"]


def test_storing_twice_gives_two_ids_in_the_order_of_storing(store: BlobStore) -> None:
    first, second, third = (store.store(Text("same")) for _ in range(3))
    assert first < second < third
    assert list(store.ids()) == [first, second, third]


def test_a_lone_surrogate_of_a_text_is_stored_as_a_replacement_and_that_of_a_value_is_kept(store: BlobStore) -> None:
    assert store.load(store.store(Text("a\ud800b"))) == Text("a\ufffdb")
    assert store.load(store.store(Structured(["a\ud800b"]))) == Structured(["a\ud800b"])


NO_JSON = [float("nan"), float("inf"), {1, 2}, object(), b"bytes", pytest.param(10**5_000, id="long")]


@pytest.mark.parametrize("value", NO_JSON)
def test_what_is_no_json_is_refused_and_leaves_nothing(store: BlobStore, value: object) -> None:
    with pytest.raises(BlobError):
        store.store(Structured({"value": value}))
    assert list(store.ids()) == []


def test_nesting_without_end_is_refused(store: BlobStore) -> None:
    value: list[object] = []
    value.append(value)
    with pytest.raises(BlobError):
        store.store(Structured(value))


def test_an_unknown_id_is_not_found_whatever_is_asked(store: BlobStore) -> None:
    unknown = new_id()
    assert not store.exists(unknown)
    for ask in (store.load, store.open, store.stat, store.delete):
        with pytest.raises(BlobNotFound, match=str(unknown)):
            ask(unknown)


def test_a_deleted_blob_is_gone_and_the_others_stay(store: BlobStore) -> None:
    kept, gone = store.store(Text("kept")), store.store(Structured([]))
    store.delete(gone)
    assert not store.exists(gone)
    assert list(store.ids()) == [kept]


def test_a_blob_is_measured_in_the_form_it_is_stored_in(store: BlobStore) -> None:
    text = store.stat(store.store(Text("ä\nb\nc")))
    assert (text.kind, text.bytes, text.lines) == ("text", 6, 3)
    assert text.digest == hashlib.sha256("ä\nb\nc".encode()).hexdigest()
    value = store.stat(store.store(Structured({"ä": [1]})))
    assert (value.kind, value.bytes, value.lines) == ("json", len('{\n  "ä": [\n    1\n  ]\n}'.encode()), 5)


def test_windows_of_an_open_blob_are_clamped_to_it(store: BlobStore) -> None:
    with store.open(store.store(Text("0123456789"))) as blob:
        assert blob.size == 10
        assert blob.read(2, 5) == b"234"
        assert blob.read(-3, 2) == b"01"
        assert blob.read(8, 99) == b"89"
        assert blob.read(5, 5) == blob.read(20, 30) == b""


async def test_the_asynchronous_face_answers_the_same(store: BlobStore) -> None:
    face = AsyncBlobStore(store)
    first, second = await asyncio.gather(face.store(Text("one")), face.store(Structured({"two": 2})))
    assert await face.load(first) == Text("one")
    assert await face.load(second) == Structured({"two": 2})
    assert sorted(await face.ids()) == sorted([first, second])
    with await face.open(first) as blob:
        assert blob.read(0, 9) == b"one"
    assert (await face.stat(first)).bytes == 3
    await face.delete(first)
    assert not await face.exists(first)
