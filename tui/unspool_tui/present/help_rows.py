"""Help: every key that works here, every mark, every word of the filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from unspool_tui.present import marks
from unspool_tui.present.cells import Cell, Row, fit, spread, width_of

FILTER_WORDS: Final = (
    ("tool:Bash", "one tool"),
    ("is:error", "or is:stored"),
    ("path:src", "a call names it"),
    ("in:E10-E90", "a stretch"),
)
SESSION_WORDS: Final = (
    ("agent:codex", "one agent"),
    ("project:api", "one project"),
    ("since:7d", "not older"),
    ("is:live", "or is:waiting"),
)
PROMISE: Final = "unspool only reads. It never writes to a session."

HelpRow = tuple[str, str]
"""Keys, and what they do."""


def help_rows(
    title: str, groups: Mapping[str, Sequence[HelpRow]], words: Sequence[HelpRow], closing: str, width: int
) -> tuple[Row, ...]:
    """Return the card in three columns: two of keys, one of marks and filter words."""
    column = (width - 4) // 3
    names = list(groups)
    left = _stacked([(name, groups[name]) for name in names[:2]], column)
    middle = _stacked([(name, groups[name]) for name in names[2:]], column)
    right = _marks() + [(), (("Filter words", "accent bold"),)] + [_pair(word, 12) for word in words]
    rows: list[Row] = [()]
    closes = [(closing, "text bold"), (" closes   ", "muted")]
    rows += [spread([("   ", "text"), (title, "text bold")], closes, width), ()]
    for at in range(max(len(left), len(middle), len(right))):
        row: list[Cell] = [("   ", "text")]
        for cells in (left, middle, right):
            row += fit(cells[at] if at < len(cells) else (), column)
        rows.append(tuple(row))
    return (*rows, (), (("   ", "text"), (PROMISE, "muted")), ())


def _stacked(groups: Sequence[tuple[str, Sequence[HelpRow]]], column: int) -> list[Row]:
    rows: list[Row] = []
    wide = max((width_of([(keys, "")]) for _, pairs in groups for keys, _ in pairs), default=8)
    for name, pairs in groups:
        if pairs:
            rows += [()] if rows else []
            rows.append(((name, "accent bold"),))
            rows += [_pair(pair, min(wide + 2, column // 2)) for pair in pairs]
    return rows


def _pair(pair: HelpRow, wide: int) -> Row:
    return (*fit([(pair[0], "text bold")], wide), (pair[1], "soft"))


def _marks() -> list[Row]:
    rows: list[Row] = [(("Marks", "accent bold"),)]
    rows += [(*fit([(mark, ink)], 5), (meaning, "soft")) for mark, ink, meaning in marks.LEGEND]
    return rows
