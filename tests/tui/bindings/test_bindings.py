"""Every binding: its key runs its command, and the screen shows that it did."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pytest
from textual.app import App
from textual.dom import DOMNode

import unspool_tui.screens
import unspool_tui.widgets
from tests.tui.bindings.press import SAME, Pair, prove
from tests.tui.bindings.trails import ELSEWHERE, TRAILS
from tests.tui.pictures.sample import Sample
from tests.tui.pictures.walk import standing_in
from tests.tui.quiet import quiet
from unspool_tui.app import UnspoolApp
from unspool_tui.keymap import COMMANDS

USED = ("WordInput", "BrowseScreen")
"""Classes that are used themselves, though others are made of them."""


@pytest.mark.parametrize("name", TRAILS)
async def test_every_key_of_a_pane_runs_its_command_and_the_screen_shows_it(name: str, sample: Sample) -> None:
    trail = TRAILS[name]
    app = trail.start.app(sample)
    async with standing_in(trail.start, sample), app.run_test(size=trail.size) as pilot:
        await quiet(pilot)
        for press in trail.presses:
            await prove(pilot, press)


def test_every_command_of_every_screen_and_widget_is_proved() -> None:
    proved = {(press.on, press.does) for trail in TRAILS.values() for press in trail.presses}
    assert bound() - proved - ELSEWHERE.keys() == set()
    assert proved - bound() == set()
    assert ELSEWHERE.keys() - bound() == set()


def test_every_key_of_every_command_is_pressed_somewhere() -> None:
    pressed = {(press.does, press.key) for trail in TRAILS.values() for press in trail.presses}
    named = {"?": "question_mark", "/": "slash", ":": "colon", "]": "right_square_bracket", "[": "left_square_bracket",
             "}": "right_curly_bracket", "{": "left_curly_bracket"}  # fmt: skip
    proved = {name for name, _ in pressed}
    wanted = {(name, named.get(key, key)) for name in proved for key in COMMANDS[name].keys.split(",")}
    assert wanted - pressed == set()


def test_what_is_proved_elsewhere_is_proved_by_a_test_that_there_is() -> None:
    for why in set(ELSEWHERE.values()):
        module = importlib.import_module(f"tests.tui.{why.module}")
        assert callable(getattr(module, why.test, None)), why


def bound() -> set[Pair]:
    """Return what is bound in the app, its screens and what of its widgets can have the focus."""
    for package in (unspool_tui.screens, unspool_tui.widgets):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    found = set()
    for kind in (UnspoolApp, *kinds(DOMNode)):
        maps = kind._merged_bindings
        used = kind.__name__ in USED or not kinds_of(kind)
        if maps is not None and used and kind.__name__ not in SAME:
            found |= {(kind.__name__, binding.id) for _, binding in maps if binding.id in COMMANDS}
    return found


def kinds(of: type[DOMNode]) -> Iterator[type[DOMNode]]:
    """Yield the classes of the app below one."""
    for kind in of.__subclasses__():
        if kind.__module__.startswith("unspool_tui.") and not issubclass(kind, App):
            yield kind
        yield from kinds(kind)


def kinds_of(kind: type[DOMNode]) -> list[type[DOMNode]]:
    """Return the classes that are made of one: it is not used itself."""
    return list(kinds(kind))
