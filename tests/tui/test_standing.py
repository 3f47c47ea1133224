"""What the top says of a file that was cut, replaced or moved, and for how long."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.tui.conftest import MEDIUM, app_on
from tests.tui.driving import settle
from unspool.follow.events import Event, Moved, Replaced, Truncated
from unspool.ids import SessionRef
from unspool_tui.messages.session import SessionGrown
from unspool_tui.screens import standing
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.standing import NOTICE_SECONDS
from unspool_tui.widgets.top_bar import TopBar

REF = SessionRef("claude-code", "11111111-2222-4333-8444-555555555555")
CUT = Truncated(REF, 0, 0, 0)
REPLACED = Replaced(REF, 0, 1, 1, "replaced")
MOVED = Moved(REF, "/there", "/here")


class Top:
    """The top of a screen to which things happen, by a clock that stands unless it is moved."""

    def __init__(self, screen: BrowseScreen) -> None:
        self._screen = screen
        self.now = 1000.0

    def happens(self, *events: Event, more: int = 0) -> None:
        """Let something happen to the file, or so many pieces be written."""
        view = self._screen.view
        assert view is not None
        grown = SessionGrown(view.apart(), view, view.rows - more, (), events, (), None, (), {})
        self._screen.note_change(grown)

    def forgets(self) -> None:
        """Let another session be opened on the screen."""
        self._screen.tell_nothing()

    def ticks(self, seconds: float = 0.0) -> str:
        """Move the clock, and return what the top says then."""
        self.now += seconds
        self._screen.show_top()
        return "".join(text for text, _ in self._screen.query_one(TopBar).top.state)


@asynccontextmanager
async def shown(told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Top]:
    """Show a session at which nobody writes."""
    async with app_on(*told).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, BrowseScreen)
        top = Top(screen)
        monkeypatch.setattr(standing, "time", SimpleNamespace(monotonic=lambda: top.now))
        yield top


async def test_what_became_of_a_file_is_said_for_a_while_though_more_is_written_at_once(
    told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with shown(told, monkeypatch) as top:
        top.happens(CUT)
        top.happens(more=2)
        assert "truncated" in top.ticks()
        assert "truncated" in top.ticks(NOTICE_SECONDS - 1)
        assert "truncated" not in top.ticks(1), "nothing more need be written for that"


async def test_a_session_that_is_written_without_pause_does_not_keep_it_for_ever(
    told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with shown(told, monkeypatch) as top:
        top.happens(CUT)
        for _ in range(int(NOTICE_SECONDS)):
            top.happens(more=1)
            assert "truncated" in top.ticks()
            top.now += 1
        top.happens(more=1)
        assert "truncated" not in top.ticks()


async def test_while_nothing_is_written_it_stays(told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> None:
    async with shown(told, monkeypatch) as top:
        top.happens(CUT)
        assert "truncated" in top.ticks(100 * NOTICE_SECONDS)
        top.happens(more=1)
        assert "truncated" not in top.ticks()


async def test_what_happens_next_is_said_at_once_and_for_as_long(
    told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with shown(told, monkeypatch) as top:
        top.happens(CUT)
        top.happens(more=1)
        top.now += NOTICE_SECONDS - 1
        top.happens(REPLACED, MOVED, more=1)
        assert "moved" in top.ticks()
        assert "moved" in top.ticks(NOTICE_SECONDS), "what was written with it does not count"
        top.happens(more=1)
        assert "moved" not in top.ticks()


async def test_of_another_session_it_is_not_said(told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> None:
    async with shown(told, monkeypatch) as top:
        top.happens(CUT)
        top.forgets()
        top.happens(more=1)
        assert "truncated" not in top.ticks()
