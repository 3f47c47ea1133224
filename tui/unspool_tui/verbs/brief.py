"""`unspool brief`: a session as one bounded text."""

from __future__ import annotations

import argparse

from unspool.dataclass import replace
from unspool_tui.arguments import TARGET_HELP, add_bounds, bounds_of
from unspool_tui.command import Command
from unspool_tui.notices import tell_of
from unspool_tui.verbs import FOUND, NOTHING


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("target", metavar="REF", help=TARGET_HELP)
    add_bounds(parser, items=False)


def run(command: Command) -> int:
    """Print the brief."""
    from unspool.views.brief import BRIEF_ITEMS

    view = command.view(command.arguments.target)
    text = view.brief(replace(bounds_of(command.arguments, command.settings.limits), max_items=BRIEF_ITEMS))
    if command.output.json:
        command.output.object({"ref": str(view.ref), "text": text})
    else:
        command.output.text(text)
        tell_of(view, command.output)
    return FOUND if view.counts.total else NOTHING
