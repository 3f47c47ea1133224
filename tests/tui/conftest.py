"""Sessions for the app, written once per run, and the app on them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, timedelta
from pathlib import Path

import pytest

from tests.screenshots.day import NOW, write_day
from tests.screenshots.story import story
from tests.tui.pictures.sample import Sample, write_sample
from unspool.library.opening import open_library
from unspool_tui.app import UnspoolApp
from unspool_tui.screens import panes
from unspool_tui.screens.clock import Clock
from unspool_tui.settings.effective import Settings
from unspool_tui.settings.memory import Memory

MOMENT = int(NOW.timestamp() * 1000)
"""The frozen present, in milliseconds since 1970."""

NARROW, MEDIUM, WIDE = (80, 24), (120, 36), (160, 48)
SIZES = (NARROW, MEDIUM, WIDE)

Opened = Callable[..., UnspoolApp]


@pytest.fixture(autouse=True)
def lasting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what is said stay until a test has read it, however slow the machine is."""
    monkeypatch.setattr(panes, "SAID_SECONDS", 3600.0)


@pytest.fixture(scope="session")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with some weeks of work."""
    home = tmp_path_factory.mktemp("day")
    write_day(home)
    return home


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return a home with one session that has everything, and the session's path."""
    home = tmp_path_factory.mktemp("told")
    script = story(home, NOW - timedelta(minutes=10, seconds=25))
    return home, str(script.path(home))


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    """Return the sessions of the pictures."""
    return write_sample(tmp_path_factory.mktemp("pictures") / "sample")


def app_on(
    home: Path, target: str | None = None, settings: Settings | None = None, memory: Memory | None = None
) -> UnspoolApp:
    """Return the app on the sessions of a home."""
    library = open_library(environ={}, home=str(home), now=lambda: MOMENT, alive=lambda pid: True)
    return UnspoolApp(library, target, clock=Clock(UTC, MOMENT), settings=settings, memory=memory)
