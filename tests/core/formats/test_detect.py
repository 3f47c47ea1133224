"""Whose records a file holds."""

from __future__ import annotations

from typing import Any

from tests.core.formats.claude_walk import assistant, attachment, system, text, user
from unspool.formats import FORMATS, by_agent, detect
from unspool.formats.claude_code import CLAUDE_CODE


def test_a_head_of_claude_codes_records_is_recognised() -> None:
    heads: list[dict[str, Any]] = [
        user("hi"),
        assistant([text("hi")]),
        attachment("file"),
        system("turn_duration"),
        {"type": "summary", "summary": "x", "leafUuid": "u"},
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
        {"type": "custom-title", "customTitle": "x", "sessionId": "s"},
        {"type": "system", "subtype": "init", "session_id": "s", "tools": []},
        {"type": "assistant", "message": {"content": []}, "parent_tool_use_id": None, "session_id": "s"},
    ]
    for value in heads:
        assert detect([{}, value]) is CLAUDE_CODE


def test_other_agents_heads_are_not_taken_for_claude_codes() -> None:
    heads: list[dict[str, Any]] = [
        {"timestamp": "x", "type": "session_meta", "payload": {"id": "s"}},
        {
            "type": "user",
            "uuid": "u",
            "parentUuid": None,
            "sessionId": "s",
            "message": {"role": "user", "content": "x"},
        },
        {"type": "user", "uuid": "u", "version": "0.2", "sessionId": "s", "message": {"role": "user", "parts": []}},
        {"type": "system", "subtype": "ui", "sessionId": "s", "systemPayload": {}},
        {"type": "message", "message": {"role": "user", "content": "x"}},
        {"type": "progress", "sessionId": "s", "message": {}},
        {"type": []},
        {},
    ]
    for value in heads:
        assert not CLAUDE_CODE.detect([value])


def test_a_format_is_found_by_its_agents_name() -> None:
    assert by_agent("claude") is CLAUDE_CODE
    assert by_agent("nobody") is None
    assert len({format.agent for format in FORMATS}) == len(FORMATS)
