"""`unspool read`: pieces of a session, bounded."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from unspool.formats.piece import HIDDEN, Flag
from unspool_tui.arguments import PIECE_HELP, UsageError, add_bounds, bounds_of
from unspool_tui.calls import call_told
from unspool_tui.command import Command
from unspool_tui.output import counted
from unspool_tui.readings import Readings
from unspool_tui.verbs import FOUND, NOTHING

if TYPE_CHECKING:
    from unspool.ids import EntryRange, EvidenceId
    from unspool.library import Target
    from unspool.views.bounds import Bounds
    from unspool.views.reading import Reading
    from unspool.views.view import SessionView


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("targets", nargs="+", metavar="REF/ID", help=f"{PIECE_HELP}; several are bounded together")
    parser.add_argument("--in", dest="within", metavar="E1-E9", help="these entries")
    parser.add_argument("--part", metavar="input|output", help="of tool pieces only calls, or only results")
    parser.add_argument("--reasoning", action="store_true", help="of a range also reasoning; --all reads every piece")
    parser.add_argument("--no-tools", action="store_true", help="leave out tool calls and their results")
    parser.add_argument(
        "--detail",
        choices=("full", "compact", "readable"),
        help="full gives texts as they are, compact only sizes; readable, which people get, tells JSON by its members",
    )
    parser.add_argument("--model-view", action="store_true", help="what the model saw of an output that was shortened")
    parser.add_argument("--raw", action="store_true", help="the record as it is stored")
    add_bounds(parser)
    parser.add_argument("--after", metavar="TOKEN", help="go on where an earlier answer ended")


def run(command: Command) -> int:
    """Print the texts; those of several targets one behind the other, within bounds on all of them."""
    arguments, bounds = command.arguments, bounds_of(command.arguments, command.settings.limits)
    places = [_place(command, text, arguments.targets[at:]) for at, text in enumerate(arguments.targets, 1)]
    several = len(places) > 1
    if several and arguments.after:
        raise UsageError("--after goes on in one answer; name the REF that it is of alone")
    found = False
    for number, (target, view, place) in enumerate(places):
        readings = _read(command, target, view, place, bounds, several=several)
        found = found or readings is not None
        left = readings.left(bounds) if several and readings is not None and not arguments.all else bounds
        if left is None and number + 1 < len(places):
            tell = command.output.note if command.output.json else command.output.left_out
            tell(f"{counted(len(places) - number - 1, 'more REF')} not read: the bounds are reached")
            break
        bounds = left or bounds
    return FOUND if found else NOTHING


def _place(command: Command, text: str, behind: Sequence[str]) -> tuple[Target, SessionView, EntryRange]:
    """Return what a target names; raises `BadReference` where it names a whole session.

    Ids in the words `behind` it are most likely of that session: then the error writes them so.
    """
    from unspool.errors import BadReference

    target = command.library.resolve_target(text)
    view = command.library.view(target)
    place = command.place(target, view, command.arguments.part)
    if place is None:
        meant = " ".join(f"{text}/{named}" for named in _ids(behind)) or f"{text}/E12.1 or add --in E1-E9"
        raise BadReference(f"nothing to read is named: write {meant}", text=text)
    return target, view, place


def _ids(words: Sequence[str]) -> Iterator[EntryRange]:
    """Yield the words that are ids or ranges."""
    from unspool.errors import BadReference
    from unspool.ids import EntryRange

    for word in words:
        with suppress(BadReference):
            yield EntryRange.parse(word)


def _read(
    command: Command, target: Target, view: SessionView, place: EntryRange, bounds: Bounds, *, several: bool
) -> Readings | None:
    """Print what one target names, and return it; `None` where that is nothing."""
    arguments = command.arguments
    if not arguments.raw and place.single is None and not view.rows_in(place) and place.first < max(1, view.entries):
        none = f"no evidence in {place}; --raw shows the records as they are stored"
        command.output.note(view.absence(place) if place.is_entry else none)
        return None
    ask, call = _asking(command, target, view, place, bounds), partial(call_told, view)
    ref = command.library.short(view.ref) if several else None
    readings = Readings(ask, arguments.after, to_the_end=arguments.all, call=call, ref=ref)
    readings.print(command.output)
    set_aside = _set_aside(view, place, _left_out(place, arguments))
    if set_aside:
        command.output.note(f"{set_aside} not read, as lists leave them out; --all reads every piece")
    elif not readings.pieces:
        command.output.note(_why_nothing(view, place, arguments))
    return readings if readings.pieces else None


def _left_out(place: EntryRange, arguments: argparse.Namespace) -> Flag:
    """Return the flags of pieces that are not read: of a range those that lists leave out, of what is named none."""
    if arguments.all or arguments.raw or place.single is not None or place.is_entry:
        return Flag(0)
    return HIDDEN & ~Flag.REASONING if arguments.reasoning else HIDDEN


def _set_aside(view: SessionView, place: EntryRange, flags: Flag) -> str:
    """Count what is left out of a range by each of its flags: `2 twin, 1 reasoning`."""
    rows = view.rows_in(place) if flags else []
    counts = Counter(next(iter((view.flags(row) & flags).names())) for row in rows if view.flags(row) & flags)
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())


def _why_nothing(view: SessionView, place: EntryRange, arguments: argparse.Namespace) -> str:
    """Say what the options left out of a place where something is."""
    options = ["--no-tools"] if arguments.no_tools else []
    options += [f"--part {arguments.part}"] if arguments.part else []
    count = len(view.rows_in(place))
    return f"nothing left in {place}: {' and '.join(options)} left out {counted(count, 'piece')}"


def _readable(view: SessionView, piece: EvidenceId, model_view: bool) -> str | None:
    """Return the text in which people read a piece by its members, `None` for one that is read as it is."""
    from unspool.views.members import readable

    row = view.row(piece)
    if model_view and view.evidence_at(row).model_bytes is not None:
        return None
    members = view.members(row)
    return None if members is None else readable(members)


def _asking(
    command: Command, target: Target, view: SessionView, place: EntryRange, bounds: Bounds
) -> Callable[[str | None], Reading]:
    """Return what reads from a continuation on."""
    arguments = command.arguments
    detail = arguments.detail or ("full" if command.output.json else "readable")
    lines = target.place.lines if target.place is not None else None
    if lines is not None and place.single is not None and not arguments.raw:
        from unspool_tui.quoted_lines import QuotedLines

        text = _readable(view, place.single, arguments.model_view) if detail == "readable" else None
        return QuotedLines(view, place.single, lines, bounds, arguments.model_view, text).read
    return lambda after: view.read(
        place,
        include_tools=not arguments.no_tools,
        tool_part=arguments.part,
        detail=detail,
        bounds=bounds,
        after=after,
        model_view=arguments.model_view,
        raw=arguments.raw,
        without=_left_out(place, arguments),
    )
