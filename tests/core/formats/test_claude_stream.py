"""Claude Code's stream-json: the end of a run, boundaries and hooks as the stream writes them."""

from __future__ import annotations

from typing import Any

import pytest

from unspool.formats import detect
from unspool.formats.claude_code import CLAUDE_CODE
from unspool.formats.facts import Usage
from unspool.formats.piece import Flag, Kind
from unspool.views.view import SessionView

RESULT: dict[str, Any] = {"type": "result", "subtype": "success", "session_id": "s", "result": "Done"}


def spoke(words: str, **fields: Any) -> dict[str, Any]:
    message = {"id": words, "model": "m", "content": [{"type": "text", "text": words}], "usage": {"output_tokens": 1}}
    return {"type": "assistant", "session_id": "s", "message": message, **fields}


def texts(*records: dict[str, Any]) -> list[str]:
    view = SessionView.of(records, CLAUDE_CODE)
    return [str(view.read(view.id(row)).pieces[0].text) for row in range(view.rows)]


def test_a_result_repeats_the_last_answer_and_is_no_piece_then() -> None:
    assert texts(spoke("Look"), spoke("Done"), RESULT) == ["Look", "Done"]
    assert texts(spoke("Done"), RESULT, RESULT) == ["Done", "Done"]


@pytest.mark.parametrize("before", [[], [spoke("Other")], [spoke("Done", parent_tool_use_id="c")]])
def test_a_result_that_is_the_only_one_to_say_the_answer_says_it(before: list[dict[str, Any]]) -> None:
    assert texts(*before, RESULT)[-1] == "Done"
    assert len(texts(*before, RESULT)) == len(before) + 1


def test_what_went_wrong_in_a_run_is_told_once() -> None:
    failed = {**RESULT, "is_error": True, "result": "API Error: 529", "errors": ["first", "second"]}
    said, wrong = CLAUDE_CODE.decode(failed).pieces
    assert (said.kind, said.flags, said.text()) == (Kind.SYSTEM, Flag.ERROR, "API Error: 529")
    assert (wrong.number, wrong.kind, wrong.flags, wrong.text()) == (1, Kind.SYSTEM, Flag.ERROR, "first\nsecond")
    assert texts(spoke("API Error: 529", error="overloaded"), failed) == ["API Error: 529", "first\nsecond"]


def test_a_lone_result_is_known_for_what_it_is() -> None:
    assert detect([RESULT]) is CLAUDE_CODE
    assert CLAUDE_CODE.decode({"type": "result", "session_id": "s", "result": {"x": 1}}).pieces == ()


def test_a_run_counts_its_tokens_at_its_end() -> None:
    fold = CLAUDE_CODE.fold()
    used = {"a": {"inputTokens": 5, "outputTokens": 70, "cacheReadInputTokens": 9}, "b": {"outputTokens": 7}}
    for record in (spoke("Look"), spoke("Done"), {**RESULT, "modelUsage": used}, spoke("More")):
        decoded = CLAUDE_CODE.decode(record)
        list(fold.add(record, decoded, range(len(decoded.pieces))))
    assert fold.facts.usage == Usage(5, 78, 9, 0)


def test_what_a_stream_says_that_it_cost_is_told_with_the_figures() -> None:
    view = SessionView.of([spoke("Done"), {**RESULT, "total_cost_usd": 0.25}, {**RESULT, "total_cost_usd": "free"}])
    assert view.stats().to_json()["cost_usd"] == 0.25
    assert "cost_usd" not in SessionView.of([spoke("Done"), RESULT]).stats().to_json()


@pytest.mark.parametrize("cost", [-1, True, float("inf"), float("nan"), [1], None])
def test_a_cost_that_is_none_is_none(cost: object) -> None:
    fold, record = CLAUDE_CODE.fold(), {**RESULT, "total_cost_usd": cost}
    list(fold.add(record, CLAUDE_CODE.decode(record), range(1)))
    assert fold.facts.cost_usd is None


def test_a_boundary_of_a_stream_tells_its_compaction() -> None:
    told = {"trigger": "auto", "pre_tokens": 155_000, "post_tokens": 9_000}
    record = {"type": "system", "subtype": "compact_boundary", "session_id": "s", "compact_metadata": told}
    decoded = CLAUDE_CODE.decode(record)
    assert decoded.compaction is not None
    assert (decoded.compaction.trigger, decoded.compaction.before, decoded.compaction.after) == ("auto", 155_000, 9_000)
    assert '"pre_tokens":155000' in decoded.pieces[0].text()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"subtype": "hook_response", "output": "all", "stdout": "out"}, ["all"]),
        ({"subtype": "hook_response", "output": "", "stdout": "out", "stderr": "err"}, ["out"]),
        ({"subtype": "hook_response", "output": "", "stdout": "", "stderr": ""}, []),
        ({"subtype": "task_notification", "task_id": "t", "summary": "It is done"}, ["It is done"]),
        ({"subtype": "status", "status": "compacting"}, []),
        ({"subtype": "session_state_changed", "state": "idle"}, []),
    ],
)
def test_what_a_stream_tells_beside_messages(fields: dict[str, Any], words: list[str]) -> None:
    decoded = CLAUDE_CODE.decode({"type": "system", "session_id": "s", **fields})
    assert decoded.known
    assert [piece.text() for piece in decoded.pieces] == words
