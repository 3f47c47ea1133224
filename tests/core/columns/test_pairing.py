"""Calls and results find each other by their id, wherever they stand; what is left over says so."""

from __future__ import annotations

import time
from array import array
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.properties.laws import law
from unspool.formats.base import Format
from unspool.formats.claude_code import CLAUDE_CODE
from unspool.formats.codex import CODEX
from unspool.formats.minicode import MINICODE
from unspool.formats.piece import Flag
from unspool.views.view import SessionView


def session(*steps: str) -> SessionView:
    """A session of one piece per entry: `in a` calls, `out a` answers; `!` in front writes a record again."""
    first = {step: steps.index(step) for step in steps if step.startswith("!")}
    return SessionView.of([_record(first.get(step, number), step) for number, step in enumerate(steps)], CLAUDE_CODE)


def _record(number: int, step: str) -> dict[str, Any]:
    half, _, call = step.lstrip("!").partition(" ")
    uuid = f"{half} {call}" if step.startswith("!") else f"{number}"
    if half == "in":
        block = {"type": "tool_use", "id": call, "name": f"Tool {call}", "input": {"n": number}}
    else:
        block = {"type": "tool_result", "tool_use_id": call, "content": f"answer {number}"}
    kind = "assistant" if half == "in" else "user"
    return {"type": kind, "uuid": uuid, "message": {"content": [block]}}


def _said(uuid: str, words: str) -> dict[str, Any]:
    return {"type": "user", "uuid": uuid, "message": {"content": words}}


def _item(name: str, call: str, word: str) -> dict[str, Any]:
    arguments = {"type": "function_call", "name": "x", "id": name, "call_id": call, "arguments": f'{{"a":"{word}"}}'}
    return {"type": "response_item", "payload": arguments}


def flags(view: SessionView) -> list[set[str]]:
    return [set(view.flags(row).names()) for row in range(view.rows)]


def peers(view: SessionView) -> list[int | None]:
    return [view.peer_row(row) for row in range(view.rows)]


def tools(view: SessionView) -> list[str | None]:
    return [view.tool(row) for row in range(view.rows)]


def test_parallel_results_out_of_order_find_their_calls() -> None:
    view = session("in a", "in b", "in c", "out c", "out a", "out b")
    assert peers(view) == [4, 5, 3, 2, 0, 1]
    assert tools(view) == ["Tool a", "Tool b", "Tool c", "Tool c", "Tool a", "Tool b"]
    assert flags(view) == [set()] * 6


def test_a_result_before_its_call_is_adopted_by_it() -> None:
    view = session("out a", "out a", "in a", "out a")
    assert peers(view) == [2, 2, 0, 2]
    assert view.peer_rows(2) == [0, 1, 3]
    assert tools(view) == ["Tool a"] * 4
    assert flags(view) == [set(), {"duplicate"}, set(), {"duplicate"}]


def test_a_result_without_a_call_is_an_orphan_without_a_name() -> None:
    view = session("in a", "out b", "out a")
    assert peers(view) == [2, None, 0]
    assert tools(view) == ["Tool a", None, "Tool a"]
    assert flags(view) == [set(), {"orphan"}, set()]


def test_a_call_without_a_result_is_unanswered() -> None:
    view = session("in a", "in b", "out b")
    assert flags(view) == [{"unanswered"}, set(), set()]
    assert peers(view) == [None, 2, 1]


def test_a_second_result_is_a_duplicate_and_the_first_stays_the_peer() -> None:
    view = session("in a", "out a", "out a")
    assert peers(view) == [1, 0, 0]
    assert view.peer_rows(0) == [1, 2]
    assert [str(peer) for peer in view.evidence_at(0).peers] == ["E1.0", "E2.0"]
    assert str(view.evidence_at(0).peer) == "E1.0"
    assert flags(view) == [set(), set(), {"duplicate"}]


def test_what_is_written_again_is_replayed_and_no_duplicate() -> None:
    view = session("!in a", "!out a", "!in a", "!out a")
    assert flags(view) == [set(), set(), {"replayed"}, {"replayed"}]
    assert peers(view) == [1, 0, 1, 0]


OTHER_WORDS: dict[str, tuple[Format, list[dict[str, Any]]]] = {
    "prompts": (CLAUDE_CODE, [_said("u", "Glaze it"), _said("u", "Fire it")]),
    "calls of one record": (CLAUDE_CODE, [_record(0, "!in a"), _record(1, "!in a")]),
    "results of one record": (CLAUDE_CODE, [_record(0, "!out a"), _record(1, "!out a")]),
    "items": (CODEX, [_item("i", "c", "uno"), _item("i", "c", "dos")]),
    "items of other calls": (CODEX, [_item("i", "c", "uno"), _item("i", "d", "uno")]),
}


@pytest.mark.parametrize("kind", OTHER_WORDS)
def test_an_id_that_is_used_again_for_something_else_is_no_copy(kind: str) -> None:
    format, records = OTHER_WORDS[kind]
    other = SessionView.of(records, format)
    assert other.counts.replayed == 0
    assert SessionView.of([*records, *records], format).counts.replayed == 2


def test_a_call_that_is_written_twice_before_its_result_is_answered_twice() -> None:
    view = session("!in a", "!in a", "in b", "out a")
    assert flags(view) == [set(), {"replayed"}, {"unanswered"}, set()]
    assert peers(view) == [3, 3, None, 0]
    assert view.peer_rows(3) == [0, 1]


def test_calls_and_results_without_an_id_are_never_paired() -> None:
    call = {"type": "response_item", "payload": {"type": "function_call", "name": "x", "arguments": "{}"}}
    result = {"type": "response_item", "payload": {"type": "function_call_output", "output": "done"}}
    view = SessionView.of([call, result, call, result], CODEX)
    assert peers(view) == [None] * 4
    assert flags(view) == [set(), {"orphan"}, set(), {"orphan"}]


def test_thousands_of_results_before_their_calls_cost_no_more_than_behind_them() -> None:
    number = 4000
    began = time.process_time()
    session(*(f"in {call}" for call in range(number)), *(f"out {call}" for call in range(number)))
    behind = time.process_time() - began
    began = time.process_time()
    view = session(*(f"out {call}" for call in range(number)), *(f"in {call}" for call in range(number)))
    before = time.process_time() - began
    assert peers(view)[:2] == [number, number + 1]
    assert before < 3 * behind + 1


class Watched(array):  # type: ignore[type-arg]
    """A column that notes what is asked of it."""

    asked: list[object]

    def __getitem__(self, at: Any) -> Any:
        self.asked.append(at)
        return super().__getitem__(at)


def test_one_piece_asks_for_no_other_row() -> None:
    view = session("in a", "out a", "out a", "in b", "out b")
    calls = view._columns.call = Watched("I", view._columns.call)
    calls.asked = []
    assert (view.peer_rows(1), view.peer_rows(3)) == ([0], [4])
    assert set(calls.asked) <= {1, 3}


STEPS = st.lists(st.tuples(st.sampled_from(["in", "out"]), st.sampled_from("abc")).map(" ".join), max_size=12)


@law
@given(STEPS)
def test_pairing_is_that_of_a_plain_count(steps: list[str]) -> None:
    view = session(*steps)
    for row, step in enumerate(steps):
        half, _, call = step.partition(" ")
        calls = [other for other, each in enumerate(steps) if each == f"in {call}"]
        results = [other for other, each in enumerate(steps) if each == f"out {call}"]
        others = results if half == "in" else calls
        assert view.peer_rows(row) == others
        assert view.peer_row(row) == (others[0] if others else None)
        lonely = Flag.UNANSWERED if half == "in" else Flag.ORPHAN
        wanted = Flag(0) if others else lonely
        wanted |= Flag.DUPLICATE if half == "out" and row != results[0] else Flag(0)
        assert view.flags(row) == wanted


def test_a_command_that_stands_in_its_own_output_is_no_orphan() -> None:
    view = SessionView.of([_said("u", "<bash-input>ls</bash-input><bash-stdout>a</bash-stdout>")], CLAUDE_CODE)
    assert flags(view) == [{"by_user"}]


def test_a_result_that_names_its_tool_keeps_it_though_its_call_comes_late_and_names_another() -> None:
    told = {"toolUseId": "c", "toolName": "run"}
    result = {"type": "tool_result", "uuid": "u1", "message": {"role": "tool_result", **told, "content": "done"}}
    call = {"role": "assistant_tool_call", "toolUseId": "c", "toolName": "look", "input": {}}
    view = SessionView.of([result, {"type": "tool_call", "uuid": "u2", "message": call}], MINICODE)
    assert (tools(view), peers(view), flags(view)) == (["run", "look"], [1, 0], [set(), set()])
