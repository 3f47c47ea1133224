"""`unspool read`: pieces of a session, bounded."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from unspool_tui.arguments import PIECE_HELP, add_bounds, bounds_of
from unspool_tui.command import FOUND, NOTHING, Command
from unspool_tui.output import Output, counted, human_size

if TYPE_CHECKING:
    from unspool.ids import EntryRange
    from unspool.library import Target
    from unspool.views.bounds import Bounds, Reason, Truncation
    from unspool.views.reading import RawPiece, Reading, ReadPiece
    from unspool.views.view import SessionView


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("target", metavar="REF/ID", help=PIECE_HELP)
    parser.add_argument("--in", dest="within", metavar="E1-E9", help="these entries")
    parser.add_argument("--part", metavar="input|output", help="of tool pieces only calls, or only results")
    parser.add_argument("--no-tools", action="store_true", help="leave out tool calls and their results")
    parser.add_argument(
        "--detail", choices=("full", "compact"), default="full", help="compact says sizes, not contents"
    )
    parser.add_argument("--model-view", action="store_true", help="what the model saw of an output that was shortened")
    parser.add_argument("--raw", action="store_true", help="the record as it is stored")
    add_bounds(parser)
    parser.add_argument("--after", metavar="TOKEN", help="go on where an earlier answer ended")


def run(command: Command) -> int:
    """Print the texts."""
    from unspool.errors import BadReference

    arguments = command.arguments
    target = command.library.resolve_target(arguments.target)
    view = command.library.view(target)
    place = command.place(target, view, arguments.part)
    if place is None:
        raise BadReference(
            f"nothing to read is named: write {arguments.target}/E12.1 or add --in E1-E9", text=arguments.target
        )
    if not arguments.raw and place.single is None and not view.rows_in(place) and place.first < max(1, view.entries):
        command.output.note(f"no evidence in {place}; --raw shows the records as they are stored")
        return NOTHING
    reading = _read(command, target, view, place)
    if command.output.json:
        pieces = [piece.to_json() for piece in reading.pieces]
        command.output.object({"pieces": pieces, "truncation": reading.truncation.to_json()})
    else:
        _print(command.output, reading.pieces, reading.truncation)
    return FOUND if reading.pieces else NOTHING


def _read(command: Command, target: Target, view: SessionView, place: EntryRange) -> Reading:
    arguments, bounds = command.arguments, bounds_of(command.arguments)
    lines = target.place.lines if target.place is not None else None
    if lines is not None and place.single is not None and arguments.after is None and not arguments.raw:
        return _quoted_lines(view, view.row(place), lines, bounds, model_view=arguments.model_view)
    return view.read(
        place,
        include_tools=not arguments.no_tools,
        tool_part=arguments.part,
        detail=arguments.detail,
        bounds=bounds,
        after=arguments.after,
        model_view=arguments.model_view,
        raw=arguments.raw,
    )


def _quoted_lines(view: SessionView, row: int, lines: tuple[int, int], bounds: Bounds, *, model_view: bool) -> Reading:
    """Read only the lines that a reference names."""
    from unspool.views.bounds import BYTES_PER_TOKEN, Truncation
    from unspool.views.reading import Reading, ReadPiece

    most = min(bounds.max_bytes, bounds.max_tokens * BYTES_PER_TOKEN)
    window = view.slice(view.id(row), lines=lines, model_view=model_view, max_bytes=most)
    piece = ReadPiece(view.evidence_at(row), window.text, window.start, window.first_line, view.notice(row))
    whole = view.slice(view.id(row), lines=(lines[1] + 1, lines[1] + 1), model_view=model_view, max_bytes=most)
    left = whole.start - window.stop
    following = f"{view.id(row)}+{window.stop}" if left > 0 else None
    reason: Reason = "bytes" if most == bounds.max_bytes else "tokens"
    return Reading((piece,), Truncation(left > 0, 1, reason if left > 0 else None, 0, max(0, left), following))


def _print(output: Output, pieces: tuple[ReadPiece | RawPiece, ...], truncation: Truncation) -> None:
    for piece in pieces:
        if len(pieces) > 1:
            output.row(_heading(piece))
        if piece.text:
            output.text(piece.text)
        notice = getattr(piece, "notice", None)
        if notice:
            output.note(f"full text: {notice}")
    if truncation.truncated:
        left = [counted(truncation.omitted_items, "piece")] if truncation.omitted_items else []
        left += [human_size(truncation.omitted_bytes)] if truncation.omitted_bytes else []
        rest = f", {' and '.join(left)} left out" if left else ""
        output.note(f"cut by {truncation.reason}{rest}; --after {truncation.next} goes on")


def _heading(piece: ReadPiece | RawPiece) -> str:
    from unspool.views.reading import RawPiece

    if isinstance(piece, RawPiece):
        return f"── E{piece.entry} · line {piece.entry + 1} · as stored"
    row = piece.evidence
    words = [str(row.id), row.label]
    if row.tool_part:
        words.append(row.tool or "?")
    seen = f", model saw {human_size(row.model_bytes)}" if row.model_bytes is not None else ""
    words.append(human_size(row.bytes) + seen)
    return "── " + " · ".join(words)
