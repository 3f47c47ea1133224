"""`unspool open`, and `unspool` alone: the app."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from unspool_tui.arguments import PIECE_HELP, UsageError, add_looks
from unspool_tui.command import Command

if TYPE_CHECKING:
    from unspool.library import Library


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("target", nargs="?", metavar="PATH|REF", help=PIECE_HELP)
    add_looks(parser)


def run(command: Command) -> int:
    """Run the app until the person leaves it; a target that cannot be opened is told before the screen changes."""
    library, target = command.library, command.arguments.target
    if target and os.path.isdir(target) and target != ".":
        library = _folder(target)
        target = target if _is_one(library) else None
    elif target is not None:
        library.resolve_target(target)
    if not (sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()):
        raise UsageError("the app needs a terminal, and this is none; `unspool sessions` lists without one")
    from unspool_tui.app import run as run_app
    from unspool_tui.settings.place import home_of, state_path

    return run_app(library, target, command.settings, state_path(os.environ, home_of(os.environ)))


def _is_one(library: Library) -> bool:
    """Say whether a folder is nothing but one of stored outputs: then the list of sessions would have one row."""
    return [report.found for report in library.scanned()] == [{"blobs": 1}]


def _folder(path: str) -> Library:
    """Return the sessions of a folder; raises `Unreadable` when it has none."""
    from unspool.library import open_library
    from unspool.library.finding import nothing_in

    library = open_library([path])
    if not any(report.found for report in library.scanned()):
        raise nothing_in(path, [error for report in library.scanned() for error in report.errors])
    return library
