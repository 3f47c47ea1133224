from __future__ import annotations

import pytest

from tests.core.formats.codex_walk import (
    Record,
    call,
    completed,
    event,
    image,
    item,
    message,
    prompt,
    reasoning,
    record,
    said,
    thought,
    walk,
)
from unspool.formats.codex import CODEX
from unspool.formats.piece import Flag, Kind
from unspool.sources.json_value import Clipped
from unspool.views.view import SessionView

PNG = "data:image/png;base64,iVBORw0KGgo="
DONE = [{"type": "Text", "text": "Done."}]
WARNING = "Warning: apply_patch was requested via exec_command. Use the apply_patch tool instead of exec_command."
IDE = "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\n"


def test_the_record_that_was_written_second_is_the_twin() -> None:
    walked = walk(
        message("user", "Sort it"), prompt("Sort it"), reasoning("Hm."), thought("Hm."), said("Done."),
        message("assistant", "Done."),
    )  # fmt: skip
    assert [Flag.TWIN in flags for _, flags in walked.rows] == [False, True, False, True, False, True]


def test_messages_of_older_files_that_are_events_alone_stay_evidence() -> None:
    assert walk(prompt("Sort it"), thought("Hm."), said("Done.")).texts() == ["Sort it", "Hm.", "Done."]


def test_two_records_of_one_kind_are_never_twins() -> None:
    walked = walk(
        said("ok"), said("ok"), message("assistant", "ok"), message("assistant", "ok"), message("assistant", "ok")
    )
    assert [Flag.TWIN in flags for _, flags in walked.rows] == [False, False, True, True, False]


def test_items_that_come_together_after_their_events_find_them_all() -> None:
    walked = walk(
        prompt("Go"), thought("One"), thought("Two"), said("Three"), call("{}"), reasoning("One", "Two"),
        message("assistant", "Three"),
    )  # fmt: skip
    assert walked.texts(Flag.TWIN) == ["One\nTwo", "Three"]


def test_events_of_each_text_of_a_reasoning_item_are_its_twins() -> None:
    assert walk(reasoning("One", "Two"), thought("One"), thought("Two")).texts(Flag.TWIN) == ["One", "Two"]


def test_a_reasoning_item_that_says_more_than_its_events_stays_evidence() -> None:
    assert walk(thought("One"), reasoning("One", "Two")).texts(Flag.TWIN) == []


def test_the_same_words_in_another_turn_are_another_message() -> None:
    walked = walk(said("ok"), message("user", "again"), prompt("again"), message("assistant", "ok"))
    assert walked.texts(Flag.TWIN) == ["again"]
    walked = walk(said("ok"), event("turn_aborted", reason="interrupted"), message("assistant", "ok"))
    assert walked.texts(Flag.TWIN) == []
    walked = walk(prompt("go"), said("done"), message("user", "go"))
    assert walked.texts(Flag.TWIN) == []


def test_the_start_of_a_turn_may_stand_between_the_two_records_of_its_prompt() -> None:
    assert walk(prompt("go"), event("task_started"), message("user", "go")).texts(Flag.TWIN) == ["go"]


def test_reasoning_and_answer_of_the_same_words_are_no_twins() -> None:
    assert walk(thought("ok"), message("assistant", "ok")).texts(Flag.TWIN) == []


SAME = [
    ("blocks joined without a line end", prompt("Look here"), message("user", "Look", " here")),
    ("white space at the ends", prompt("Look here\n"), message("user", "  Look here")),
    ("marks around an image", prompt("Look"), message("user", "Look", "<image name=[Image #1]>", "</image>")),
    ("context of an editor", prompt("sort it"), message("user", f"{IDE}sort it\n")),
    ("a citation", said("So it is."), message("assistant", "So it is.<oai-mem-citation>a.md</oai-mem-citation>")),
    ("a completed item", completed("AgentMessage", content=DONE), message("assistant", "Done.")),
    ("a notice told twice", event("warning", message=WARNING), message("user", WARNING)),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), [row[1:] for row in SAME], ids=[row[0] for row in SAME])
def test_the_two_writings_of_a_message_may_differ_in_form(first: Record, second: Record) -> None:
    for records in ((first, second), (second, first)):
        assert [Flag.TWIN in flags for _, flags in walk(*records).rows] == [False, True]


@pytest.mark.parametrize("joint", ["", "\n", "\n\n"])
def test_blocks_of_an_answer_and_their_joined_text_are_one_message(joint: str) -> None:
    blocks, joined = message("assistant", "One.", "Two."), said(f"One.{joint}Two.")
    completed_too = completed(
        "AgentMessage", content=[{"type": "Text", "text": "One."}, {"type": "Text", "text": "Two."}]
    )
    assert walk(blocks, joined, completed_too).texts() == ["One.", "Two."]
    assert walk(joined, blocks, completed_too).texts() == [f"One.{joint}Two."]
    assert walk(completed_too, blocks, joined).texts() == ["One.", "Two."]
    assert walk(said("One."), said("Two."), blocks).texts() == ["One.", "Two."]
    assert walk(blocks, said(f"One.{joint}Three.")).texts() == ["One.", "Two.", f"One.{joint}Three."]
    assert walk(blocks, joined, joined).texts() == ["One.", "Two.", f"One.{joint}Two."]
    assert walk(reasoning("One.", "Two."), thought(f"One.{joint}Two.")).texts() == ["One.\nTwo."]
    assert walk(thought(f"One.{joint}Two."), reasoning("One.", "Two.")).texts() == [f"One.{joint}Two."]


def test_a_command_that_the_person_ran_is_told_once() -> None:
    text = "<user_shell_command>\n<command>\nls\n</command>\n</user_shell_command>"
    for first, second in ((message("user", text), prompt(text)), (prompt(text), message("user", text))):
        walked = walk(prompt("Look"), first, second, said("Done."), second)
        assert walked.texts() == ["Look", text, "Done.", text]
        assert [(piece.kind, Flag.BY_USER in flags) for piece, flags in walked.rows][1:3] == [(Kind.TOOL, True)] * 2
    assert walk(prompt(f"{text} does what?")).rows[0][0].kind == Kind.USER


def test_an_image_that_only_the_item_holds_does_not_part_twins() -> None:
    seen = item("message", role="user", content=[{"type": "input_text", "text": "Look"}, image(PNG)])
    assert walk(seen, event("user_message", message="Look", local_images=["/tmp/a.png"])).texts(Flag.TWIN) == [
        "Look\n[image image/png]"
    ]


def test_a_plan_is_logged_on_its_own_and_inside_the_answer() -> None:
    answer = message("assistant", "Here:\n<proposed_plan>\n1. Dig\n</proposed_plan>")
    plan = completed("Plan", text="1. Dig\n")
    assert walk(plan, said("Here:"), answer).texts(Flag.TWIN) == [answer["payload"]["content"][0]["text"]]
    assert walk(answer, plan, said("Here:")).texts(Flag.TWIN) == ["1. Dig\n", "Here:"]
    assert walk(said("Here:"), answer).texts(Flag.TWIN) == []
    bare = message("assistant", "<proposed_plan>\n1. Dig\n</proposed_plan>")
    assert len(walk(plan, bare).texts(Flag.TWIN)) == 1


def test_three_kinds_of_record_of_one_message_leave_one() -> None:
    assert walk(said("Done."), completed("AgentMessage", content=DONE), message("assistant", "Done.")).texts() == [
        "Done."
    ]


def test_an_error_that_ended_the_turn_is_told_once() -> None:
    ended = event("task_complete", error={"message": "overloaded"})
    assert walk(event("error", message="overloaded"), ended).texts() == ["overloaded"]
    assert walk(ended).texts() == ["overloaded"]


ENDS = ("task_complete", "turn_complete")


@pytest.mark.parametrize("end", ENDS)
def test_the_last_answer_of_a_turn_is_evidence_where_nothing_else_says_it(end: str) -> None:
    last = event(end, last_agent_message="One.\n\nTwo.")
    said_before = [
        [said("One.\n\nTwo.")],
        [message("assistant", "One.", "Two.")],
        [completed("AgentMessage", content=[{"type": "Text", "text": "One.\nTwo."}])],
        [said("One.\n\nTwo."), prompt("Also"), said("Sure.")],
    ]
    for before in said_before:
        view = SessionView.of([prompt("Go"), *before, last], CODEX)
        assert (view.search("Two.").total, view.other_records) == (1, {f"event_msg/{end}": 1})
    view = SessionView.of([prompt("Go"), said("One."), last, last], CODEX)
    assert (view.counts.assistant, view.search("Two.").total) == (2, 1)
    failed = event(end, last_agent_message="Half.", error={"message": "overloaded"})
    view = SessionView.of([prompt("Go"), failed], CODEX)
    assert [str(view.id(row)) for row in range(view.rows)] == ["E0.0", "E1.0", "E1.1"]
    assert view.text("E1.1").read(0, 9) == b"Half."
    view = SessionView.of([prompt("Go"), said("Half."), failed], CODEX)
    assert [str(view.id(row)) for row in range(view.rows)] == ["E0.0", "E1.0", "E2.0"]


def test_a_clipped_text_is_compared_by_its_head() -> None:
    long = "word " * 4_000
    clipped = Clipped.of(long[:5_000], (100, 100 + len(long)))
    assert len(walk(prompt(clipped), message("user", long)).texts(Flag.TWIN)) == 1
    assert walk(prompt(clipped), message("user", f"no {long}")).texts(Flag.TWIN) == []


def test_injected_context_told_by_item_and_event_is_told_once() -> None:
    text = "<user_instructions>\nbe kind\n</user_instructions>"
    told = event("user_message", message=text, kind="user_instructions")
    assert walk(message("user", text), told).texts() == [text]


LOOKS_INJECTED = "<environment_context>\n  <cwd>/src</cwd>\n</environment_context>"


def test_an_event_that_says_it_was_typed_overrules_an_item_that_looks_injected() -> None:
    for records in ((message("user", LOOKS_INJECTED), prompt(LOOKS_INJECTED)),
                    (prompt(LOOKS_INJECTED), message("user", LOOKS_INJECTED))):  # fmt: skip
        walked = walk(*records, said("Yes."), event("thread_rolled_back", num_turns=1))
        assert [(str(piece.kind), Flag.TWIN in flags) for piece, flags in walked.rows[:2]] in (
            [("system", True), ("user", False)],
            [("user", False), ("system", True)],
        )
        assert len(walked.texts(Flag.ABANDONED)) == 3
        assert walked.facts.first_prompt == LOOKS_INJECTED


def test_the_completed_item_of_a_prompt_that_looks_injected_is_its_twin_too() -> None:
    typed = completed("UserMessage", content=[{"type": "text", "text": LOOKS_INJECTED}])
    walked = walk(message("user", LOOKS_INJECTED), prompt(LOOKS_INJECTED), typed)
    assert [Flag.TWIN in flags for _, flags in walked.rows] == [True, False, True]


def test_context_that_nobody_typed_stays_as_it_is() -> None:
    walked = walk(
        message("user", LOOKS_INJECTED), message("user", LOOKS_INJECTED), prompt(LOOKS_INJECTED), said("Yes.")
    )
    assert [Flag.TWIN in flags for _, flags in walked.rows] == [False, True, False, False]
    walked = walk(message("user", LOOKS_INJECTED), said("Yes."), prompt(LOOKS_INJECTED))
    assert walked.texts(Flag.TWIN) == []


def test_the_prompt_beside_context_in_one_item_has_its_twin() -> None:
    walked = walk(message("user", LOOKS_INJECTED, "Sort it"), prompt("Sort it"))
    assert walked.texts(Flag.TWIN) == ["Sort it"]
    assert walked.texts() == [LOOKS_INJECTED, "Sort it"]


def test_a_compaction_that_its_item_and_its_record_tell_is_told_once_by_the_record() -> None:
    told, hidden = record("compacted", message="So far: dug."), item("compaction", encrypted_content="x")
    bare = event("context_compacted")
    for records in ((hidden, bare, told), (told, bare, hidden)):
        walked = walk(*records)
        assert (walked.texts(), walked.texts(Flag.TWIN)) == (["So far: dug."], [""])
    assert walk(told, said("ok"), hidden, told, told).texts(Flag.TWIN) == [""]
