"""`unspool inspect`: a window of any output."""

from __future__ import annotations

import argparse

from unspool_tui.arguments import PIECE_HELP, add_bounds, bounds_of
from unspool_tui.command import FOUND, Command
from unspool_tui.output import counted, human_size


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("target", metavar="REF/ID", help=PIECE_HELP)
    parser.add_argument(
        "selector",
        nargs="?",
        metavar="SELECTOR",
        help="lines:20-50, tail:50, bytes:0..4096, grep:TEXT, slice:3..8 or key:NAME; without one the beginning",
    )
    parser.add_argument("--model-view", action="store_true", help="what the model saw of an output that was shortened")
    add_bounds(parser)
    parser.add_argument("--after", metavar="TOKEN", help="go on where an earlier answer ended")


def run(command: Command) -> int:
    """Print the window."""
    from unspool.errors import BadReference
    from unspool.views.inspection import inspect

    arguments = command.arguments
    target = command.library.resolve_target(arguments.target)
    view = command.library.view(target)
    place = command.place(target, view)
    if place is None or place.single is None:
        raise BadReference(f"one piece must be named, as in {view.ref}/E12.1", text=arguments.target)
    lines = target.place.lines if target.place is not None else None
    inspection = inspect(
        place.single,
        arguments.selector or (f"lines:{lines[0]}-{lines[1]}" if lines else None),
        view=view,
        bounds=bounds_of(arguments),
        after=arguments.after,
        model_view=arguments.model_view,
    )
    if command.output.json:
        command.output.object(inspection.to_json())
        return FOUND
    singular = {"entries": "entry"}.get(inspection.size_name, inspection.size_name[:-1])
    size = counted(inspection.size, singular, inspection.size_name)
    command.output.note(f"{inspection.type} | {size} | {human_size(inspection.bytes)}")
    command.output.text(inspection.text)
    if inspection.truncation.next:
        command.output.note(f"cut by {inspection.truncation.reason}; --after '{inspection.truncation.next}' goes on")
    return FOUND
