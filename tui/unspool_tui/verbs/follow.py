"""`unspool follow`: what happens in one session or in all, as it happens."""

from __future__ import annotations

import argparse
import select
import sys
from typing import TYPE_CHECKING

from unspool.library.streamed import STREAM
from unspool_tui.arguments import TARGET_HELP, add_filter, filter_of
from unspool_tui.command import Command
from unspool_tui.output import counted
from unspool_tui.own_mappings import map_what_grows
from unspool_tui.present import marks
from unspool_tui.present.waits import WAITS
from unspool_tui.streams import ring
from unspool_tui.verbs import FOUND
from unspool_tui.verbs.evidence import BEGUN, QUIET, evidence_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from unspool.follow.events import AnyEvent
    from unspool.ids import SessionRef


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("target", metavar="REF", nargs="?", help=f"{TARGET_HELP}; without it every session")
    add_filter(parser)
    parser.add_argument("--reasoning", action="store_true", help="also reasoning")
    parser.add_argument("--bell", action="store_true", help="ring the terminal when an agent waits for you")
    parser.set_defaults(absent=True, streaming=True)


def run(command: Command) -> int:
    """Print events until the reader goes away, it is interrupted, or what streams in has ended."""
    arguments = command.arguments
    refs = None if arguments.target is None else [command.whole(arguments.target).ref]
    wanted = filter_of(arguments, reasoning=arguments.reasoning)
    bell, gone = arguments.bell or command.settings.bell, _gone()
    streams = arguments.target == STREAM
    map_what_grows()
    with command.library.follow(refs, filter=wanted) as following:
        events, ended = following.step(0), False
        command.output.note(f"following {refs[0] if refs else 'every session'}; ctrl+c ends it")
        while not gone() and (events or not ended):
            for event in events:
                _tell(command, event, bell=bell)
            command.output.flush()
            ended = streams and command.piped.ended
            events = following.step()
    return FOUND


def _tell(command: Command, event: AnyEvent, *, bell: bool) -> None:
    from unspool.follow.events import WaitingChanged

    if bell and isinstance(event, WaitingChanged) and event.waiting is not None:
        ring()
    if command.output.json:
        command.output.object(event.to_json())
    else:
        _print(command, event)


def _gone() -> Callable[[], bool]:
    """Return what tells that nobody reads the answers any more: a pipe says so without being written to."""
    try:
        answers = select.poll()
        answers.register(sys.stdout.fileno(), 0)
    except (OSError, ValueError):
        return lambda: False
    return lambda: any(state & (select.POLLERR | select.POLLNVAL) for _, state in answers.poll(0))


def _print(command: Command, event: AnyEvent) -> None:
    from unspool.follow.events import Event

    short: Callable[[SessionRef], str] = command.library.short
    place = f"{short(event.ref)}  " if isinstance(event, Event) else ""
    for line in _lines(event):
        command.output.row(place + line)


def _lines(event: AnyEvent) -> list[str]:
    from unspool.follow import events

    match event:
        case events.EvidenceAdded():
            return list(evidence_rows([event.evidence], quiet=QUIET | BEGUN))
        case events.SideFileChanged():
            return [f"{row}  [saved output changed]" for row in evidence_rows([event.evidence])]
        case events.SessionAppeared():
            return [f"── new session  {event.path}"]
        case events.Pending(byte_range=(start, end)):
            return [f"… a line is being written: {counted(end - start, 'byte')} so far"]
        case events.LineUnreadable(line=None):
            return [f"! {event.reason}"]
        case events.LineUnreadable():
            return [f"! line {event.line} is unreadable: {event.reason}"]
        case events.Truncated():
            return [
                f"! the file was cut: {counted(event.pieces, 'piece')} left, E{event.from_entry} and later are gone"
            ]
        case events.Replaced():
            return [f"! the file was {event.how}: {counted(event.pieces, 'piece')}, new from E{event.from_entry} on"]
        case events.Moved():
            return [f"! moved to {event.path}" if event.path != event.before else "! the file is back"]
        case events.Gone():
            return [f"! source gone: {event.path}"]
        case events.WaitingChanged(waiting=what):
            return ["works again" if what is None else f"{marks.WAITING} {WAITS[what]}"]
        case events.Polling(reason=None):
            return ["live updates by the system again"]
        case events.Polling():
            return [f"live updates by polling: {event.reason}"]
        case events.Unlisted():
            return [f"! {event.path} cannot be listed: {event.reason}"]
        case _:
            return []
