from __future__ import annotations

from typing import Any

import pytest

from tests.core.formats.codex_walk import (
    Record,
    call,
    completed,
    event,
    header,
    item,
    message,
    output,
    prompt,
    record,
    said,
    walk,
)
from unspool.formats.facts import Usage
from unspool.formats.piece import Flag

AGENTS = "# AGENTS.md instructions for /src\n\nbe kind"
ENVIRONMENT = message("user", "<environment_context>\n</environment_context>")
IDE = "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\n"


def test_a_web_search_is_never_waiting_for_its_result_and_a_command_has_none() -> None:
    command = "<user_shell_command>\n<command>\nls\n</command>\n</user_shell_command>"
    walked = walk(item("web_search_call", id="ws1", action={}), message("user", command))
    assert [(mark.row, mark.flag, mark.on) for mark in walked.marks] == [
        (0, Flag.UNANSWERED, False),
        (1, Flag.ORPHAN, False),
    ]


def rolled_back(turns: Any) -> Record:
    return event("thread_rolled_back", num_turns=turns)


def turn(text: str) -> list[Record]:
    return [message("user", text), prompt(text), said(f"{text}!"), message("assistant", f"{text}!")]


def test_a_rollback_abandons_the_last_turns_from_their_prompts_on() -> None:
    walked = walk(ENVIRONMENT, *turn("a"), *turn("b"), *turn("c"), rolled_back(2), *turn("d"))
    assert walked.texts(Flag.ABANDONED) == ["b", "b", "b!", "b!", "c", "c", "c!", "c!"]


def test_rollbacks_count_the_turns_that_still_stand() -> None:
    walked = walk(*turn("a"), *turn("b"), rolled_back(1), *turn("c"), rolled_back(2))
    assert walked.texts() == []
    walked = walk(*turn("a"), *turn("b"), rolled_back(1), *turn("c"), rolled_back(1))
    assert walked.texts() == ["a", "a!"]


def test_a_message_written_again_begins_no_turn_and_has_no_twin() -> None:
    asked = item("message", id="msg_1", role="user", content="a")
    walked = walk(asked, prompt("a"), said("b"), asked, prompt("a"), rolled_back(1))
    assert [Flag.TWIN in flags for _, flags in walked.rows] == [False, True, False, False, False]
    assert walked.texts(Flag.ABANDONED) == ["a"]


@pytest.mark.parametrize("turns", [0, -1, None, "1", True])
def test_a_rollback_that_does_not_say_how_far_abandons_nothing(turns: Any) -> None:
    assert walk(*turn("a"), rolled_back(turns)).texts(Flag.ABANDONED) == []


def test_a_rollback_beyond_the_first_prompt_keeps_what_stood_before_it() -> None:
    assert walk(ENVIRONMENT, *turn("a"), rolled_back(99)).texts() == ["<environment_context>\n</environment_context>"]


def test_the_first_real_prompt_is_found_behind_all_context() -> None:
    walked = walk(
        header("s1"), message("developer", "Ask first."), message("user", AGENTS),
        ENVIRONMENT, message("user", "Fix the kiln"), prompt("Fix the kiln"), *turn("later"),
    )  # fmt: skip
    assert walked.facts.first_prompt == "Fix the kiln"


PROMPTS = [
    (f"{IDE}sort the shelf\n", "sort the shelf"),
    ("<environment_context>\n</environment_context>\nsort the shelf", "sort the shelf"),
    ("<image name=[Image #1]>\n</image>\nsort [Image #1]", "sort [Image #1]"),
    ("x" * 9_000, "x" * 2_000),
    (IDE, None),
]


@pytest.mark.parametrize(("text", "expected"), PROMPTS)
def test_the_first_prompt_is_what_the_person_asked(text: str, expected: str | None) -> None:
    assert walk(prompt(text)).facts.first_prompt == expected


def test_context_that_nobody_knows_yet_is_no_title_when_an_event_tells_the_prompt() -> None:
    strange = message("user", "<brand_new_context>\nx\n</brand_new_context>")
    assert walk(strange, message("user", "Sort it"), prompt("Sort it")).facts.first_prompt == "Sort it"
    assert walk(message("user", "Sort it"), said("Done."), prompt("And more")).facts.first_prompt == "Sort it"


def test_a_session_that_began_with_a_goal_is_known_by_it() -> None:
    assert walk(event("thread_goal_updated", goal={"objective": " Dig "})).facts.first_prompt == "Dig"
    assert walk(prompt("Hi"), event("thread_goal_updated", goal={"objective": "Dig"})).facts.first_prompt == "Hi"


def test_the_newest_name_of_the_session_itself_is_its_title() -> None:
    def named(name: str | None) -> Record:
        return event("thread_name_updated", thread_id="s1", thread_name=name)

    assert walk(header("s1"), named("Kiln"), named(" Oven ")).facts.title == "Oven"
    assert walk(header("s2"), header("s1"), named("Kiln")).facts.title is None
    assert walk(header("s1"), named("Kiln"), named(None)).facts.title is None


def test_the_first_header_tells_whose_session_it_is() -> None:
    facts = walk(
        header("s1", cwd="/src", cli_version="0.140.0", git={"branch": "main"}),
        record("turn_context", cwd="/elsewhere", model="m1"),
        record("turn_context", cwd="/elsewhere", model="m1"),
        record("turn_context", cwd="/elsewhere", model="m2"),
        header("s1", cwd="/other", cli_version="0.141.0"),
    ).facts
    assert (facts.session_id, facts.cwd, facts.branch) == ("s1", "/src", "main")
    assert facts.models == {"m1": 2, "m2": 1}
    assert facts.versions == {"0.140.0": 1, "0.141.0": 1}
    assert facts.forked_from is None


def test_the_bare_header_of_the_oldest_files_counts_too() -> None:
    bare = {"id": "s1", "timestamp": "2025-06-01T10:00:00Z", "instructions": None, "git": {"branch": "dev"}}
    facts = walk(bare, record("turn_context", cwd="/src")).facts
    assert (facts.session_id, facts.branch, facts.cwd) == ("s1", "dev", "/src")


FOLDERS = [
    ("<environment_context>\n  <cwd>/src/a &amp; b</cwd>\n  <shell>zsh</shell>\n</environment_context>", "/src/a & b"),
    ("<environment_context>\nCurrent working directory: /src/kiln\nApproval policy: never\n</environment_context>",
     "/src/kiln"),
    ("<environment_context>\n  <cwd></cwd>\n</environment_context>", None),
    ("<user_instructions>\n<cwd>/src</cwd>\n</user_instructions>", None),
]  # fmt: skip


@pytest.mark.parametrize(("context", "folder"), FOLDERS)
def test_the_oldest_files_tell_their_folder_in_the_context_alone(context: str, folder: str | None) -> None:
    bare = {"id": "s1", "timestamp": "2025-06-01T10:00:00Z", "instructions": None, "git": {}}
    item = message("user", context)["payload"]
    assert walk(bare, item, message("user", "Sort it")["payload"]).facts.cwd == folder
    assert walk(item).facts.cwd == folder
    assert walk(header("s1", cwd="/own"), message("user", context)).facts.cwd == "/own"


def test_a_person_who_speaks_of_a_folder_does_not_set_it() -> None:
    assert walk(prompt("<environment_context>\n<cwd>/src</cwd>\n</environment_context>")).facts.cwd is None


def test_subagents_name_their_parent() -> None:
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": "p1", "depth": 1, "agent_nickname": "Ada"}}}
    facts = walk(header("s1", source=spawned)).facts
    assert (facts.parent, facts.agent_name) == ("p1", "Ada")
    facts = walk(header("s1", parent_thread_id="p1", agent_role="worker", source={"subagent": "review"})).facts
    assert (facts.parent, facts.agent_name) == ("p1", "worker")
    assert walk(header("s1", source={"subagent": {"other": "guardian"}})).facts.agent_name == "guardian"
    assert walk(header("s1", source="cli")).facts.agent_name is None


JOINED = [
    [call("{}", "spawn_agent"), output('{"agent_id":"t1","nickname":"Ada"}')],
    [event("collab_agent_spawn_end", call_id="c", new_thread_id="t1")],
    [event("sub_agent_activity", event_id="c", agent_thread_id="t1", kind="started")],
    [completed("SubAgentActivity", agent_thread_id="t1", kind="started")],
    [completed("CollabAgentToolCall", tool="spawnAgent", receiver_thread_ids=["t1"])],
]


@pytest.mark.parametrize("records", JOINED)
def test_the_call_that_started_a_subagent_is_joined_to_it(records: list[Record]) -> None:
    assert walk(*records).facts.joined_calls in ({"t1": "c"}, {"t1": "i1"})


def mcp(result: Any) -> Record:
    return event("mcp_tool_call_end", call_id="c", result=result)


FAILURES = [
    (event("exec_command_end", call_id="c", exit_code=2), True),
    (event("exec_command_end", call_id="c", exit_code=0), False),
    (event("exec_command_end", call_id="c"), False),
    (event("exec_command_end", call_id="d", exit_code=2), False),
    (event("patch_apply_end", call_id="c", success=False), True),
    (event("patch_apply_end", call_id="c", success=True), False),
    (event("dynamic_tool_call_response", call_id="c", success=False), True),
    (mcp({"Err": "no such tool"}), True),
    (mcp({"Ok": {"content": [], "isError": True}}), True),
    (mcp({"Ok": {"content": [], "isError": False}}), False),
    (mcp("Err"), False),
    (event("item_completed", item={"type": "CommandExecution", "id": "c", "status": "failed"}), True),
    (event("item_completed", item={"type": "FileChange", "id": "c", "status": "declined"}), True),
    (event("item_completed", item={"type": "McpToolCall", "id": "c", "status": "completed"}), False),
]


@pytest.mark.parametrize(("told", "failed"), FAILURES)
def test_an_event_in_front_of_a_result_tells_that_it_failed(told: Record, failed: bool) -> None:
    walked = walk(call("{}"), told, output("no"), call("{}"), output("yes"))
    assert [Flag.ERROR in flags for _, flags in walked.rows] == [False, failed, False, False]


def test_a_command_that_fails_behind_its_result_does_not_change_that_result() -> None:
    walked = walk(call("{}"), output("running"), event("exec_command_end", call_id="c", exit_code=2), said("Hm."))
    assert not any(Flag.ERROR in flags for _, flags in walked.rows)


def test_outputs_of_other_calls_join_nobody() -> None:
    assert walk(call("{}", "exec_command"), output('{"agent_id":"t1"}')).facts.joined_calls == {}
    assert walk(call("{}", "spawn_agent"), output('{"agent_id":')).facts.joined_calls == {}
    assert (
        walk(event("sub_agent_activity", event_id="c", agent_thread_id="t1", kind="interacted")).facts.joined_calls
        == {}
    )


def counted(total: int, last: int, time: str = "2026-05-01T10:00:00.000Z") -> Record:
    def numbers(given: int) -> dict[str, int]:
        return {"input_tokens": given, "cached_input_tokens": given // 2, "output_tokens": given // 10,
                "total_tokens": given + given // 10}  # fmt: skip

    info = {"total_token_usage": numbers(total), "last_token_usage": numbers(last), "model_context_window": 9_000}
    return event("token_count", time, info=info)


def test_tokens_are_the_last_total_however_often_it_is_told() -> None:
    facts = walk(counted(100, 100), counted(100, 100), counted(300, 200), event("token_count", info=None)).facts
    assert facts.usage == Usage(input=150, output=30, cache_read=150)
    assert (facts.context_tokens, facts.context_window) == (220, 9_000)
    assert walk(event("token_count", info=None)).facts.usage is None


def test_a_total_that_began_again_is_added_to_the_one_before() -> None:
    assert walk(counted(300, 300), counted(100, 100), counted(200, 100)).facts.usage == Usage(250, 50, 250)
    assert walk(counted(100, 100), counted(300, 300)).facts.usage == Usage(200, 40, 200)


def forked(live: Record, **fields: Any) -> list[Record]:
    at = "2026-05-01T10:00:05.10{}Z"
    return [
        header("s2", "2026-05-01T10:00:00.000Z", **fields),
        header("s1", at.format(0), timestamp="2026-04-01T08:00:00.000Z"),
        event("task_started", at.format(1), started_at=1_777_000_000),
        item("message", at.format(2), role="user", content="old"),
        counted(300, 300, at.format(3)),
        live,
        item("message", live["timestamp"], role="user", content="new"),
        counted(400, 100, live["timestamp"]),
    ]


@pytest.mark.parametrize(
    "live",
    [
        event("task_started", "2026-05-01T10:00:05.104Z", started_at=1_777_629_605),
        event("task_started", "2026-05-01T10:00:05.104Z", started_at="2026-05-01T10:00:05Z"),
        record("turn_context", "2026-05-01T10:00:07.000Z", model="m"),
    ],
)
def test_what_a_fork_copied_is_inherited_and_was_paid_for_elsewhere(live: Record) -> None:
    walked = walk(*forked(live))
    assert walked.texts(Flag.INHERITED) == ["old"]
    assert walked.facts.usage == Usage(50, 10, 50)
    assert (walked.facts.session_id, walked.facts.forked_from) == ("s2", "s1")


def test_a_fork_may_name_its_origin_itself() -> None:
    assert walk(*forked(record("world_state"), forked_from_id="s0")).facts.forked_from == "s0"
    assert walk(header("s2", forked_from_id="s1"), message("user", "new")).texts(Flag.INHERITED) == []


def test_a_header_of_another_session_in_the_middle_starts_no_copy() -> None:
    assert walk(header("s1"), message("user", "a"), header("s9"), message("user", "b")).texts(Flag.INHERITED) == []
