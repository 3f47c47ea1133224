"""A window of one piece: chosen by a selector, bounded, and continued without a byte lost."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sessions import CODEX, Said, view_of
from unspool.errors import BadQuery, BadReference, NotFound
from unspool.views.bounds import Bounds
from unspool.views.inspecting import inspect
from unspool.views.inspection import Inspection
from unspool.views.view import SessionView

LINES = [f"line {number}" for number in range(1, 101)]
TEXT = "\n".join(LINES)


def showing(text: str) -> SessionView:
    """A view whose E1.0 is an output with this text, and E0.0 its call."""
    return view_of([("input", {"command": "x"}), ("output", text)])


def asked(value: object) -> SessionView:
    """A view whose E0.0 is a call with these arguments."""
    said: list[Said] = [("input", value)]
    return view_of(said)


def found_tools() -> SessionView:
    """A view whose E0.0 is a result that is a list."""
    tools = {"type": "tool_search_output", "call_id": "c", "tools": [{"name": "a"}, {"name": "b"}]}
    return SessionView.of([{"type": "response_item", "payload": tools}], CODEX)


def large(extra: object) -> SessionView:
    """A view whose E0.0 is a call that is too long to be decoded with its record."""
    return asked({"command": "x" * (17 << 20), "extra": extra})


def all_windows(view: SessionView, selector: str | None, bounds: Bounds, target: str = "E1.0") -> list[Inspection]:
    """Read on until the end."""
    found = [inspect(target, selector, view=view, bounds=bounds)]
    while found[-1].truncation.next is not None:
        found.append(inspect(target, selector, view=view, bounds=bounds, after=found[-1].truncation.next))
    return found


def test_without_a_selector_the_whole_is_measured_and_its_beginning_shown() -> None:
    answer = inspect("E1.0", view=showing(TEXT))
    assert (answer.type, answer.size, answer.bytes) == ("text", 100, len(TEXT))
    assert answer.text == TEXT
    assert not answer.truncation.truncated
    assert list(answer.to_json()) == ["id", "type", "bytes", "lines", "text", "truncation"]


def test_lines_are_counted_from_one_and_both_ends_belong() -> None:
    assert inspect("E1.0", "lines:20-22", view=showing(TEXT)).text.rstrip("\n") == "line 20\nline 21\nline 22"


def test_an_end_behind_the_last_line_is_the_last_line() -> None:
    assert inspect("E1.0", "lines:99-999", view=showing(TEXT)).text == "line 99\nline 100"


def test_a_start_behind_the_last_line_says_how_many_there_are() -> None:
    answer = inspect("E1.0", "lines:101-120", view=showing(TEXT))
    assert answer.text == "(no line 101: the text has 100 lines)"
    assert not answer.truncation.truncated


@pytest.mark.parametrize("count", [1, 3, 100, 1000])
def test_the_tail_is_the_last_lines(count: int) -> None:
    assert inspect("E1.0", f"tail:{count}", view=showing(TEXT)).text == "\n".join(LINES[-count:])


def test_bytes_are_cut_inwards_to_characters() -> None:
    assert inspect("E1.0", "bytes:1..6", view=showing("äöü")).text == "öü"
    assert inspect("E1.0", "bytes:1..3", view=showing("äöü")).text == ""
    assert inspect("E1.0", "bytes:2..3", view=showing("ä😀")).text == ""


def test_a_start_inside_a_character_takes_nothing_of_the_bound() -> None:
    for start in (2, 3, 4):
        answer = inspect("E1.0", f"bytes:{start}..8", view=showing("Bꭰ𐐨"), bounds=Bounds(max_bytes=4))
        assert (answer.text, answer.truncation.truncated) == ("𐐨", False)


def test_grep_gives_the_lines_that_hold_a_text_with_their_numbers() -> None:
    assert inspect("E1.0", "grep:LINE 9", view=showing(TEXT)).text.split("\n")[:2] == ["9: line 9", "90: line 90"]


def test_grep_that_finds_nothing_says_so() -> None:
    assert inspect("E1.0", "grep:nowhere", view=showing(TEXT)).text == "(no line holds 'nowhere'; 100 lines searched)"


def test_grep_goes_on_behind_the_last_line_it_gave() -> None:
    bounds = Bounds(max_items=7)
    given = [line for each in all_windows(showing(TEXT), "grep:line", bounds) for line in each.text.split("\n")]
    assert given == [f"{number}: line {number}" for number in range(1, 101)]


def test_grep_shows_a_match_deep_inside_a_long_line() -> None:
    answer = inspect("E1.0", "grep:needle", view=showing("x" * 50_000 + "needle" + "y" * 50_000 + "\nneedle"))
    first, second = answer.text.split("\n")
    assert "needle" in first
    assert len(first) < 1_000
    assert second == "2: needle"


@pytest.mark.parametrize("most", [24, 40, 100, 399])
@pytest.mark.parametrize("before", [0, 30, 300, 5_000])
def test_grep_keeps_the_match_in_however_small_a_window(most: int, before: int) -> None:
    view = showing("x" * before + "needle" + "y" * 5_000)
    answer = inspect("E1.0", "grep:needle", view=view, bounds=Bounds(max_bytes=most))
    assert "needle" in answer.text
    assert len(answer.text.encode()) <= most


def test_elements_of_an_array_are_given_one_a_line() -> None:
    answer = inspect("E0.0", "slice:1..3", view=asked([1, {"a": 2}, "x", None]))
    assert (answer.type, answer.size, answer.text) == ("json_array", 4, '{"a":2}\n"x"')


def test_many_elements_go_on_with_a_slice() -> None:
    windows = all_windows(asked(list(range(10))), "slice:0..10", Bounds(max_items=4), "E0.0")
    assert [each.text for each in windows] == ["0\n1\n2\n3", "4\n5\n6\n7", "8\n9"]
    assert windows[0].truncation.next == "slice:4..10"


@given(
    value=st.lists(st.text("aß🚀", max_size=60), max_size=8),
    most=st.integers(4, 40),
    items=st.integers(1, 4),
)
def test_elements_read_on_are_all_given_once(value: list[str], most: int, items: int) -> None:
    windows = all_windows(asked(value), "slice:0..99", Bounds(max_bytes=most, max_items=items), "E0.0")
    whole = "".join(json.dumps(each, ensure_ascii=False) for each in value)
    assert "".join(each.text for each in windows).replace("\n", "") == whole or not value


def test_a_continuation_says_by_itself_what_it_continues() -> None:
    view = asked({"k": "abcdefgh", "other": "x"})
    first = inspect("E0.0", "key:k", view=view, bounds=Bounds(max_bytes=4))
    assert first.truncation.next == "key:k@b4"
    assert inspect("E0.0", view=view, after=first.truncation.next).text == "efgh"


def test_a_bound_below_one_character_is_an_error_and_no_endless_reading() -> None:
    with pytest.raises(BadQuery, match="max_tokens is too small"):
        inspect("E1.0", view=showing("abc"), bounds=Bounds(max_tokens=1, tokens=lambda text: 9 * len(text)))


def test_a_key_of_an_object_gives_its_value() -> None:
    view = asked({"command": "echo hi\necho ho", "n": [1, 2]})
    assert inspect("E0.0", "key:command", view=view).text == "echo hi\necho ho"
    assert inspect("E0.0", "key:n", view=view).text == "[1,2]"
    assert inspect("E0.0", view=view).to_json()["keys"] == 2


@pytest.mark.parametrize(
    ("said", "selector", "told"),
    [
        ({"a": 1}, "slice:0..1", "this is an object with the keys a: use key:NAME"),
        ([1], "key:a", r"this is an array of 1 entry: use slice:A\.\.B"),
        ({"a": 1, "b": 2}, "key:c", "no key 'c'; the keys are a, b"),
    ],
)
def test_a_selector_that_does_not_fit_names_the_one_that_does(said: object, selector: str, told: str) -> None:
    with pytest.raises(BadQuery, match=told):
        inspect("E0.0", selector, view=asked(said))


def test_a_structured_result_is_chosen_from_as_a_call_is() -> None:
    view = found_tools()
    assert inspect("E0.0", "slice:1..2", view=view).text == '{"name":"b"}'
    assert inspect("E0.0", view=view).to_json()["entries"] == 2
    view = view_of([("output", {"rows": [1, 2]})], CODEX)
    assert inspect("E0.0", "key:rows", view=view).text == "[1,2]"
    assert view.arguments(0) is None


SHAPES: dict[str, tuple[Callable[[], SessionView], str, list[str | None]]] = {
    "text": (lambda: showing("Bꭰ𐐨 line\n" * 9), "E1.0", [None, "bytes:1..99", "lines:2-8", "tail:3", "grep:line"]),
    "long line": (lambda: showing("ꭰ" * 900 + "needle" + "𐐨" * 900), "E1.0", [None, "lines:1-1", "grep:needle"]),
    "object": (lambda: asked({"k": "ꭰ𐐨" * 9, "n": [1, 2]}), "E0.0", [None, "key:k", "key:n", "bytes:0..30"]),
    "array": (lambda: asked(["ꭰ𐐨" * 9, 1, {"a": "b"}, "end"]), "E0.0", [None, "slice:0..4", "slice:1..3", "tail:1"]),
    "result": (found_tools, "E0.0", [None, "slice:0..2"]),
}
"""Views, the piece that is asked about, and selectors that fit it."""

TIGHT = {"bytes": Bounds(max_bytes=4), "tokens": Bounds(max_tokens=1), "items": Bounds(max_items=1)}
"""Bounds as tight as they can be, each by the reason that it gives."""


@pytest.mark.parametrize("bound", TIGHT)
@pytest.mark.parametrize(("shape", "selector"), [(name, each) for name, made in SHAPES.items() for each in made[2]])
def test_the_bound_that_was_given_is_the_one_that_is_named(shape: str, selector: str | None, bound: str) -> None:
    make, target, _ = SHAPES[shape]
    windows = all_windows(make(), selector, TIGHT[bound], target)
    assert {each.truncation.reason for each in windows[:-1]} <= {bound}
    assert windows[-1].truncation.reason is None
    most = {"bytes": 4, "tokens": 4, "items": 32_768}[bound]
    assert all(len(each.text.encode()) <= most for each in windows)
    assert bound == "items" or len(windows) > 1 or (selector or "").startswith("grep:")


def test_a_found_line_that_is_cut_says_so() -> None:
    view = showing("a line that is longer than its bound\nline")
    first, second = all_windows(view, "grep:line", Bounds(max_bytes=13))
    assert first.text == "1: …line…"
    assert second.text == "2: line"


@pytest.mark.parametrize(
    ("selector", "told"),
    [
        ("slice:1..1", "slice:1..1 is empty, for the end does not belong to it"),
        ("bytes:3..3", "bytes:3..3 is empty, for the end does not belong to it"),
        ("slice:9..12", "no entry 9: the array has 2 entries"),
        ("bytes:99..100", "no bytes from 99 on: the text has 5 bytes"),
        ("lines:9-12", "no line 9: the text has 1 line"),
        (f"lines:9-{'9' * 30}", "no line 9: the text has 1 line"),
        ("grep:nowhere", "no line holds 'nowhere'; 1 line searched"),
    ],
)
def test_a_window_in_which_nothing_lies_says_why(selector: str, told: str) -> None:
    answer = inspect("E0.0", selector, view=asked([1, 2]))
    assert (answer.text, answer.truncation.shown, answer.truncation.truncated) == (f"({told})", 0, False)


@pytest.mark.parametrize("selector", ["key:extra", "slice:0..1"])
def test_a_call_that_is_too_long_to_be_taken_apart_is_not_called_a_text(selector: str) -> None:
    with pytest.raises(BadQuery, match=r"this call of [0-9,]+ bytes is too long to be taken apart: use bytes:A\.\.B"):
        inspect("E0.0", selector, view=large(1))


def test_long_keys_are_named_by_their_beginning() -> None:
    with pytest.raises(BadQuery) as caught:
        inspect("E0.0", "key:x", view=asked({"k" * 5_000: 1}))
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize("after", ["", "x", "E1.0+4", "lines:9-1", "slice:0..1@b", "@b4"])
def test_what_is_no_continuation_is_told_as_such(after: str) -> None:
    with pytest.raises(BadQuery, match="not a continuation"):
        inspect("E1.0", view=showing(TEXT), after=after)


def test_structure_selectors_on_text_name_lines() -> None:
    with pytest.raises(BadQuery, match="this is text of 100 lines: use lines:A-B"):
        inspect("E1.0", "key:a", view=showing(TEXT))


def test_an_unknown_piece_is_not_found() -> None:
    with pytest.raises(NotFound, match=r"E9\.0"):
        inspect("E9.0", view=showing(TEXT))
    with pytest.raises(BadReference):
        inspect("nonsense", view=showing(TEXT))


@given(
    text=st.text(st.sampled_from("ab\n\r äß語🚀"), max_size=120),
    most=st.integers(4, 40),
    selector=st.sampled_from([None, "bytes:0..9999", "lines:1-999", "tail:999"]),
)
def test_windows_read_on_concatenate_to_the_text(text: str, most: int, selector: str | None) -> None:
    windows = all_windows(showing(text), selector, Bounds(max_bytes=most))
    if text:
        assert "".join(each.text for each in windows) == text
    assert all(len(each.text.encode()) <= most for each in windows if text)


@given(value=st.text(max_size=200), most=st.integers(4, 30))
def test_windows_of_a_key_concatenate_to_its_value(value: str, most: int) -> None:
    windows = all_windows(asked({"k": value}), "key:k", Bounds(max_bytes=most), "E0.0")
    assert "".join(each.text for each in windows) == value


def test_tokens_bound_too() -> None:
    answer = inspect("E1.0", view=showing("a" * 1000), bounds=Bounds(max_tokens=10, tokens=len))
    assert answer.text == "a" * 10
    assert answer.truncation.reason == "tokens"
    assert answer.truncation.next == "bytes:10..1000"


def test_exactly_full_is_not_truncated() -> None:
    answer = inspect("E1.0", view=showing("a" * 100), bounds=Bounds(max_bytes=100))
    assert answer.text == "a" * 100
    assert not answer.truncation.truncated


def test_an_empty_text_is_no_error() -> None:
    answer = inspect("E1.0", view=showing(""))
    assert (answer.size, answer.bytes, answer.text) == (0, 0, "")
    assert json.dumps(answer.to_json())
