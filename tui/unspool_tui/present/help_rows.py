"""Help: every key that works here, every mark, every word of the filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from unspool_tui.present import marks
from unspool_tui.present.cells import BLANK, Cell, Row, fit, spread, width_of, wrap

FILTER_WORDS: Final = (
    ("tool:Bash", "or part:input"),
    ("is:error", "or is:stored"),
    ("path:src", "touches it"),
    ("in:E10-E90", "a stretch"),
)
SESSION_WORDS: Final = (
    ("agent:codex", "one agent"),
    ("project:api", "one project"),
    ("since:7d", "not older"),
    ("is:live", "or waiting"),
)
PROMISE: Final = "unspool only reads. It never writes to a session."

HelpRow = tuple[str, str]
"""Keys, and what they do."""
Group = tuple[str, Sequence[HelpRow]]
"""A heading and its rows."""

COLUMN: Final = 25
"""Cells that a column of help takes at least."""

MARK_WIDTH: Final = 5
INSET: Final[Cell] = ("   ", "text")


def help_rows(
    title: str, keys: Mapping[str, Sequence[HelpRow]], words: Sequence[HelpRow], edge: Sequence[Cell], width: int,
    closes: str = "esc", palette: str = "ctrl+p",
) -> tuple[Row, ...]:  # fmt: skip
    """Return the card: keys, marks and filter words in as many columns as there is room for.

    `edge` is what lies in the scrollbar; `closes` and `palette` are the keys that are named.
    """
    every: Row = (INSET, (palette, "text bold"), (" finds every command by name", "muted"))
    way_out = ((closes, "text bold"), (" closes   ", "muted"))
    named = (INSET, (title, "text bold"))
    roomy = width_of((*named, *every, *way_out)) < width
    rows: list[Row] = [(), spread((*named, *every) if roomy else named, way_out, width), ()]
    across = max(1, min(3, (width - 4) // COLUMN))
    column = (width - 4) // across
    columns = _columns(keys, words, _marks(edge), across, column)
    for at in range(max(len(each) for each in columns)):
        cells: list[Cell] = [INSET]
        for each in columns:
            cells += [*fit(each[at] if at < len(each) else (), column - 1), BLANK]
        rows.append(tuple(cells))
    return (*rows, (), *((INSET, (line, "muted")) for line in wrap(PROMISE, width - 6, 3)))


def fitted(rows: Sequence[Row], height: int) -> tuple[Row, ...]:
    """Return the card for a window that is low: without the rows that say least, those left out first that say nothing.

    It may still be too long; the way out stands at the top.
    """
    left = list(rows)
    for at in (0, -2, -1, 1):  # above the title, above the promise, the promise, below the title
        if len(left) > height:
            del left[at]
    return tuple(left)


def in_sight(rows: Sequence[Row], top: int, height: int, down: str) -> tuple[Row, ...]:
    """Return what is seen of a card that is too long: the way out, then the rows that follow `top` others.

    Where more follow, the last one says so; `down` is the key that leads there.
    """
    title, *below = rows
    shown = below[top : top + height - 1]
    more = len(below) - top - len(shown)
    if more and shown:
        shown[-1] = (INSET, (f"{marks.BELOW} {more + 1} more   ", "muted"), (down, "text bold"), (" goes on", "muted"))
    return (title, *shown)


def _columns(
    keys: Mapping[str, Sequence[HelpRow]], words: Sequence[HelpRow], signs: list[Row], across: int, column: int
) -> list[list[Row]]:
    """Put the groups into columns."""
    moving, away = [("Move", keys["Move"]), ("Filter words", words)], [("Take away", keys["Take away"])]
    finding = [(name, keys[name]) for name in ("Find", "Read")]
    if across == 1:
        return [[*_column([*moving, *finding, *away], column), (), *signs]]
    if across == 2:
        return [_column([*moving, *away], column), [*_column(finding, column), (), *signs]]
    if len(_column(finding, column)) < len(signs):  # little is read on that screen
        return [_column(moving, column), _column([*finding, *away], column), signs]
    return [_column(moving, column), _column(finding, column), [*signs, (), *_column(away, column)]]


def _column(groups: Sequence[Group], column: int) -> list[Row]:
    rows: list[Row] = []
    widest = max((width_of([(keys, "")]) for _, pairs in groups for keys, _ in pairs), default=0)
    wide = max(widest + 1, min(12, column * 2 // 5))
    for name, pairs in groups:
        if pairs:
            rows += [()] if rows else []
            rows.append(((name, "accent bold"),))
            rows += [(*fit([(keys, "text bold")], wide), (does, "soft")) for keys, does in pairs]
    return rows


def _marks(edge: Sequence[Cell]) -> list[Row]:
    rows: list[Row] = [(("Marks", "accent bold"),)]
    rows += [(*fit([(mark, ink)], MARK_WIDTH), (meaning, "soft")) for mark, ink, meaning in marks.LEGEND]
    if edge:
        shown = [(sign, f"{ink} on bar") for sign, ink in edge]
        rows += [(), (("At the right edge", "accent bold"),), (*fit(shown, MARK_WIDTH), ("where in the whole", "soft"))]
    return rows
