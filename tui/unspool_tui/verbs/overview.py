"""`unspool overview`: the thread of a session."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from unspool.text import elided
from unspool_tui.arguments import TARGET_HELP, positive
from unspool_tui.command import Command
from unspool_tui.notices import tell_of
from unspool_tui.output import counted, human_time
from unspool_tui.verbs import FOUND, NOTHING

if TYPE_CHECKING:
    from unspool.views.overview import OverviewItem

EXCERPT: Final = 160
"""Characters of a text in a row: two lines of a terminal."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("target", metavar="REF", help=TARGET_HELP)
    parser.add_argument("--max-items", type=positive, default=50, metavar="N", help="thin out to N texts (50)")


def run(command: Command) -> int:
    """Print the user and assistant texts."""
    view = command.view(command.arguments.target)
    overview = view.overview(max_items=command.arguments.max_items)
    ids = max((len(str(item.id)) for item in overview.items), default=0)
    labels = max((len(item.label) for item in overview.items), default=0)
    for item in overview.items:
        if command.output.json:
            command.output.object(item.to_json())
        else:
            command.output.row(_row(item, ids, labels), _between(item))
    if command.output.json:
        command.summary(overview.total, None)
    else:
        if not overview.items:
            command.output.note(f"no user or assistant text; `unspool evidence {view.ref} --all` shows what there is")
        if len(overview.items) < overview.total:
            left = f"{len(overview.items)} of {counted(overview.total, 'text')} shown"
            command.output.left_out(f"{left}; --max-items {overview.total} shows all")
        tell_of(view, command.output)
    return FOUND if overview.items else NOTHING


def _row(item: OverviewItem, ids: int, labels: int) -> str:
    text = elided(" ".join(item.excerpt.split()), EXCERPT)
    return f"{item.id!s:<{ids}}  {human_time(item.time)}  {item.label:<{labels}}  {text}"


def _between(item: OverviewItem) -> str:
    number = item.intervening
    return f"   ({counted(number, 'piece')} {'follows' if number == 1 else 'follow'})" if number else ""
