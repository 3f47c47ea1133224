"""What fits at which width: one pane below 100 columns, more of a row from 140 on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.conftest import app_on
from tests.tui.driving import Grid, press, settle
from unspool_tui.widgets.evidence_list import EvidenceList
from unspool_tui.widgets.overview_rail import OverviewRail
from unspool_tui.widgets.reader import Reader
from unspool_tui.widgets.session_preview import SessionPreview


@pytest.mark.parametrize(("columns", "rail"), [(100, 30), (139, 30), (140, 38), (200, 38)])
async def test_from_100_columns_all_panes_stand_side_by_side(told: tuple[Path, str], columns: int, rail: int) -> None:
    async with app_on(*told).run_test(size=(columns, 36)) as pilot:
        await settle(pilot)
        screen = pilot.app.screen
        left, upper, lower = (screen.query_one(kind).region for kind in (OverviewRail, EvidenceList, Reader))
        assert (left.width, left.height) == (rail, 34)
        assert upper.x == lower.x == rail
        assert upper.width == lower.width == columns - rail
        assert abs(lower.height - 34 * 3 / 5) <= 1
        assert "overview  evidence  reader" not in Grid(pilot.app)[0]


@pytest.mark.parametrize("columns", [60, 80, 99])
async def test_below_100_columns_there_is_one_pane_and_the_top_names_all(told: tuple[Path, str], columns: int) -> None:
    async with app_on(*told).run_test(size=(columns, 24)) as pilot:
        await settle(pilot)
        screen = pilot.app.screen
        for shown in (EvidenceList, Reader, OverviewRail):
            regions = {kind: screen.query_one(kind).region for kind in (OverviewRail, EvidenceList, Reader)}
            assert [kind for kind, region in regions.items() if region.area] == [shown]
            assert regions[shown].width == columns
            assert Grid(pilot.app)[0].endswith("overview  evidence  reader ")
            await press(pilot, "tab")


@pytest.mark.parametrize(("columns", "lines"), [(80, False), (100, False), (139, False), (140, True)])
async def test_lines_of_outputs_come_at_140_columns_and_what_cites_them_never_goes(
    told: tuple[Path, str], columns: int, lines: bool
) -> None:
    async with app_on(*told).run_test(size=(columns, 36)) as pilot:
        await settle(pilot)
        await press(pilot, "e")
        row = next(text for text in Grid(pilot.app) if "▌E17.0" in text)
        assert ("175 lines" in row) is lines
        assert "✗ ← Bash" in row
        assert row.rstrip().endswith("11 KB")


@pytest.mark.parametrize(("columns", "width"), [(99, 0), (100, 40), (120, 40), (160, 53)])
async def test_the_preview_takes_a_third_from_100_columns_and_40_at_least(day: Path, columns: int, width: int) -> None:
    async with app_on(day).run_test(size=(columns, 36)) as pilot:
        await settle(pilot)
        assert abs(pilot.app.screen.query_one(SessionPreview).region.width - width) <= 1


@pytest.mark.parametrize(("columns", "size"), [(83, False), (84, True)])
async def test_sizes_of_sessions_come_at_84_columns(day: Path, columns: int, size: bool) -> None:
    async with app_on(day).run_test(size=(columns, 24)) as pilot:
        await settle(pilot)
        assert Grid(pilot.app).has("   size ") is size


@pytest.mark.parametrize(("rows", "blank"), [(29, False), (30, True)])
async def test_titles_have_a_blank_line_below_from_30_rows(told: tuple[Path, str], rows: int, blank: bool) -> None:
    async with app_on(*told).run_test(size=(120, rows)) as pilot:
        await settle(pilot)
        grid = Grid(pilot.app)
        assert (grid[2][:30].strip() == "") is blank
