"""What the ledger shows of files while their calls are still read."""

from __future__ import annotations

import pytest

from tests.sessions import CLAUDE_CODE
from unspool.views.view import SessionView
from unspool_tui.present import weighing
from unspool_tui.present.weighing import touch


def reads(number: int) -> SessionView:
    """A session that reads so many files."""
    records: list[dict[str, object]] = [{"type": "user", "uuid": "p", "message": {"role": "user", "content": "begin"}}]
    for each in range(number):
        used = {"type": "tool_use", "id": f"t{each}", "name": "Read", "input": {"file_path": f"/{each}"}}
        gave = {"type": "tool_result", "tool_use_id": f"t{each}", "content": "x"}
        records.append({"type": "assistant", "uuid": f"c{each}", "message": {"role": "assistant", "content": [used]}})
        records.append({"type": "user", "uuid": f"r{each}", "message": {"role": "user", "content": [gave]}})
    return SessionView.of(records, CLAUDE_CODE)


def test_the_first_paths_are_shown_before_it_is_time_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighing, "FIRST_SECONDS", -1.0)
    monkeypatch.setattr(weighing, "PARTIAL_SECONDS", float("inf"))
    view = reads(5)
    found = list(touch(view, range(view.rows), lambda: False))
    assert [(each.done, each.complete) for each in found] == [(1, False), (view.rows, True)]
    assert [use.path for use in found[-1].uses] == [f"/{each}" for each in range(5)]
