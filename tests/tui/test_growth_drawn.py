"""How little is drawn when the session that is followed grows, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.pilot import Pilot

from tests.tui.conftest import MEDIUM
from tests.tui.driving import press, settle, until
from tests.tui.test_following import PROMPTS, Written
from unspool_tui.app import UnspoolApp
from unspool_tui.screens import following
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.widgets.evidence_list import EvidenceList
from unspool_tui.widgets.new_chip import NewChip


@contextmanager
def drawings() -> Iterator[list[str]]:
    """Keep the text of each part of the screen that is drawn anew."""
    drawn: list[str] = []

    def keep(app: UnspoolApp, screen: object, renderable: object) -> None:
        if isinstance(renderable, ChopsUpdate):
            rows = {y for y, _, _ in renderable.spans}
            drawn.append("\n".join(_text(renderable, y) for y in sorted(rows)))
        elif isinstance(renderable, LayoutUpdate):
            drawn.append("\n".join("".join(strip.text for strip in line) for line in renderable.strips))

    with patch.object(UnspoolApp, "_display", keep):
        yield drawn


def _text(update: ChopsUpdate, y: int) -> str:
    """Return what an update draws in a row, blank where it leaves it as it is."""
    spans = [(start, stop) for row, start, stop in update.spans if row == y]
    parts = (
        strip.text for x, strip in update.chops[y].items() if strip and any(start <= x < stop for start, stop in spans)
    )
    return "".join(parts)


async def _follow(pilot: Pilot[int]) -> None:
    await settle(pilot)
    await press(pilot, "F")
    await settle(pilot)


async def test_the_row_that_came_is_drawn_before_all_else(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 30)
    async with written.app().run_test(size=MEDIUM) as pilot:
        await _follow(pilot)
        with drawings() as drawn:
            written.append()
            await until(pilot, lambda grid: grid.has("Evidence 31 ") and grid.has("▌E30.0"))
        assert "▌E30.0" in drawn[0]
        assert "Evidence 31" not in drawn[0], "the bars come with the next picture"


async def test_what_comes_without_a_pause_is_drawn_with_all_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "PAUSE", 3600.0)
    written = Written(tmp_path, PROMPTS, 30)
    async with written.app().run_test(size=MEDIUM) as pilot:
        await _follow(pilot)
        written.append()
        await until(pilot, lambda grid: grid.has("Evidence 31 ") and grid.has("     prompt 30"))
        with patch.object(BrowseScreen, "draw_now") as draw_now:
            written.append()
            await until(pilot, lambda grid: grid.has("Evidence 32 ") and grid.has("▌E31.0"))
        draw_now.assert_not_called()


async def test_a_piece_that_comes_alone_is_read_at_once_and_the_next_one_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "READ_EVERY", 3600.0)
    written = Written(tmp_path, PROMPTS, 30)
    async with written.app().run_test(size=MEDIUM) as pilot:
        await _follow(pilot)
        written.append()
        await until(pilot, lambda grid: grid.has("     prompt 30"))
        written.append()
        await until(pilot, lambda grid: grid.has("▌E31.0"))
        await settle(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, BrowseScreen)
        assert screen.reader.subject is not None
        assert screen.reader.subject.evidence.row == 30


async def test_what_is_held_back_is_drawn_when_it_is_let_go(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 30)
    async with written.app().run_test(size=MEDIUM) as pilot:
        await _follow(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, BrowseScreen)
        with drawings() as drawn:
            with pilot.app.batch_update():
                screen.evidence.redraw()
                screen.draw_now(screen.evidence)
                drawn.clear()
            await settle(pilot)
        assert any("▌E29.0" in each for each in drawn)


async def test_what_lies_over_the_list_is_not_drawn_over(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 30)
    async with written.app().run_test(size=MEDIUM) as pilot:
        await _follow(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, BrowseScreen)
        chip = screen.query_one(NewChip)
        chip.new = 7
        await until(pilot, lambda grid: grid.has("7 new"))
        with drawings() as drawn:
            screen.evidence.redraw()
            screen.draw_now(screen.evidence)
            assert drawn == []
            await settle(pilot)
        assert any("7 new" in each and "▌E29.0" in each for each in drawn), "it comes with the next picture"


async def test_what_was_to_be_drawn_before_is_still_drawn(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 30)
    async with written.app().run_test(size=MEDIUM) as pilot:
        await _follow(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, BrowseScreen)
        screen._dirty_widgets.add(screen.reader)
        screen.draw_now(screen.evidence)
        assert screen.reader in screen._dirty_widgets


async def test_colours_are_left_out_where_none_are_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    written = Written(tmp_path, PROMPTS, 30)
    async with written.app().run_test(size=MEDIUM) as pilot:
        await _follow(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, BrowseScreen)
        whole = screen.evidence.render_lines(screen.evidence.scrollable_content_region.reset_offset)
        assert [[*line] for line in screen.evidence.lines()] == [[*line] for line in whole]


async def test_a_row_that_stays_as_it_was_is_not_painted_again(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 30)
    async with written.app().run_test(size=MEDIUM) as pilot:
        await _follow(pilot)
        with patch.object(EvidenceList, "paint", autospec=True, side_effect=EvidenceList.paint) as paint:
            written.append()
            await until(pilot, lambda grid: grid.has("▌E30.0"))
        lines = [call.args[1] for call in paint.call_args_list]
        assert sorted(lines) == [29, 30], "the one that the cursor left, and the one that came"


async def test_nothing_is_laid_out_for_what_came(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 30)
    async with written.app().run_test(size=MEDIUM) as pilot:
        await _follow(pilot)
        layouts: list[object] = []
        pilot.app.screen.screen_layout_refresh_signal.subscribe(pilot.app.screen, layouts.append, immediate=True)
        written.append()
        await until(pilot, lambda grid: grid.has("▌E30.0") and grid.has("     prompt 30"))
        assert not layouts
