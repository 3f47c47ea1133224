"""`unspool export`: a session as a file that people can share."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Final

from unspool_tui.arguments import PIECE_HELP, UsageError, add_filter, filter_of
from unspool_tui.command import Command
from unspool_tui.notices import tell_of
from unspool_tui.output import counted
from unspool_tui.verbs import FOUND, NOTHING

if TYPE_CHECKING:
    from unspool.export import Exported, ExportFormat
    from unspool.views.view import SessionView

STDOUT: Final = "-"
FORMATS: Final = ("md", "html", "json")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("target", metavar="REF", help=PIECE_HELP)
    parser.add_argument(
        "-o",
        dest="file",
        metavar="FILE|-",
        help="the file, or - for standard output; without it a file named after the session, in a pipe standard output",
    )
    parser.add_argument("--format", choices=FORMATS, help="without it what FILE ends with, else md")
    parser.add_argument("--force", action="store_true", help="replace a file that is there")
    parser.add_argument("--full", action="store_true", help="cut no text, however long")
    parser.add_argument("--no-redact", action="store_true", help="leave what looks like a secret as it is")
    add_filter(parser)
    parser.add_argument("--reasoning", action="store_true", help="also reasoning")
    parser.add_argument("--all", action="store_true", help="every piece whatever its flags")


def run(command: Command) -> int:
    """Write the file; tell where it is, and what was redacted and cut."""
    from unspool.export import RULES, export_file, export_view

    arguments = command.arguments
    target = command.library.resolve_target(arguments.target)
    view = command.library.view(target)
    wanted = filter_of(arguments, reasoning=arguments.reasoning or arguments.all, hidden=arguments.all)
    place = command.place(target, view)
    if place is not None:
        named = place.single is not None or wanted.hidden
        wanted = wanted.with_(within=place, reasoning=wanted.reasoning or named, hidden=named)
    if not view.wanted(wanted):
        command.output.note(f"no piece fits; {counted(view.counts.total, 'piece')} in all, --all takes every one")
        return NOTHING
    format, path = _format(command), _path(command, view)
    rules = () if arguments.no_redact else RULES
    if path == STDOUT:
        exported = export_view(view, command.output.block, format, wanted, rules=rules, full=arguments.full)
    else:
        exported = export_file(
            view, path, format, wanted, rules=rules, full=arguments.full, force=arguments.force, environ=os.environ
        )
    _tell(command, view, path, exported)
    return FOUND


def _format(command: Command) -> ExportFormat:
    """Return the format that is asked for, else what the file ends with."""
    from unspool.export import format_of

    given: ExportFormat | None = command.arguments.format
    path: str | None = command.arguments.file
    if given is None and path is None and command.output.json and not sys.stdout.isatty():
        return "json"
    named = format_of(path) if path else None
    ending = os.path.splitext(path)[1] if path else ""
    if named is not None and given not in (None, named):
        raise UsageError(f"{path} ends as {named} does, and --format says {given}; let both say the same")
    if named is None and given is None and ending[1:].isalpha():
        raise UsageError(f"an export is {', '.join(FORMATS)}, not {ending}; end FILE so, or say which with --format")
    return given or named or "md"


def _path(command: Command, view: SessionView) -> str:
    """Return where to write: a file named after the session where nothing else is said and nobody reads a pipe."""
    from unspool.export import file_name

    given: str | None = command.arguments.file
    if given == "":
        raise UsageError("-o names no file; write -o FILE, or -o - for standard output")
    if given is not None:
        return given
    return file_name(view.ref, _format(command)) if sys.stdout.isatty() else STDOUT


def _tell(command: Command, view: SessionView, path: str, exported: Exported) -> None:
    output = command.output
    if output.json and path != STDOUT:
        output.object({"path": path, **exported.to_json()})
        return
    where = "" if path == STDOUT else f"{path}: "
    cut = f"; {counted(exported.cut, 'text')} cut, --full cuts none" if exported.cut else ""
    output.note(f"{where}{counted(exported.pieces, 'piece')}; {exported.redacted()}{cut}")
    tell_of(view, output)
