from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

import unspool_tui
from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.tui.conftest import NARROW, app_on
from tests.tui.driving import Grid, press, settle
from unspool_tui.present import marks
from unspool_tui.present.marks import TWINS, encodable, in_ascii
from unspool_tui.settings.effective import Settings

PLAIN = Settings(ascii=True)

SESSIONS = {
    "sessions": (),
    "filtered": ("slash", *"agent:cl", "tab"),
    "nothing fits": ("slash", *"zzzz", "enter"),
    "help": ("question_mark",),
    "search": ("s", *"test", "enter"),
    "an unknown path": ("o", *"/nowhere", "enter"),
}
INSIDE = {
    "overview": ("shift+tab",),
    "evidence": (),
    "found": ("slash", *"pytest", "enter"),
    "nothing found": ("slash", *"zzzz", "enter"),
    "failure": ("6", "e", "enter"),
    "edit": ("slash", *"tool:Edit", "enter", "enter"),
    "stored": ("7", "enter"),
    "model view": ("7", "enter", "m"),
    "cut lines": ("6", "e", "enter", "w"),
    "raw": ("enter", "r"),
    "help": ("question_mark",),
    "an unknown id": ("colon", *"E9999", "enter"),
    "ledger": ("L",),
    "ledger by tool": ("L", "2"),
    "paths": ("P",),
    "path lens": ("P", "enter"),
    "export": ("x",),
}

PATTERNS = ("failure.py", "code_lines.py", "evidence_row.py", "body.py", "wrap.py", "key_names.py")
"""Modules that look for signs which tools draw, and the one that writes arrow keys as words where it must."""


def signs_on(pilot: Pilot[int]) -> set[str]:
    """Return the characters of the screen that are neither ASCII nor letters: titles may be in any script."""
    return {sign for row in Grid(pilot.app) for sign in row if not sign.isascii() and not sign.isalpha()}


@pytest.mark.parametrize("walk", SESSIONS.values(), ids=SESSIONS)
async def test_the_list_of_sessions_is_drawn_in_ascii(day: Path, walk: tuple[str, ...]) -> None:
    async with app_on(day, None, PLAIN).run_test(size=NARROW) as pilot:
        await settle(pilot)
        await press(pilot, *walk)
        assert signs_on(pilot) == set()


@pytest.mark.parametrize("walk", INSIDE.values(), ids=INSIDE)
async def test_a_session_is_drawn_in_ascii(told: tuple[Path, str], walk: tuple[str, ...]) -> None:
    async with app_on(*told, PLAIN).run_test(size=NARROW) as pilot:
        await settle(pilot)
        await press(pilot, *walk)
        assert signs_on(pilot) == set()


async def test_without_sessions_the_screen_is_drawn_in_ascii(home: Path) -> None:
    async with app_on(home, None, PLAIN).run_test(size=NARROW) as pilot:
        await settle(pilot)
        assert signs_on(pilot) == set()


@pytest.fixture
def arrows(home: Path) -> str:
    """A session whose output draws signs that the app draws too, and letters beyond Latin."""
    lines = Claude(home, Names(1))
    lines.user("Draw")
    lines.result(lines.call("draw"), "a → b … 日本\nend")
    lines.save()
    return "last"


async def test_the_reader_keeps_the_signs_of_a_text_and_lists_show_their_twins(home: Path, arrows: str) -> None:
    async with app_on(home, arrows, PLAIN).run_test(size=NARROW) as pilot:
        await settle(pilot)
        await press(pilot, "G")
        assert Grid(pilot.app).has("a > b")
        await press(pilot, "enter")
        assert Grid(pilot.app).has("  1  a → b … 日本")


async def test_what_an_encoding_lacks_is_a_question_mark_of_the_same_width(home: Path, arrows: str) -> None:
    settings = Settings(ascii=True, encoding="iso8859-15")
    async with app_on(home, arrows, settings).run_test(size=NARROW) as pilot:
        await settle(pilot)
        await press(pilot, "G", "enter")
        grid = Grid(pilot.app)
        assert grid.has("  1  a ? b ? ????  ")
        assert {len(row) for row in grid} == {80}
        assert str(grid).isascii()


def test_a_twin_is_ascii_and_as_wide_as_its_sign() -> None:
    for sign, twin in TWINS.items():
        assert cell_len(sign) == cell_len(twin) == len(twin) == 1
        assert twin.isascii()
        assert not sign.isascii()


def test_marks_that_mean_something_have_twins_of_their_own() -> None:
    meaning = (
        marks.CALL, marks.RESULT, marks.ERROR, marks.STORED, marks.LIVE, marks.PENDING, marks.COMPACTED, marks.ASIDE,
        marks.WAITING, marks.REASONING, marks.ANSWER, marks.STEP, marks.GAP, marks.THREAD, marks.MATCH, marks.BAR,
        marks.SEEN, marks.CHILD, marks.TRAIL, marks.ELLIPSIS,
    )  # fmt: skip
    assert len({in_ascii(sign) for sign in meaning}) == len(meaning)


def test_a_text_keeps_its_width_in_ascii() -> None:
    assert in_ascii("looking …") == "looking.."
    assert in_ascii("…/src → 日本") == "*/src > 日本"
    assert encodable("a日é", "ascii") == "a???"
    assert encodable("a日é", "iso8859-1") == "a??é"
    assert encodable("e\u0301", "ascii") == "e"


def drawn_texts(tree: ast.AST) -> Iterator[str]:
    """Yield the texts of a module that are no documentation."""
    documentation = {
        id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
    }
    for each in ast.walk(tree):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in documentation:
            yield each.value


def test_every_sign_that_is_drawn_has_a_twin() -> None:
    home = Path(unspool_tui.__file__).parent
    modules = [
        *home.glob("*.py"),
        *(path for part in ("present", "screens", "widgets") for path in (home / part).glob("*.py")),
    ]
    drawn = {
        sign
        for module in modules
        if module.name not in PATTERNS
        for text in drawn_texts(ast.parse(module.read_text("utf-8")))
        for sign in text
        if sign.isprintable() and not sign.isascii()
    }
    assert drawn <= TWINS.keys()
