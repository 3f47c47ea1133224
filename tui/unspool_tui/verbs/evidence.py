"""`unspool evidence`: the index of a session."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from unspool_tui.arguments import TARGET_HELP, add_filter, filter_of, positive
from unspool_tui.command import FOUND, NOTHING, Command
from unspool_tui.notices import tell_of
from unspool_tui.output import cell, counted, human_time
from unspool_tui.present import numbers

if TYPE_CHECKING:
    from unspool.views.evidence import Evidence

WHO_CELLS: Final = 14
"""Cells for who speaks: `assistant`, or most tools' names."""

QUIET: Final = ("persisted", "shortened")
"""Flags that the size column already tells."""


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
    view = command.view(arguments.target)
    wanted = filter_of(arguments, reasoning=arguments.reasoning or arguments.all, hidden=arguments.all)
    limit = arguments.limit or (None if arguments.all else EVIDENCE_ITEMS)
    page = view.evidence(wanted, limit=limit, after=arguments.after)
    if command.output.json:
        for row in page.items:
            command.output.object(row.to_json())
        command.summary(page.total, page.next)
    else:
        for line in evidence_rows(page.items):
            command.output.row(line)
        if not page.items:
            every = view.counts.total
            command.output.note(f"no piece fits; {counted(every, 'piece')} in all, --all shows every one")
        if page.next:
            command.output.left_out(
                f"{len(page.items):,} of {counted(page.total, 'row')} shown; --after {page.next} goes on"
            )
        tell_of(view, command.output)
    return FOUND if page.items else NOTHING


def evidence_rows(rows: Sequence[Evidence]) -> Iterator[str]:
    """Yield rows of the index, in columns."""
    ids = max((len(str(row.id)) for row in rows), default=0)
    return (_row(row, ids) for row in rows)


def _row(row: Evidence, ids: int) -> str:
    who = f"{'←' if row.tool_part else '→'} {row.tool or '?'}" if row.tool_part is not None else str(row.kind)
    size = numbers.size(row.bytes)
    if row.model_bytes is not None:
        size = f"{numbers.size(row.model_bytes)} of {size}"
    flags = [flag for flag in row.flags.names() if flag not in QUIET and not (flag == "error" and _fails(row))]
    words = [*_said(row), f"[{' '.join(flags)}]" if flags else ""]
    return (
        f"{row.id!s:<{ids}}  {human_time(row.time)}  {cell(who, WHO_CELLS)} {size:>9}  {'  '.join(filter(None, words))}"
    )


def _said(row: Evidence) -> list[str]:
    """Return what tells most about a piece: of a call and a message its summary, of a result its label too."""
    return [row.label, row.summary] if row.tool_part else [row.summary]


def _fails(row: Evidence) -> bool:
    """Say whether the label tells that an output failed."""
    return bool(row.tool_part) and row.exit_code != 0
