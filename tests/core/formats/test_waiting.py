"""For what an agent waits, behind each record of sessions of every agent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from unspool.formats import by_agent


def stands(agent: str, records: Iterable[dict[str, Any]]) -> list[str | None]:
    """For what the agent waits behind each record."""
    format = by_agent(agent)
    assert format is not None
    fold, rows, told = format.fold(), 0, list[str | None]()
    for record in records:
        decoded = format.decode(record)
        for _ in fold.add(record, decoded, range(rows, rows + len(decoded.pieces))):
            pass
        rows += len(decoded.pieces)
        told.append(fold.facts.waiting)
    return told


def told(agent: str, *steps: tuple[dict[str, Any], str | None]) -> None:
    """Hold that the agent stands as said behind each record."""
    assert stands(agent, [record for record, _ in steps]) == [expected for _, expected in steps]


def user(content: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "user", "uuid": "u", "message": {"role": "user", "content": content}, **fields}


def spoke(message: str, *blocks: dict[str, Any], stop: str | None = None, **fields: Any) -> dict[str, Any]:
    held = {"id": message, "model": "m", "content": list(blocks), "stop_reason": stop}
    return {"type": "assistant", "uuid": "a", "message": held, **fields}


def said(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def called(name: str, call: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": call, "name": name, "input": {}}


def result(call: str, words: str = "done") -> dict[str, Any]:
    return user([{"type": "tool_result", "tool_use_id": call, "content": words}])


def test_claude_waits_at_the_end_of_a_turn_and_no_longer_when_a_person_speaks() -> None:
    told(
        "claude",
        (user("do it"), None),
        (spoke("m1", {"type": "thinking", "thinking": "hm"}, stop="end_turn"), None),
        (spoke("m1", said("done"), stop="end_turn"), "turn"),
        ({"type": "system", "subtype": "turn_duration", "durationMs": 1}, "turn"),
        ({"type": "ai-title", "aiTitle": "t"}, "turn"),
        ({"type": "queue-operation", "operation": "enqueue", "content": "more"}, None),
        (user("more"), None),
        (spoke("m2", said("so"), stop="tool_use"), None),
    )


def test_a_turn_that_does_not_say_how_it_ended_is_over_when_its_duration_is_told() -> None:
    told(
        "claude",
        (spoke("m1", said("done")), None),
        ({"type": "system", "subtype": "turn_duration", "durationMs": 1}, "turn"),
    )


@pytest.mark.parametrize(("tool", "what"), [("AskUserQuestion", "question"), ("ExitPlanMode", "permission")])
def test_claude_asks_until_its_call_has_a_result_whatever_else_is_answered(tool: str, what: str) -> None:
    told(
        "claude",
        (spoke("m1", said("I ask"), stop="tool_use"), None),
        (spoke("m1", called(tool, "c1"), stop="tool_use"), what),
        (spoke("m1", called("Bash", "c2"), stop="tool_use"), what),
        (result("c2"), what),
        (spoke("m9", said("aside"), stop="end_turn", isSidechain=True), what),
        (result("c1"), None),
        (spoke("m2", said("thanks"), stop="end_turn"), "turn"),
    )


def test_a_question_that_was_left_unanswered_is_settled_by_what_comes_next() -> None:
    told(
        "claude",
        (spoke("m1", called("AskUserQuestion", "c1")), "question"),
        (user([said("[Request interrupted by user]")]), None),
        (spoke("m2", called("AskUserQuestion", "c2")), "question"),
        (spoke("m3", said("never mind")), None),
    )


def test_a_call_that_takes_long_is_no_request() -> None:
    told("claude", (user("go"), None), (spoke("m1", called("Bash", "c1"), stop="tool_use"), None))


def test_an_api_error_leaves_the_word_to_the_person() -> None:
    failed = spoke("m1", said("API Error: 500"), stop="stop_sequence", isApiErrorMessage=True)
    told("claude", (user("go"), None), (failed, "turn"), (user("again"), None))


def test_what_subagents_ask_and_finish_concerns_nobody() -> None:
    told(
        "claude",
        (spoke("m1", called("Task", "c1"), stop="tool_use"), None),
        (spoke("m2", called("AskUserQuestion", "c2"), parent_tool_use_id="c1"), None),
        (spoke("m3", said("done"), stop="end_turn", isSidechain=True), None),
    )


def test_a_stream_tells_requests_for_permission_and_its_end() -> None:
    asks = {"type": "control_request", "request_id": "r1", "request": {"subtype": "can_use_tool", "tool_name": "Bash"}}
    told(
        "claude",
        (spoke("m1", called("Bash", "c1")), None),
        (asks, "permission"),
        ({"type": "control_cancel_request", "request_id": "r1"}, None),
        (asks, "permission"),
        ({"type": "control_response", "response": {"request_id": "r1"}}, None),
        ({**asks, "request": {"subtype": "initialize"}}, None),
        (asks, "permission"),
        ({"type": "result", "subtype": "success", "result": "done"}, "turn"),
    )


@pytest.mark.parametrize(("state", "what"), [("idle", "turn"), ("requires_action", "permission"), ("running", None)])
def test_the_state_that_a_stream_names_is_believed(state: str, what: str | None) -> None:
    told("claude", ({"type": "system", "subtype": "session_state_changed", "session_id": "s", "state": state}, what))


def event(name: str, /, **fields: Any) -> dict[str, Any]:
    return {"type": "event_msg", "payload": {"type": name, **fields}}


def item(name: str, /, **fields: Any) -> dict[str, Any]:
    return {"type": "response_item", "payload": {"type": name, **fields}}


def test_codex_waits_between_two_tasks() -> None:
    answer = item("message", role="assistant", content=[{"type": "output_text", "text": "done"}])
    told(
        "codex",
        (event("task_started"), None),
        (event("user_message", message="go"), None),
        (answer, None),
        (event("task_complete", last_agent_message="done"), "turn"),
        (event("token_count", info=None), "turn"),
        (event("task_started"), None),
        (event("turn_aborted", reason="interrupted"), None),
    )


@pytest.mark.parametrize("name", ["exec_approval_request", "apply_patch_approval_request", "request_permissions"])
def test_codex_asks_for_permission_until_the_call_begins_or_has_its_output(name: str) -> None:
    for settled in (
        event("exec_command_begin", call_id="c1"),
        item("function_call_output", call_id="c1", output="denied"),
    ):
        told(
            "codex",
            (item("function_call", name="shell", arguments="{}", call_id="c1"), None),
            (event(name, call_id="c1"), "permission"),
            (item("function_call_output", call_id="c2", output="other"), "permission"),
            (settled, None),
        )


def test_codex_asks_a_question_until_it_is_answered() -> None:
    told(
        "codex",
        (item("function_call", name="request_user_input", arguments="{}", call_id="c1"), "question"),
        (event("request_user_input", call_id="c1"), "question"),
        (item("function_call_output", call_id="c1", output="yes"), None),
        (event("elicitation_request", id=4), "question"),
        (event("turn_aborted"), None),
    )


@pytest.mark.parametrize(
    ("end", "what"),
    [
        ({"kind": "run_completed", "interrupted": False, "result": "finished"}, "turn"),
        ({"kind": "run_completed", "interrupted": False, "result": "limit_reached"}, "turn"),
        ({"kind": "run_completed", "interrupted": False, "result": "yielded"}, None),
        ({"kind": "run_completed", "interrupted": True, "result": "finished"}, None),
        ({"kind": "run_errored", "interrupted": True, "message": "network"}, "turn"),
        ({"kind": "run_outcome", "interrupted": False, "outcome": "finished"}, "turn"),
        ({"kind": "run_outcome", "interrupted": True, "outcome": {"error": {"message": "boom"}}}, "turn"),
        ({"kind": "turn_end", "turn_count": 1}, None),
    ],
)
def test_yoi_waits_behind_a_run_that_nobody_interrupted(end: dict[str, Any], what: str | None) -> None:
    prompt = {"kind": "user_input", "ts": 1_775_430_004_100, "segments": [{"kind": "text", "content": "go"}]}
    told(
        "yoi",
        (prompt, None),
        ({"ts": 1_775_430_004_200, **end}, what),
        ({"kind": "llm_usage", "ts": 1_775_430_004_300}, what),
        ({"kind": "invoke", "ts": 1_775_430_004_300, "trigger": "wakeup"}, None),
    )


def test_minicode_waits_behind_an_answer_and_not_behind_progress() -> None:
    def event(kind: str, **message: Any) -> dict[str, Any]:
        return {"type": kind, "uuid": kind, "message": {"content": "words", **message}}

    told(
        "minicode",
        (event("user"), None),
        (event("progress"), None),
        (event("tool_call", toolUseId="c1", toolName="ask", input={}), None),
        (event("tool_result", toolUseId="c1", toolName="ask", isError=False), None),
        (event("assistant"), "turn"),
        ({"type": "rename", "title": "t"}, "turn"),
        ({**event("user"), "uuid": "u2"}, None),
    )
