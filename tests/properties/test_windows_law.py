"""Windows read on with `next` give every byte once; bounds are obeyed exactly; ids never shift."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sessions import Said, view_of, view_of_lines
from unspool.views.bounds import Bounds
from unspool.views.filter import Filter
from unspool.views.reading import ReadPiece
from unspool.views.view import SessionView

wide = st.text(st.sampled_from("aé日\U0001f680\n"), max_size=60)
sessions = st.lists(
    st.tuples(st.sampled_from(["user", "assistant", "output"]), wide)
    | st.tuples(st.just("input"), st.dictionaries(wide, wide, max_size=2)),
    min_size=1,
    max_size=5,
)
bounds = st.builds(
    Bounds,
    max_items=st.integers(1, 4),
    max_bytes=st.integers(4, 40),
    max_tokens=st.integers(1, 12),
    tokens=st.none() | st.just(lambda text: len(text)),
)


def windows(view: SessionView, bound: Bounds, model_view: bool = False) -> dict[str, str]:
    """Read everything window by window; return the texts, checking the bounds on the way."""
    texts: dict[str, str] = {}
    after, seen = None, 0
    while True:
        reading = view.read(f"E0-E{view.entries}", bounds=bound, after=after, model_view=model_view)
        given_texts = [piece.text for piece in reading.pieces]
        count = bound.tokens or (lambda text: -(-len(text.encode()) // 4))
        assert len(given_texts) <= bound.max_items
        assert sum(len(text.encode()) for text in given_texts) <= bound.max_bytes
        assert sum(count(text) for text in given_texts) <= bound.max_tokens
        assert reading.truncation.shown == len(reading.pieces)
        for piece in reading.pieces:
            assert isinstance(piece, ReadPiece)
            before = texts.get(str(piece.evidence.id), "")
            assert piece.offset == len(before.encode())
            assert piece.line == before.count("\n") + 1
            texts[str(piece.evidence.id)] = before + piece.text
        after, seen = reading.truncation.next, seen + 1
        assert (after is not None) == reading.truncation.truncated
        if after is None:
            return texts
        assert seen < 10_000


@settings(max_examples=300, deadline=None)
@given(sessions, bounds)
def test_windows_concatenate_to_the_texts(spoken: list[Said], bound: Bounds) -> None:
    view = view_of(spoken)
    if not view.rows:
        return
    whole = view.read(f"E0-E{view.entries}", bounds=Bounds(10_000, 10_000_000, 10_000_000))
    expected = {str(piece.evidence.id): piece.text for piece in whole.pieces if isinstance(piece, ReadPiece)}
    assert windows(view, bound) == expected
    assert all(view.bytes(row) == len(expected[str(view.id(row))].encode()) for row in range(view.rows))


@settings(max_examples=200, deadline=None)
@given(sessions)
def test_exactly_full_is_not_truncated(spoken: list[Said]) -> None:
    view = view_of(spoken)
    rows = range(view.rows)
    total = sum(view.bytes(row) for row in rows)
    if not rows or total < 4:
        return
    exact = Bounds(len(rows), total, 10_000)
    assert not view.read(f"E0-E{view.entries}", bounds=exact).truncation.truncated
    if total > 4:
        less = view.read(f"E0-E{view.entries}", bounds=Bounds(len(rows), total - 1, 10_000)).truncation
        assert less.truncated
        assert less.reason == "bytes"
        assert less.omitted_bytes is not None
        assert less.omitted_bytes >= 1


@settings(max_examples=200, deadline=None)
@given(wide, st.integers(0, 200), st.integers(0, 200))
def test_a_slice_is_cut_inwards_to_characters(text: str, start: int, length: int) -> None:
    view = view_of([("user", "x" + text)])
    data = ("x" + text).encode()
    window = view.slice("E0.0", bytes=(start, start + length))
    assert data[window.start : window.stop].decode() == window.text
    assert start <= window.start or start > len(data)
    assert window.stop <= max(start + length, window.start)
    assert window.first_line == data[: window.start].count(b"\n") + 1
    missed = data[min(start, len(data)) : window.start] + data[window.stop : min(start + length, len(data))]
    assert len(missed) <= 6 or length < 4


@settings(max_examples=200, deadline=None)
@given(wide, st.integers(1, 9), st.integers(0, 9))
def test_a_slice_of_lines_holds_exactly_these_lines(text: str, first: int, more: int) -> None:
    text = "x" + text
    window = view_of([("user", text)]).slice("E0.0", lines=(first, first + more))
    assert window.text == "".join(text.splitlines(keepends=True)[first - 1 : first + more])


@settings(max_examples=100, deadline=None)
@given(sessions)
def test_the_sum_over_all_counts_is_the_whole_index(spoken: list[Said]) -> None:
    view = view_of(spoken)
    every = view.evidence(Filter(reasoning=True, hidden=True), limit=None)
    assert view.counts.total == every.total == len(every.items) == view.rows


@settings(max_examples=100, deadline=None)
@given(sessions)
def test_ids_of_a_prefix_are_those_of_the_whole(spoken: list[Said]) -> None:
    whole = view_of(spoken)
    ids = [str(whole.id(row)) for row in range(whole.rows)]
    for end in range(len(spoken)):
        part = view_of(spoken[:end])
        assert [str(part.id(row)) for row in range(part.rows)] == ids[: part.rows]


def test_numbers_are_read_as_they_are_written(tmp_path: Path) -> None:
    raw = '{"n":1.10,"big":123456789012345678901234567890,"e":1E400,"z":-0,"s":"1.10"}'
    record = {"type": "assistant", "uuid": "u", "message": {"content": [{"type": "tool_use", "id": "t", "name": "X"}]}}
    line = json.dumps(record).replace('"name": "X"', f'"name": "X", "input": {raw}')
    view = view_of_lines([line], tmp_path)
    assert view.read("E0.0").pieces[0].text == raw
    assert view.search("1.10").total == view.search("123456789012345678901234567890").total == 1
