"""Moving in lists: the same keys in each, with other rows under the cursor."""

from __future__ import annotations

from dataclasses import dataclass

from tests.tui.bindings.press import Press
from tests.tui.pictures.claims import Claim, cursor
from tests.tui.pictures.walk import Keys


@dataclass(frozen=True)
class Rows:
    """Beginnings of rows of a list, as patterns behind the cursor's bar.

    `page` and `half` are where a screenful and half of one lead from the first row; the way back leads to it again.
    """

    first: str
    second: str
    page: str
    half: str
    last: str


def moves(on: str, rows: Rows, before: Keys = ()) -> tuple[Press, ...]:
    """Return the presses that move in a list; `before` leads to it."""
    steps: tuple[tuple[str, tuple[str, ...], Keys, str], ...] = (
        ("move.down", ("j", "down"), ("g",), rows.second),
        ("move.up", ("k", "up"), ("g", "j"), rows.first),
        ("move.page_down", ("space", "pagedown", "ctrl+f"), ("g",), rows.page),
        ("move.page_up", ("b", "pageup", "ctrl+b"), ("g", "space"), rows.first),
        ("move.half_down", ("d", "ctrl+d"), ("g",), rows.half),
        ("move.half_up", ("u", "ctrl+u"), ("g", "d"), rows.first),
        ("move.end", ("G", "end"), ("g",), rows.last),
        ("move.top", ("g", "home"), ("j",), rows.first),
    )
    presses = [Press(on, name, key, (under(pattern),), first) for name, keys, first, pattern in steps for key in keys]
    return (Press(presses[0].on, "move.down", "j", (under(rows.second),), before), *presses)


def under(pattern: str) -> Claim:
    """The cursor is on a row that begins so."""
    return cursor("▌" + pattern)
