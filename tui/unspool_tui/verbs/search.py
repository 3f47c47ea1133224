"""`unspool search`: a text in some sessions, or in all."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass, field
from unspool.errors import BadQuery, BadReference, NotFound, Unreadable, UnspoolError
from unspool.views.bounds import SEARCH_MOST
from unspool.views.raw_hits import RAW_HITS
from unspool_tui.arguments import TARGET_HELP, UsageError, add_filter, at_most, filter_of
from unspool_tui.command import NO_SESSION, Command
from unspool_tui.output import counted
from unspool_tui.present import numbers
from unspool_tui.session_choice import SessionChoice, add_choice
from unspool_tui.verbs import FOUND, NOTHING
from unspool_tui.verbs.hit_lines import HitLines
from unspool_tui.verbs.sessions import why_none

if TYPE_CHECKING:
    from unspool.ids import SessionRef
    from unspool.library import SessionSummary
    from unspool.library.searching import Searching, SessionHits

BETWEEN: Final = "|"
"""Parts a continuation: a session, the place in it, what was counted before the session; no reference holds it."""

_COUNTED: Final = ("total", "pieces", "bytes", "sessions", "copies", "unreadable", "raw")
"""What a continuation carries, so that every page speaks of all that it and the pages before it went over."""


_limit: Final = at_most(SEARCH_MOST, f"a search shows at most {SEARCH_MOST:,} hits at once, --after goes on")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("query", nargs="?", default="", metavar="QUERY", help="the text to look for, taken literally")
    parser.add_argument("targets", nargs="*", metavar="REF", help=f"{TARGET_HELP}; without one all sessions")
    add_filter(parser)
    add_choice(parser)
    parser.add_argument("--case", choices=("ignore", "exact", "smart"), default="ignore", help="how letters compare")
    parser.add_argument("--raw", action="store_true", help="also look into unreadable lines and other records")
    parser.add_argument("--no-reasoning", action="store_true", help="leave out reasoning")
    parser.add_argument("--limit", type=_limit, default=20, metavar="N", help="at most N hits (20)")
    parser.add_argument("--after", metavar="TOKEN", help="go on where an earlier answer ended")


@dataclass(slots=True)
class Tally:
    """What a search has found so far, on the pages before too; what is shown is of this page alone."""

    shown: int = 0
    raw_shown: int = 0
    total: int = 0
    pieces: int = 0
    bytes: int = 0
    sessions: int = 0
    copies: int = 0
    unreadable: int = 0
    raw: int = 0
    raw_cut: bool = False
    complete: bool = True
    next: str | None = None
    hidden: dict[str, int] = field(default_factory=dict)

    @classmethod
    def carried(cls, counts: str) -> Tally:
        """Go on from what a continuation carries; raises `ValueError`."""
        tally = cls()
        for name, count in zip(_COUNTED, counts.split(","), strict=True):
            setattr(tally, name, int(count))
        return tally

    def add(self, found: SessionHits) -> None:
        """Count one session's result."""
        result = found.result
        self.raw_shown += len(result.raw)
        self.raw += len(result.raw)
        self.raw_cut = self.raw_cut or len(result.raw) >= RAW_HITS
        if result.next is not None:
            self.next = self._continuation(found.summary, result.next)
        self.total += result.total
        self.pieces += result.searched.pieces
        self.bytes += result.searched.bytes
        self.sessions += 1
        self.copies += found.copies
        self.complete = self.complete and result.complete
        for word, count in result.hidden.items():
            self.hidden[word] = self.hidden.get(word, 0) + count

    def leave(self, summary: SessionSummary) -> None:
        """Note that the search ended before a session, and goes on there unless it does so in the one before."""
        self.complete = False
        self.next = self.next or self._continuation(summary, "")

    def _continuation(self, summary: SessionSummary, token: str) -> str:
        """Return how to go on in a session, which is counted again whole; its hits in what is no evidence are not."""
        time = "" if summary.last_activity is None else str(summary.last_activity)
        counts = ",".join(str(getattr(self, name)) for name in _COUNTED)
        return BETWEEN.join([str(summary.ref), time, token, counts])


def run(command: Command) -> int:
    """Print the hits as they are found."""
    arguments = command.arguments
    wanted = filter_of(arguments, reasoning=not arguments.no_reasoning, hidden=True)
    named = _refs(command)
    refs = _chosen(command, named)
    searching = command.library.searching(
        arguments.query, refs=refs, filter=wanted, case=arguments.case, raw=arguments.raw
    )
    token, tally = _go_on(searching, arguments.after, refs)
    lines = HitLines(command)
    for found in searching.hits(arguments.limit, token, hurried=command.output.terminal):
        if found.early:
            lines.print_early(found)
            continue
        tally.add(found)
        lines.print(found)
    tally.shown = lines.shown
    if named is not None and searching.faults and not tally.sessions:
        raise searching.faults[0]
    tally.unreadable += len(searching.faults)
    if searching.left:
        tally.leave(searching.left[0])
    for fault in searching.faults:
        command.output.note(str(fault))
    if refs != [] or command.output.json:
        _conclude(command, tally)
    return FOUND if tally.shown or tally.raw_shown else NOTHING


def _refs(command: Command) -> list[SessionRef] | None:
    """Return the sessions that are named, `None` for all; raises also when query and session changed places."""
    query, targets = command.arguments.query, command.arguments.targets
    try:
        return [command.whole(target).ref for target in targets] or None
    except (BadReference, NotFound, Unreadable) as error:
        if not _names_session(command, query):
            raise
        raise UsageError(f"{error}; the query goes first: unspool search {shlex.quote(targets[0])} {query}") from None


def _chosen(command: Command, named: list[SessionRef] | None) -> list[SessionRef] | None:
    """Return those of the named sessions, or of all, that are of an agent, a project and a time that are wanted."""
    choice = SessionChoice.of(command.arguments)
    if not choice:
        return named
    every = [each for each in command.library.sessions() if named is None or each.ref in named]
    chosen = [each.ref for each in every if choice.wants(each)]
    if not chosen:
        command.output.note(why_none(every, choice))
    return chosen


def _names_session(command: Command, text: str) -> bool:
    try:
        command.library.resolve_target(text)
    except UnspoolError:
        return False
    return True


def _go_on(searching: Searching, after: str | None, refs: list[SessionRef] | None) -> tuple[str | None, Tally]:
    """Pass by the sessions that were searched before; return where to go on in the first left, and what was counted."""
    if after is None:
        return None, Tally()
    if BETWEEN not in after and refs is not None and len(set(refs)) == 1:
        return after, Tally()
    try:
        ref, last, token, counts = after.split(BETWEEN)
        time, tally = int(last) if last else None, Tally.carried(counts)
    except ValueError:
        raise _no_continuation(after) from None
    if not searching.begin_at(ref, time):
        raise _no_continuation(after)
    within = searching.left and str(searching.left[0].ref) == ref
    return token if within and token else None, tally


def _no_continuation(after: str) -> BadQuery:
    return BadQuery(f"not a continuation of this search: {after!r}; pass the `next` of the answer before")


def _conclude(command: Command, tally: Tally) -> None:
    if command.output.json:
        command.summary(
            tally.total,
            tally.next,
            complete=tally.complete,
            searched={"pieces": tally.pieces, "bytes": tally.bytes, "sessions": tally.sessions},
            hidden=tally.hidden,
            copies=tally.copies,
            unreadable=tally.unreadable,
            raw=tally.raw,
        )
        return
    where = f"{numbers.size(tally.bytes)} of {counted(tally.sessions, 'session')}"
    if tally.raw_shown:
        more = f", {RAW_HITS} a session at most" if tally.raw_cut else ""
        command.output.note(
            f"{counted(tally.raw_shown, 'hit')} in what is no evidence{more}; `unspool read REF/E9 --raw` shows one"
        )
    if not tally.sessions and not tally.unreadable:
        command.output.note(NO_SESSION)
    elif not tally.total and not tally.raw:
        hidden = ", ".join(f"{word} hides {count}" for word, count in tally.hidden.items())
        command.output.note(f"nothing found in {where}" + (f"; {hidden}" if hidden else ""))
    elif tally.next:
        least = "" if tally.complete else "at least "
        command.output.left_out(
            f"{tally.shown} of {least}{counted(tally.total, 'hit')} shown; --after '{tally.next}' goes on"
        )
    if tally.copies:
        command.output.note(f"{counted(tally.copies, 'copy', 'copies')} left out: an older session shows them")
