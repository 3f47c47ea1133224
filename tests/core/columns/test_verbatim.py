"""Where a text is said to stand verbatim, the bytes of the source say what it says; nearly all texts do stand there."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.sessions import CLAUDE_CODE, CODEX, MINICODE, YOI, records_of, view_of_lines
from unspool.columns.verbatim import DOCUMENT, NOWHERE, SPACED, TEXT, UNKNOWN, VALUE, Verbatim, searched
from unspool.formats.base import Format
from unspool.formats.piece import ImagePart, JsonPart, Kind, Piece, TextPart
from unspool.sources.json_value import compact, leaves

SAID = [
    ("user", 'a "quoted" word\n'),
    ("assistant", "é 日本 \x1b[31m\\n"),
    ("input", {"command": ["ls", "-l"], "deep": {"a\n": 1.5}}),
    ("output", "{}"),
    ("reasoning", "a"),
    ("output", "a"),
]


@pytest.mark.parametrize("format", [CLAUDE_CODE, CODEX, YOI, MINICODE], ids=lambda format: format.agent)
def test_what_stands_there_is_what_a_piece_says(tmp_path: Path, format: Format) -> None:
    lines = [compact(record) for record in records_of(SAID, format)]
    view = view_of_lines(lines, tmp_path, format)
    raw, verbatim = (tmp_path / "session.jsonl").read_bytes(), view._opened.builder.verbatim
    forms = list(verbatim.forms)
    for row, (form, start, length) in enumerate(zip(forms, verbatim.starts, verbatim.lengths, strict=True)):
        text, value = view.read(view.id(row)).pieces[0].text, view.structure(row)
        if form > NOWHERE:
            said = list(searched(raw[start : start + length], form))
            assert said == ([text] if value is None else list(leaves(value)))
    cut = 1 if format is YOI else 0  # what is typed comes in segments
    structured = DOCUMENT if format in (CODEX, YOI) else VALUE
    assert forms[cut:] == [TEXT, TEXT, structured, TEXT, TEXT, TEXT][cut:]


def noted(text: str, raw: str, part: Any = None) -> tuple[int, bytes]:
    verbatim, data = Verbatim(), raw.encode()
    piece = Piece(0, Kind.USER, (part or TextPart((), text),))
    verbatim.note(0, piece, text, data, 100)
    start = verbatim.starts[0] - 100
    return verbatim.forms[0], data[start : start + verbatim.lengths[0]] if verbatim.forms[0] > NOWHERE else b""


def test_a_text_with_unusual_escapes_stands_nowhere() -> None:
    assert noted("é/", '{"a":"é/"}') == (TEXT, b"\xc3\xa9/")
    assert noted("é/", '{"a":"é\\/"}')[0] == NOWHERE
    assert noted("é/", json.dumps({"a": "é/"}))[0] == NOWHERE
    assert noted("\ud800", '{"a":"\\ud800"}')[0] == NOWHERE
    assert noted("", '{"a":""}')[0] == NOWHERE


def test_a_text_is_told_from_those_that_begin_like_it() -> None:
    alike = "x" * 100
    assert noted(alike + "2", f'{{"a":"{alike}1","b":"{alike}2"}}') == (TEXT, alike.encode() + b"2")
    many = ",".join(f'"{alike}1"' for _ in range(100))
    assert noted(alike + "2", f'[{many},"{alike}2"]')[0] == NOWHERE


def test_a_value_stands_where_it_is_written_compactly() -> None:
    value = {"a": [1, "é"]}
    part = JsonPart((), value)
    assert noted(compact(value), f'{{"x":{compact(value)}}}', part) == (VALUE, compact(value).encode())
    assert noted(compact(value), '{"x":{"a": [1,"é"]}}', part)[0] == NOWHERE
    encoded = json.dumps(compact(value), ensure_ascii=False)
    found = noted(compact(value), f'{{"x":{encoded}}}', JsonPart((), value, encoded=True))
    assert found == (DOCUMENT, encoded[1:-1].encode())
    assert noted("5", '{"x":5}', JsonPart((), 5))[0] == NOWHERE


def test_a_document_with_blanks_stands_where_it_is_written_like_the_text_but_for_them() -> None:
    value = {"a b": [1, "é\n", {"c:": " x "}], "d": 1.5}
    part = JsonPart((), value, encoded=True)
    encoded = json.dumps(json.dumps(value, ensure_ascii=False), ensure_ascii=False)
    assert noted(compact(value), f'{{"y":"no","x":{encoded}}}', part) == (SPACED, encoded[1:-1].encode())
    blanks = '{"a b":[1,\t"é\\n" , {"c:":" x "}],\n"d":1.5 }'
    encoded = json.dumps(blanks, ensure_ascii=False)
    assert noted(compact(value), f'{{"x":{encoded}}}', part) == (SPACED, encoded[1:-1].encode())
    for unusual in (
        blanks.replace("é", "\\u00e9"),
        blanks.replace('"d":', '"d":2,"d":'),
        blanks.replace("1.5", "1.50"),
    ):
        assert noted(compact(value), f'{{"x":{json.dumps(unusual, ensure_ascii=False)}}}', part)[0] == NOWHERE
    assert noted(compact(value), f'{{"x":{json.dumps(blanks)}}}', part)[0] == NOWHERE


def test_equal_texts_of_one_record_stand_one_behind_the_other() -> None:
    verbatim, raw = Verbatim(), b'{"a":"same","b":"same","c":"same"}'
    for row in range(3):
        verbatim.note(row, Piece(row, Kind.USER, (TextPart((), "same"),)), "same", raw, 50)
    assert [start - 50 for start in verbatim.starts] == [6, 17, 28]


def test_rows_that_nobody_noted_are_unknown() -> None:
    verbatim = Verbatim()
    verbatim.reach(3)
    verbatim.reach(2)
    assert list(verbatim.forms) == [UNKNOWN] * 3


def test_short_texts_that_stand_nowhere_are_kept_and_long_ones_are_not() -> None:
    verbatim, picture = Verbatim(), ImagePart((), "image/png", 3)
    pieces = [
        Piece(0, Kind.USER, (TextPart((), "see é"), picture)),
        Piece(1, Kind.USER, (TextPart((), "é" * 5_000), picture)),
        Piece(2, Kind.USER, (JsonPart((), {"a": "é"}), picture)),
        Piece(3, Kind.USER, ()),
    ]
    for row, piece in enumerate(pieces):
        verbatim.note(row, piece, piece.text(), b"{}", 0)
    assert verbatim.texts == {0: "see é\n[image image/png 3]".encode()}
    for row in range(4, 5_000):
        verbatim.note(row, pieces[0], "x" * 4_000, b"{}", 0)
    assert sum(map(len, verbatim.texts.values())) <= 4 << 20
    assert len(verbatim.texts) > 1_000


def test_several_threads_may_make_room_at_once() -> None:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(60):
            verbatim, begin = Verbatim(), threading.Barrier(4)

            def grow(offset: int, verbatim: Verbatim = verbatim, begin: threading.Barrier = begin) -> None:
                begin.wait()
                for rows in range(offset, 1_000, 3):
                    verbatim.reach(rows)

            threads = [threading.Thread(target=grow, args=(offset,)) for offset in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert {len(verbatim.starts), len(verbatim.lengths), len(verbatim.forms)} == {999}
    finally:
        sys.setswitchinterval(interval)
