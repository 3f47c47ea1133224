"""A search decodes no record whose text stands in it as it is, and reads nothing that lies far from what is wanted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sessions import CLAUDE_CODE, CODEX, MINICODE, records_of, view_of_lines
from unspool.columns.source import LineSource
from unspool.formats.base import Format
from unspool.search.blocks import GAP
from unspool.sources.json_value import compact, leaves
from unspool.sources.jsonl import JsonLines
from unspool.views.filter import Filter

SAID = [
    ("user", "where is the needle"),
    ("reasoning", "a needle, a needle"),
    ("input", {"command": ["find", "-name", "needle"], "limit": 10}),
    ("output", 'needle\n"needles"\n'),
    ("assistant", "Needle found"),
] * 4


@pytest.fixture
def undecoded(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a record was decoded")

    monkeypatch.setattr(LineSource, "record", refused)


@pytest.fixture
def ranges(monkeypatch: pytest.MonkeyPatch) -> list[range]:
    found: list[range] = []
    read = JsonLines.read

    def noting(lines: JsonLines, offset: int, length: int) -> bytes:
        found.append(range(offset, offset + length))
        return read(lines, offset, length)

    monkeypatch.setattr(JsonLines, "read", noting)
    return found


@pytest.mark.parametrize("format", [CLAUDE_CODE, CODEX, MINICODE], ids=lambda format: format.agent)
@pytest.mark.parametrize("query", ["needle", "e", '"needles"', "\n", "10"])
def test_what_stands_as_it_is_is_found_and_counted_without_decoding(
    tmp_path: Path, undecoded: None, format: Format, query: str
) -> None:
    view = view_of_lines([compact(record) for record in records_of(SAID, format)], tmp_path, format)
    found = dict(view.search_rows(query, case="exact", rows=range(view.rows)))
    searched = [[what] if who != "input" else [*leaves(what), view.tool(2) or ""] for who, what in SAID]
    counts = [sum(text.count(query) for text in texts) for texts in searched]
    assert found == {row: count for row, count in enumerate(counts) if count}
    assert found


def picture(number: int) -> dict[str, Any]:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo" * 999}}
    content = [{"type": "text", "text": f"see {number}"}, image]
    return {"type": "user", "uuid": f"u{number}", "message": {"content": content}}


def test_no_record_with_an_image_is_decoded(tmp_path: Path, undecoded: None) -> None:
    view = view_of_lines([json.dumps(picture(number)) for number in range(8)], tmp_path)
    assert dict(view.search_rows("e")) == dict.fromkeys(range(8), 4)
    assert dict(view.search_rows("see 5\n[image")) == {5: 1}
    assert dict(view.search_rows("iVBORw0KGgo")) == {}


def test_what_no_filter_wants_is_not_read(tmp_path: Path, ranges: list[range]) -> None:
    said = [("assistant", "needle " * GAP), ("user", "a needle")] * 8
    view = view_of_lines([compact(record) for record in records_of(said, CLAUDE_CODE)], tmp_path)
    ranges.clear()
    assert [row for row, _ in view.search_rows("needle", Filter.parse("kind:user")[0])] == list(range(1, 16, 2))
    assert sum(map(len, ranges)) < GAP
    ranges.clear()
    assert len(list(view.search_rows("needle"))) == 16
    assert sum(map(len, ranges)) > view.size - 16
