"""What a session is called at the top, when its list and what was read of it tell different things."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from unspool.columns.side_files import SideFiles
from unspool.formats.claude_code import CLAUDE_CODE
from unspool.ids import SessionRef
from unspool.library.summary import SessionSummary
from unspool.views.view import SessionView
from unspool_tui.present.titles import title_of_view

REF = SessionRef("claude-code", "11111111-2222-4333-8444-555555555555")
PROMPT = {"type": "user", "uuid": "u1", "message": {"role": "user", "content": "mend the till"}}
OLD = {"type": "custom-title", "customTitle": "an old name", "sessionId": REF.session_id}
NEW = {**OLD, "customTitle": "a new name"}


def written(path: Path, *records: dict[str, Any]) -> int:
    """Write a session; return its size in bytes."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path.stat().st_size


def listed(path: Path, title: str) -> SessionSummary:
    """Return the row of a list that has looked at the whole file."""
    return SessionSummary(REF, "claude-code", REF.session_id, None, str(path), path.stat().st_size, title=title)


@pytest.mark.parametrize(
    ("records", "title", "called"),
    [
        ((PROMPT, OLD, NEW), "an old name", "a new name"),
        ((PROMPT,), "of its parent", "of its parent"),
        ((PROMPT,), "", "mend the till"),
    ],
)
def test_what_the_session_was_named_is_its_title_else_what_its_list_says_else_its_first_prompt(
    tmp_path: Path, records: tuple[dict[str, Any], ...], title: str, called: str
) -> None:
    path = tmp_path / "a.jsonl"
    written(path, *records)
    view = SessionView.open(str(path), REF, CLAUDE_CODE)
    assert title_of_view(view, listed(path, title)) == called
    view.close()


def test_what_was_read_so_far_may_have_an_older_title_than_the_list(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    read = written(path, PROMPT, OLD)
    written(path, PROMPT, OLD, NEW)
    view = SessionView.open_head(str(path), REF, CLAUDE_CODE, SideFiles(None), read)
    assert view is not None
    assert title_of_view(view, listed(path, "a new name")) == "a new name"
    assert title_of_view(view, None) == "an old name"
    view.close()
