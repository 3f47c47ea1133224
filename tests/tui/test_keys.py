from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widgets import Input

from tests.tui.conftest import MEDIUM, NARROW, app_on
from tests.tui.driving import Grid, press, settle
from unspool_tui.keymap import BARS, COMMANDS, HELP, UNLISTED, places
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.settings.effective import Settings


def own_bindings(app) -> list[Binding]:  # type: ignore[no-untyped-def]
    nodes = [app, *app.screen_stack, *(widget for screen in app.screen_stack for widget in screen.query("*"))]
    inherited = {id(binding) for found in Input._merged_bindings.key_to_bindings.values() for binding in found}
    own = [
        binding
        for node in nodes
        for kind in type(node).__mro__
        if kind.__module__.startswith("unspool_tui")
        for binding in kind.__dict__.get("BINDINGS", ())
    ]
    return [binding for binding in own if id(binding) not in inherited]


async def test_every_key_has_an_id_a_tooltip_and_a_line_in_help(told: tuple[Path, str]) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        bound = own_bindings(app)
    listed = {name for lines in HELP.values() for names, _ in lines for name in names} | UNLISTED
    assert len(bound) > 50
    for binding in bound:
        assert binding.id in COMMANDS, binding
        assert binding.tooltip
        assert binding.id in listed, binding.id


def test_key_bars_and_help_name_only_commands_that_there_are() -> None:
    named = {entry if isinstance(entry, str) else entry[0] for bar in BARS.values() for entry in bar}
    named |= {name for lines in HELP.values() for names, _ in lines for name in names}
    assert named <= COMMANDS.keys()


async def test_help_names_the_keys_of_the_screen_below_and_closes(told: tuple[Path, str]) -> None:
    for size in (NARROW, MEDIUM):
        async with app_on(*told).run_test(size=size) as pilot:
            await settle(pilot)
            await press(pilot, "question_mark")
            grid = Grid(pilot.app)
            for words in (
                "Browse",
                "by row",
                "error on, back",
                "call ↔ result",
                "0 to 7",
                "copy ref, text",
                "in:E10-E90",
            ):
                assert grid.has(words), words
            assert "never writes to a session" in str(grid)
            await press(pilot, "escape")
            assert isinstance(pilot.app.screen, BrowseScreen)


async def test_a_remapped_key_works_and_is_shown(told: tuple[Path, str]) -> None:
    app = app_on(*told, Settings(keys={"error.next": ("f7",), "app.help": ("f1",)}))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "e", "question_mark")
        assert not re.search(r"▌E17\.0 .*✗ ← Bash", str(Grid(app)))
        await press(pilot, "f7")
        assert re.search(r"▌E17\.0 .*✗ ← Bash", str(Grid(app)))
        assert "  f7 E error" in Grid(app)[35]
        assert "f1 help" in Grid(app)[35]
        await press(pilot, "f1")
        assert re.search(r"\bf7 E +error on, back", str(Grid(app)))


def chains(screen: Screen[Any]) -> Iterator[set[str]]:
    """Yield the ids of the commands that work together: for every widget that can have the focus, outwards from it."""
    for widget in screen.query("*"):
        if not widget.can_focus:
            continue
        nodes: list[DOMNode] = [widget, *widget.ancestors] if not isinstance(widget, Input) else [widget]
        if screen.is_modal:
            nodes = nodes[: nodes.index(screen) + 1] if screen in nodes else nodes
        yield {binding.id for node in nodes for _, binding in node._bindings if binding.id}


@pytest.mark.parametrize(
    ("inside", "keys"),
    [(False, ()), (False, ("s",)), (False, ("question_mark",)), (True, ()), (True, ("L",)), (True, ("P",)),
     (True, ("U",)), (True, ("x",))],
)  # fmt: skip
async def test_commands_that_work_together_are_known_to_and_can_share_no_key(
    told: tuple[Path, str], inside: bool, keys: tuple[str, ...]
) -> None:
    app = app_on(told[0], told[1] if inside else None)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, *keys)
        for chain in chains(app.screen):
            for name, other in combinations(sorted(chain), 2):
                assert places(name) & places(other), (name, other)


OTHERS = {
    "app.back": ("f2",), "app.leave": ("f3",), "card.close": ("f4",), "copy.reference": ("f6",), "facet.6": ("f7",),
    "filter.edit": ("f8",), "move.page_down": ("f9",), "reader.find": ("f10",), "sessions.open": ("f11",),
    "show.reasoning": ("f12",),
}  # fmt: skip


async def test_hints_name_the_keys_that_commands_have_now(told: tuple[Path, str], home: Path) -> None:
    settings = Settings(keys=OTHERS)
    async with app_on(*told, settings).run_test(size=(160, 48)) as pilot:
        await settle(pilot)
        assert "f12 reasoning" in str(Grid(pilot.app))
        assert "f7 ✗ errors" in str(Grid(pilot.app))
        await press(pilot, "n")
        assert "nothing is searched   f8 begins" in Grid(pilot.app)[47]
        await press(pilot, "f8", *"zzzz", "enter")
        assert "nothing fits the filter   f2 clears it" in str(Grid(pilot.app))
        await press(pilot, "f2", "7", "enter", "g")
        assert re.search(r"f9 reads on  f10 searches all", str(Grid(pilot.app)))
        await press(pilot, "question_mark")
        assert "f4 closes" in str(Grid(pilot.app))
        await press(pilot, "f4")
        assert isinstance(pilot.app.screen, BrowseScreen)
    async with app_on(told[0], None, settings).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert "f6 copies it" in str(Grid(pilot.app))
    async with app_on(home, None, settings).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert re.search(r"f11 +open a file or a folder", str(Grid(pilot.app)))


@pytest.mark.parametrize(("size", "inside", "named"), [
    (MEDIUM, True, {"pane on, back", "zoom pane"}), (NARROW, True, {"pane on, back"}), (MEDIUM, False, set()),
])  # fmt: skip
async def test_help_names_only_keys_of_panes_that_do_something(
    told: tuple[Path, str], size: tuple[int, int], inside: bool, named: set[str]
) -> None:
    async with app_on(told[0], told[1] if inside else None).run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, "question_mark")
        grid = Grid(pilot.app)
        assert {words for words in ("pane on, back", "zoom pane") if grid.has(words)} == named


@pytest.mark.parametrize("inside", [False, True])
async def test_help_cuts_no_word_on_a_small_screen(told: tuple[Path, str], inside: bool) -> None:
    app = app_on(told[0], told[1] if inside else None)
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await press(pilot, "question_mark")
        assert "…" not in str(Grid(app))
        assert Grid(app).has("unspool only reads.")
