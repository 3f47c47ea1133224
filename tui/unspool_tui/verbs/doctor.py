"""`unspool doctor`: what was found where, and what was not understood."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from unspool.text import clean
from unspool_tui.arguments import UsageError
from unspool_tui.blob_targets import store_in
from unspool_tui.command import Command
from unspool_tui.output import Output, counted
from unspool_tui.verbs import FOUND, NOTHING

if TYPE_CHECKING:
    from unspool.library.doctor import DoctorLine


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("targets", nargs="*", metavar="FILE|DIR", help="only these, as with --root; without one all")
    parser.add_argument("--blobs", metavar="DIR", help="look at the stored outputs in DIR instead, every one whole")
    parser.add_argument("--quick", action="store_true", help="read only heads and tails, not every session whole")


def run(command: Command) -> int:
    """Print one line per finding."""
    command.arguments.root += command.arguments.targets
    try:
        lines = _lines(command)
    finally:
        command.output.progress(None)
    for line in lines:
        if command.output.json:
            command.output.object(line.to_json())
        else:
            command.output.text(f"{line.level:<8} {clean(line.text, newline=False)}")
    return FOUND if any(line.level == "found" for line in lines) else NOTHING


def _lines(command: Command) -> list[DoctorLine]:
    arguments, progress = command.arguments, partial(_tell, command.output)
    if arguments.blobs is None:
        return command.library.doctor(quick=arguments.quick, progress=progress)
    if arguments.quick:
        raise UsageError("--quick reads heads and tails of sessions; what is stored is read whole or not at all")
    return command.library.examine_blobs(store_in(arguments.blobs), progress=progress)


def _tell(output: Output, done: int, total: int) -> None:
    output.progress(f"reading: {done:,} of {counted(total, 'session')}")
