from __future__ import annotations

from typing import Any

import pytest

from tests.core.formats.codex_walk import completed, event, image, message, output, pieces
from unspool.formats.codex import CODEX
from unspool.formats.codex_context import is_injected
from unspool.formats.piece import Flag
from unspool.sources.json_value import Clipped

INJECTED = [
    "# AGENTS.md instructions for /src/kiln\n\n<INSTRUCTIONS>\nbe kind\n</INSTRUCTIONS>",
    "# AGENTS.md instructions for /src\n\n<INSTRUCTIONS>\nsay </INSTRUCTIONS> never\n</INSTRUCTIONS>\n",
    "# AGENTS.md instructions\n\n<INSTRUCTIONS>\nbe kind\n</INSTRUCTIONS>",
    "<environment_context>\n  <cwd>/src</cwd>\n</environment_context>",
    "\n<ENVIRONMENT_CONTEXT>\n</environment_context>  ",
    "<user_instructions>\n\nbe kind\n\n</user_instructions>",
    "<permissions instructions>ask</permissions instructions>",
    "<collaboration_mode># Default</collaboration_mode>",
    "<skill>\n<name>dig</name>\nsay </skill> twice\n</skill>",
    "<turn_aborted>\nThe user interrupted\n</turn_aborted>",
    "<environment_context>\n</environment_context>\n\n<turn_aborted>\nThe user interrupted\n</turn_aborted>",
    "<external_editor>open: a.py</external_editor>",
    '<subagent_notification>\n{"agent_id":"a"}\n</subagent_notification>',
    '<codex_internal_context source="goal">\nGo on.\n</codex_internal_context>',
    '<hook_prompt hook_run_id="h1">Try again</hook_prompt>',
    "<recommended_plugins>\nmail\n</recommended_plugins>",
    "Warning: apply_patch was requested via exec_command. Use the apply_patch tool instead of exec_command.",
    "Warning: The maximum number of unified exec processes you can keep open is 60 and you currently have 61 processes "
    "open. Reuse older processes or close them to prevent automatic pruning of old processes",
    "Another language model started to solve this problem and produced a summary of its thinking process. You also "
    "have access to the state of the tools that were used by that language model. Use this.\n\nSo far: dug.",
]


@pytest.mark.parametrize("text", INJECTED)
def test_text_that_codex_put_into_a_user_message_is_system(text: str) -> None:
    assert pieces(message("user", text)) == [f"system: {text}"]


TYPED = [
    "What does <environment_context> mean?",
    "<skill> tags are broken, please fix",
    "<skill>\nA skill that digs\n</skill>",
    "<instructions>\nSort the shelf\n</instructions>",
    "<task>\nSort the shelf\n</task>",
    "<plugins>\nmail\n</plugins>",
    "<subagents>two</subagents>",
    "<environment_context>\n</environment_context>\n\nSort the shelf",
    "<environment_context>\n</environment_context>\nSort it\n<environment_context>\n</environment_context>",
    "<user_instructions>\nbe kind",
    "<turn_aborted>\nThe user interrupted\n</turn_abort>",
    "# AGENTS.md instructions are outdated, rewrite them",
    "# AGENTS.md instructions for /src/kiln\n\nare outdated, rewrite them",
    "# AGENTS.md instructions for /src/kiln\n\n<INSTRUCTIONS>\nbe kind\n</INSTRUCTIONS>\n\nand shorter",
    "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nSort it\n",
    "Warning: this is mine",
    "Warning: apply_patch was requested via exec_command. What does that mean?",
    "Warning: The maximum number of unified exec processes you can keep open is 60. Raise it.",
    "Another language model started to solve this problem and produced a summary of its thinking process. Which?",
]


@pytest.mark.parametrize("text", TYPED)
def test_what_a_person_wrote_stays_theirs(text: str) -> None:
    assert pieces(message("user", text)) == [f"user: {text}"]


@pytest.mark.parametrize("text", INJECTED)
@pytest.mark.parametrize("kind", [{}, {"kind": "plain"}, {"kind": None}])
def test_what_an_event_says_was_typed_is_the_persons_in_any_shape(kind: dict[str, Any], text: str) -> None:
    assert pieces(event("user_message", message=text, **kind)) == [f"user: {text}"]
    assert pieces(completed("UserMessage", content=[{"type": "text", "text": text}])) == [f"user: {text}"]


def test_the_blocks_of_a_message_are_shared_out_to_their_authors() -> None:
    context, command = INJECTED[3], "<user_shell_command>\n<command>\nls\n</command>\n</user_shell_command>"
    value = message("user", context, "Sort it", command, "soon", INJECTED[0])
    value["payload"]["content"].append(image("data:image/png;base64,iVBORw0KGgo="))
    assert [(piece.number, str(piece.kind), piece.text()) for piece in CODEX.decode(value).pieces] == [
        (0, "system", f"{context}\n{INJECTED[0]}"),
        (1, "user", "Sort it\nsoon\n[image image/png 8]"),
        (2, "tool", command),
    ]


def test_a_message_of_one_author_is_one_piece_however_its_blocks_begin() -> None:
    [piece] = CODEX.decode(message("user", "", "Sort", "it")).pieces
    assert (piece.number, piece.text()) == (0, "Sort\nit")
    [piece] = CODEX.decode(message("user", INJECTED[0], INJECTED[3])).pieces
    assert (piece.number, str(piece.kind)) == (0, "system")


def test_a_clipped_context_is_judged_by_how_it_begins() -> None:
    head = Clipped.of("# AGENTS.md instructions for /src\n\n<INSTRUCTIONS>\nbe kind", (80, 9_000_000))
    assert pieces(message("user", head))[0].startswith("system: ")
    assert pieces(message("user", Clipped.of("Sort this", (80, 9_000_000)))) == ["user: Sort this"]


def test_a_command_of_the_person_is_a_tool_output_of_theirs() -> None:
    result = "<result>\nExit code: 2\nDuration: 0.1\nOutput:\nno\n</result>"
    text = f"<user_shell_command>\n<command>\nls\n</command>\n{result}\n</user_shell_command>"
    [piece] = CODEX.decode(message("user", text)).pieces
    assert (str(piece.kind), str(piece.tool_part), piece.tool) == ("tool", "output", "shell")
    assert piece.text() == text
    assert piece.flags == Flag.BY_USER | Flag.ERROR


OUTPUTS = [
    ("Exit code: 0\nWall time: 0 seconds\nOutput:\nok", Flag(0)),
    ("Exit code: 1\nWall time: 0 seconds\nOutput:\n", Flag.ERROR),
    ("Exit code: 1\nno such file", Flag.ERROR),
    ("Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 127\nOutput:\nsh: x: not found", Flag.ERROR),
    ("Chunk ID: a1\nWall time: 0.1 seconds\nProcess running with session ID 5\nOutput:\n", Flag(0)),
    ("Wall time: 0.1 seconds\nOutput:\nExit code: 1\n", Flag(0)),
    ("Chunk ID: a1\nProcess exited with code 0\nOutput:\nProcess exited with code 1", Flag(0)),
    ("The log says\nExit code: 1\n", Flag(0)),
    ('{"output":"no","metadata":{"exit_code":2,"duration_seconds":0.0}}', Flag.ERROR),
    ('{"output":"no","metadata":{"duration_seconds":0.0,"exit_code":2}}', Flag.ERROR),
    ('{"output":"\\"metadata\\":{\\"exit_code\\":2}","metadata":{"exit_code":0,"duration_seconds":0.0}}', Flag(0)),
    ("failed in sandbox MacosSeatbelt with execution error: sandbox denied exec error, exit code: 1", Flag.ERROR),
    ("apply_patch verification failed: no such line", Flag.ERROR),
    ("Chunk ID: a1\nProcess exited with code 0\nOutput:\nTotal output lines: 900\n\na", Flag.SHORTENED),
    ("Chunk ID: a1\nOutput:\nWarning: truncated output (original token count: 99999)\na", Flag.SHORTENED),
    ("Exit code: 1\nWall time: 1 seconds\nTotal output lines: 900\nOutput:\na", Flag.ERROR | Flag.SHORTENED),
    ('{"output":"Total output lines: 420\\n\\na","metadata":{"exit_code":0,"duration_seconds":0.0}}', Flag.SHORTENED),
    ('{"output":"a\\n[... omitted 2 of 9 lines ...]\\n\\nb","metadata":{"exit_code":0}}', Flag.SHORTENED),
    ("Chunk ID: a1\nOutput:\nthe log: Total output lines: 9\n\n", Flag(0)),
]


@pytest.mark.parametrize(("text", "flags"), OUTPUTS)
def test_what_codex_writes_around_an_output_tells_failure_and_cuts(text: str, flags: Flag) -> None:
    [piece] = CODEX.decode(output(text)).pieces
    assert piece.flags == flags
    assert piece.text() == text


def test_a_result_that_says_it_did_not_succeed_is_an_error() -> None:
    [piece] = CODEX.decode(output({"content": [], "success": False})).pieces
    assert piece.flags == Flag.ERROR


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"<external_a{number}></external_a{number}>" for number in range(20_000)),
        '<hook_prompt id="1"></hook_prompt><user_action></user_action>' * 10_000,
        "<user_action></user_action>" * 20_000,
        "<turn_aborted>" * 40_000 + "</turn_aborted>",
    ],
    ids=["names", "attributes", "pairs", "openings"],
)
def test_a_text_of_nothing_but_marks_is_judged_in_one_pass(text: str) -> None:
    assert is_injected(text)
    assert not is_injected(f"{text} and I")
