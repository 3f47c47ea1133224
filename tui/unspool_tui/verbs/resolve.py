"""`unspool resolve`: where a piece lies, and whether it still is what was quoted."""

from __future__ import annotations

import argparse
from typing import Any

from unspool_tui.arguments import PIECE_HELP
from unspool_tui.command import FOUND, NOTHING, Command


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("target", metavar="REF/ID", help=f"{PIECE_HELP}, with or without #L1-9 and @digest")
    parser.add_argument("--in", dest="within", metavar="E1-E9", help="these entries")


def run(command: Command) -> int:
    """Print the anchor."""
    anchor = command.library.resolve(command.arguments.target, within=command.within())
    if command.output.json:
        command.output.object(anchor.to_json())
    else:
        for name, value in anchor.to_json().items():
            if value not in (None, [], ""):
                command.output.text(f"{name.replace('_', ' '):<13} {_shown(value)}")
        if anchor.state == "changed" and anchor.evidence_id is None:
            command.output.note(f"a digest is that of one piece, and no piece of {anchor.entry_range} has this one")
    return FOUND if anchor.state in ("intact", "unverified") else NOTHING


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value).replace("\n", " ")
