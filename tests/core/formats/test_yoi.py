"""What yoi's records mean, in all of its versions."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.formats.yoi_walk import AT, call, flagged, message, pieces, record, result, said, start, text, typed
from unspool.formats import FORMATS, detect
from unspool.formats.piece import Flag, ImagePart, JsonPart
from unspool.formats.yoi import YOI

IMAGE = {"kind": "image", "mime_type": "image/png", "data": "iVBORw0KGgo="}
ITEMS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("a message of the model", message("assistant", "Done."), ["assistant: Done."]),
    ("a message of two parts", message("assistant", "I will", "not"), ["assistant: I will\nnot"]),
    (
        "a refusal",
        {"kind": "message", "role": "assistant", "content": [{"kind": "refusal", "refusal": "No."}]},
        ["assistant: No."],
    ),
    ("a content that is a string", {"kind": "message", "role": "user", "content": "Hi"}, ["user: Hi"]),
    ("a message of yoi", message("system", "Be kind."), ["system: Be kind."]),
    ("an empty message", message("assistant", ""), []),
    ("a call", call('{"command": "ls"}'), ['input: {"command":"ls"}']),
    ("a call whose arguments are torn", call('{"command": "l'), ['input: {"command": "l']),
    ("a call without arguments", {"kind": "tool_call", "call_id": "c", "name": "x"}, ["input: "]),
    ("an output", result(output="a.txt\n"), ["output: a.txt\n"]),
    ("a summary alone", result(summary="done"), ["output: done"]),
    ("a summary and the content", result(summary="2 lines", content="a\nb\n"), ["output: 2 lines\na\nb\n"]),
    ("an empty output", result(output=""), ["output: "]),
    ("an image", result(summary="seen", attachments=[IMAGE]), ["output: seen\n[image image/png 8]"]),
    ("reasoning", {"kind": "reasoning", "text": "Hm.", "signature": "U0lH"}, ["assistant: Hm."]),
    ("reasoning by its summary", {"kind": "reasoning", "text": "", "summary": ["A", "B"]}, ["assistant: A\nB"]),
    ("reasoning that is kept secret", {"kind": "reasoning", "text": "", "encrypted_content": "Z0FB"}, []),
]
ASIDE = [
    "cache_locked", "cache_unlocked", "config_changed", "extension", "invoke", "llm_usage", "paused_turn_abandoned",
    "run_completed", "run_errored", "run_outcome", "turn_end",
]  # fmt: skip


def retagged(value: Any) -> Any:
    """An item as the first versions wrote it: tagged by `type`."""
    if isinstance(value, dict):
        return {"type" if key == "kind" else key: retagged(each) for key, each in value.items()}
    return [retagged(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize(("item", "expected"), [case[1:] for case in ITEMS], ids=[case[0] for case in ITEMS])
def test_an_item_is_the_same_piece_wherever_it_is_written(item: dict[str, Any], expected: list[str]) -> None:
    for written in (item, retagged(item)):
        assert pieces(record("assistant_item", item=written)) == expected
        assert pieces(record("tool_results", items=[written, written])) == expected * 2
        assert pieces(start("segment_start", written)) == expected
        assert YOI.decode(record("tool_result", item=written)).known


def test_a_piece_of_a_list_has_the_number_of_its_item() -> None:
    items = [message("assistant", ""), {"kind": "new"}, message("assistant", "Hi"), call()]
    decoded = YOI.decode(record("assistant_items", items=items))
    assert [piece.number for piece in decoded.pieces] == [2, 3]
    assert decoded.places == 4
    assert not decoded.known


@pytest.mark.parametrize("injected", ["hook_injected_items", "system_items"])
def test_what_was_put_into_the_history_is_systems_in_whatever_name(injected: str) -> None:
    items = [message("user", "note"), {"kind": "notification", "message": "raw", "body": "[Notification] raw"}]
    assert pieces(record(injected, items=items)) == ["system: note", "system: [Notification] raw"]


@pytest.mark.parametrize(
    "kind",
    [
        "file_attachment", "interrupt", "knowledge", "notification", "pod_event", "skill_activation", "task_reminder",
        "worker_event", "workflow",
    ],
)  # fmt: skip
def test_a_system_item_is_its_body_and_nothing_without_one(kind: str) -> None:
    assert pieces(record("system_item", item={"kind": kind, "slug": "x", "body": "As said."})) == ["system: As said."]
    without = YOI.decode(record("system_item", item={"kind": kind, "slug": "x"}))
    assert (without.pieces, without.known, without.empty) == ((), True, True)


def test_a_system_item_of_a_version_to_come_is_inert_and_told_by_its_kind() -> None:
    decoded = YOI.decode(record("system_item", item={"kind": "oracle", "body": "secret"}))
    assert (decoded.pieces, decoded.known, decoded.type) == ((), False, "system_item/oracle")


def test_input_in_segments_is_one_text_with_references_as_they_were_typed() -> None:
    value = typed(
        text("Check "), {"kind": "file_ref", "path": "src/a.rs"}, text(" by "), {"kind": "knowledge_ref", "slug": "k"},
        {"kind": "paste", "id": 1, "content": "\n1,2\n"}, {"kind": "workflow_invoke", "slug": "go"},
        {"kind": "flow", "selector": "f"}, {"kind": "unknown"},
    )  # fmt: skip
    assert pieces(value) == ["user: Check @src/a.rs by #k\n1,2\n/go[Flow: f]"]
    assert pieces({"hash": "0", "prev_hash": None, **value}) == [
        "user: Check @src/a.rs by #k\n1,2\n/go[Flow: f][unknown input segment]"
    ]
    (piece,) = YOI.decode(value).pieces
    assert piece.is_composed
    assert YOI.decode(value).known


def test_input_of_one_text_stands_in_the_record_as_it_is() -> None:
    (piece,) = YOI.decode(typed(text("Hello"))).pieces
    assert (piece.text(), piece.is_composed) == ("Hello", False)


def test_a_segment_of_a_version_to_come_leaves_the_others() -> None:
    decoded = YOI.decode(typed(text("Hello"), {"kind": "hologram", "content": "x"}))
    assert [piece.text() for piece in decoded.pieces] == ["Hello"]
    assert not decoded.known


def test_input_of_the_first_versions_is_an_item() -> None:
    assert pieces(record("user_input", item=retagged(message("user", "Hi")))) == ["user: Hi"]


@pytest.mark.parametrize("origin", ["forked_from", "compacted_from"])
@pytest.mark.parametrize("kind", ["session_start", "segment_start"])
def test_a_history_that_says_where_it_comes_from_is_replayed(kind: str, origin: str) -> None:
    history = [message("system", "Summary"), message("user", "Go"), call(), result(output="ok")]
    assert flagged(start(kind, *history)) == [Flag(0)] * 4
    assert flagged(start(kind, *history, **{origin: {"session_id": "s"}})) == [Flag.REPLAYED] * 4
    assert pieces(start(kind, *history))[0] == "system: Summary"


def test_a_compaction_is_told_where_a_session_begins_with_its_summary() -> None:
    assert YOI.decode(start(compacted_from={"session_id": "s"})).compaction is not None
    assert YOI.decode(start(forked_from={"session_id": "s"})).compaction is None


@pytest.mark.parametrize("kind", ASIDE)
def test_what_yoi_notes_for_itself_is_an_other_record(kind: str) -> None:
    decoded = YOI.decode(record(kind, message="stream closed", trigger="user_send"))
    assert (decoded.type, decoded.pieces, decoded.known, decoded.empty) == (kind, (), True, False)


def test_a_kind_of_a_version_to_come_is_inert() -> None:
    for value in (record("future_entry", item=message("user", "x")), {"ts": AT}, {"kind": 7}, {}):
        decoded = YOI.decode(value)
        assert (decoded.pieces, decoded.known) == ((), False)


def test_failed_results_say_so() -> None:
    assert flagged(record("tool_result", item=result(summary="denied", is_error=True))) == [Flag.ERROR]
    assert flagged(record("tool_result", item=result(summary="fine", is_error=False))) == [Flag(0)]


def test_arguments_and_images_are_what_they_are() -> None:
    (piece,) = YOI.decode(record("assistant_item", item=call('{"a":1}'))).pieces
    assert isinstance(piece.parts[0], JsonPart)
    assert (piece.tool, piece.call_id) == ("bash", "c")
    (piece,) = YOI.decode(record("tool_result", item=result(summary="x", attachments=[IMAGE]))).pieces
    assert isinstance(piece.parts[1], ImagePart)
    assert piece.images == 1


@pytest.mark.parametrize(("ts", "time"), [(AT, AT), (1, None), (0, None), ("now", None), (None, None), (True, None)])
def test_a_time_is_milliseconds_and_a_mistake_is_none(ts: Any, time: int | None) -> None:
    assert YOI.decode({"kind": "turn_end", "ts": ts}).time == time


HEADS: list[dict[str, Any]] = [
    start(),
    start("segment_start"),
    typed(text("Hi")),
    said("Hi"),
    record("tool_results", items=[]),
    record("invoke", trigger="user_send"),
    record("run_completed", interrupted=False, result="finished"),
]
STRANGERS: list[dict[str, Any]] = [
    {"ts": AT, "turn": 0, "event": {"ping": {}}},
    {"kind": "session_start", "ts": AT},
    {"kind": "invoke", "ts": AT},
    {"kind": "user_input", "ts": "2026", "item": {}},
    {"kind": "message", "ts": AT, "item": {}},
    {"type": "user_input", "ts": AT, "item": {}},
]


def test_a_head_of_yois_records_is_recognised() -> None:
    for value in HEADS:
        assert detect([{"kind": "future_entry"}, value]) is YOI
    for value in STRANGERS:
        assert detect([value]) is None
    for format in FORMATS:
        assert format is YOI or not any(format.detect([value]) for value in HEADS)


def test_headlines_and_files_come_from_the_arguments() -> None:
    assert YOI.headline("bash", {"command": "cargo test"}) == "cargo test"
    assert YOI.files("edit", {"file_path": "src/a.rs", "new": "x"}) == ("src/a.rs",)
