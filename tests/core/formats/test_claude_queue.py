from __future__ import annotations

from typing import Any

import pytest

from tests.core.formats.claude_walk import (
    Record,
    assistant,
    attachment,
    image,
    pieces,
    record,
    result,
    text,
    user,
    walk,
)
from unspool.formats.claude_code import CLAUDE_CODE
from unspool.formats.claude_queue import WAITING
from unspool.formats.piece import Flag
from unspool.sources.json_value import Clipped


def queue(operation: str, *content: Any) -> Record:
    fields = {"content": content[0]} if content else {}
    return {"type": "queue-operation", "operation": operation, "sessionId": "s-1", **fields}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Glaze it", [(0, "user", "Glaze it")]),
        ([image(), text("like this")], [(0, "user", "[image image/png 5]\nlike this")]),
        (text("Glaze it"), [(0, "user", "Glaze it")]),
        ('{"glaze": "ash"}', [(0, "user", '{"glaze": "ash"}')]),
        ('{"task_id": 1', [(0, "user", '{"task_id": 1')]),
        ("", []),
        (None, []),
        (7, []),
        ("<task-notification><task-id>b1</task-id></task-notification>", []),
        ("<task-notification> is what?", [(0, "user", "<task-notification> is what?")]),
        ('{"task_type": "local_bash", "task_id": "b1"}', []),
        ('{"task_id": "b1", "tool_use_id": "c"}', []),
    ],
)
def test_a_prompt_that_waits_is_the_persons(content: Any, expected: list[tuple[int, str, str]]) -> None:
    value = queue("enqueue", content)
    assert pieces(value) == expected
    assert CLAUDE_CODE.decode(value).known


@pytest.mark.parametrize("operation", ["dequeue", "remove", "popAll", "", 7, None])
def test_the_queues_other_operations_are_other_records(operation: Any) -> None:
    decoded = CLAUDE_CODE.decode(queue(operation, "Glaze it"))
    assert (decoded.type, decoded.known, decoded.pieces) == ("queue-operation", True, ())


GLAZE, FIRE = queue("enqueue", "Glaze it"), queue("enqueue", "Fire it ")
OUT, BOTH_OUT = queue("dequeue"), queue("popAll")
ENVELOPE = "<command-message>glaze</command-message>\n<command-name>/glaze</command-name>"
DELIVERED: list[tuple[str, list[Record], list[str]]] = [
    ("the same words", [GLAZE, user("Glaze it")], ["Glaze it"]),
    ("the same words but for blanks", [FIRE, user([text("Fire it")])], ["Fire it "]),
    ("the same words in an attachment", [GLAZE, attachment("queued_command", prompt="Glaze it")], ["Glaze it"]),
    ("the same words in another order", [GLAZE, FIRE, user("Fire it"), user("Glaze it")], ["Glaze it", "Fire it "]),
    ("the same words once for each time", [GLAZE, GLAZE, user("Glaze it")], ["Glaze it"]),
    ("two prompts as one", [GLAZE, FIRE, OUT, OUT, user("Glaze it\nFire it")], ["Glaze it", "Fire it "]),
    ("two prompts given back, and sent", [GLAZE, FIRE, BOTH_OUT, user("Fire it\nGlaze it")], ["Glaze it", "Fire it "]),
    (
        "one of two that were removed",
        [GLAZE, FIRE, queue("remove", "Fire it"), user("First:\nFire it\nGlaze it")],
        ["Fire it "],
    ),
    ("a pasted text", [queue("enqueue", "See [Pasted text #1]"), OUT, user("See the deed")], ["See [Pasted text #1]"]),
    (
        "two pasted texts",
        [queue("enqueue", "A [Pasted text #1 +2 lines] B [Pasted text #2]."), OUT, user("A x B y.")],
        ["A [Pasted text #1 +2 lines] B [Pasted text #2]."],
    ),
    ("other words around a pasted text", [queue("enqueue", "See [Pasted text #1]"), OUT, user("Burn the deed")], []),
    (
        "a command with words",
        [queue("enqueue", "/glaze ash"), OUT, user(f"{ENVELOPE}<command-args>ash</command-args>")],
        ["/glaze ash"],
    ),
    (
        "a command for the app",
        [
            queue("enqueue", "/clear"),
            OUT,
            user("<command-name>/clear</command-name>\n<command-message>clear</command-message>"),
        ],
        ["/clear"],
    ),
    ("another command", [queue("enqueue", "/fire"), OUT, user(ENVELOPE)], []),
    ("another command of a shell", [queue("enqueue", "!df"), OUT, user("<bash-input>ls</bash-input>")], []),
    ("words behind context", [GLAZE, OUT, user("<ide_opened_file>f</ide_opened_file> Glaze it")], ["Glaze it"]),
    ("other words, behind a dequeue", [GLAZE, OUT, user("Fire it")], []),
    ("one prompt, then the other", [GLAZE, FIRE, OUT, user("Stack it"), OUT, user("Fire it")], ["Fire it "]),
    ("the words again, two prompts later", [GLAZE, OUT, user("Fire it"), user("Stop.\nGlaze it")], []),
    ("a command", [queue("enqueue", "/glaze"), OUT, user(ENVELOPE)], ["/glaze"]),
    ("a shell's command", [queue("enqueue", "!ls"), OUT, user("<bash-input>ls</bash-input>")], ["!ls"]),
    ("no prompt", [GLAZE], []),
    ("another prompt", [GLAZE, user("Fire it")], []),
    ("another prompt that holds the words", [GLAZE, user("Fire it\nGlaze it")], []),
    ("another prompt, behind one removed", [GLAZE, queue("remove", "Glaze it"), user("Fire it")], []),
    ("another prompt, behind one given back", [GLAZE, BOTH_OUT, user("Fire it")], []),
    ("the answer", [GLAZE, OUT, assistant("Glaze it")], []),
    ("a result", [GLAZE, OUT, user([result("c", "Glaze it")])], []),
    ("a reminder", [GLAZE, OUT, user("<system-reminder>x</system-reminder>")], []),
    ("a hook's word", [GLAZE, OUT, attachment("hook_success", content="mind")], []),
    ("a side conversation", [GLAZE, user("Glaze it", isSidechain=True)], []),
    ("a notification first", [queue("enqueue", "done"), GLAZE, OUT, user("done"), user("Fire it")], ["done"]),
]


@pytest.mark.parametrize(("records", "twins"), [pytest.param(*case[1:], id=case[0]) for case in DELIVERED])
def test_what_delivers_a_prompt_makes_the_waiting_one_its_twin(records: list[Record], twins: list[str]) -> None:
    assert walk(*records).flagged(Flag.TWIN) == twins


def test_a_notification_that_waits_takes_its_turn() -> None:
    notice = "<task-notification>done</task-notification>"
    walked = walk(queue("enqueue", notice), GLAZE, OUT, user(notice), OUT, user("Glaze it\nSoon"))
    assert walked.flagged(Flag.TWIN) == ["Glaze it"]


def test_only_so_many_prompts_wait() -> None:
    walked = walk(*(queue("enqueue", f"{number}") for number in range(WAITING + 1)), user("0"), user("1"))
    assert walked.flagged(Flag.TWIN) == ["1"]


def test_a_long_prompt_is_known_by_its_head() -> None:
    head = Clipped.of("Glaze", (0, 9_000_000))
    assert walk(queue("enqueue", head), user(Clipped.of("Glaze", (7, 9_000_007)))).flags == [Flag.TWIN, Flag(0)]


@pytest.mark.parametrize(
    ("records", "prompt"),
    [
        ([GLAZE], "Glaze it"),
        ([GLAZE, user("Glaze it")], "Glaze it"),
        ([user("Fire it"), GLAZE], "Fire it"),
        ([queue("enqueue", "/clear")], "/clear"),
        ([queue("enqueue", "/clear"), user("Fire it")], "Fire it"),
        ([queue("enqueue", "/kiln/door is open")], "/kiln/door is open"),
        ([queue("enqueue", "/kiln/door is open"), user("Fire it")], "/kiln/door is open"),
    ],
)
def test_a_session_is_titled_by_a_prompt_that_waits(records: list[Record], prompt: str) -> None:
    assert walk(*records).facts.first_prompt == prompt


def test_a_log_that_begins_with_the_queue_is_claude_codes() -> None:
    assert CLAUDE_CODE.detect([GLAZE])
    assert not CLAUDE_CODE.detect([record("queue-operation") | {"sessionId": None}])
