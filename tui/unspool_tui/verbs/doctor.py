"""`unspool doctor`: what was found where, and what was not understood."""

from __future__ import annotations

import argparse

from unspool_tui.command import FOUND, NOTHING, Command


def configure(parser: argparse.ArgumentParser) -> None:
    """The verb has no arguments of its own."""


def run(command: Command) -> int:
    """Print one line per finding."""
    lines = command.library.doctor()
    for line in lines:
        if command.output.json:
            command.output.object(line.to_json())
        else:
            command.output.row(f"{line.level:<8} {line.text}")
    return FOUND if any(line.level == "found" for line in lines) else NOTHING
