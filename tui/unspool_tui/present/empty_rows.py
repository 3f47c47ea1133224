"""The empty state: where sessions were looked for, what was found there, and the ways on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool.text import clean
from unspool_tui.present import marks
from unspool_tui.present.cells import Cell, Row, end_of, fit

if TYPE_CHECKING:
    from unspool.stores.base import ScanError

INSET: Final = 4
WIDEST: Final = 76
AGENT_WIDTH: Final = 11
FOUND_WIDTH: Final = 18
PLACES_SHOWN: Final = 8
"""Folders that are named before the rest is only counted."""


@dataclass(frozen=True, slots=True)
class Place:
    """A folder that was searched: `found` sessions, or the `trouble` that kept unspool out."""

    agent: str
    folder: str
    found: int
    there: bool = True
    trouble: ScanError | None = None


KEYS: Final = {
    "sessions.demo": "watch a scripted agent at work; nothing is needed for it",
    "sessions.open": "open a file or a folder",
    "sessions.again": "look again",
}
"""The commands that lead on, and what they do here."""

WAYS: Final = (
    ("unspool demo", "the same from the shell"),
    ("unspool PATH", "one session"),
    ("unspool --root DIR", "look under another home"),
)


def empty_rows(places: Sequence[Place], width: int, height: int, keys: Mapping[str, str]) -> tuple[Row, ...]:
    """Return the whole pane, set in the middle; `keys` are those that the commands of `KEYS` are bound to."""
    block: list[list[Cell]] = [
        [("No sessions found", "text bold")],
        [("unspool reads what coding agents leave on this machine. It looked here:", "muted")],
        [],
    ]
    room = min(WIDEST, width - 2 * 2)
    block += [_place(place, room) for place in places[:PLACES_SHOWN]]
    if len(places) > PLACES_SHOWN:
        block.append([(f"and {len(places) - PLACES_SHOWN} more", "faint")])
    block.append([])
    block += [[*fit([(key, "text bold")], 21), (what, "muted")] for key, what in _ways(keys)]
    inset = max(2, (width - room) // 2)
    top = max(1, (height - len(block)) // 2 - 1)
    return (*[()] * top, *(((" " * inset, "text"), *cells) for cells in block))


def _ways(keys: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return (*((keys[name], what) for name, what in KEYS.items()), ("", ""), *WAYS)


def _place(place: Place, room: int) -> list[Cell]:
    wide = room - AGENT_WIDTH - FOUND_WIDTH
    folder = end_of(clean(place.folder, newline=False), wide - 2)
    row: list[Cell] = [*fit([(place.agent, "muted")], AGENT_WIDTH), *fit([(folder, "text")], wide)]
    if place.trouble:
        return [*row, (f"{marks.ERROR} ", "error"), (clean(place.trouble.reason, newline=False), "error")]
    said = f"{place.found} found" if place.found else "empty" if place.there else "not there"
    return [*row, GAP_OF_MARK, (said, "faint")]


GAP_OF_MARK: Final[Cell] = ("  ", "text")
