from __future__ import annotations

from typing import Any

import pytest

from unspool.blobs.content import Content, Structured, Text
from unspool.blobs.memory import MemoryBlobStore
from unspool.blobs.store import BlobStore
from unspool.errors import BlobError
from unspool.ids import BlobId
from unspool.outputs.batch import into_context
from unspool.outputs.output import Inline, Stored, ToolOutput, Verbatim
from unspool.outputs.summary import summarize


class FullDisk(MemoryBlobStore):
    """A store that keeps nothing."""

    def store(self, content: Content) -> BlobId:
        raise BlobError("a blob could not be stored: No space left on device")


@pytest.mark.parametrize("text", ["", "short", "x" * 800, "ä" * 400])
def test_text_of_up_to_800_bytes_is_inline_unchanged(text: str) -> None:
    assert ToolOutput.of(text) == Inline(text)


@pytest.mark.parametrize("text", ["x" * 801, "ä" * 400 + "x", '{"a": 1}' * 200, "[1, 2]" + " " * 800])
def test_longer_text_is_stored_as_text_even_when_it_happens_to_be_json(text: str) -> None:
    assert ToolOutput.of(text) == Stored(summarize(Text(text)), Text(text))


def test_a_value_is_judged_by_its_compact_form() -> None:
    fits = ["x" * 796]
    assert ToolOutput.of(fits) == Inline(f'["{"x" * 796}"]')
    assert ToolOutput.of([*fits, 1]) == Stored(summarize(Structured([*fits, 1])), Structured([*fits, 1]))
    assert ToolOutput.of({"a": [1, None]}) == Inline('{"a":[1,null]}')


def test_an_error_stays_inline_up_to_64_kib_and_says_error_above() -> None:
    assert ToolOutput.of("x" * 65_536, error=True) == Inline("x" * 65_536)
    stored = ToolOutput.of("first\n" + "x" * 65_536 + "\nlast", error=True)
    assert isinstance(stored, Stored)
    header, *lines = stored.summary.split("\n")
    assert header.endswith("| error")
    assert lines[1] == "first"
    assert lines[-1] == "last"


def test_bytes_become_text_and_what_is_no_utf8_is_said() -> None:
    assert ToolOutput.of("ü".encode()) == Inline("ü")
    with pytest.warns(RuntimeWarning, match="no UTF-8 at byte 1"):
        assert ToolOutput.of(b"a\xffb") == Inline("a\ufffdb")


def test_what_is_no_json_is_kept_as_text_and_said() -> None:
    with pytest.warns(RuntimeWarning, match="kept as text"):
        assert ToolOutput.of(
            {
                1,
            }
        ) == Inline("{1}")


def test_outputs_that_were_made_explicitly_stay_as_they_are() -> None:
    for output in (Inline("x" * 5_000), Stored("mine", Text("x"))):
        assert ToolOutput.of(output) is output


def test_a_batch_keeps_its_order_and_stores_what_is_long() -> None:
    store = MemoryBlobStore()
    long, value = "line\n" * 1_000, {"rows": ["x" * 100] * 20}
    results: list[Any] = ["short", long, value, 7, Inline("y" * 900), Stored("my words", Text("z")), None, ""]
    texts = into_context(results, store)
    ids = list(store.ids())
    assert texts == [
        "short",
        f"[blob:{ids[0]}] {summarize(Text(long))}",
        f"[blob:{ids[1]}] {summarize(Structured(value))}",
        "7",
        "y" * 900,
        f"[blob:{ids[2]}] my words",
        "null",
        "",
    ]
    assert [store.load(blob_id) for blob_id in ids] == [Text(long), Structured(value), Text("z")]


def test_without_a_store_everything_is_inline() -> None:
    assert into_context(["x" * 2_000, {"a": "y" * 900}], None) == ["x" * 2_000, f'{{"a":"{"y" * 900}"}}']


@pytest.mark.parametrize("content", ["x" * 2_000, {"a": "y" * 900}])
def test_a_store_that_fails_costs_no_output_and_is_said(content: Any) -> None:
    store: BlobStore = FullDisk()
    with pytest.warns(RuntimeWarning, match="No space left"):
        assert into_context([content, "after"], store) == [*into_context([content], None), "after"]


def test_what_reads_stored_outputs_is_never_stored_again() -> None:
    store = MemoryBlobStore()
    assert into_context([Verbatim("x" * 9_000)], store) == ["x" * 9_000]
    assert list(store.ids()) == []


def nested(depth: int, innermost: Any) -> Any:
    value = innermost
    for _ in range(depth):
        value = [value]
    return value


def test_what_is_nested_too_deeply_for_a_writer_of_json_is_kept_whole() -> None:
    with pytest.warns(RuntimeWarning, match="kept as text"):
        output = ToolOutput.of(nested(5_000, "end"))
    assert output.whole == "[" * 5_000 + '"end"' + "]" * 5_000


def test_what_is_nested_and_no_json_is_told_whole_and_what_holds_itself_at_least() -> None:
    endless: list[Any] = []
    endless.append(nested(5_000, endless))
    with pytest.warns(RuntimeWarning, match="kept as text"):
        assert ToolOutput.of(endless).whole == "(list that holds itself)"
    with pytest.warns(RuntimeWarning, match="kept as text"):
        assert (
            ToolOutput.of(nested(5_000, {"a": 1 + 2j, "ü": [None, "x"]}))
            .whole[5_000:]
            .startswith('{"a":(1+2j),"ü":[null,"x"]}]')
        )
