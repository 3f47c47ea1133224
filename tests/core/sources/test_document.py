from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unspool.errors import SourceChanged
from unspool.sources.document import DOCUMENT_LIMIT, JsonDocument, open_log
from unspool.sources.jsonl import JsonLines
from unspool.sources.record import Entry

SESSION = {"id": "s1", "timestamp": "2025-05-01T10:00:00Z", "instructions": ""}
ITEMS: list[Any] = [{"type": "message", "n": number, "text": 'a "b", [c]\n'} for number in range(5)]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def opened(folder: Path, text: str | bytes) -> JsonLines:
    path = folder / "rollout-1.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return open_log(path)


def values(entries: list[Entry]) -> list[Any]:
    return [record.value for entry in entries for record in entry.records]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("turned", [False, True])
def test_header_and_items_are_the_records_in_the_order_of_the_document(
    tmp_path: Path, indent: int | None, turned: bool
) -> None:
    whole = {"version": 1, "session": SESSION, "none": [], "items": ITEMS}
    text = json.dumps(dict(reversed(whole.items())) if turned else whole, indent=indent)
    entries = [*opened(tmp_path, text + "\n\n").entries()]
    assert values(entries) == ([*ITEMS, SESSION] if turned else [SESSION, *ITEMS])
    assert [entry.number for entry in entries] == [0, 1, 2, 3, 4, 5]
    assert [json.loads(text[entry.offset : entry.offset + entry.length]) for entry in entries] == values(entries)


@given(st.dictionaries(st.text(max_size=8), JSON, max_size=6))
def test_every_object_of_a_document_is_found_once_where_it_is(
    tmp_path_factory: pytest.TempPathFactory, whole: dict[str, Any]
) -> None:
    inner = [each for value in whole.values() for each in (value if isinstance(value, list) else [value])]
    expected = [each for each in inner if isinstance(each, dict)]
    folder = tmp_path_factory.mktemp("document")
    is_empty = not expected and not any(isinstance(value, list) and value for value in whole.values())
    with opened(folder, json.dumps(whole)) as document:
        assert values([*document.entries()]) == ([whole] if is_empty else expected)


def test_reading_on_begins_at_an_entry_or_at_an_offset(tmp_path: Path) -> None:
    document = opened(tmp_path, json.dumps({"session": SESSION, "items": ITEMS}))
    entries = [*document.entries()]
    assert [*document.entries(3, entries[3].offset)] == entries[3:]
    assert [*document.entries(start_offset=entries[2].offset + 1)] == entries[3:]


@pytest.mark.parametrize("cut", ["]}", ', {"type": "mess', "]", " 7", '}, "x": nul'])
def test_a_document_that_breaks_off_keeps_what_stands_before(tmp_path: Path, cut: str) -> None:
    text = json.dumps({"session": SESSION, "items": ITEMS})[:-2]
    *records, torn = [*opened(tmp_path, text + cut + ("" if cut != "]}" else "x")).entries()]
    assert values(records) == [SESSION, *ITEMS]
    assert (torn.state, torn.unreadable[0].line) == ("unreadable", 7)
    assert torn.offset + torn.length == len(text + cut) + (cut == "]}")


@pytest.mark.parametrize(
    "text", ["", "[1, 2]", "7", '{"a": 1}', "not json", '{"type": "message"}\n{"type": "message"}\n']
)
def test_what_is_no_such_document_is_read_as_lines(tmp_path: Path, text: str) -> None:
    document = opened(tmp_path, text)
    lines = JsonLines.open(document.path)
    assert [*document.entries()] == [*lines.entries()]


def test_items_that_are_no_objects_are_values(tmp_path: Path) -> None:
    entries = [*opened(tmp_path, '{"items": [1, {"a": 1}, "x"]}').entries()]
    assert [entry.state for entry in entries] == ["value", "record", "value"]


def test_a_document_beyond_the_limit_is_not_walked_through(tmp_path: Path) -> None:
    document = opened(tmp_path, b'{"items": [' + b" " * DOCUMENT_LIMIT + b'{"a": 1}]}')
    assert isinstance(document, JsonDocument)
    assert values([*document.entries()]) == [{"items": [{"a": 1}]}]


def test_a_document_that_was_written_anew_says_so(tmp_path: Path) -> None:
    document = opened(tmp_path, json.dumps({"items": ITEMS}))
    (tmp_path / "rollout-1.json").write_text(json.dumps({"items": [*ITEMS, *ITEMS]}), "utf-8")
    with pytest.raises(SourceChanged):
        document.grown()
