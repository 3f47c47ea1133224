"""Blobs go to and fro between this store and the one that its layout comes from, by that one's rules.

Those rules: `<id>.txt` is tried first and must be UTF-8, then `<id>.json`, which is parsed. Texts were written as they
are, values as JSON indented by two spaces with sorted keys, without a line end behind, in place and without notes.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from unspool.blobs.content import Content, Structured, Text
from unspool.blobs.files import FileBlobStore
from unspool.blobs.store import new_id
from unspool.ids import BlobId

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)
CONTENTS = st.builds(Text, WORDS) | st.builds(Structured, VALUES)


def load_as_the_original(root: Path, blob_id: BlobId) -> Content:
    text = root / f"{blob_id}.txt"
    if text.exists():
        return Text(text.read_bytes().decode("utf-8", errors="strict"))
    return Structured(json.loads((root / f"{blob_id}.json").read_bytes().decode("utf-8", errors="strict")))


def store_as_the_original(root: Path, content: Content) -> BlobId:
    blob_id = new_id()
    if isinstance(content, Text):
        (root / f"{blob_id}.txt").write_bytes(content.text.encode())
    else:
        data = json.dumps(content.value, indent=2, sort_keys=True, ensure_ascii=False)
        (root / f"{blob_id}.json").write_bytes(data.encode())
    return blob_id


@given(CONTENTS)
def test_what_this_store_wrote_the_original_loads(content: Content) -> None:
    with tempfile.TemporaryDirectory() as root:
        blob_id = FileBlobStore(root).store(content)
        assert load_as_the_original(Path(root), blob_id) == content


@given(CONTENTS)
def test_what_the_original_wrote_this_store_loads(content: Content) -> None:
    with tempfile.TemporaryDirectory() as root:
        blob_id = store_as_the_original(Path(root), content)
        store = FileBlobStore(root)
        assert store.load(blob_id) == content
        assert list(store.ids()) == [blob_id]
        assert [check.state for check in store.verify()] == ["unknown"]


@given(WORDS, VALUES)
def test_where_both_files_are_there_the_text_is_the_blob_to_either(text: str, value: object) -> None:
    with tempfile.TemporaryDirectory() as root:
        blob_id = store_as_the_original(Path(root), Structured(value))
        (Path(root) / f"{blob_id}.txt").write_bytes(text.encode())
        assert FileBlobStore(root).load(blob_id) == load_as_the_original(Path(root), blob_id) == Text(text)


def test_half_a_character_of_a_text_is_no_fault_to_the_original(tmp_path: Path) -> None:
    blob_id = FileBlobStore(tmp_path).store(Text("a\ud83db"))
    assert load_as_the_original(tmp_path, blob_id) == Text("a\ufffdb")


def test_every_stored_output_of_the_samples_loads(shared: Path) -> None:
    root = shared / "corpus" / "yoi" / "era1-llm-worker-persistence" / "blobs"
    store = FileBlobStore(root)
    ids = list(store.ids())
    assert len(ids) == len(list(root.iterdir())) == 13
    for blob_id in ids:
        assert store.load(blob_id) == load_as_the_original(root, blob_id)
