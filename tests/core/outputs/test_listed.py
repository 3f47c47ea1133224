"""A row of a list tells what a blob is without reading all of it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from unspool.blobs.content import Content, Structured, Text
from unspool.blobs.files import FileBlobStore
from unspool.blobs.memory import MemoryBlobStore
from unspool.blobs.store import new_id
from unspool.outputs.listed import HEAD_BYTES, WORDS, ListedBlob, list_blobs


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (Text(""), ""),
        (Text("\n\n  first \nsecond"), "first"),
        (Text("x" * 5_000), "x" * (WORDS - 1) + "…"),
        (Text("\n" * HEAD_BYTES + "behind"), ""),
        (Structured({"a": [1], "b": None}), '{ "a": [ 1 ], "b": null }'),
    ],
)
def test_the_first_words_are_on_one_line(content: Content, words: str) -> None:
    store = MemoryBlobStore()
    store.store(content)
    assert list_blobs(store, limit=None).items[0].words == words


def test_pages_are_all_blobs_once_newest_first() -> None:
    store = MemoryBlobStore()
    made = [store.store(Text(str(number))) for number in range(7)]
    found: list[ListedBlob] = []
    page = list_blobs(store, limit=3)
    while True:
        assert page.total == 7
        found += page.items
        if page.next is None:
            break
        page = list_blobs(store, limit=3, after=found[-1].id)
    assert [each.id for each in found] == made[::-1]
    assert list_blobs(store, limit=7).next is None


def test_a_blob_that_is_gone_meanwhile_still_goes_on() -> None:
    store = MemoryBlobStore()
    made = [store.store(Text(str(number))) for number in range(3)]
    store.delete(made[1])
    assert [each.id for each in list_blobs(store, limit=5, after=made[1]).items] == [made[0]]


def test_what_cannot_be_opened_is_a_row_too(tmp_path: Path) -> None:
    store = FileBlobStore(tmp_path)
    blob_id = new_id()
    (tmp_path / f"{blob_id}.json").mkdir()
    row = list_blobs(store, limit=None).items[0]
    assert (row.id, row.kind, row.bytes, row.words) == (blob_id, None, None, None)
    assert row.fault is not None
    assert row.to_json(None)["fault"] == row.fault


def test_an_id_says_when_it_was_made() -> None:
    before = time.time_ns() // 1_000_000
    assert before <= new_id().made_at <= time.time_ns() // 1_000_000 + 1
