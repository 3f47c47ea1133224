"""Where a session was compacted is known of its rows, and what the log tells of it stands in their labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.core.views.growing import Growing, said
from tests.sessions import CLAUDE_CODE, CODEX, MINICODE
from unspool.ids import EntryRange
from unspool.views.view import SessionView


def boundary(**more: Any) -> dict[str, Any]:
    return {"type": "system", "subtype": "compact_boundary", "uuid": "b", "sessionId": "s", **more}


def user(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "user", "uuid": text, "sessionId": "s", "message": {"role": "user", "content": text}, **more}


def claude(*records: dict[str, Any]) -> SessionView:
    return SessionView.of([user("go"), *records, user("go on")], CLAUDE_CODE)


def test_boundary_and_summary_are_where_a_session_was_compacted() -> None:
    view = claude(boundary(content="Conversation compacted"), user("It goes on from here.", isCompactSummary=True))
    assert list(view.compactions) == [1, 2]
    assert [view.is_compaction(row) for row in range(view.rows)] == [False, True, True, False]


@pytest.mark.parametrize(
    ("metadata", "label"),
    [
        ({"trigger": "auto", "preTokens": 155_000, "postTokens": 12_000}, "compaction · auto · 155000 → 12000 tokens"),
        ({"trigger": "manual", "preTokens": 90}, "compaction · manual · 90 tokens before"),
        ({"postTokens": 9}, "compaction · 9 tokens after"),
        ({"trigger": 7, "preTokens": "many"}, "compaction"),
        ({"trigger": "by\na\nhook " + "x" * 99}, f"compaction · by a hook {'x' * 69}…"),
        ("nothing", "compaction"),
        (None, "compaction"),
    ],
)
def test_the_label_of_a_boundary_tells_what_set_it_off_and_the_tokens(metadata: Any, label: str) -> None:
    view = claude(boundary(compactMetadata=metadata))
    assert view.evidence_at(1).label == label


def test_a_small_compaction_is_one_too_and_other_notices_are_none() -> None:
    small = boundary(microcompactMetadata={"trigger": "auto", "preTokens": 5}) | {"subtype": "microcompact_boundary"}
    view = claude(small, {"type": "system", "subtype": "informational", "content": "hello", "uuid": "i"})
    assert list(view.compactions) == [1]
    assert view.evidence_at(2).label == "system"


@pytest.mark.parametrize(
    "record",
    [
        {"type": "compacted", "payload": {"message": "what was before"}},
        {"type": "response_item", "payload": {"type": "compaction", "encrypted_content": "eA=="}},
    ],
)
def test_a_codex_compaction_is_one(record: dict[str, Any]) -> None:
    spoken = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]}
    view = SessionView.of([{"type": "response_item", "payload": spoken}, record], CODEX)
    assert list(view.compactions) == [1]
    assert view.evidence_at(1).label == "compaction"


def test_a_view_knows_only_the_compactions_of_its_own_rows(tmp_path: Path) -> None:
    view = claude(boundary(content="one"), user("between"), boundary(content="two"))
    part = SessionView(view.ref, view._opened, EntryRange.parse("E2-E9"))
    assert list(part.compactions) == [3]
    growing = Growing(tmp_path, said(0, "go") + b"\n")
    old = growing.fresh()
    growing.append(b'{"type":"system","subtype":"compact_boundary","content":"c","uuid":"b","sessionId":"s"}\n')
    assert (list(old.compactions), list(old.refreshed().compactions)) == ([], [1])


@pytest.mark.parametrize(
    ("told", "summary"),
    [({"compactMetadata": {"trigger": "auto", "preTokens": 9, "postTokens": 2}}, "context compacted"), ({}, "")],
)
def test_a_boundary_that_is_told_in_members_is_summed_up_in_words(told: dict[str, Any], summary: str) -> None:
    view = SessionView.of([{"type": "compact_boundary", "uuid": "b", "sessionId": "s", **told}], MINICODE)
    assert view.evidence_rows([0])[0].summary == summary
