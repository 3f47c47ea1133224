"""Stored outputs are looked into as pieces are: by id, through a window, whatever their size."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sessions import view_of
from unspool.blobs import line_map
from unspool.blobs.content import Structured, Text
from unspool.blobs.files import FileBlobStore
from unspool.blobs.memory import MemoryBlobStore
from unspool.errors import BadQuery, BadReference, BlobError, BlobNotFound, UnspoolError
from unspool.ids import BlobId
from unspool.views import inspectable
from unspool.views.bounds import Bounds
from unspool.views.inspecting import inspect
from unspool.views.inspection import Inspection

SIX = Text("a\nb\nc\nd\ne\nf")
HUNDRED = Text("\n".join(f"line {number}" for number in range(1, 101)))
THREE = [10, 20, 30]
NAMED = {"name": "test", "size": 3}
MISSING = BlobId.parse("019d6f3e-52d0-7c4a-9f11-2b8d3c5e7a90")


def asked(content: object, selector: str | None = None, **more: Any) -> Inspection:
    """The answer about one stored content; what is no text is stored as a JSON value."""
    store = MemoryBlobStore()
    blob_id = store.store(content if isinstance(content, Text) else Structured(content))
    return inspect(blob_id, selector, store=store, **more)


def windows(store: MemoryBlobStore, blob_id: BlobId, selector: str | None, bounds: Bounds) -> Iterator[Inspection]:
    """The windows of an answer, until its end; each continuation stands for itself."""
    answer = inspect(blob_id, selector, store=store, bounds=bounds)
    yield answer
    while answer.truncation.next is not None:
        answer = inspect(blob_id, store=store, bounds=bounds, after=answer.truncation.next)
        yield answer


SERVED: list[tuple[str, object, str | None, str]] = [
    ("apply lines on text", SIX, "lines:2-4", "b\nc\nd\n"),
    ("one line", SIX, "lines:5-5", "e\n"),
    ("lines, the end clamped", Text("a\nb\nc"), "lines:2-100", "b\nc"),
    ("lines beyond the content", Text("a\nb"), "lines:10-20", "(no line 10: the text has 2 lines)"),
    ("apply slice on array", THREE, "slice:1..3", "20\n30"),
    ("slice, the end clamped", THREE, "slice:1..100", "20\n30"),
    ("slice from the first", THREE, "slice:0..10", "10\n20\n30"),
    ("slice beyond the content", THREE, "slice:3..8", "(no entry 3: the array has 3 entries)"),
    ("an empty slice", THREE, "slice:2..2", "(slice:2..2 is empty, for the end does not belong to it)"),
    ("apply key on object: a string comes as its text", NAMED, "key:name", "test"),
    ("a value that is no string comes as JSON", NAMED, "key:size", "3"),
    ("a key that holds a colon", {"nested:key": [1, {"a": None}]}, "key:nested:key", '[1,{"a":null}]'),
    ("the tail", SIX, "tail:2", "e\nf"),
    ("the tail of a text that ends its last line", Text("a\nb\n"), "tail:1", "b\n"),
    ("a longer tail than there is", SIX, "tail:50", "a\nb\nc\nd\ne\nf"),
    ("bytes, cut inwards", Text("äöü"), "bytes:1..6", "öü"),
    ("bytes behind the end", Text("äöü"), "bytes:6..9", "(no bytes from 6 on: the text has 6 bytes)"),
    ("the lines that hold a text", HUNDRED, "grep:LINE 10", "10: line 10\n100: line 100"),
    ("a text that no line holds", SIX, "grep:x", "(no line holds 'x'; 6 lines searched)"),
    ("bytes of JSON are those of its indented form", NAMED, "bytes:0..9", '{\n  "name'),
    ("lines found in JSON", NAMED, "grep:size", '3:   "size": 3'),
]

REFUSED: list[tuple[str, object, str, list[str]]] = [
    ("lines from zero", SIX, "lines:0-4", ["lines", "from 1"]),
    ("lines upside down", SIX, "lines:50-20", ["start 50", "after", "end 20"]),
    ("lines without a dash", SIX, "lines:20", ["lines", "A-B"]),
    ("lines that begin with no number", SIX, "lines:x-2", ["lines", "A-B"]),
    ("lines that end with no number", SIX, "lines:2-x", ["lines", "A-B"]),
    ("lines without an end", SIX, "lines:5-", ["lines", "A-B"]),
    ("a slice upside down", THREE, "slice:10..3", ["start 10", "after", "end 3"]),
    ("a slice that begins with no number", THREE, "slice:x..3", ["slice", "A..B"]),
    ("a slice that ends with no number", THREE, "slice:3..x", ["slice", "A..B"]),
    ("a slice without dots", THREE, "slice:3-8", ["slice", "A..B"]),
    ("a key without a name", NAMED, "key:", ["key", "name"]),
    ("an unknown selector", SIX, "rows:1-2", ["not a selector", "'rows:1-2'", "lines:", "slice:", "key:"]),
    ("a key that is not there", NAMED, "key:sise", ["no key", "'sise'", "name, size"]),
    ("lines of an object", NAMED, "lines:1-2", ["lines fit text", "object", "name, size", "key:NAME"]),
    ("lines of an array", THREE, "lines:1-2", ["lines fit text", "array of 3 entries", "slice:A..B"]),
    ("lines of a scalar", 3.5, "lines:1-2", ["lines fit text", "single JSON value", "bytes:A..B"]),
    ("a slice of a text", SIX, "slice:0..1", ["slice fits arrays", "text of 6 lines", "lines:A-B"]),
    ("a slice of an object", NAMED, "slice:0..1", ["slice fits arrays", "object", "name, size", "key:NAME"]),
    ("a slice of a scalar", True, "slice:0..1", ["slice fits arrays", "single JSON value"]),
    ("a key of a text", SIX, "key:a", ["key fits objects", "text of 6 lines", "lines:A-B"]),
    ("a key of an array", THREE, "key:a", ["key fits objects", "array of 3 entries", "slice:A..B"]),
    ("a key of a scalar", "text", "key:a", ["key fits objects", "single JSON value"]),
]


@pytest.mark.parametrize(
    ("content", "selector", "text"), [case[1:] for case in SERVED], ids=[case[0] for case in SERVED]
)
def test_a_selector_gives_what_it_names(content: object, selector: str, text: str) -> None:
    answer = asked(content, selector)
    assert answer.text == text
    assert not answer.truncation.truncated


@pytest.mark.parametrize(
    ("content", "selector", "words"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_a_selector_that_does_not_serve_is_told_with_the_way_out(
    content: object, selector: str, words: list[str]
) -> None:
    with pytest.raises(BadQuery) as caught:
        asked(content, selector)
    told = str(caught.value)
    assert [word for word in words if word not in told] == []
    assert "\n" not in told


def test_without_a_selector_a_short_text_is_given_whole() -> None:
    answer = asked(Text("a\nb\nc"))
    assert (answer.type, answer.size, answer.bytes, answer.text) == ("text", 3, 5, "a\nb\nc")
    assert not answer.truncation.truncated


def test_without_a_selector_a_long_text_begins_and_says_what_is_left() -> None:
    answer = asked(HUNDRED, bounds=Bounds(max_bytes=400))
    assert "\nline 50\n" in answer.text
    assert "line 55" not in answer.text
    assert (answer.size, answer.truncation.next) == (100, "bytes:400..791")
    assert answer.truncation.omitted_bytes == 391


def test_without_a_selector_an_array_says_how_many_entries_it_has() -> None:
    answer = asked(list(range(20)), bounds=Bounds(max_bytes=30))
    assert (answer.type, answer.size, answer.size_name) == ("json_array", 20, "entries")
    assert answer.text.startswith("[\n  0,\n  1,")
    assert answer.truncation.truncated


def test_without_a_selector_an_object_names_its_keys() -> None:
    answer = asked({"a": 1, "b": "x", "c": [1], "d": {}})
    assert (answer.type, answer.size, answer.size_name, answer.keys) == ("json_object", 4, "keys", ("a", "b", "c", "d"))
    assert json.loads(answer.text) == {"a": 1, "b": "x", "c": [1], "d": {}}


@pytest.mark.parametrize("value", [None, True, 3.5, "one\ntwo", 2**200])
def test_a_scalar_is_given_as_json(value: object) -> None:
    answer = asked(value)
    assert (answer.type, answer.text) == ("json", json.dumps(value, ensure_ascii=False))
    assert answer.to_json()["lines"] == 1


def test_numbers_are_given_as_they_are_written(tmp_path: Path) -> None:
    (tmp_path / f"{MISSING}.json").write_text('{"n": [1.10, 1E5, -0, 123456789012345678901234567890, 1e400]}')
    answer = inspect(MISSING, "key:n", store=FileBlobStore(tmp_path))
    assert answer.text == "[1.10,1E5,-0,123456789012345678901234567890,1e400]"


def test_an_answer_tells_which_blob_it_is_about() -> None:
    store = MemoryBlobStore()
    blob_id = store.store(SIX)
    answer = inspect(str(blob_id).upper(), store=store)
    assert answer.id == blob_id
    assert answer.to_json()["id"] == str(blob_id)


@pytest.mark.parametrize("written", ["[blob:{}]", "blob:{}", " {} ", "[blob:{}] "])
def test_an_id_is_taken_as_it_stands_in_a_conversation(written: str) -> None:
    store = MemoryBlobStore()
    assert inspect(written.format(store.store(SIX)), "lines:1-1", store=store).text == "a\n"


def test_an_id_that_the_store_does_not_have_is_told() -> None:
    with pytest.raises(BlobNotFound, match=f"blob not found: {MISSING}"):
        inspect(MISSING, store=MemoryBlobStore())


@pytest.mark.parametrize(
    "text", ["", "../x", "[blob:../../etc/passwd]", "019d6f3e", str(MISSING).replace("-7c", "-4c")]
)
def test_what_is_no_blob_id_is_told_as_such(text: str) -> None:
    with pytest.raises(BadReference, match=r"not a blob id: .*UUID v7"):
        inspect(text, store=MemoryBlobStore())


@pytest.mark.parametrize(("target", "told"), [(str(MISSING), "blob not found"), ("[blob:x]", "not a blob id")])
def test_a_missing_blob_hides_no_bad_selector(target: str, told: str) -> None:
    with pytest.raises((BlobNotFound, BadReference), match=f"{told}.*; lines needs A-B"):
        inspect(target, "lines:20", store=MemoryBlobStore())
    with pytest.raises((BlobNotFound, BadReference), match=f"{told}.*; not a continuation"):
        inspect(target, store=MemoryBlobStore(), after="x")


def test_a_missing_piece_hides_no_bad_selector() -> None:
    with pytest.raises(UnspoolError, match=r"E9\.0.*; lines needs A-B"):
        inspect("E9.0", "lines:20", view=view_of([("user", "hi")]))


def test_pieces_and_blobs_are_asked_for_side_by_side() -> None:
    store, view = MemoryBlobStore(), view_of([("user", "hi")])
    blob_id = store.store(SIX)
    assert inspect("E0.0", store=store, view=view).text == "hi"
    assert inspect(str(blob_id), "tail:1", store=store, view=view).text == "f"
    with pytest.raises(BadReference, match=r"E0\.0 is a piece of a session; pass its view"):
        inspect("E0.0", store=store)
    with pytest.raises(BadReference, match="is a stored output; pass the store"):
        inspect(blob_id, view=view)


BLOBS: list[tuple[object, str | None]] = [
    (Text("Bꭰ𐐨 line\n" * 30), None),
    (Text("Bꭰ𐐨 line\n" * 30), "lines:2-29"),
    (Text("Bꭰ𐐨 line\n" * 30), "lines:2-999"),
    (Text("Bꭰ𐐨 line\n" * 30), "bytes:1..260"),
    (Text("Bꭰ𐐨 line\n" * 30), "tail:7"),
    ({"k": "ꭰ𐐨" * 30, "n": [1, 2]}, "key:k"),
    ({"k": "ꭰ𐐨" * 30, "n": [1, 2]}, None),
    (["ꭰ𐐨" * 30], "slice:0..1"),
]


@pytest.mark.parametrize("counted", [True, False])
@pytest.mark.parametrize("bound", [Bounds(max_bytes=4), Bounds(max_bytes=23), Bounds(max_tokens=2)])
@pytest.mark.parametrize(("content", "selector"), BLOBS)
def test_windows_read_on_are_what_one_window_would_be(
    content: object, selector: str | None, bound: Bounds, counted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspectable, "COUNTED_BYTES", 1 << 20 if counted else 0)
    store = MemoryBlobStore()
    blob_id = store.store(content if isinstance(content, Text) else Structured(content))
    found = list(windows(store, blob_id, selector, bound))
    assert len(found) > 3
    assert "".join(each.text for each in found) == inspect(blob_id, selector, store=store).text
    assert all(len(each.text.encode()) <= min(bound.max_bytes, bound.max_tokens * 4) for each in found)


@given(data=st.lists(st.sampled_from([b"a", b"\n", b"\xff", b"\xe8\xaa", b"\x80", "🚀".encode()]), max_size=30))
def test_what_is_no_utf8_reads_the_same_in_any_windows(
    data: list[bytes], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("blobs")
    (folder / f"{MISSING}.txt").write_bytes(b"".join(data))
    store = FileBlobStore(folder)
    answer, said = inspect(MISSING, store=store, bounds=Bounds(max_bytes=4)), ""
    while True:
        said += answer.text
        if answer.truncation.next is None:
            break
        answer = inspect(MISSING, store=store, bounds=Bounds(max_bytes=4), after=answer.truncation.next)
    assert Text(said) == store.load(MISSING)


def test_a_text_is_found_beside_bytes_that_are_no_utf8_and_across_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspectable, "BLOCK", 16)
    data = b"\xff\xfe start\n" + b"x" * 9 + "\xe4\xc4\n".encode() + b"\x80\n" * 20 + "ende ÄÄ".encode()
    (tmp_path / f"{MISSING}.txt").write_bytes(data)
    answer = inspect(MISSING, "grep:ää", store=FileBlobStore(tmp_path))
    assert answer.text == f"2: {'x' * 9}äÄ\n23: ende ÄÄ"


def test_lines_that_are_found_are_all_given_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspectable, "BLOCK", 16)
    store = MemoryBlobStore()
    blob_id = store.store(Text("\n".join(f"yes yes {n}" if n % 3 else "no" for n in range(1, 40))))
    given = [
        line for each in windows(store, blob_id, "grep:yes", Bounds(max_items=4)) for line in each.text.split("\n")
    ]
    assert given == [f"{n}: yes yes {n}" for n in range(1, 40) if n % 3]


def test_json_that_is_too_long_says_so_and_is_read_by_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspectable, "VALUE_BYTES", 10)
    for selector in ("key:k", "slice:0..1"):
        with pytest.raises(BadQuery, match=r"this JSON of 120 bytes is too long to be taken apart: use bytes:A\.\.B"):
            asked({"k": "x" * 107}, selector)
    for value, shape in (({"k": "x" * 99}, "json_object"), (["x" * 99], "json_array"), ("x" * 99, "json")):
        answer = asked(value, "bytes:0..1")
        assert (answer.type, answer.text) == (shape, json.dumps(value)[0])
        assert asked(value, "tail:1").text
        assert asked(value, "lines:1-1").text
        assert asked(value).to_json()[answer.size_name] == (1 if shape == "json" else None)


def test_a_damaged_json_blob_is_read_as_text(tmp_path: Path) -> None:
    (tmp_path / f"{MISSING}.json").write_text('{"half": [1,\n2')
    answer = inspect(MISSING, "lines:2-2", store=FileBlobStore(tmp_path))
    assert (answer.type, answer.text) == ("text", "2")


def test_a_deep_json_blob_is_told_apart_without_recursion(tmp_path: Path) -> None:
    (tmp_path / f"{MISSING}.json").write_text("[" * 100_000 + "]" * 100_000)
    assert inspect(MISSING, "bytes:0..3", store=FileBlobStore(tmp_path)).text == "[[["


def test_the_lines_of_an_enormous_blob_are_counted_only_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspectable, "COUNTED_BYTES", 10)
    assert asked(HUNDRED).size == 100
    for selector in ("bytes:0..4", "tail:2", "lines:7-8", "grep:line"):
        answer = asked(HUNDRED, selector)
        assert answer.size is None
        assert answer.to_json()["lines"] is None
    assert "791 bytes searched" in asked(HUNDRED, "grep:x").text
    with pytest.raises(BadQuery, match="this is text of 791 bytes"):
        asked(HUNDRED, "key:a")
    assert asked(HUNDRED, "lines:101-102").text == "(no line 101: the text has 100 lines)"


class Watched(MemoryBlobStore):
    """A store that notes how far its blobs are read."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[tuple[int, int]] = []

    def open(self, blob_id: BlobId) -> Any:
        opened = super().open(blob_id)
        read = opened._read
        opened._read = lambda start, length: self.reads.append((start, start + length)) or read(start, length)
        return opened


@pytest.mark.parametrize(
    ("selector", "first", "last"),
    [
        ("bytes:9000000..9000100", 8.9e6, 9.1e6),
        ("tail:5", 19e6, 20e6),
        ("lines:9-9999999", 0, 2.2e6),
        ("grep:1000", 0, 4.3e6),
    ],
)
def test_no_more_of_a_blob_is_read_than_its_window_needs(
    selector: str, first: float, last: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspectable, "COUNTED_BYTES", 10)
    store = Watched()
    blob_id = store.store(Text("".join(f"{n:09}\n" for n in range(2_000_000))))
    assert inspect(blob_id, selector, store=store, bounds=Bounds(max_items=3)).text
    assert min(start for start, _ in store.reads) >= first
    assert max(stop for _, stop in store.reads) <= last


def test_a_line_that_was_found_once_is_found_at_once_when_the_blob_is_opened_again(tmp_path: Path) -> None:
    store = FileBlobStore(tmp_path)
    blob_id = store.store(Text("".join(f"{n:09}\n" for n in range(400_000))))
    with store.open(blob_id) as opened:
        assert opened.lines.start(300_001) == 3_000_000
    with store.open(blob_id) as opened:
        reads: list[tuple[int, int]] = []
        read = opened.lines._read
        opened.lines._read = lambda start, stop: reads.append((start, stop)) or read(start, stop)  # type: ignore[func-returns-value]
        assert opened.lines.start(200_001) == 2_000_000
        assert sum(stop - start for start, stop in reads) <= line_map.BLOCK
    (tmp_path / f"{blob_id}.txt").write_text(f"{'x' * 100_000}\ntext\n")
    with store.open(blob_id) as opened:
        assert opened.lines.start(2) == 100_001


def test_a_blob_is_closed_also_when_the_question_is_wrong(tmp_path: Path) -> None:
    store = FileBlobStore(tmp_path)
    blob_id = store.store(SIX)
    before = len(list(Path("/dev/fd").iterdir()))
    for selector in ("key:x", "lines:0-1", "tail:1"):
        try:
            inspect(blob_id, selector, store=store)
        except BadQuery:
            continue
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_a_blob_that_must_not_be_opened_is_told(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("secret")
    (tmp_path / f"{MISSING}.txt").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BlobError) as caught:
        inspect(MISSING, store=FileBlobStore(tmp_path))
    assert "secret" not in str(caught.value)
