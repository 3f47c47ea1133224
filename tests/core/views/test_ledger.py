"""The ledger: what outputs made, what the model saw of them, and which paths they were about."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.views.persisted import session_of, side_folder, stub
from tests.sessions import CLAUDE_CODE, view_of
from unspool.ids import EntryRange
from unspool.views import path_uses
from unspool.views.filter import Filter
from unspool.views.ledger import Ledger, Weight
from unspool.views.path_uses import PathUses
from unspool.views.view import SessionView

CWD = "/home/ada/shop"


def call(number: int, tool: str, **arguments: object) -> dict[str, object]:
    block = {"type": "tool_use", "id": f"t{number}", "name": tool, "input": arguments}
    return {"type": "assistant", "uuid": f"c{number}", "cwd": CWD, "message": {"role": "assistant", "content": [block]}}


def result(number: int, text: str, *, error: bool = False) -> dict[str, object]:
    block = {"type": "tool_result", "tool_use_id": f"t{number}", "content": text, "is_error": error}
    return {"type": "user", "uuid": f"r{number}", "cwd": CWD, "message": {"role": "user", "content": [block]}}


def prompt(text: str) -> dict[str, object]:
    return {"type": "user", "uuid": text, "cwd": CWD, "message": {"role": "user", "content": text}}


def tools() -> SessionView:
    records = [
        prompt("look at @src/a.py"),
        call(1, "Read", file_path=f"{CWD}/src/a.py"), result(1, "a" * 300),
        call(2, "Bash", command="ls"), result(2, "b" * 50),
        call(3, "Edit", file_path="src/a.py", old_string="x", new_string="y"), result(3, "no", error=True),
        call(4, "Read", file_path="/etc/hosts"), result(4, "c" * 900),
        result(9, "d" * 70),
    ]  # fmt: skip
    return SessionView.of(records, CLAUDE_CODE)


def ids(view: SessionView, rows: object) -> list[str]:
    return [str(view.id(row)) for row in rows]  # type: ignore[attr-defined]


def test_outputs_stand_largest_first_and_equal_ones_in_their_order() -> None:
    view = view_of([("output", "x" * size) for size in (3, 9, 1, 9, 4)])
    assert ids(view, Ledger.of(view, view.select(Filter())).rows) == ["E1.0", "E3.0", "E4.0", "E0.0", "E2.0"]


def test_only_outputs_among_the_rows_are_weighed() -> None:
    view = tools()
    ledger = Ledger.of(view, range(view.rows))
    assert (ledger.total.outputs, ledger.total.made) == (5, 300 + 50 + 2 + 900 + 70)
    part = Ledger.of(view, view.select(Filter(within=EntryRange.parse("E2-E5"))))
    assert ids(view, part.rows) == ["E2.0", "E4.0"]


def test_an_output_that_was_taken_back_is_weighed_where_it_is_among_the_rows() -> None:
    gone = {"type": "system", "subtype": "model_refusal_fallback", "uuid": "s", "retractedMessageUuids": ["r2"]}
    records = [prompt("begin"), call(1, "Read"), result(1, "a"), call(2, "Read"), result(2, "bb"), gone]
    view = SessionView.of(records, CLAUDE_CODE)
    assert Ledger.of(view, range(view.rows)).total.made == 3
    assert Ledger.of(view, view.select(Filter())).total.made == 1


def test_tools_are_weighed_heaviest_first_with_their_largest_output() -> None:
    view = tools()
    found = Ledger.of(view, range(view.rows)).tools
    assert [(tool, weight.outputs, weight.made) for tool, weight in found.items()] == [
        ("Read", 2, 1200), (None, 1, 70), ("Bash", 1, 50), ("Edit", 1, 2),
    ]  # fmt: skip
    assert found["Read"].worst == view.row("E8.0")


@given(st.lists(st.tuples(st.sampled_from(("Read", "Bash", "Edit")), st.integers(0, 4)), max_size=12))
def test_all_tools_together_weigh_what_their_outputs_do_one_by_one(outputs: list[tuple[str, int]]) -> None:
    records = [
        each
        for number, (tool, size) in enumerate(outputs)
        for each in (call(number, tool, command="x"), result(number, "a" * size))
    ]
    view = SessionView.of([prompt("begin"), *records], CLAUDE_CODE)
    whole = Weight()
    for row in range(view.rows):
        whole.add(view, row)
    assert Ledger.of(view, range(view.rows)).total == whole


def test_what_was_stored_weighs_in_full_and_is_seen_in_part(tmp_path: Path) -> None:
    (side_folder(tmp_path) / "x.txt").write_text("y" * 9999)
    view = session_of(tmp_path, stub("x.txt"), "plain")
    total = Ledger.of(view, range(view.rows)).total
    assert (total.outputs, total.stored, total.made, total.seen) == (2, 1, 9999 + 5, len(stub("x.txt")) + 5)


def test_what_the_agent_cut_is_counted_apart_from_what_is_kept_elsewhere() -> None:
    records = [call(1, "Grep", pattern="x"), result(1, "a.py:1") | {"toolUseResult": {"truncated": True}}]
    view = SessionView.of([*records, call(2, "Bash", command="ls"), result(2, "b")], CLAUDE_CODE)
    total = Ledger.of(view, range(view.rows)).total
    assert (total.outputs, total.stored, total.cut) == (2, 1, 1)


def test_a_session_without_outputs_has_an_empty_ledger() -> None:
    view = view_of([("user", "hello")])
    ledger = Ledger.of(view, range(view.rows))
    assert (list(ledger.rows), ledger.total.made, ledger.total.worst, dict(ledger.tools)) == ([], 0, None, {})


def uses_of(view: SessionView) -> PathUses:
    return PathUses.of(view, view.select(Filter()))


def test_a_path_collects_calls_results_and_prompts_under_one_name() -> None:
    uses = uses_of(tools())
    assert [(use.path, use.pieces, use.calls, use.errors, use.weight.made) for use in uses.ranked()] == [
        ("/etc/hosts", 2, 1, 0, 900),
        ("src/a.py", 5, 2, 1, 302),
    ]
    assert uses.ranked()[1].last == 6


def test_a_path_is_touched_by_just_the_pieces_that_its_filter_finds() -> None:
    view = tools()
    for use in uses_of(view).ranked():
        found = view.wanted(Filter(path=use.path))
        assert len(found) == use.pieces
        assert found[-1] == use.last


def test_paths_beyond_the_bound_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(path_uses, "PATHS_MOST", 1)
    uses = uses_of(tools())
    assert (len(uses), uses.ranked()[0].path, uses.others) == (1, "src/a.py", 2)
