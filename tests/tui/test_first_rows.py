"""Of a session that is opened only what is in view is read and counted at first; the rest when that is seen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.tui.conftest import MEDIUM, app_on
from tests.tui.driving import press, settle
from unspool.views.view import SessionView
from unspool_tui.gateway.view_questions import ViewQuestions
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.widgets.evidence_list import AHEAD, EvidenceList


@pytest.fixture
def long(tmp_path: Path) -> tuple[Path, str]:
    script = Claude(tmp_path, Names(1))
    for number in range(90):
        script.user(f"prompt {number}")
        script.call(f"step {number}")
    script.save()
    return tmp_path, str(script.path)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[int]]:
    """Return the rows that are asked for, request by request."""
    asked: list[Sequence[int]] = []
    read_rows = ViewQuestions.read_rows

    def read(questions: ViewQuestions, to: Any, view: SessionView, rows: Sequence[int], *told: Any) -> None:
        asked.append(rows)
        read_rows(questions, to, view, rows, *told)

    monkeypatch.setattr(ViewQuestions, "read_rows", read)
    return asked


async def test_rows_in_view_are_read_first_and_those_around_them_after(
    long: tuple[Path, str], asked: list[Sequence[int]]
) -> None:
    app = app_on(*long)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, BrowseScreen)
        height = screen.evidence.scrollable_content_region.height
        assert [*map(sorted, asked)] == [[*range(height)], [*range(height, height + AHEAD)]]
        await press(pilot, *["down"] * (height + AHEAD - 1))
        assert len(asked) == 2
        await press(pilot, "down")
        assert [*map(sorted, asked[2:])] == [[*range(height + AHEAD, height + AHEAD + 1 + AHEAD)]]


async def test_rows_are_asked_for_before_the_list_that_has_them_is_drawn(
    long: tuple[Path, str], asked: list[Sequence[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = app_on(*long)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        asked.clear()
        monkeypatch.setattr(EvidenceList, "call_after_refresh", lambda *_: True)
        await press(pilot, "4")
        screen = app.screen
        assert isinstance(screen, BrowseScreen)
        assert asked
        assert {screen.view.tool(row) for row in asked[0] if screen.view is not None} == {"Bash"}


async def test_calls_are_counted_by_tool_when_a_tool_is_typed(
    long: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[SessionView] = []
    tool_counts = SessionView.tool_counts

    def count(view: SessionView) -> dict[str, int]:
        counted.append(view)
        return tool_counts(view)

    monkeypatch.setattr(SessionView, "tool_counts", count)
    app = app_on(*long)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert counted == []
        await press(pilot, "slash", *"tool:B", "tab")
        assert isinstance(app.screen, BrowseScreen)
        assert app.screen.filter_line.words == "tool:Bash"
        assert len(counted) == 1
