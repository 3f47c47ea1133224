"""What a person comes for, with the keys that the footer shows at that moment and no others: find the last command that
failed, read its full output, see the edit that mended it, copy a reference to it; under twelve keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui.conftest import MEDIUM, SIZES, app_on
from tests.tui.driving import Grid, press, settle
from unspool.ids import Reference
from unspool.library.opening import open_library
from unspool_tui.app import UnspoolApp
from unspool_tui.present.key_names import parse_key
from unspool_tui.screens.browse import BrowseScreen

ENOUGH = 12
"""Keys that the task must take fewer than."""

EDIT = re.compile(r"→ (Edit|Write|MultiEd|apply_p)")


def offered(pilot: Pilot[int]) -> set[str]:
    """Return the keys that the footer shows: they are bold there, two of them side by side, or a run of digits."""
    grid = Grid(pilot.app)
    cells = grid.cells(pilot.app.size.height - 1)
    bold = "".join(cell.text if cell.style.bold else "\n" for cell in cells)
    keys: set[str] = set()
    for shown in bold.split():
        first, dash, last = shown.partition("-")
        run = [str(digit) for digit in range(int(first), int(last) + 1)] if dash and first.isdigit() else [shown]
        keys |= {key for each in run if (key := parse_key(each)) is not None}
    return keys


class Footer:
    """Presses what the footer shows, and counts."""

    def __init__(self, pilot: Pilot[int]) -> None:
        self._pilot = pilot
        self.pressed: list[str] = []

    async def press(self, key: str) -> None:
        """Press a key that the footer shows."""
        shown = offered(self._pilot)
        assert key in shown, f"{key} is not among {sorted(shown)} after {self.pressed}"
        await press(self._pilot, key)
        self.pressed.append(key)

    async def press_until(self, key: str, seen: Callable[[], bool]) -> None:
        """Press a key until something is seen, not at all when it is there already."""
        while not seen():
            assert len(self.pressed) < ENOUGH, self.pressed
            await self.press(key)


def row(pilot: Pilot[int]) -> str:
    """Return the row of evidence under the cursor."""
    return next((text for text in Grid(pilot.app) if re.search(r"▌E\d+\.\d+ +\d", text)), "")


def in_sight(pilot: Pilot[int]) -> bool:
    """Say whether the reader shows the whole of what it reads, by its foot."""
    whole = re.search(r"[━─] +all (\d[\d ]*) lines", str(Grid(pilot.app)))
    assert whole or re.search(r"[━─] +lines [\d ]+–[\d ]+ of [\d ]+", str(Grid(pilot.app))), Grid(pilot.app)[-2]
    return whole is not None and int(whole[1].replace(" ", "")) <= pilot.app.size.height // 2


async def four_steps(pilot: Pilot[int], footer: Footer, fails: str, mends: str) -> None:
    """Do the task in a session that is open: the command whose row holds `fails`, the edit with the id `mends`."""
    app = pilot.app
    assert isinstance(app, UnspoolApp)
    await footer.press_until("E", lambda: bool(re.search(r"[✗▣] ← (Bash|exec_co)", row(pilot))))
    assert fails in row(pilot)

    await footer.press("enter")
    if not in_sight(pilot):
        await footer.press("space")
    await footer.press("escape")

    await footer.press("4")
    await footer.press_until("j", lambda: bool(EDIT.search(row(pilot))))
    assert f"▌{mends} " in row(pilot)
    if pilot.app.size.width < 100:  # the reader is out of sight
        await footer.press("enter")
    assert re.search(r"\d+ +[−+] ", str(Grid(app)))

    await footer.press("y")
    screen = app.screen
    assert isinstance(screen, BrowseScreen)
    assert screen.view is not None
    reference = Reference.parse(app.clipboard)
    assert str(reference.target) == mends
    assert screen.view.resolve(reference).state == "intact"
    assert len(footer.pressed) < ENOUGH, footer.pressed


@pytest.mark.parametrize("size", SIZES)
async def test_the_last_failure_and_the_edit_that_mended_it_are_found_with_keys_of_the_footer(
    told: tuple[Path, str], size: tuple[int, int]
) -> None:
    async with app_on(told[0]).run_test(size=size) as pilot:
        await settle(pilot)
        footer = Footer(pilot)
        await footer.press("enter")
        await four_steps(pilot, footer, "E20.0", "E22.0")


@pytest.mark.parametrize("size", SIZES)
async def test_they_are_found_in_a_long_session_of_other_people(shared: Path, size: tuple[int, int]) -> None:
    folder = shared / "corpus" / "codex" / "sessions" / "2026" / "06" / "18"
    path = next(folder.glob("*019ed936*.jsonl"))
    app = UnspoolApp(open_library(roots=[str(folder)]), str(path))
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await four_steps(pilot, Footer(pilot), "E388.0", "E415.0")


async def test_the_footer_is_read_as_it_is_drawn(told: tuple[Path, str]) -> None:
    async with app_on(*told).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert {"enter", "j", "k", "slash", "e", "E", "1", "7", "y", "tab", "question_mark"} <= offered(pilot)
        assert not {"G", "8", "0", "x", "move"} & offered(pilot)
        assert "p" not in offered(pilot)  # a prompt has no other half
        await press(pilot, "E")
        assert "p" in offered(pilot)
