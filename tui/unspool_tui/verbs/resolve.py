"""`unspool resolve`: where a piece lies, and whether it still is what was quoted."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from unspool.ids import EntryRange, Reference
from unspool_tui.arguments import PIECE_HELP
from unspool_tui.command import Command
from unspool_tui.verbs import FOUND, NOTHING

if TYPE_CHECKING:
    from unspool.views.anchor import SourceAnchor


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
        why = _why(anchor)
        if why is not None:
            command.output.note(why)
    return FOUND if anchor.state in ("intact", "unverified") else NOTHING


def _why(anchor: SourceAnchor) -> str | None:
    """Say why nobody can tell whether a quote holds, and what can be done; `None` where the state says all."""
    if anchor.state == "changed" and anchor.evidence_id is None:
        return f"a digest is that of one piece, and no piece of {anchor.entry_range} has this one"
    if anchor.state == "missing" and anchor.evidence_id is not None:
        return f"{anchor.evidence_id} is there, and has no such lines"
    if anchor.state != "unverified":
        return None
    if anchor.evidence_id is None or anchor.digest is None:
        return "whether it is what was quoted tells only the @digest of a single piece"
    reference = Reference(anchor.session, EntryRange.of(anchor.evidence_id), None, anchor.digest)
    return f"nothing says what it was; quoted with its digest it can be verified later: {reference}"


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value).replace("\n", " ")
