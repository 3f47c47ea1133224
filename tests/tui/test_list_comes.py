"""The list that comes where nothing was: the key behind its first row is heard."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.tui.conftest import MEDIUM
from tests.tui.driving import press, settle
from unspool.library import open_library
from unspool_tui.app import UnspoolApp
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.sessions import SessionsScreen


async def test_the_list_has_the_keys_as_soon_as_it_has_a_row(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    focused: list[bool] = []
    show = SessionsScreen._show

    def shown(screen: SessionsScreen, *, again: bool = False) -> None:
        show(screen, again=again)
        focused.append(screen.focused is screen.pane_widget("sessions"))

    monkeypatch.setattr(SessionsScreen, "_show", shown)
    app = UnspoolApp(open_library([str(home)], absent=True))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert app.screen.has_class("empty")
        script = Claude(home, Names(1))
        script.user("Go")
        script.save()
        focused.clear()
        await press(pilot, "r")
        assert focused
        assert all(focused)
        await press(pilot, "enter")
        assert isinstance(app.screen, BrowseScreen)
