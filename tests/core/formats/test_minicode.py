"""What MiniCode's events mean."""

from __future__ import annotations

from typing import Any

import pytest

from unspool.formats import detect
from unspool.formats.base import Fold
from unspool.formats.decoded import Compaction, Decoded
from unspool.formats.facts import Facts, Usage
from unspool.formats.minicode import MINICODE
from unspool.formats.piece import Flag, Piece

AT = "2026-06-20T08:26:11.549Z"
MILLISECONDS = 1_781_943_971_549


def event(type_: str, message: Any = None, uuid: str = "u1", **more: Any) -> dict[str, Any]:
    held = {} if message is None else {"message": message}
    chain = {"parentUuid": "u0", "timestamp": AT, "sessionId": "1a2b3c4d", "cwd": "/srv/shop"}
    return {"type": type_, **held, "uuid": uuid, **chain, **more}


def message(role: str, uuid: str = "u1", **told: Any) -> dict[str, Any]:
    return {"role": role, **told, "id": uuid}


def said(text: Any, type_: str = "user", uuid: str = "u1", **more: Any) -> dict[str, Any]:
    return event(type_, message(type_, uuid, content=text), uuid, **more)


def result(text: Any, uuid: str = "u1", **told: Any) -> dict[str, Any]:
    told = {"toolUseId": "c", "toolName": "run_command", "content": text, "isError": False, **told}
    return event("tool_result", message("tool_result", uuid, **told), uuid)


def summary(text: str, uuid: str = "u1") -> dict[str, Any]:
    return event("user", {"role": "user", "content": text}, uuid)


def name(title: str, **more: Any) -> dict[str, Any]:
    return event("rename", title=title, **more)


def shown(piece: Piece) -> str:
    return f"{piece.tool_part if piece.tool_part is not None else piece.kind}: {piece.text()}"


def pieces(record: dict[str, Any]) -> list[str]:
    return [shown(piece) for piece in MINICODE.decode(record).pieces]


BLOCKS = [{"type": "redacted_thinking", "data": "cmVk"}, {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}]
BOUNDARY = {"trigger": "auto", "preTokens": 3660, "postTokens": 62}
CALL = {"toolUseId": "c", "toolName": "edit_file"}
EVENTS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("a prompt", said("Hi \u2028there"), ["user: Hi \u2028there"]),
    ("an empty prompt", said(""), []),
    ("an answer", said("Done.", "assistant"), ["assistant: Done."]),
    ("progress", event("progress", message("assistant_progress", content="Now")), ["assistant: Now"]),
    ("reasoning", event("thinking", message("assistant_thinking", blocks=BLOCKS)), ["assistant: Hm."]),
    (
        "a call",
        event("tool_call", message("assistant_tool_call", **CALL, input={"path": "a", "n": [1]})),
        ['input: {"path":"a","n":[1]}'],
    ),
    ("a call of plain text", event("tool_call", message("assistant_tool_call", **CALL, input="a b")), ["input: a b"]),
    ("a call without input", event("tool_call", message("assistant_tool_call", **CALL)), ["input: "]),
    ("a result", result("a.txt\n"), ["output: a.txt\n"]),
    ("an empty result", result(""), ["output: "]),
    ("a structured result", result([{"type": "text"}]), ['output: [{"type":"text"}]']),
    ("the summary of a compaction", summary("1. Request"), ["system: 1. Request"]),
    ("a summary", event("summary", message("context_summary", content="In short")), ["system: In short"]),
    ("a system prompt", said("Be kind.", "system"), ["system: Be kind."]),
    (
        "a boundary",
        event("compact_boundary", compactMetadata=BOUNDARY),
        ['system: {"trigger":"auto","preTokens":3660,"postTokens":62}'],
    ),
    ("a boundary that tells nothing", event("compact_boundary"), ["system: "]),
    ("a snip", event("snip_boundary", message("snip_boundary", content="[Snipped]")), ["system: [Snipped]"]),
    (
        "a snip without a message",
        event("snip_boundary", snipMetadata={"removedCount": 2}),
        ['system: {"removedCount":2}'],
    ),
    ("a collapse", event("context_collapse", contextCollapseSpan={"summary": "x"}), []),
    ("a name", name("Tides"), []),
]


@pytest.mark.parametrize(("record", "expected"), [case[1:] for case in EVENTS], ids=[case[0] for case in EVENTS])
def test_an_event_is_the_pieces_that_it_tells(record: dict[str, Any], expected: list[str]) -> None:
    decoded = MINICODE.decode(record)
    assert pieces(record) == expected
    assert (decoded.known, decoded.type, decoded.native_id, decoded.time) == (True, record["type"], "u1", MILLISECONDS)


def test_a_block_of_reasoning_has_the_number_of_its_place() -> None:
    decoded = MINICODE.decode(event("thinking", message("assistant_thinking", blocks=BLOCKS)))
    assert [(piece.number, piece.flags) for piece in decoded.pieces] == [(1, Flag.REASONING)]
    assert decoded.places == 2


def test_a_result_carries_its_call_and_how_it_went() -> None:
    (piece,) = MINICODE.decode(result("no", isError=True)).pieces
    assert (piece.call_id, piece.tool, piece.flags) == ("c", "run_command", Flag.ERROR)
    (cleared,) = MINICODE.decode(result("[Output cleared for context space]")).pieces
    assert cleared.flags == Flag.SHORTENED


def test_a_compaction_is_told_by_its_boundary_and_its_summary() -> None:
    told = MINICODE.decode(event("compact_boundary", compactMetadata=BOUNDARY)).compaction
    assert told == Compaction("auto", 3660, 62)
    assert MINICODE.decode(summary("So far")).compaction == Compaction()
    assert MINICODE.decode(said("So far")).compaction is None


def test_the_first_prompt_is_a_prompt_even_without_an_id() -> None:
    assert pieces(summary("Hi") | {"parentUuid": None}) == ["user: Hi"]


UNKNOWN = [
    event("hologram", message("user", content="x")),
    event("content_replacement", replacement="x"),
    said([{"type": "text", "text": "x"}]),
    said(None, "assistant"),
    event("assistant"),
    event("thinking", message("assistant_thinking", blocks="x")),
    event("snip_boundary"),
    {"message": message("user", content="x")},
    {"type": ["user"], "uuid": 7},
]


@pytest.mark.parametrize("record", UNKNOWN)
def test_what_is_not_known_is_inert_and_counted(record: dict[str, Any]) -> None:
    decoded = MINICODE.decode(record)
    assert (decoded.pieces, decoded.known, decoded.empty) == ((), False, False)


def test_sessions_are_told_by_one_of_their_first_events() -> None:
    for _, record, _ in EVENTS:
        if record["type"] != "user" or record["message"].get("id"):
            bare = record["type"] == "snip_boundary" and "message" not in record
            told = bare or record == event("compact_boundary")
            assert (detect([record]) is MINICODE) != told, record
    assert detect([summary("So far"), said("Go on")]) is MINICODE


def test_events_of_others_are_not_taken_for_minicodes() -> None:
    for record in (
        {**said("Hi"), "message": {"role": "user", "content": "Hi"}},
        {**said("Hi", "assistant"), "message": {"role": "assistant", "content": [], "id": "msg_1"}},
        event("summary", summary="x", leafUuid="u0"),
        event("system", subtype="compact_boundary", compactMetadata=BOUNDARY),
    ):
        assert detect([record]) is not MINICODE


def walked(*records: dict[str, Any]) -> tuple[Facts, dict[int, Flag]]:
    """Facts, and the flags that marks leave on rows which have none of their own."""
    fold, row, flags = MINICODE.fold(), 0, dict[int, Flag]()
    for record in records:
        decoded = MINICODE.decode(record)
        row = taken(fold, record, decoded, row, flags)
    return fold.facts, {row: flag for row, flag in flags.items() if flag}


def taken(fold: Fold, record: dict[str, Any], decoded: Decoded, row: int, flags: dict[int, Flag]) -> int:
    for mark in fold.add(record, decoded, range(row, row + len(decoded.pieces))):
        before = flags.get(mark.row, Flag(0))
        flags[mark.row] = before | mark.flag if mark.on else before & ~mark.flag
    return row + len(decoded.pieces)


def test_the_last_name_counts_and_else_the_first_prompt() -> None:
    facts, _ = walked(said("  "), said(" Tidy the weir\n", uuid="u2"), said("And now?", uuid="u3"))
    assert (facts.title, facts.first_prompt) == (None, "Tidy the weir")
    facts, _ = walked(said("Hi"), name("One", uuid="u2"), name(" Two ", uuid="u3"), name(" ", uuid="u4"))
    assert facts.title == "Two"
    assert (facts.session_id, facts.cwd) == ("1a2b3c4d", "/srv/shop")


def test_what_comes_again_under_its_id_is_replayed_whatever_it_looks_like_by_then() -> None:
    loaded = said("So far", uuid="u2")
    _, flags = walked(result("row", uuid="u1"), summary("So far", uuid="u2"), loaded, result("[gone]", uuid="u1"))
    assert flags == {2: Flag.REPLAYED, 3: Flag.REPLAYED}


def test_a_fork_is_named_at_once_and_what_stands_before_its_name_was_copied() -> None:
    copied = [said("Hi", uuid="u1"), said("Yes.", "assistant", uuid="u2")]
    _, flags = walked(*copied, name("Hi_fork1", uuid="u3"), said("Go on", uuid="u4"))
    assert flags == {0: Flag.INHERITED, 1: Flag.INHERITED}
    _, later = walked(*copied, name("Hi_fork1", uuid="u3", timestamp="2026-06-20T08:36:11.549Z"))
    _, renamed = walked(*copied, name("Hi", uuid="u3"), name("Hi_fork1", uuid="u4"))
    assert (later, renamed) == ({}, {})


def test_tokens_are_counted_once_for_each_request() -> None:
    used = {"inputTokens": 3512, "outputTokens": 96, "totalTokens": 3608}
    first = event("assistant", message("assistant", "u1", content="A", providerUsage=used), "u1")
    stale = {**first["message"], "usageStale": True}
    other = event("assistant", message("assistant", "u2", content="B", providerUsage=used | {"outputTokens": 4}), "u2")
    facts, _ = walked(first, {**first, "message": stale}, said("C", "assistant", uuid="u3"), other)
    assert (facts.usage, facts.context_tokens) == (Usage(7024, 100), 3516)
