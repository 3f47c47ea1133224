"""`unspool open`, and `unspool` alone: the app."""

from __future__ import annotations

import gc
import os
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final, cast

from unspool.dataclass import replace
from unspool_tui.streams import encoding

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from unspool.library import Library
    from unspool.views.view import SessionView
    from unspool_tui.command import Command
    from unspool_tui.held import Held

STREAM: Final = "-"
"""The target that is what streams in on standard input."""

_ALWAYS: Final = {"streaming": True, "keys": True, "apart": True}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    from unspool_tui.arguments import PIECE_HELP, add_looks

    parser.add_argument("target", nargs="?", metavar="PATH|REF", help=PIECE_HELP)
    add_looks(parser)
    parser.add_argument("--bell", action="store_true", help="ring the terminal when an agent waits for you")
    parser.set_defaults(**_ALWAYS)


def unparsed(target: str | None) -> argparse.Namespace:
    """Return the arguments of a command line that has no option: nothing need be parsed for what comes at once."""
    told = SimpleNamespace(target=target, root=[], json=False, theme=None, ascii=False, bell=False, **_ALWAYS)
    return cast("argparse.Namespace", told)


def run(command: Command) -> int:
    """Run the app until the person leaves it; a target that cannot be opened is told before the screen changes."""
    return _open(command.arguments, lambda: command)


def at_once(target: str | None) -> int:
    """Run the app as a command line without options asks for it: what comes first needs no more than the target."""
    arguments = unparsed(target)

    def command() -> Command:
        from unspool_tui.command import Command
        from unspool_tui.output import Output

        return Command(arguments, Output(json=False))

    return _open(arguments, command)


def _open(arguments: argparse.Namespace, command_of: Callable[[], Command]) -> int:
    from unspool_tui.held import held

    gc.disable()  # nothing of what is made before the app works goes again
    try:
        with held() as terminal:
            seen = None if terminal is None else _show_file(terminal, arguments)
            command = command_of()
            library, target = _named(command)
            if not (sys.stdin.isatty() and sys.stdout.isatty()):
                from unspool_tui.arguments import UsageError

                raise UsageError("the app needs a terminal, and this is none; `unspool sessions` lists without one")
            return _run(command, library, target, terminal, seen)
    finally:
        gc.enable()


def _show_file(terminal: Held, arguments: argparse.Namespace) -> SessionView | None:
    """Show what begins the file that is named, if one is, and nobody has said how; return it."""
    from unspool_tui.first.frame import look_at_once, show_file

    look = look_at_once(os.environ, encoding()) if arguments.target else None
    if look is None or arguments.theme or arguments.ascii:
        return None
    return show_file(terminal, arguments.target, look)


def _named(command: Command) -> tuple[Library, str | None]:
    """Return what is to be opened; raises what says why it cannot be."""
    library, target = command.library, command.arguments.target
    if target and os.path.isdir(target) and target != ".":
        return _folder(library, target, command.cache)
    if target is not None:
        library.resolve_target(target)
    return library, target


def _run(
    command: Command, library: Library, target: str | None, terminal: Held | None, seen: SessionView | None
) -> int:
    """Show the first frame, unless it is there, and then import the app; it goes on from there."""
    from unspool_tui.first.frame import look_of, show_list, show_session
    from unspool_tui.settings.memory import recall
    from unspool_tui.settings.place import home_of, state_path

    settings = replace(command.settings, bell=command.arguments.bell or command.settings.bell)
    state = state_path(os.environ, home_of(os.environ))
    begun = None
    if terminal is not None and target is None:
        show_list(terminal, library, look_of(settings, os.environ), recall(state).session or "")
    elif terminal is not None and target is not None and target != STREAM:
        begun = show_session(terminal, library, target, look_of(settings, os.environ), seen)
    from unspool_tui.app import run as run_app

    shows = terminal if terminal is not None and terminal.taken else None
    return run_app(library, target, settings, state, follow=target == STREAM, held=shows, begun=begun)


def _is_one(library: Library) -> bool:
    """Say whether a folder is nothing but one of stored outputs: then the list of sessions would have one row."""
    return [report.found for report in library.scanned()] == [{"blobs": 1}]


def _folder(library: Library, path: str, cache: str | None = None) -> tuple[Library, str | None]:
    """Return the sessions that a folder holds, else all, to begin with the newest that worked in the folder.

    Raises `Unreadable` when there is none of either.
    """
    from unspool.library import open_library

    held = open_library([path], cache=cache, apart=True)
    if any(report.found for report in held.scanned()):
        return held, path if _is_one(held) else None
    library.resolve_target(path)
    return library, path
