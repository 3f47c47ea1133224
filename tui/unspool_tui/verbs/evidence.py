"""`unspool evidence`: the index of a session."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from unspool.errors import BadQuery
from unspool_tui.arguments import TARGET_HELP, add_filter, filter_of, nearest, positive
from unspool_tui.calls import call_told
from unspool_tui.command import Command
from unspool_tui.flag_words import flag_words
from unspool_tui.notices import tell_of
from unspool_tui.output import cell, counted, human_time
from unspool_tui.present import numbers
from unspool_tui.verbs import FOUND, NOTHING

if TYPE_CHECKING:
    from unspool.ids import EvidenceId
    from unspool.views.evidence import Evidence, EvidencePage
    from unspool.views.filter import Filter
    from unspool.views.view import SessionView

WHO_CELLS: Final = 14
"""Cells for who speaks: `assistant`, or most tools' names."""

QUIET: Final = frozenset({"persisted", "shortened"})
"""Flags that the size column already tells."""
BEGUN: Final = frozenset({"unanswered"})
"""A flag that nobody says of a call that has just begun: it runs."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("target", metavar="REF", help=TARGET_HELP)
    add_filter(parser)
    parser.add_argument("--reasoning", action="store_true", help="also reasoning")
    parser.add_argument("--all", action="store_true", help="every piece whatever its flags, and no limit")
    parser.add_argument("--limit", type=positive, metavar="N", help="at most N rows (200)")
    parser.add_argument("--after", metavar="TOKEN", help="go on where an earlier answer ended")


def run(command: Command) -> int:
    """Print the rows."""
    from unspool.views.bounds import EVIDENCE_ITEMS

    arguments = command.arguments
    views = command.views(arguments.target)
    wanted = filter_of(arguments, reasoning=arguments.reasoning or arguments.all, hidden=arguments.all)
    limit = arguments.limit or (None if arguments.all else EVIDENCE_ITEMS)
    pages = Pages(views, wanted, limit, arguments.after)
    if command.output.json:
        for view, page in pages.each:
            for row in page.items:
                command.output.object({**({"part": view.ref.part} if len(views) > 1 else {}), **row.to_json()})
        command.summary(pages.total, pages.next)
    else:
        _print(command, pages)
    return FOUND if pages.shown else NOTHING


class Pages:
    """A page of the index of a session, which may go over several parts; each part with its rows of the page.

    `next` goes on behind the last row: of a session in parts it names the part too.
    """

    def __init__(self, views: Sequence[SessionView], wanted: Filter, limit: int | None, after: str | None) -> None:
        self.each: list[tuple[SessionView, EvidencePage]] = []
        start, behind = _place(views, after)
        for number, view in enumerate(views):
            left = None if limit is None else limit - self.shown
            page = view.evidence(wanted, limit=0 if number < start else left, after=behind if number == start else None)
            self.each.append((view, page))
        self.next = self.each[0][1].next if len(views) == 1 else self._next()

    def _next(self) -> str | None:
        """Name the last row of the page when more follow in its part or in those behind."""
        last = max((number for number, (_, page) in enumerate(self.each) if page.items), default=None)
        if last is None:
            return None
        view, page = self.each[last]
        more = page.next is not None or any(page.total for _, page in self.each[last + 1 :])
        return f"{view.ref.part}/{page.items[-1].id}" if more else None

    @property
    def shown(self) -> int:
        """Rows of this page."""
        return sum(len(page.items) for _, page in self.each)

    @property
    def total(self) -> int:
        """Rows that fit, in all parts."""
        return sum(page.total for _, page in self.each)


def _place(views: Sequence[SessionView], after: str | None) -> tuple[int, str | None]:
    """Return the part that a continuation goes on in, and the row of it; raises `BadQuery`."""
    if after is None or len(views) == 1:
        return 0, after
    part, _, behind = after.rpartition("/")
    for number, view in enumerate(views):
        if view.ref.part == part:
            return number, behind
    raise BadQuery(f"not a continuation of this list: {after!r}; pass the `next` of the answer before")


def _print(command: Command, pages: Pages) -> None:
    output = command.output
    for view, page in pages.each:
        if len(pages.each) > 1 and page.items:
            output.row(f"── {command.library.short(view.ref)}")
        calls, lives = _calls(view, page.items), partial(command.lives, view.ref)
        for line in evidence_rows(
            page.items, calls, whole_names=not output.terminal, narrow=output.narrow, lives=lives
        ):
            output.row(line)
    if not pages.shown:
        output.note(_why_none(command, [view for view, _ in pages.each]))
    if pages.next:
        output.left_out(f"{pages.shown:,} of {counted(pages.total, 'row')} shown; --after {pages.next} goes on")
    for view, _ in pages.each:
        tell_of(view, output)


def _why_none(command: Command, views: Sequence[SessionView]) -> str:
    """Say why nothing fits: a tool that the session does not have, else how many pieces there are."""
    there = list(dict.fromkeys(tool for view in views for tool in view.tool_counts()))
    wanted = {name for given in command.arguments.tool for name in given.split(",") if name}
    known = {tool.casefold() for tool in there}
    strange = sorted(name for name in wanted if name.casefold() not in known)
    if strange:
        return f"no tool {', '.join(map(repr, strange))} here; {nearest(strange[0], there)}"
    every = sum(view.counts.total for view in views)
    return f"no piece fits; `unspool evidence {views[-1].ref} --all` shows all {every:,}"


def _calls(view: SessionView, rows: Sequence[Evidence]) -> dict[EvidenceId, str]:
    """Name the calls of outputs whose call is not in the list."""
    listed = {row.id for row in rows}
    return {row.id: call_told(view, row) for row in rows if row.is_output and row.peer not in listed}


def evidence_rows(
    rows: Sequence[Evidence],
    calls: Mapping[EvidenceId, str] | None = None,
    *,
    whole_names: bool = False,
    narrow: bool = False,
    lives: Callable[[], bool] = lambda: False,
    quiet: frozenset[str] = QUIET,
) -> Iterator[str]:
    """Yield rows of the index, in columns; `calls` says of outputs what they answer.

    Where the rows are read by a program, `whole_names` of tools are what it looks for. Where it is `narrow`, what was
    said and run gets the room. In a session that `lives` a call without a result still runs. Flags that are `quiet` are
    not told.
    """
    ids = max((len(str(row.id)) for row in rows), default=0)
    shown = ((row, (calls or {}).get(row.id, "")) for row in rows)
    if narrow:
        return (_narrow_row(row, ids, call, _flags(row, lives, quiet)) for row, call in shown)
    return (_row(row, ids, whole_names, call, _flags(row, lives, quiet)) for row, call in shown)


def _who(row: Evidence) -> str:
    """Return the tool with an arrow that tells call from result, or who speaks."""
    return f"{'←' if row.tool_part else '→'} {row.tool or '?'}" if row.tool_part is not None else str(row.kind)


def _row(row: Evidence, ids: int, whole_names: bool, call: str, flags: str) -> str:
    size = numbers.size(row.bytes)
    if row.model_bytes is not None:
        size = f"{numbers.size(row.model_bytes)} of {size}"
    words = [*_said(row, call), flags]
    who = cell(_who(row), WHO_CELLS, whole=whole_names)
    return f"{row.id!s:<{ids}}  {human_time(row.time)}  {who} {size:>9}  {'  '.join(filter(None, words))}"


def _narrow_row(row: Evidence, ids: int, call: str, flags: str) -> str:
    """Return a row without date and size: how it ended, what it says, and what it was the answer to."""
    ended = [f"exit {row.exit_code}" if row.exit_code is not None else "error"] if row.failed else []
    words = [*ended, row.summary, call, flags]
    return f"{row.id!s:<{ids}}  {cell(_who(row), WHO_CELLS)}  {'  '.join(filter(None, words))}"


def _flags(row: Evidence, lives: Callable[[], bool], quiet: frozenset[str]) -> str:
    return flag_words(row.flags, lives, quiet | {"error"} if _fails(row) else quiet)


def _said(row: Evidence, call: str) -> list[str]:
    """Return what tells most about a piece: of a call and a message its summary, of a result its label and call too."""
    return [row.label, call, row.summary] if row.tool_part else [row.summary]


def _fails(row: Evidence) -> bool:
    """Say whether the label tells that an output failed."""
    return bool(row.tool_part) and row.exit_code != 0
