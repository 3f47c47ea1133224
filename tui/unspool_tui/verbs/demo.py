"""`unspool demo`: a scripted agent that writes a live session, and the app on it."""

from __future__ import annotations

import argparse
import math
import os
import shlex
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from unspool.text import elided
from unspool_tui.arguments import SHOWN, UsageError, add_looks
from unspool_tui.command import Command
from unspool_tui.output import counted
from unspool_tui.verbs import FOUND, INTERRUPTED

if TYPE_CHECKING:
    from unspool_tui.demo import Stage

LONGEST_PACE = 3_600.0
"""Seconds."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("--no-app", action="store_true", help="only write the session, and say where")
    parser.add_argument("--pace", type=_pace, metavar="SECONDS", help="from one entry to the next (0.5); 0 for at once")
    add_looks(parser)


def run(command: Command) -> int:
    """Play the demo in a new temporary folder: in the app until it is left, else to its end."""
    from unspool_tui.demo import Stage
    from unspool_tui.demo.stage import PACE

    if command.arguments.root:
        raise UsageError("the demo makes a folder of its own; leave out --root")
    if not command.arguments.no_app and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("the app needs a terminal, and this is none; `unspool demo --no-app` only writes the session")
    stage = Stage(PACE if command.arguments.pace is None else command.arguments.pace)
    return _write(command, stage) if command.arguments.no_app else _show(command, stage)


def _show(command: Command, stage: Stage) -> int:
    """Run the app on the session; the folder goes with it, and nothing of it is remembered."""
    from unspool.library import open_library
    from unspool_tui.app import run as run_app

    with stage:
        stage.begin()
        library = open_library([str(stage.folder)], environ=os.environ)
        code = run_app(library, str(stage.log), command.settings, follow=True)
        stage.stop()
        return code


def _write(command: Command, stage: Stage) -> int:
    """Write the session, and say what can be asked of it; the folder stays, unless nobody could be told of it."""
    with ExitStack() as held:
        held.enter_context(stage)
        try:
            stage.begin()
            if not command.output.json:
                _tell(command, stage)
            stage.wait()
        except KeyboardInterrupt:
            stage.stop()
        _tell_end(command, stage)
        held.pop_all()
    return FOUND if stage.done else INTERRUPTED


def _tell_end(command: Command, stage: Stage) -> None:
    entries = stage.agent.entries
    if command.output.json:
        told = {"folder": str(stage.folder), "path": str(stage.log), "entries": entries, "complete": stage.done}
        command.output.object(told)
    else:
        what = "complete" if stage.done else "stopped"
        folder = shlex.quote(str(stage.folder))
        command.output.note(f"{what}: {counted(entries, 'entry', 'entries')}; rm -r {folder} removes them")
    command.output.flush()


def _tell(command: Command, stage: Stage) -> None:
    folder = shlex.quote(str(stage.folder))
    command.output.note(f"an agent writes a session in {stage.folder}; it can be read meanwhile, and ctrl+c ends it")
    for what in ("overview last", "evidence last --errors", "search FAIL", "stats last", "follow last"):
        command.output.text(f"unspool {what} --root {folder}")
    command.output.text(f"unspool --root {folder}")
    command.output.flush()


def _pace(text: str) -> float:
    try:
        pace = float(text)
    except ValueError:
        pace = math.nan
    if not 0 <= pace <= LONGEST_PACE:
        raise argparse.ArgumentTypeError(f"{elided(text, SHOWN)!r} is no number of seconds, such as 0.5")
    return pace
