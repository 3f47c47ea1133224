"""Records too long to be held are searched window by window, and decoded only where their bytes do not tell."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sessions import CLAUDE_CODE
from unspool.columns.records import Records
from unspool.columns.side_files import SideFiles
from unspool.columns.source import LineSource
from unspool.search import windows
from unspool.search.needle import Needle
from unspool.search.scan import matching_rows
from unspool.search.windows import mentions, proves
from unspool.search.written import Written
from unspool.sources import structure
from unspool.sources.jsonl import JsonLines
from unspool.views.opened import Opened

LIMIT = 1_000
"""Bytes from which a record is not held here."""

Write = Callable[..., Records]


def reader(raw: bytes) -> Callable[[int, int], bytes]:
    return lambda offset, length: raw[offset : offset + length]


def rows(records: Records, query: str, *, counted: bool = True) -> list[int]:
    every = range(len(records.columns))
    return [row for row, _ in matching_rows(records, every, Needle.of(query), counted=counted)]


@pytest.fixture
def long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    monkeypatch.setattr(structure, "CLIP", 64)

    def records(*texts: str, escaped: bool = False) -> Records:
        path = tmp_path / "session.jsonl"
        said = [
            {"type": "user", "uuid": f"u{number}", "message": {"content": [{"type": "text", "text": text}]}}
            for number, text in enumerate(texts)
        ]
        path.write_text("".join(f"{json.dumps(record, ensure_ascii=escaped)}\n" for record in said))
        assert path.stat().st_size > LIMIT * len(texts)
        lines = JsonLines.open(path, LIMIT)
        return Opened.of(lines, CLAUDE_CODE, SideFiles(None)).records

    return records


@pytest.fixture
def undecoded(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a record was decoded")

    return lambda: monkeypatch.setattr(LineSource, "record", refused)


@pytest.mark.parametrize("query", ["é", '"quoted"', "x" * 99, "\n", "needle"])
def test_what_stands_in_a_long_text_is_found_without_decoding_it(
    long: Write, undecoded: Callable[[], None], query: str
) -> None:
    records = long(f'{"x" * LIMIT}é "quoted"\nneedle')
    undecoded()
    assert rows(records, query, counted=False) == [0]


@pytest.mark.parametrize("query", ["absent", "é", "a/b", "quiz\nx"])
def test_a_long_text_in_which_nothing_can_stand_is_not_decoded(
    long: Write, undecoded: Callable[[], None], query: str
) -> None:
    records = long("x" * LIMIT + "\n\x1b[0m")
    undecoded()
    assert rows(records, query) == []


@pytest.mark.parametrize("query", ["é", "a/b", "É"])
def test_what_a_long_text_hides_behind_escapes_is_found(long: Write, query: str) -> None:
    records = long("x" * LIMIT + "é a/b", "y" * LIMIT, escaped=True)
    assert rows(records, query) == [0]


@pytest.mark.parametrize("size", [1, 2, 7, 64, 500])
@pytest.mark.parametrize("query", ["n", "\n", "\\n", "00", "é", "u00e", "\\", "nn"])
def test_a_match_is_proven_only_where_the_text_holds_it(monkeypatch: pytest.MonkeyPatch, query: str, size: int) -> None:
    monkeypatch.setattr(windows, "WINDOW", size)
    needle = Needle.of(query, "exact")
    for text in (
        "\n",
        "\\n",
        "\\" * 99 + "n",
        "\\" * 98 + "\n",
        "a\x1b",
        "\\u00e9",
        "é" * 9,
        "x" * 99 + "nn",
        "n\n" * 40,
    ):
        written = json.dumps(text, ensure_ascii=False)[1:-1].encode()
        proven = proves(reader(written), 0, len(written), Written.of(needle, 1))
        assert proven <= (query in text), (text, query)
        if "\\" * 9 not in text:
            assert proven == (query in text), (text, query)


@pytest.mark.parametrize("size", [1, 5, 500])
def test_nothing_is_missed_between_two_windows(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(windows, "WINDOW", size)
    needle = Needle.of("needle")
    for before in range(12):
        raw = b"." * before + b"NEEDLE" + b"." * 9
        finds = [needle.finder]
        assert mentions(reader(raw), 0, len(raw), finds, needle.overlap)
        assert not mentions(reader(raw), 0, before + 5, finds, needle.overlap)
