from __future__ import annotations

from typing import Any

import pytest

from tests.core.formats.claude_walk import (
    assistant,
    attachment,
    call,
    image,
    name,
    pieces,
    record,
    result,
    system,
    text,
    user,
    walk,
)
from unspool.formats.claude_code import CLAUDE_CODE
from unspool.formats.claude_notice import SILENT, WORDS
from unspool.formats.piece import Flag, ImagePart, TextPart
from unspool.sources.json_value import Clipped, Number

Expected = list[tuple[int, str, str]]

SAID: list[tuple[str, dict[str, Any], Expected]] = [
    ("a string", user("Glaze it"), [(0, "user", "Glaze it")]),
    ("blocks", user([text("Glaze"), text("it")]), [(0, "user", "Glaze\nit")]),
    ("an image in its place", user([text("See"), image(), text("?")]), [(0, "user", "See\n[image image/png 5]\n?")]),
    ("an image alone", user([image("aGVsbG8h")]), [(0, "user", "[image image/png 6]")]),
    ("an image by address", user([{"type": "image", "source": {"type": "url"}}]), [(0, "user", "[image url]")]),
    ("a document", user([{"type": "document", "source": {"type": "text", "data": "deed"}}]), [(0, "user", "deed")]),
    ("nothing", user(""), []),
    ("empty blocks", user([text("")]), []),
    ("no content", user(None), []),
    (
        "results, and a note typed meanwhile",
        user([result("b", "B"), result("a", [text("A1"), text("A2")]), text("and hurry")]),
        [(0, "tool output", "B"), (1, "tool output", "A1\nA2"), (2, "user", "and hurry")],
    ),
    ("an empty result", user([result("a", None)]), [(0, "tool output", "")]),
    (
        "an image in a result",
        user([result("a", [text("shot"), image()])]),
        [(0, "tool output", "shot\n[image image/png 5]")],
    ),
    (
        "a reference to a tool",
        user([result("a", [{"type": "tool_reference", "tool_name": "Grep"}])]),
        [(0, "tool output", "")],
    ),
    ("a structured result", user([result("a", {"rows": [1, None]})]), [(0, "tool output", '{"rows":[1,null]}')]),
    (
        "the stub of a saved output",
        user([result("a", "<persisted-output>\nOutput too large")]),
        [(0, "tool output", "<persisted-output>\nOutput too large")],
    ),
    ("an unknown block keeps its place", user([{"type": "hologram"}, text("hi")]), [(1, "user", "hi")]),
    ("one block without a list", user(text("hi")), [(0, "user", "hi")]),
    ("one image without a list", user(image()), [(0, "user", "[image image/png 5]")]),
    ("one result without a list", user(result("a", "A")), [(0, "tool output", "A")]),
    ("a result of one block without a list", user([result("a", text("A"))]), [(0, "tool output", "A")]),
    ("a result of one image without a list", user([result("a", image())]), [(0, "tool output", "[image image/png 5]")]),
    (
        "an image beside harness text is a person's",
        user([text("<ide_opened_file>a</ide_opened_file>"), image()]),
        [(0, "user", "<ide_opened_file>a</ide_opened_file>\n[image image/png 5]")],
    ),
    (
        "a shell's output in two blocks",
        user([text("<bash-stdout>a</bash-stdout>"), text("<bash-stderr>b</bash-stderr>")]),
        [(0, "tool output", "<bash-stdout>a</bash-stdout>\n<bash-stderr>b</bash-stderr>")],
    ),
    (
        "a shell's command and output in two blocks",
        user([text("<bash-input>ls</bash-input>"), text("<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>")]),
        [(0, "tool output", "<bash-input>ls</bash-input>\n<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>")],
    ),
    (
        "a shell's command and output in one text",
        user("<bash-input>ls</bash-input>\n<bash-stdout>a</bash-stdout>"),
        [(0, "tool output", "<bash-input>ls</bash-input>\n<bash-stdout>a</bash-stdout>")],
    ),
    (
        "a shell's output that shows such an element",
        user("<bash-stdout>a </bash-stdout> b</bash-stdout><bash-stderr></bash-stderr>"),
        [(0, "tool output", "<bash-stdout>a </bash-stdout> b</bash-stdout><bash-stderr></bash-stderr>")],
    ),
    ("a message that is a string", record("user", message="bare"), [(0, "user", "bare")]),
    ("content without a message", record("user", content="older still"), [(0, "user", "older still")]),
]

HARNESS: list[tuple[str, dict[str, Any]]] = [
    ("meta", user("Base text", isMeta=True)),
    ("the summary of a compaction", user("We were glazing", isCompactSummary=True)),
    (
        "the summary without its mark",
        user(
            "This session is being continued from a previous conversation that ran out of context. "
            "The conversation is summarized below:\nWe glazed."
        ),
    ),
    ("a command", user("<command-name>/clear</command-name>\n  <command-args></command-args>")),
    ("a command's output", user("<local-command-stdout>Bye</local-command-stdout>")),
    ("a caveat", user("<local-command-caveat>Caveat: …</local-command-caveat>")),
    ("an old caveat", user("Caveat: The messages below were generated by the user while running local commands.")),
    ("a notification", user("<task-notification><status>completed</status></task-notification>")),
    (
        "a notification with the place of its result",
        user("<task-notification>done</task-notification>\nRead the output file to retrieve the result: /tmp/b1"),
    ),
    ("a message of another agent", user('<teammate-message teammate_id="kim" color="blue">hi</teammate-message>')),
    ("the place of an image", user("[Image: source: /tmp/kiln.png]")),
    ("a notification by origin", user("done", origin={"kind": "task-notification"})),
    ("a system prompt source", user("continue", promptSource="system")),
    ("a reminder alone", user("<system-reminder>plan mode</system-reminder>")),
    (
        "two wrappers",
        user([text("<ide_opened_file>a</ide_opened_file>"), text("<system-reminder>b</system-reminder>")]),
    ),
    ("an interruption", user([text("[Request interrupted by user for tool use]")])),
    ("a skill", user([text("Base directory for this skill: /k")], isMeta=True, sourceToolUseID="c")),
    ("a hook's feedback", user("Stop hook feedback:\n- lint failed", isMeta=True)),
    ("a warm-up", user("Warmup", isSidechain=True)),
]

PERSON: list[tuple[str, dict[str, Any]]] = [
    ("words behind a wrapper", user("<ide_selection>x</ide_selection>\nGlaze it")),
    ("a block behind a wrapper", user([text("<ide_opened_file>x</ide_opened_file>"), text("Glaze it")])),
    ("words behind an interruption", user("[Request interrupted by user]\nGlaze it")),
    ("a wrapper behind words", user("Glaze it <system-reminder>x</system-reminder>")),
    ("a warm-up that a person typed", user("Warmup")),
    ("a prompt of a subagent", user("Survey the kilns", isSidechain=True)),
    ("a human origin", user("Glaze it", origin={"kind": "human"}, promptSource="typed")),
    ("blanks", user("  ")),
    ("the words of a hook", user("Stop hook feedback: why do I see this?")),
    ("the words of a skill", user("Base directory for this skill: should be /k, mend it")),
    ("the words of a summary", user("This session is being continued from a previous conversation, is it not?")),
    ("the words of a caveat", user("Caveat: The messages below were generated by the user, and I wonder why.")),
    (
        "a caveat, and a question",
        user("Caveat: The messages below were generated by the user while running local commands.\nWho writes this?"),
    ),
    ("the words of a notification", user("Read the output file to retrieve the result: /tmp/b1")),
    ("words behind a notification", user("<task-notification>done</task-notification>\nRead it to me")),
    ("words behind an image's place", user("[Image: source: /tmp/kiln.png] is this glaze?")),
    ("an element never closed", user("<system-reminder> is what tag?")),
    ("an element named among others", user("<task-notification> and <teammate-message> show up in my log")),
    ("an element closed too early", user("</system-reminder><system-reminder>")),
    ("an interruption of one's own", user("[Request interrupted by user because of smoke]")),
    ("a shell's element never closed", user("<bash-input> shows up in my log")),
    ("words behind a shell's command", user("<bash-input>ls</bash-input> does what?")),
    ("words behind a shell's output", user("<bash-stdout>a</bash-stdout> means what?")),
    ("a shell's command beside words", user([text("<bash-input>ls</bash-input>"), text("does what?")])),
    ("a wrapper behind a block of words", user([text("Glaze it"), text("<system-reminder>b</system-reminder>")])),
    (
        "harness words among a person's blocks",
        user([text("Stop hook feedback:"), text("[Request interrupted by user]")]),
    ),
]

MODEL: list[tuple[str, dict[str, Any], Expected]] = [
    ("a string", assistant("Fired."), [(0, "assistant", "Fired.")]),
    ("a string from the harness", assistant("No.", {"model": "<synthetic>"}), [(0, "system", "No.")]),
    (
        "thinking, text and a call",
        assistant([{"type": "thinking", "thinking": "Hm."}, text("Firing."), call("c", command="fire")]),
        [(0, "assistant", "Hm."), (1, "assistant", "Firing."), (2, "tool input", '{"command":"fire"}')],
    ),
    ("one text without a list", assistant(text("Fired.")), [(0, "assistant", "Fired.")]),
    ("one call without a list", assistant(call("c", command="fire")), [(0, "tool input", '{"command":"fire"}')]),
    ("one thought without a list", assistant({"type": "thinking", "thinking": "Hm."}), [(0, "assistant", "Hm.")]),
    ("thinking without text", assistant([{"type": "thinking", "thinking": "", "signature": "x"}]), []),
    ("hidden thinking", assistant([{"type": "redacted_thinking", "data": "x"}, text("A")]), [(1, "assistant", "A")]),
    ("an empty text", assistant([text(""), text("B")]), [(1, "assistant", "B")]),
    ("a change of model", assistant([{"type": "fallback", "from": {}, "to": {}}]), []),
    ("an unknown block", assistant([{"type": "hologram", "data": "x"}, text("C")]), [(1, "assistant", "C")]),
    ("an image", assistant([image()]), [(0, "assistant", "[image image/png 5]")]),
    (
        "a server's tool",
        assistant(
            [
                {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "cone 6"}},
                {
                    "type": "web_search_tool_result",
                    "tool_use_id": "s",
                    "content": [{"type": "web_search_result", "title": "Cones", "url": "https://c.example"}],
                },
            ]
        ),
        [(0, "tool input", '{"query":"cone 6"}'), (1, "tool output", "Cones\nhttps://c.example")],
    ),
    (
        "a page that a server fetched",
        assistant(
            [
                {
                    "type": "web_fetch_tool_result",
                    "tool_use_id": "s",
                    "content": {
                        "type": "web_fetch_result",
                        "url": "https://c.example",
                        "content": {"type": "document", "source": {"type": "content", "content": [text("A"), image()]}},
                    },
                }
            ]
        ),
        [(0, "tool output", "https://c.example\nA\n[image image/png 5]")],
    ),
    (
        "what MCP embeds",
        assistant(
            [
                {
                    "type": "mcp_tool_result",
                    "tool_use_id": "s",
                    "content": [
                        {"type": "resource", "resource": {"uri": "k://log", "text": "fired"}},
                        {"type": "resource", "resource": {"blob": "aGVsbG8=", "mimeType": "image/png"}},
                        {"type": "resource", "resource": {"uri": "k://door"}},
                        {"type": "resource", "resource": None},
                        {"type": "resource_link", "name": "kiln", "uri": "k://kiln"},
                        {"type": "audio", "data": "aGVsbG8=", "mimeType": "audio/wav"},
                    ],
                }
            ]
        ),
        [
            (
                0,
                "tool output",
                "fired\n[image image/png 5]\nk://door\nkiln\nk://kiln\n[image audio/wav 5]",
            )
        ],
    ),
    (
        "what a search found",
        assistant(
            [
                {
                    "type": "mcp_tool_result",
                    "tool_use_id": "s",
                    "content": [
                        {"type": "search_result", "title": "T", "source": "S", "content": [text("A"), text("B")]}
                    ],
                }
            ]
        ),
        [(0, "tool output", "T\nS\nA\nB")],
    ),
    (
        "a call with a text for input",
        assistant([{"type": "tool_use", "id": "c", "name": "Patch", "input": "*** Begin"}]),
        [(0, "tool input", "*** Begin")],
    ),
    (
        "a call with JSON in a text",
        assistant([{"type": "tool_use", "id": "c", "name": "Ask", "input": '{ "n": 1.10 }'}]),
        [(0, "tool input", '{"n":1.10}')],
    ),
    ("a call without input", assistant([{"type": "tool_use", "id": "c", "name": "Ls"}]), [(0, "tool input", "")]),
]

NOTICES: list[tuple[str, dict[str, Any], Expected]] = [
    (
        "a command's echo",
        system("local_command", content="<command-name>/mcp</command-name>"),
        [(0, "system", "<command-name>/mcp</command-name>")],
    ),
    ("one block without a list", system("informational", content=text("hot")), [(0, "system", "hot")]),
    (
        "several blocks",
        system("informational", content=[text("hot"), image()]),
        [(0, "system", "hot\n[image image/png 5]")],
    ),
    ("a boundary", system("compact_boundary", content="Compacted", compactMetadata={}), [(0, "system", "Compacted")]),
    (
        "a boundary without text",
        system("compact_boundary", compactMetadata={"trigger": "auto", "preTokens": 9}),
        [(0, "system", '{"trigger":"auto","preTokens":9}')],
    ),
    ("a boundary without anything", system("microcompact_boundary"), [(0, "system", "")]),
    (
        "an API error",
        system("api_error", error={"status": 529, "error": {"error": {"message": "Overloaded"}}}),
        [(0, "system", "Overloaded")],
    ),
    (
        "an error in words",
        system("error", error={"formatted": "Slow down", "message": "429"}),
        [(0, "system", "Slow down")],
    ),
    ("an error without words", system("api_error", error={"status": 0}), [(0, "system", '{"status":0}')]),
    ("stop hooks that failed", system("stop_hook_summary", hookErrors=["lint", ""]), [(0, "system", "lint")]),
    (
        "a stop hook that holds the turn",
        system("stop_hook_summary", stopReason="not yet", preventedContinuation=True),
        [(0, "system", "not yet")],
    ),
    ("stop hooks that ran", system("stop_hook_summary", hookErrors=[], hookCount=3), []),
    ("a duration", system("turn_duration", durationMs=9), []),
    ("an unheard-of notice", system("moon_phase", content="waxing"), [(0, "system", "waxing")]),
    (
        "a queued prompt",
        attachment("queued_command", prompt="also the lids", commandMode="prompt"),
        [(0, "user", "also the lids")],
    ),
    (
        "a queued image",
        attachment("queued_command", prompt=[image(), text("this")]),
        [(0, "user", "[image image/png 5]\nthis")],
    ),
    (
        "a queued prompt of one block without a list",
        attachment("queued_command", prompt=text("also the lids")),
        [(0, "user", "also the lids")],
    ),
    (
        "a queued notice",
        attachment("queued_command", prompt="done", commandMode="task-notification"),
        [(0, "system", "done")],
    ),
    ("a queued empty prompt", attachment("queued_command", prompt=""), []),
    (
        "a hook's word",
        attachment("hook_success", content="Mind the glaze", stdout="{}"),
        [(0, "system", "Mind the glaze")],
    ),
    ("a hook without a word", attachment("hook_success", content="", stdout="{}"), []),
    ("a hook's context", attachment("hook_additional_context", content=["a", "b"]), [(0, "system", "a\nb")]),
    ("a hook's context in a text", attachment("hook_additional_context", content="a"), [(0, "system", "a")]),
    (
        "a memory",
        attachment("nested_memory", content={"path": "K.md", "content": "Be kind"}),
        [(0, "system", "Be kind")],
    ),
    ("skills", attachment("invoked_skills", skills=[{"content": "S1"}, {"content": "S2"}]), [(0, "system", "S1\nS2")]),
    ("a file", attachment("file", content={"type": "text", "file": {"content": "x = 1"}}), [(0, "system", "x = 1")]),
    (
        "an image file",
        attachment("file", content={"type": "image", "file": {"base64": "aGVsbG8=", "type": "image/png"}}),
        [(0, "system", "[image image/png 5]")],
    ),
    ("a list of tasks", attachment("task_reminder", content=[{"subject": "glaze"}]), []),
    ("new tools", attachment("deferred_tools_delta", addedNames=["Ls"]), []),
]

OLD: list[tuple[str, dict[str, Any], Expected]] = [
    ("a call", record("tool_use", name="bash", input={"command": "ls"}), [(0, "tool input", '{"command":"ls"}')]),
    ("a result", record("tool_result", name="bash", output="a\nb\n"), [(0, "tool output", "a\nb\n")]),
]


@pytest.mark.parametrize(("value", "expected"), [pytest.param(*case[1:], id=case[0]) for case in SAID])
def test_what_is_said_is_one_piece_and_each_result_one(value: dict[str, Any], expected: Expected) -> None:
    assert pieces(value) == expected


@pytest.mark.parametrize("value", [pytest.param(case[1], id=case[0]) for case in HARNESS])
def test_what_the_harness_wrote_is_system(value: dict[str, Any]) -> None:
    assert [kind for _, kind, _ in pieces(value)] == ["system"]


@pytest.mark.parametrize("value", [pytest.param(case[1], id=case[0]) for case in PERSON])
def test_what_a_person_wrote_is_user_with_all_that_stands_around_it(value: dict[str, Any]) -> None:
    content = value["message"]["content"]
    whole = content if isinstance(content, str) else "\n".join(block["text"] for block in content)
    assert pieces(value) == [(0, "user", whole)]


@pytest.mark.parametrize(("value", "expected"), [pytest.param(*case[1:], id=case[0]) for case in MODEL])
def test_each_block_of_the_model_is_a_piece_with_its_own_number(value: dict[str, Any], expected: Expected) -> None:
    assert pieces(value) == expected


@pytest.mark.parametrize(("value", "expected"), [pytest.param(*case[1:], id=case[0]) for case in NOTICES])
def test_a_notice_is_system_when_it_carries_words(value: dict[str, Any], expected: Expected) -> None:
    assert pieces(value) == expected


@pytest.mark.parametrize(("value", "expected"), [pytest.param(*case[1:], id=case[0]) for case in OLD])
def test_calls_and_results_of_the_first_versions_are_records_of_their_own(
    value: dict[str, Any], expected: Expected
) -> None:
    assert pieces(value) == expected


def test_a_command_that_the_person_ran_pairs_with_its_output() -> None:
    asked = user("<bash-input>git status</bash-input>")
    told = user("<bash-stdout>clean</bash-stdout><bash-stderr></bash-stderr>", parentUuid=asked["uuid"])
    walked = walk(asked, told)
    assert [name(piece) for piece in walked.pieces] == ["tool input", "tool output"]
    assert walked.pieces[0].call_id == walked.pieces[1].call_id == asked["uuid"]
    assert walked.flags == [Flag.BY_USER, Flag.BY_USER]


def test_an_api_error_that_the_model_seems_to_say_is_a_failed_notice() -> None:
    (piece,) = CLAUDE_CODE.decode(assistant([text("API Error: 500")], isApiErrorMessage=True)).pieces
    assert (name(piece), piece.flags) == ("system", Flag.ERROR)


@pytest.mark.parametrize(
    ("block", "twin", "flags"),
    [
        (result("a", "no", is_error=True), None, Flag.ERROR),
        (result("a", "no", is_error=False), None, Flag(0)),
        (result("a", "<tool_use_error>no</tool_use_error>"), None, Flag.ERROR),
        (result("a", "no"), {"is_error": True}, Flag.ERROR),
        (result("a", "a\nb"), {"filenames": ["a", "b"], "truncated": True}, Flag.SHORTENED),
        (result("a", "a\n... [12 lines truncated] ...\nb"), {"stdout": "a"}, Flag.SHORTENED),
        (result("a", "a\n... [12 lines truncated] ...\nb"), {"file": {}}, Flag(0)),
        (result("a", "a"), "Error: no such file", Flag(0)),
    ],
)
def test_a_result_tells_that_it_failed_or_was_shortened(block: Any, twin: Any, flags: Flag) -> None:
    (piece,) = CLAUDE_CODE.decode(user([block], toolUseResult=twin)).pieces
    assert piece.flags == flags


def test_the_richer_twin_of_a_result_is_never_its_text() -> None:
    assert pieces(user([result("a", "short")], toolUseResult={"stdout": "much longer"})) == [
        (0, "tool output", "short")
    ]


def test_a_piece_carries_the_ids_and_the_time_of_its_record() -> None:
    value = assistant([call("c", "Read", file_path="/a")], uuid="u", parentUuid="p")
    decoded = CLAUDE_CODE.decode(value)
    assert (decoded.native_id, decoded.parent_id, decoded.time) == ("u", "p", 1777629600250)
    (piece,) = decoded.pieces
    assert (piece.tool, piece.call_id, piece.native_id) == ("Read", "c", "u")


@pytest.mark.parametrize(
    ("given", "said"),
    [(7, "7"), (Number("7.0"), "7.0"), (True, "true"), ({"n": [1, None]}, '{"n":[1,null]}'), ("7", "7")],
)
def test_an_id_that_is_no_string_links_as_well(given: Any, said: str) -> None:
    asked = CLAUDE_CODE.decode(assistant([{"type": "tool_use", "id": given, "name": "Ls"}], uuid=given))
    told = CLAUDE_CODE.decode(user([{"type": "tool_result", "tool_use_id": given}], parentUuid=given))
    assert asked.pieces[0].call_id == told.pieces[0].call_id == said
    assert asked.native_id == asked.pieces[0].native_id == told.parent_id == said


@pytest.mark.parametrize("given", ["", None])
def test_an_empty_id_is_none(given: Any) -> None:
    (piece,) = CLAUDE_CODE.decode(assistant([{"type": "tool_use", "id": given, "name": "Ls"}], uuid=given)).pieces
    assert (piece.call_id, piece.native_id) == (None, None)


@pytest.mark.parametrize(
    ("head", "kind"),
    [("<bash-stdout>row", "tool output"), ("<system-reminder>plan", "system"), ("<b>row", "user")],
)
def test_the_end_of_a_clipped_text_is_taken_for_its_elements(head: str, kind: str) -> None:
    assert [found for _, found, _ in pieces(user(Clipped.of(head, (0, 9_000_000))))] == [kind]


def test_a_record_copied_into_a_fork_is_inherited() -> None:
    value = user("Glaze it", forkedFrom={"sessionId": "s-0", "messageUuid": "u-0"})
    assert walk(value).flags == [Flag.INHERITED]
    assert walk(value).facts.forked_from == "s-0"


def test_a_clipped_text_is_passed_on_untouched() -> None:
    clipped = Clipped.of("head of much", (100, 9_000_000))
    (piece,) = CLAUDE_CODE.decode(user([result("a", clipped)])).pieces
    assert isinstance(piece.parts[0], TextPart)
    assert piece.parts[0].value is clipped
    (shown,) = CLAUDE_CODE.decode(user([image(Clipped.of("aGVs", (0, 4_000)))])).pieces
    assert isinstance(shown.parts[0], ImagePart)
    assert (shown.parts[0].clipped, shown.text()) == ("aGVs", "[image image/png]")


@pytest.mark.parametrize(
    ("value", "counted", "known"),
    [
        ({"type": "progress", "data": {"type": "hook_progress"}}, "progress/hook_progress", True),
        ({"type": "system", "subtype": "turn_duration"}, "system/turn_duration", True),
        ({"type": "system", "subtype": "moon_phase"}, "system/moon_phase", False),
        ({"type": "attachment", "attachment": {"type": "moon"}}, "attachment/moon", False),
        ({"type": "hologram", "content": "x"}, "hologram", False),
        ({"type": "last-prompt", "lastPrompt": "x"}, "last-prompt", True),
        ({"type": "result", "result": "Done.", "usage": {}}, "result", True),
        ({"type": "stream_event", "event": {}}, "stream_event", True),
        ({"type": 7}, "(no type)", False),
        ({"type": Number("7")}, "(no type)", False),
        ({}, "(no type)", False),
        ({"type": "x" * 500}, "x" * 64, False),
        (user([{"type": "hologram"}]), "user", False),
        (user(7), "user", False),
        (assistant([{"type": "hologram"}]), "assistant", False),
        (assistant([{"type": "fallback"}]), "assistant", True),
    ],
)
def test_a_record_without_evidence_is_counted_by_its_type(value: dict[str, Any], counted: str, known: bool) -> None:
    decoded = CLAUDE_CODE.decode(value)
    assert (decoded.type, decoded.known, decoded.pieces) == (counted, known, ())


@pytest.mark.parametrize(("name", "path"), [(name, path) for name, paths in WORDS.items() for path in paths])
def test_an_attachment_speaks_from_the_place_of_its_words(name: str, path: tuple[str, ...]) -> None:
    value: Any = "the words"
    for step in reversed(path):
        value = [value] if step == "*" else {step: value}
    assert pieces(attachment(name, **value)) == [(0, "system", "the words")]


def test_a_reference_to_a_tool_is_a_known_block() -> None:
    assert CLAUDE_CODE.decode(user([result("a", [{"type": "tool_reference", "tool_name": "Grep"}])])).known


def test_blocks_are_read_no_deeper_than_they_are_written() -> None:
    block: Any = text("core")
    for _ in range(2_000):
        block = {"type": "search_result", "title": "t", "content": [block]}
    assert pieces(user([result("a", [block])])) == [(0, "tool output", "t\nt\nt")]


def test_an_old_result_tells_that_it_failed() -> None:
    (piece,) = CLAUDE_CODE.decode(record("tool_result", output="no", is_error=True)).pieces
    assert piece.flags == Flag.ERROR


def test_no_attachment_both_speaks_and_is_silent() -> None:
    assert not SILENT & WORDS.keys()
