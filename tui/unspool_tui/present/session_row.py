"""The session list: days, sessions under them, children under their parents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool.ids import SessionRef
from unspool.library.summary import SessionSummary
from unspool.text import clean
from unspool_tui.present import marks, numbers
from unspool_tui.present.cells import BLANK, GAP, Cell, Row, fit, spread
from unspool_tui.present.evidence_row import size_ink
from unspool_tui.present.few_words import few_words
from unspool_tui.present.width import cell_len

if TYPE_CHECKING:
    from datetime import tzinfo

AIRY_FROM: Final = 28
"""Rows of the list: a lower one has no blank lines before days."""
AGENT_WIDTH: Final = 10
PROJECT_WIDTH: Final = 9
AGE_WIDTH: Final = 7
"""A date and the gap before it."""
PIECES_WIDTH: Final = 8
ERRORS_WIDTH: Final = 7
SIZE_WIDTH: Final = 9
PROJECT_FROM: Final = 60
PROJECT_GROWS_FROM: Final = 90
PROJECT_MOST: Final = 20
"""Cells of the project column in a list that has at least `PROJECT_GROWS_FROM`."""
SIZE_FROM: Final = 83
"""Cells that a list must have before it shows sizes: a screen of 84 columns, without the column of its map."""

_STRIKING: Final = 10 * numbers.SIZE_STRIKING_FROM


@dataclass(frozen=True, slots=True)
class Day:
    """A heading of the list."""

    name: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A session of the list; `depth` counts the parents above it."""

    summary: SessionSummary
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Details:
    """What only a full read of a session tells its row."""

    pieces: int
    errors: int
    unreadable: int

    def __add__(self, other: Details) -> Details:
        return Details(self.pieces + other.pieces, self.errors + other.errors, self.unreadable + other.unreadable)


Item = Day | Listed
Children = Mapping[SessionRef, Sequence[SessionSummary]]


def arranged(
    summaries: Iterable[SessionSummary], *, here: str | None, now: int, zone: tzinfo | None
) -> tuple[Item, ...]:
    """Order the list: the folder one is in first, then newest first under days; children follow their parents.

    A family stands where its newest member does.
    """
    known = {summary.ref: summary for summary in summaries}
    children: dict[SessionRef, list[SessionSummary]] = {}
    roots = []
    for summary in known.values():
        if summary.parent in known and summary.parent != summary.ref:
            children.setdefault(summary.parent, []).append(summary)
        else:
            roots.append(summary)
    families = [_family(root, children) for root in roots]
    families.sort(key=_newest, reverse=True)
    near = [family for family in families if here is not None and family[0].summary.cwd == here]
    far = [family for family in families if here is None or family[0].summary.cwd != here]
    items: list[Item] = [Day("this folder")] if near else []
    items += [listed for family in near for listed in family]
    day = None
    for family in far:
        name = numbers.day(_newest(family) or None, now, zone)
        items += [Day(name)] if name != day else []
        items += family
        day = name
    return tuple(items)


def title_of(summary: SessionSummary) -> str:
    """Return the title as one line, words for sessions that have none."""
    return " ".join(few_words(summary.title or "").split()) or ("empty session" if summary.empty else "untitled")


def project_width(summaries: Iterable[SessionSummary], width: int) -> int:
    """Return the width of the project column: as wide as the names need where a list is wide."""
    if width < PROJECT_GROWS_FROM:
        return PROJECT_WIDTH
    longest = max((cell_len(clean(each.project or "", newline=False)) for each in summaries), default=0)
    return max(PROJECT_WIDTH, min(PROJECT_MOST, longest + 1))


def columns_row(width: int, projects: int = PROJECT_WIDTH) -> Row:
    """Return the names of the columns; `projects` is the width of the project column."""
    right = _right("project", "age", "pieces", "errors", "size", width, projects)
    return spread([("   ", "text"), *fit([("agent", "faint")], AGENT_WIDTH), ("session", "faint")], right, width)


def day_row(day: Day) -> Row:
    """Return a heading."""
    return (("   ", "text"), (day.name, "muted bold"))


def session_row(
    listed: Listed,
    width: int,
    *,
    bar: Cell,
    here: bool,
    now: int,
    zone: tzinfo | None,
    details: Details | None = None,
    projects: int = PROJECT_WIDTH,
) -> Row:
    """Return the row of a session in `width` cells; what is not known yet stays empty."""
    summary, dim = listed.summary, "muted" if here else "faint"
    left: list[Cell] = [bar, state(summary), BLANK]
    if listed.depth:
        indent = " " * (AGENT_WIDTH + 2 * (listed.depth - 1))
        left += [(indent, "text"), (f"{marks.CHILD} ", dim), (title_of(summary), "text" if here else "muted")]
    else:
        ink = dim if summary.empty else "text bold" if here else "text"
        left += [*fit([(clean(summary.agent, newline=False), "muted")], AGENT_WIDTH), (title_of(summary), ink)]
    if len(summary.parts) > 1:
        left += [("   ", "text"), (f"{len(summary.parts)} parts", dim)]
    unreadable = details.unreadable if details else summary.unreadable
    if unreadable:
        left += [("   ", "text"), (f"{unreadable} unreadable", dim)]
    if summary.fault is not None:
        left += [("   ", "text"), ("cannot be read", dim)]
    right = _measures(listed, width, here=here, now=now, zone=zone, details=details, projects=projects)
    return spread(left, right, width)


def state(summary: SessionSummary) -> Cell:
    """Return the mark of a session that lives or waits for a person."""
    if summary.waiting:
        return (marks.WAITING, "user bold")
    return (marks.LIVE, "live") if summary.live else BLANK


def agent_counts(summaries: Iterable[SessionSummary]) -> dict[str, int]:
    """Count sessions (not their children) by agent, most first."""
    counts: dict[str, int] = {}
    for summary in summaries:
        if summary.parent is None:
            counts[summary.agent] = counts.get(summary.agent, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _family(
    root: SessionSummary, children: Mapping[SessionRef, Sequence[SessionSummary]], depth: int = 0
) -> list[Listed]:
    family = [Listed(root, depth)]
    for child in sorted(children.get(root.ref, ()), key=lambda each: each.last_activity or 0, reverse=True):
        family += _family(child, children, depth + 1)
    return family


def _newest(family: Sequence[Listed]) -> int:
    return max(listed.summary.last_activity or 0 for listed in family)


def _measures(
    listed: Listed, width: int, *, here: bool, now: int, zone: tzinfo | None, details: Details | None, projects: int
) -> Row:
    summary = listed.summary
    dim = "muted" if here else "faint"
    age = numbers.age(summary.last_activity, now, zone)
    pieces = details.pieces if details else summary.counts.visible if summary.counts else None
    errors = details.errors if details else summary.errors
    project = "" if listed.depth else clean(summary.project or "", newline=False)
    size = (numbers.size(summary.bytes), "stored" if summary.bytes >= _STRIKING else size_ink(0, here=here))
    return _right(
        (project, "muted"),
        (age, "live" if age == "now" else dim),
        (numbers.count(pieces) if pieces is not None else "", "muted"),
        (f"{marks.ERROR} {numbers.count(errors)}" if errors else "", "error" if here else "error-soft"),
        size,
        width,
        projects,
    )


def _right(
    project: Cell | str,
    age: Cell | str,
    pieces: Cell | str,
    errors: Cell | str,
    size: Cell | str,
    width: int,
    projects: int,
) -> Row:
    cells = [cell if isinstance(cell, tuple) else (cell, "faint") for cell in (project, age, pieces, errors, size)]
    row: list[Cell] = [GAP]
    if width >= PROJECT_FROM:
        row += fit([cells[0]], projects)
    row += fit([cells[1]], AGE_WIDTH, right=True)
    row += fit([cells[2]], PIECES_WIDTH, right=True)
    row += fit([cells[3]], ERRORS_WIDTH, right=True)
    if width >= SIZE_FROM:
        row += fit([cells[4]], SIZE_WIDTH, right=True)
    return (*row, BLANK)
