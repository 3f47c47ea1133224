"""JSON gives the rows of the command and the texts exactly."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given

from tests.core.export.hostile import texts
from tests.sessions import CLAUDE_CODE, Said, view_of
from unspool.export import export_view
from unspool.export.exhibit import CUT_BYTES
from unspool.views.bounds import Bounds
from unspool.views.view import SessionView

ALL = Bounds(10_000, 100_000_000, 100_000_000)


def written_of(view: SessionView, **options: Any) -> str:
    """Return the JSON of a view as written."""
    written: list[str] = []
    export_view(view, written.append, "json", **options)
    return "".join(written)


@given(texts, texts)
def test_what_is_read_back_is_what_the_view_reads(one: str, other: str) -> None:
    said: list[Said] = [("user", one or "x"), ("assistant", other), ("input", {one: other}), ("output", other + one)]
    view = view_of(said)
    written = written_of(view, rules=())
    assert written.isascii()
    assert written.replace("\n", "").isprintable()
    pieces = json.loads(written)["pieces"]
    read = view.read("E0-E9", bounds=ALL).pieces
    assert [piece["text"] for piece in pieces] == [piece.text for piece in read]
    rows = [row.to_json() for row in view.evidence().items]
    assert [{name: piece[name] for name in row} for piece, row in zip(pieces, rows, strict=True)] == rows


def test_the_file_says_what_it_holds() -> None:
    value = json.loads(written_of(view_of([("user", "Why?"), ("reasoning", "hm"), ("assistant", "So.")])))
    assert value["session"]["ref"] == "claude:memory"
    assert value["session"]["title"] == "Why?"
    assert value["session"]["pieces"] == 2
    assert value["session"]["pieces_in_all"] == 3
    assert value["summary"] == {"format": "json", "pieces": 2, "cut": 0, "redactions": {}}
    assert json.loads(written_of(view_of([("user", "x")]), rules=()))["summary"]["redactions"] is None


def test_one_piece_stands_on_each_line() -> None:
    lines = written_of(view_of([("user", "a\nb"), ("assistant", "c")])).strip().split("\n")
    assert [json.loads(line.removesuffix(","))["text"] for line in lines[1:-1]] == ["a\nb", "c"]


def test_a_cut_text_says_how_a_read_goes_on() -> None:
    text = "".join(f"line {number} é\n" for number in range(20_000))
    view = view_of([("user", "x"), ("input", {"a": 1}), ("output", text)])
    piece = json.loads(written_of(view))["pieces"][2]
    cut = piece["truncation"]
    assert cut["truncated"]
    assert cut["reason"] == "bytes"
    assert len(piece["text"].encode()) <= CUT_BYTES
    assert cut["omitted_bytes"] == len(text.encode()) - len(piece["text"].encode())
    rest = view.read("E2.0", after=cut["next"], bounds=ALL).pieces[0]
    assert piece["text"] + rest.text == text
    assert json.loads(written_of(view, full=True))["pieces"][2]["text"] == text


def test_a_text_of_many_windows_comes_whole() -> None:
    text = "".join(f"{number} 語\x1b[1m" for number in range(400_000))
    view = view_of([("user", "x"), ("input", {"a": 1}), ("output", text)], CLAUDE_CODE)
    assert json.loads(written_of(view, full=True))["pieces"][2]["text"] == text
