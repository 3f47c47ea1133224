"""Help: every key that works here, every mark, every word of the filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from unspool_tui.present import marks
from unspool_tui.present.cells import BLANK, Cell, Row, fit, spread, width_of

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

MARK_WIDTH: Final = 5
INSET: Final[Cell] = ("   ", "text")


def help_rows(
    title: str, keys: Mapping[str, Sequence[HelpRow]], words: Sequence[HelpRow], width: int, closes: str = "esc",
    palette: str = "ctrl+p",
) -> tuple[Row, ...]:  # fmt: skip
    """Return the card: keys, marks and filter words in three columns; `closes` and `palette` are the keys named."""
    column = (width - 4) // 3
    groups = {name: (name, rows) for name, rows in keys.items()}
    middle, away, signs = [groups["Find"], groups["Read"]], _column([groups["Take away"]], column), _marks()
    if len(_column(middle, column)) < len(signs):  # little is read on that screen
        middle, away = [*middle, groups["Take away"]], []
    columns = (
        _column([groups["Move"], ("Filter words", words)], column),
        _column(middle, column),
        [*signs, *([(), *away] if away else [])],
    )
    every: Row = (INSET, (palette, "text bold"), (" finds every command by name", "muted"))
    way_out = [(closes, "text bold"), (" closes   ", "muted")]
    rows: list[Row] = [(), spread([INSET, (title, "text bold"), *every], way_out, width), ()]
    for at in range(max(map(len, columns))):
        cells: list[Cell] = [INSET]
        for each in columns:
            cells += [*fit(each[at] if at < len(each) else (), column - 1), BLANK]
        rows.append(tuple(cells))
    return (*rows, (), (INSET, (PROMISE, "muted")))


def fitted(rows: Sequence[Row], height: int) -> tuple[Row, ...]:
    """Return the card for a window that is low: without the rows that say least, those left out first that say nothing.

    What is still too long ends where the window does; the way out stands at the top.
    """
    left = list(rows)
    for at in (0, -2, -1, 1):  # above the title, above the promise, the promise, below the title
        if len(left) > height:
            del left[at]
    return tuple(left)


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


def _marks() -> list[Row]:
    rows: list[Row] = [(("Marks", "accent bold"),)]
    rows += [(*fit([(mark, ink)], MARK_WIDTH), (meaning, "soft")) for mark, ink, meaning in marks.LEGEND]
    return rows
