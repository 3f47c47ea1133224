"""The thread of a session: prompts, steps, gaps and answers as lines, laid out once per width."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool.formats.piece import Flag, Kind
from unspool_tui.present import marks, numbers
from unspool_tui.present.cells import BLANK, Cell, Row, spread, wrap
from unspool_tui.present.few_words import few_words

if TYPE_CHECKING:
    from datetime import tzinfo

    from unspool.views.overview import Overview, OverviewItem

OVERVIEW_ITEMS: Final = 20_000
"""Texts of a thread: more than anyone scrolls through; of longer ones some are left out, evenly."""

PROMPT_LINES: Final = 3
ANSWER_LINES: Final = 3
STEP_LINES: Final = 2
MARGIN: Final = 5
"""Cells that text does not get: bar, blank, thread, blank, and one blank at the right."""


@dataclass(frozen=True, slots=True)
class Knot:
    """A place on the thread: an item, or the gap behind it. `row` is the row of the view that it leads to."""

    item: OverviewItem
    gap: bool
    row: int


@dataclass(frozen=True, slots=True, eq=False)
class Thread:
    """The thread in lines for a pane of `width` cells.

    `knots` are what the cursor goes over; `starts` is the first line of each; `texts` the wrapped words of each;
    `owners` the knot of each line, `NOBODY` for a blank line.
    """

    knots: tuple[Knot, ...]
    starts: array[int]
    texts: tuple[tuple[str, ...], ...]
    owners: array[int]
    turns: int
    width: int

    def at_row(self, row: int) -> int:
        """Return the knot that a row of the view belongs to."""
        return max(0, bisect_right(self.knots, row, key=lambda knot: knot.row) - 1)

    def lines_of(self, knot: int) -> range:
        """Return the lines of a knot, without the blank one behind it."""
        start = self.starts[knot]
        stop = self.starts[knot + 1] if knot + 1 < len(self.starts) else len(self.owners)
        while stop > start + 1 and self.owners[stop - 1] == NOBODY:
            stop -= 1
        return range(start, stop)


NOBODY: Final = -1
EMPTY: Final = Thread((), array("l"), (), array("l"), 0, 0)


def lay_out(overview: Overview, width: int, *, airy: bool = True, known: Thread = EMPTY) -> Thread:
    """Wrap the texts for a pane of `width` cells; without `airy` no blank line stands before turns.

    What a `known` thread of that width says at the same places is not wrapped again.
    """
    knots = tuple(_knots(overview))
    before = known.knots if known.width == width else ()
    starts, owners, texts = array("l"), array("l"), []
    for number, knot in enumerate(knots):
        if number and airy and _begins_turn(knot):
            owners.append(NOBODY)
        starts.append(len(owners))
        same = number < len(before) and _said_as(knot) == _said_as(before[number])
        words = known.texts[number] if same else _wrapped(knot, max(8, width - MARGIN))
        texts.append(words)
        lines = 1 if knot.gap else len(words) + _begins_turn(knot)
        owners.extend([number] * lines)
    return Thread(knots, starts, tuple(texts), owners, overview.turns, width)


def thread_row(thread: Thread, line: int, width: int, *, bar: Cell, here: bool, zone: tzinfo | None) -> Row:
    """Return one line of the thread."""
    owner = thread.owners[line]
    if owner == NOBODY:
        return ()
    knot, at = thread.knots[owner], line - thread.starts[owner]
    if knot.gap:
        return (bar, BLANK, *_gap(knot.item, here=here))
    if not _begins_turn(knot):
        return (bar, BLANK, *_said(knot.item, thread.texts[owner], at))
    if at == 0:
        time = numbers.clock(knot.item.time, zone, seconds=False)
        left = [bar, BLANK, (marks.PROMPT, "user"), (f" turn {knot.item.turn}", "user"), *aside(knot.item.flags)]
        return spread(left, [(time, "muted" if here else "faint"), BLANK], width)
    return (bar, BLANK, (marks.THREAD, "thread"), BLANK, (thread.texts[owner][at - 1], "text bold"))


def turn_words(thread: Thread, knot: int, width: int) -> str:
    """Return `turn 3 of 12, progress 2` for a place on the thread, as far as `width` cells go; of a gap only the turn.

    Nothing for a session without turns.
    """
    if not thread.turns or not thread.knots:
        return ""
    item = thread.knots[knot].item
    turn = f"turn {max(1, item.turn)} of {thread.turns}"
    if thread.knots[knot].gap:
        return turn
    said = "answer" if item.is_answer else f"progress {item.step}" if item.step else "prompt"
    return f"{turn}, {said}" if len(turn) + len(said) + 2 <= width else turn


def aside(flags: Flag) -> Row:
    """Return the mark of a text that is no part of the thread's main line any more."""
    return ((f" {marks.ASIDE}", "muted"),) if flags & (Flag.ABANDONED | Flag.REPLAYED | Flag.TWIN) else ()


def _knots(overview: Overview) -> list[Knot]:
    knots = []
    for item in overview.items:
        knots.append(Knot(item, False, item.row))
        if item.first_between is not None:
            knots.append(Knot(item, True, item.first_between))
    return knots


def _begins_turn(knot: Knot) -> bool:
    return not knot.gap and knot.item.kind is Kind.USER


def _said_as(knot: Knot) -> tuple[object, ...]:
    """Return all that its lines are made of."""
    item = knot.item
    return knot.gap, item.kind, item.is_answer, item.excerpt


def _wrapped(knot: Knot, width: int) -> tuple[str, ...]:
    if knot.gap:
        return ()
    most = PROMPT_LINES if knot.item.kind is Kind.USER else ANSWER_LINES if knot.item.is_answer else STEP_LINES
    return wrap(few_words(knot.item.excerpt), width, most) or ("(no text)",)


def _gap(item: OverviewItem, *, here: bool) -> Row:
    row: list[Cell] = [(marks.GAP, "thread")]
    row.append((f" {numbers.plural(item.intervening, 'piece')}", "muted" if here else "faint"))
    if item.errors:
        row.append((f"  {marks.ERROR} {numbers.count(item.errors)}", "error"))
    if item.stored:
        row.append((f"  {marks.STORED} {numbers.count(item.stored)}", "stored"))
    return tuple(row)


def _said(item: OverviewItem, texts: tuple[str, ...], at: int) -> Row:
    answer = item.is_answer
    if at == 0:
        node = (marks.ANSWER, "assistant") if answer else (marks.STEP, "thread")
    else:
        node = (" ", "text") if answer else (marks.THREAD, "thread")
    return (node, BLANK, (texts[at], "text" if answer else "soft"))
