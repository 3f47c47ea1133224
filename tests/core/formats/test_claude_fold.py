from __future__ import annotations

from typing import Any

import pytest

from tests.core.formats.claude_walk import (
    Record,
    assistant,
    attachment,
    call,
    chain,
    record,
    result,
    system,
    text,
    user,
    walk,
)
from unspool.formats.claude_code import CLAUDE_CODE
from unspool.formats.claude_copies import RECENT_BLOCKS
from unspool.formats.facts import Usage
from unspool.formats.piece import Flag


def spent(output: int, message: str, /, fresh: int = 3, **fields: Any) -> Record:
    usage = {
        "input_tokens": fresh,
        "output_tokens": output,
        "cache_read_input_tokens": 10,
        "cache_creation_input_tokens": 5,
    }
    return assistant([text(f"{message} {output}")], {"id": message, "model": "claude-x", "usage": usage}, **fields)


@pytest.mark.parametrize(
    ("noise", "said", "title"),
    [
        (user("<command-name>/clear</command-name>"), user("Glaze it"), "Glaze it"),
        (user("[Request interrupted by user]"), user([text("Glaze it")]), "Glaze it"),
        (user("Warmup", isSidechain=True), user("Glaze it"), "Glaze it"),
        (user("Survey", isSidechain=True), user("Glaze it"), "Glaze it"),
        (user("Meta", isMeta=True), user("<ide_selection>a</ide_selection>\n Glaze it\n"), "Glaze it"),
        (user([result("a", "x")]), attachment("queued_command", prompt="Glaze it"), "Glaze it"),
        (
            user("<command-message>pr is running…</command-message>\n<command-name>/pr</command-name>"),
            user("Glaze it"),
            "Glaze it",
        ),
        (user("Glaze it"), user("and fire it"), "Glaze it"),
        (user("Glaze it"), attachment("queued_command", prompt="and fire it"), "Glaze it"),
        ({**attachment("queued_command", prompt="Aside"), "isSidechain": True}, user("Glaze it"), "Glaze it"),
    ],
)
def test_the_first_real_prompt_is_found_behind_noise(noise: Record, said: Record, title: str) -> None:
    assert walk(noise, said).facts.first_prompt == title


def test_a_command_that_starts_a_turn_stands_in_for_a_missing_prompt() -> None:
    envelope = (
        "<command-message>pr is running…</command-message>\n<command-name>/pr</command-name>\n"
        "<command-args>12 --draft</command-args>"
    )
    assert walk(user(envelope)).facts.first_prompt == "/pr 12 --draft"
    assert walk(user("<command-name>/exit</command-name>")).facts.first_prompt is None


def test_a_subagents_file_is_titled_by_its_own_prompt() -> None:
    facts = walk(user("Survey the kilns", isSidechain=True, agentId="a1")).facts
    assert (facts.first_prompt, facts.parent) == ("Survey the kilns", "s-1")


def test_an_image_alone_is_a_prompt() -> None:
    block = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}}
    assert walk(user([block])).facts.first_prompt == "[image image/png 5]"


def test_the_last_title_of_each_kind_wins() -> None:
    facts = walk(
        {"type": "ai-title", "aiTitle": "A1"},
        {"type": "custom-title", "customTitle": "C1"},
        {"type": "custom-title", "customTitle": " C2 "},
        {"type": "ai-title", "aiTitle": "A2"},
        {"type": "agent-name", "agentName": "tidy"},
    ).facts
    assert (facts.title, facts.generated_title, facts.agent_name) == ("C2", "A2", "tidy")


def test_a_blank_title_takes_the_name_back() -> None:
    assert (
        walk({"type": "custom-title", "customTitle": "C"}, {"type": "custom-title", "customTitle": ""}).facts.title
        is None
    )


def test_a_summary_is_a_title_only_when_it_ends_with_a_message_of_this_file() -> None:
    foreign = {"type": "summary", "summary": "Another session", "leafUuid": "elsewhere"}
    own = {"type": "summary", "summary": "This session", "leafUuid": "leaf"}
    leaf = user("Glaze it", uuid="leaf")
    assert walk(foreign, leaf).facts.generated_title is None
    assert walk(own, leaf).facts.generated_title == "This session"
    assert walk(leaf, own).facts.generated_title == "This session"
    assert walk(leaf, {"type": "ai-title", "aiTitle": "A"}, own).facts.generated_title == "A"


def test_the_folder_is_the_first_and_the_branch_the_last_that_records_name() -> None:
    facts = walk(
        {"type": "mode"},
        user("a", cwd="/one", gitBranch="main"),
        user("b", cwd="/two", gitBranch="fix"),
        user("c", gitBranch=7),
    ).facts
    assert (facts.cwd, facts.branch, facts.versions) == ("/one", "fix", {"2.1.99": 3})


def test_usage_counts_once_per_api_message_with_its_largest_output() -> None:
    facts = walk(spent(2, "m1"), spent(2, "m1"), spent(384, "m1"), spent(1, "m1"), spent(50, "m2")).facts
    assert facts.usage == Usage(input=6, output=434, cache_read=20, cache_write=10)
    assert facts.models == {"claude-x": 2}
    assert facts.context_tokens == 3 + 50 + 10 + 5


def test_usage_is_that_of_the_fullest_line_the_last_of_equals() -> None:
    facts = walk(
        spent(2, "m1", fresh=1), spent(9, "m1", fresh=2), spent(9, "m1", fresh=7), spent(3, "m1", fresh=5)
    ).facts
    assert facts.usage == Usage(input=7, output=9, cache_read=10, cache_write=5)


def test_what_went_into_the_cache_may_be_told_by_how_long_it_stays() -> None:
    kept = {"ephemeral_5m_input_tokens": 4, "ephemeral_1h_input_tokens": 5, "more": None}
    used = assistant("Fired.", {"id": "m", "usage": {"output_tokens": 1, "cache_creation": kept}})
    assert walk(used).facts.usage == Usage(output=1, cache_write=9)


def test_what_a_stream_says_on_behalf_of_a_call_is_aside() -> None:
    survey = user("Survey the kilns", parent_tool_use_id="c1")
    facts = walk(survey, spent(9, "m1", fresh=700, parent_tool_use_id="c1"), user("Glaze it"), spent(50, "m2")).facts
    assert (facts.first_prompt, facts.context_tokens) == ("Glaze it", 3 + 50 + 10 + 5)


def test_usage_of_the_harness_is_none() -> None:
    facts = walk(
        assistant([text("API Error")], {"id": "m", "model": "<synthetic>", "usage": {"input_tokens": 9}})
    ).facts
    assert (facts.usage, facts.models, facts.context_tokens) == (None, {}, None)


def test_a_sidechain_inside_a_session_spends_tokens_but_fills_no_context() -> None:
    facts = walk(user("Glaze it"), spent(50, "m1"), spent(9, "m2", fresh=700, isSidechain=True)).facts
    assert facts.context_tokens == 3 + 50 + 10 + 5
    assert facts.usage == Usage(input=703, output=59, cache_read=20, cache_write=10)


def test_subagents_are_joined_to_the_calls_that_started_them() -> None:
    facts = walk(
        user([result("c1", "done")], toolUseResult={"agentId": "a1"}),
        user([result("c9", "resumed")], toolUseResult={"agentId": "a1"}),
        {"type": "progress", "data": {"type": "agent_progress", "agentId": "a2"}, "parentToolUseID": "c2"},
    ).facts
    assert facts.joined_calls == {"a1": "c1", "a2": "c2"}


def test_what_was_copied_from_another_session_is_inherited() -> None:
    copied = [user("Glaze it", sessionId="old"), assistant([text("Done.")], sessionId="old")]
    walked = walk(*copied, user("Again", sessionId="new"))
    assert walked.flagged(Flag.INHERITED) == ["Glaze it", "Done."]
    assert (walked.facts.session_id, walked.facts.forked_from) == ("new", "old")


def test_bookkeeping_of_another_session_copies_nothing() -> None:
    walked = walk(user("Glaze it"), {"type": "relocated", "sessionId": "other"}, user("Again"))
    assert (walked.flagged(Flag.INHERITED), walked.facts.forked_from) == ([], None)


def test_a_stream_tells_model_version_and_window() -> None:
    facts = walk(
        {
            "type": "system",
            "subtype": "init",
            "session_id": "s",
            "cwd": "/k",
            "model": "claude-x",
            "claude_code_version": "2",
        },
        {"type": "result", "modelUsage": {"claude-x": {"contextWindow": 200_000}, "claude-h": {"contextWindow": 100}}},
    ).facts
    assert (facts.session_id, facts.cwd, facts.models) == ("s", "/k", {"claude-x": 1})
    assert (facts.versions, facts.context_window) == ({"2": 1}, 200_000)


def test_blocks_that_a_later_line_of_the_message_repeats_are_replayed() -> None:
    message = {"id": "m1"}
    walked = walk(
        assistant([text("Firing.")], message),
        assistant([text("Firing."), call("c1", command="fire")], message),
        assistant([text("Firing."), call("c1", command="fire"), text("Fired.")], message),
        assistant([call("c2", command="fire")], message),
        assistant([text("Firing.")], {"id": "m2"}),
        assistant([text("Firing."), text("Firing.")]),
    )
    assert walked.flagged(Flag.REPLAYED) == ["Firing.", "Firing.", '{"command":"fire"}']


MESSAGE = {"id": "m1"}
SAYING: list[tuple[str, list[Record], list[str]]] = [
    (
        "words said again behind a call",
        chain(
            assistant([text("Look.")], MESSAGE),
            assistant([call("c1")], MESSAGE),
            user([result("c1", "x")]),
            assistant([text("Look.")], MESSAGE),
        ),
        [],
    ),
    (
        "words said again before another call",
        chain(
            assistant([text("Look.")], MESSAGE),
            assistant([call("c1")], MESSAGE),
            assistant([text("Look."), call("c2")], MESSAGE),
        ),
        [],
    ),
    (
        "words said again behind hidden thought",
        chain(
            assistant([text("Look.")], MESSAGE),
            assistant([{"type": "thinking", "thinking": "", "signature": "s"}], MESSAGE),
            assistant([text("Look.")], MESSAGE),
        ),
        [],
    ),
    (
        "words said twice in one line",
        chain(assistant([text("Look."), call("c1"), text("Look.")], MESSAGE)),
        [],
    ),
    (
        "a line that begins with all there is",
        chain(
            assistant([{"type": "thinking", "thinking": "", "signature": "s"}], MESSAGE),
            assistant([text("Look.")], MESSAGE),
            assistant([{"type": "thinking", "thinking": "", "signature": "s"}, text("Look."), text("No.")], MESSAGE),
        ),
        ["Look."],
    ),
    (
        "a line that begins with all there is, its content a text",
        chain(assistant("Look.", MESSAGE), assistant([text("Look."), text("No.")], MESSAGE)),
        ["Look."],
    ),
    (
        "a line that begins with other thought",
        chain(
            assistant([{"type": "thinking", "thinking": "", "signature": "s"}], MESSAGE),
            assistant([text("Look.")], MESSAGE),
            assistant([{"type": "thinking", "thinking": "", "signature": "t"}, text("Look.")], MESSAGE),
        ),
        [],
    ),
    (
        "an early line written a second time",
        [
            assistant([text("Look.")], MESSAGE, parentUuid="p"),
            assistant([text("No.")], MESSAGE, parentUuid="q"),
            assistant([text("Look.")], MESSAGE, parentUuid="p"),
        ],
        ["Look."],
    ),
    (
        "lines that hang on nothing",
        [assistant([text(word)], MESSAGE) for word in ("Look.", "No.", "Look.")],
        [],
    ),
    (
        "a call written a second time",
        chain(
            assistant([call("c1", command="ls")], MESSAGE),
            assistant([text("Look.")], MESSAGE),
            assistant([text("Now."), call("c1", command="ls")], MESSAGE),
        ),
        ['{"command":"ls"}'],
    ),
    (
        "another call of the same id",
        chain(assistant([call("c1", command="ls")], MESSAGE), assistant([call("c1", command="df")], MESSAGE)),
        [],
    ),
    (
        "another tool's call of the same id",
        chain(assistant([call("c1")], MESSAGE), assistant([call("c1", "Edit")], MESSAGE)),
        [],
    ),
    (
        "another record of the same id is part of the message",
        [
            assistant([text("Look.")], MESSAGE, uuid="a", parentUuid="p"),
            assistant([text("No.")], MESSAGE, uuid="a", parentUuid="q"),
            assistant([text("Look."), text("No."), text("Yes.")], MESSAGE, parentUuid="r"),
        ],
        ["Look.", "No."],
    ),
    (
        "a record written a second time adds nothing",
        [
            assistant([text("Look.")], MESSAGE, uuid="a", parentUuid="p"),
            assistant([text("Look.")], MESSAGE, uuid="a", parentUuid="q"),
            assistant([text("Look."), text("No.")], MESSAGE, parentUuid="r"),
        ],
        ["Look.", "Look."],
    ),
]


@pytest.mark.parametrize(("records", "replayed"), [pytest.param(*case[1:], id=case[0]) for case in SAYING])
def test_only_what_a_line_begins_with_or_is_was_written_before(records: list[Record], replayed: list[str]) -> None:
    assert walk(*records).flagged(Flag.REPLAYED) == replayed


def test_a_message_of_very_many_blocks_is_no_longer_compared() -> None:
    lines = [assistant([text(f"{number}")], MESSAGE) for number in range(RECENT_BLOCKS + 2)]
    again = assistant([text(f"{number}") for number in range(RECENT_BLOCKS + 2)], MESSAGE)
    assert walk(*lines, again).flagged(Flag.REPLAYED) == []


def test_a_repeated_call_does_not_wait_for_a_result_of_its_own() -> None:
    walked = walk(assistant([call("c1", command="fire")], {"id": "m1"}))
    again = assistant([call("c1", command="fire")], {"id": "m1"})
    marks = walked.fold.add(again, CLAUDE_CODE.decode(again), range(1, 2))
    assert {(mark.row, mark.flag, mark.on) for mark in marks} == {(1, Flag.REPLAYED, True), (1, Flag.UNANSWERED, False)}


def test_a_retracted_message_is_abandoned() -> None:
    retracted = assistant([text("Half an answer")], uuid="r")
    walked = walk(
        user("Glaze it"), retracted, system("api_refusal", content="refused", retractedMessageUuids=["r", "x"])
    )
    assert walked.flagged(Flag.ABANDONED) == ["Half an answer"]


def test_a_record_without_a_type_tells_only_its_place() -> None:
    assert walk({"cwd": "/k"}, record("hologram")).facts.cwd == "/k"


@pytest.mark.parametrize(
    ("told", "counted"), [(-5, 0), (1 << 53, 1 << 53), ((1 << 53) + 1, 0), (True, 0), (7.0, 7), ("7", 0)]
)
def test_what_is_no_count_of_tokens_counts_nothing(told: object, counted: int) -> None:
    used = {"output_tokens": 7, "cache_read_input_tokens": 2, "cache_creation_input_tokens": 1, "input_tokens": told}
    walked = walk(assistant([text("words")], message={"id": "m", "usage": used}))
    assert walked.facts.usage == Usage(counted, 7, 2, 1)
