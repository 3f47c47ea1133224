"""`unspool open`, and `unspool` alone: the app."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from unspool.dataclass import replace
from unspool.library.streamed import STREAM
from unspool_tui.arguments import PIECE_HELP, UsageError, add_looks

if TYPE_CHECKING:
    from unspool.library import Library
    from unspool_tui.command import Command


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("target", nargs="?", metavar="PATH|REF", help=PIECE_HELP)
    add_looks(parser)
    parser.add_argument("--bell", action="store_true", help="ring the terminal when an agent waits for you")
    parser.set_defaults(streaming=True, keys=True)


def run(command: Command) -> int:
    """Run the app until the person leaves it; a target that cannot be opened is told before the screen changes."""
    library, target = command.library, command.arguments.target
    if target and os.path.isdir(target) and target != ".":
        library, target = _folder(library, target)
    elif target is not None:
        library.resolve_target(target)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("the app needs a terminal, and this is none; `unspool sessions` lists without one")
    return _shown(command, library, target)


def _shown(command: Command, library: Library, target: str | None) -> int:
    """Show the first frame, and then import the app; it goes on from there."""
    from unspool_tui.first.frame import look_of, show_list, show_session
    from unspool_tui.held import held
    from unspool_tui.settings.memory import recall
    from unspool_tui.settings.place import home_of, state_path

    settings = replace(command.settings, bell=command.arguments.bell or command.settings.bell)
    state = state_path(os.environ, home_of(os.environ))
    with held() as terminal:
        begun = None
        if terminal is not None and target is None:
            show_list(terminal, library, look_of(settings, os.environ), recall(state).session or "")
        elif terminal is not None and target is not None and target != STREAM:
            begun = show_session(terminal, library, target, look_of(settings, os.environ))
        from unspool_tui.app import run as run_app

        shows = terminal if terminal is not None and terminal.taken else None
        return run_app(library, target, settings, state, follow=target == STREAM, held=shows, begun=begun)


def _is_one(library: Library) -> bool:
    """Say whether a folder is nothing but one of stored outputs: then the list of sessions would have one row."""
    return [report.found for report in library.scanned()] == [{"blobs": 1}]


def _folder(library: Library, path: str) -> tuple[Library, str | None]:
    """Return the sessions that a folder holds, else all, to begin with the newest that worked in the folder.

    Raises `Unreadable` when there is none of either.
    """
    from unspool.library import open_library

    held = open_library([path])
    if any(report.found for report in held.scanned()):
        return held, path if _is_one(held) else None
    library.resolve_target(path)
    return library, path
