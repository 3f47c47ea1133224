"""`unspool doctor`: what was found where, and what was not understood."""

from __future__ import annotations

import argparse
from functools import partial

from unspool.text import clean
from unspool_tui.command import FOUND, NOTHING, Command
from unspool_tui.output import Output, counted


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("--quick", action="store_true", help="read only heads and tails, not every session whole")


def run(command: Command) -> int:
    """Print one line per finding."""
    lines = command.library.doctor(quick=command.arguments.quick, progress=partial(_tell, command.output))
    command.output.progress(None)
    for line in lines:
        if command.output.json:
            command.output.object(line.to_json())
        else:
            command.output.text(f"{line.level:<8} {clean(line.text, newline=False)}")
    return FOUND if any(line.level == "found" for line in lines) else NOTHING


def _tell(output: Output, done: int, total: int) -> None:
    output.progress(f"reading: {done:,} of {counted(total, 'session')}")
