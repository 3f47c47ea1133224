"""The app reads; it leaves the agents' folders, and the home, as they were."""

from __future__ import annotations

from pathlib import Path

from tests.factories.scripts import wide_text
from tests.tui.conftest import MEDIUM, app_on
from tests.tui.driving import Grid, press, settle

WALK = (
    "enter", "j", "tab", "m", "r", "w", "p", "e", "y", "Y", "C", "v", "x", "escape", "ctrl+p", "escape", "H", "t", "U",
    "escape", "escape", "escape",
)  # fmt: skip


def state(folder: Path) -> dict[Path, tuple[int, int, int]]:
    """Return what each file of a tree is."""
    stats = {path: path.lstat() for path in (folder, *folder.rglob("*"))}
    return {path: (stat.st_size, stat.st_mtime_ns, stat.st_ino) for path, stat in stats.items()}


def read_only(folder: Path) -> None:
    """Forbid writing in a tree."""
    for path in sorted(folder.rglob("*"), reverse=True):
        path.chmod(0o500 if path.is_dir() else 0o400)


async def test_the_app_writes_nothing_under_the_agents_folders(home: Path, tmp_path: Path) -> None:
    wide_text(tmp_path, 1)
    read_only(tmp_path)
    before, home_before = state(tmp_path), state(home)
    app = app_on(tmp_path)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        for key in WALK:
            await press(pilot, key)
        assert "unspool" in Grid(app)[0]
    assert state(tmp_path) == before
    assert state(home) == home_before
