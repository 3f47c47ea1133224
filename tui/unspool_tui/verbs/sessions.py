"""`unspool sessions`: the list."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from unspool.errors import BadQuery
from unspool_tui.arguments import positive
from unspool_tui.command import NO_SESSION, Command
from unspool_tui.output import Output, cell, counted, human_time
from unspool_tui.present import numbers
from unspool_tui.present.waits import WAITS
from unspool_tui.session_choice import SessionChoice, add_choice, in_project, is_folder
from unspool_tui.verbs import FOUND, NOTHING

if TYPE_CHECKING:
    from unspool.ids import SessionRef
    from unspool.library import SessionSummary

REF_CELLS: Final = 24
"""Cells for a short reference with an indent; a longer one is never cut, for it is there to be copied."""

PROJECT_CELLS: Final = 16
PROJECT_NARROW: Final = 10
"""Cells for a project's name, and at a narrow terminal, where the title needs the room."""

DAY: Final = 10
"""Characters of a time that are its day: `2026-06-01`."""

NAMED: Final = 12
"""Projects that are named where none fits: enough to recognise one's own, few enough for a line or two."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    add_choice(parser)
    parser.add_argument("--live", action="store_true", help="only those that are being written")
    parser.add_argument("--waiting", action="store_true", help="only those whose agent waits for you")
    parser.add_argument("--limit", type=positive, metavar="N", help="at most N")
    parser.add_argument("--after", metavar="REF", help="go on behind this session, named in full or as it is listed")
    parser.add_argument("--full", action="store_true", help="read every session whole, so that all counts are known")
    parser.add_argument("--all", action="store_true", help="also those in which nothing was said")


def run(command: Command) -> int:
    """List the sessions."""
    arguments = command.arguments
    choice = SessionChoice.of(arguments)
    every = list(command.library.sessions(full=arguments.full))
    found = [each for each in every if _wanted(each, arguments, choice)]
    kept = [each for each in found if arguments.all or not each.empty]
    if not every:
        _refuse_unreadable(command)
    shown = _page(kept, arguments.after, arguments.limit)
    following = str(shown[-1].ref) if shown and shown[-1] is not kept[-1] else None
    depths = _depths(found)
    if command.output.json:
        for summary in shown:
            command.output.object(summary.to_json())
    else:
        _print(command, [(summary, depths[summary.ref]) for summary in shown])
    empty = len(found) - len(kept)
    if command.output.json:
        command.summary(len(kept), following, empty=empty)
    else:
        _notes(command, len(shown), len(kept), following, empty)
        if not found:
            command.output.note(why_none(every, choice))
    return FOUND if shown else NOTHING


def _refuse_unreadable(command: Command) -> None:
    """Raise `Unreadable` when a folder that a person named cannot be listed."""
    from unspool.library.finding import nothing_in

    for report in command.library.scanned() if command.arguments.root else ():
        if any(error.path == report.path for error in report.errors):
            raise nothing_in(report.path, report.errors)


def _notes(command: Command, shown: int, kept: int, following: str | None, empty: int) -> None:
    if following is not None:
        command.output.left_out(f"{shown:,} of {counted(kept, 'session')} shown; --after {following} goes on")
    elif kept and not shown:
        command.output.note("no session follows: that was the last one")
    if empty:
        command.output.note(f"{counted(empty, 'empty session')} not shown; --all shows them")


def why_none(every: Sequence[SessionSummary], choice: SessionChoice) -> str:
    """Say why no session is listed, and what there would be."""
    if not every:
        return NO_SESSION
    agents = Counter(each.agent for each in every)
    if choice.agents and not choice.agents & agents.keys():
        there = ", ".join(f"{count:,} of {agent}" for agent, count in agents.items())
        return f"no session of {', '.join(map(repr, sorted(choice.agents)))}; there are {there}"
    project = choice.project
    if project is not None and not any(in_project(each, project) for each in every):
        if is_folder(project):
            return f"no session has worked in {project!r}; there are {_named(each.cwd for each in every)}"
        return f"no project holds {project!r}; there are {_named(each.project for each in every)}"
    return f"no session fits; `unspool sessions` lists all {len(every):,}"


def _named(names: Iterable[str | None]) -> str:
    """Name the first of some names, each once."""
    once = list(dict.fromkeys(name for name in names if name))
    more = f" and {len(once) - NAMED:,} more" if len(once) > NAMED else ""
    return (", ".join(once[:NAMED]) or "none") + more


def _wanted(summary: SessionSummary, arguments: argparse.Namespace, choice: SessionChoice) -> bool:
    if (arguments.live and not summary.live) or (arguments.waiting and summary.waiting is None):
        return False
    return choice.wants(summary)


def _page(found: list[SessionSummary], after: str | None, limit: int | None) -> list[SessionSummary]:
    start = 0
    if after is not None:
        from unspool.library.targets import matching, one_of

        refs = [each.ref for each in found]
        behind = matching(after, refs)
        if not behind:
            raise BadQuery(f"no session {after!r} in this list to go on behind")
        start = refs.index(one_of(behind, after)) + 1
    return found[start : start + limit if limit else None]


def _depths(summaries: list[SessionSummary]) -> dict[SessionRef, int]:
    """Return how many listed ancestors each session has; parents stand before their children."""
    depths: dict[SessionRef, int] = {}
    for summary in summaries:
        depths[summary.ref] = depths[summary.parent] + 1 if summary.parent in depths else 0
    return depths


def _print(command: Command, shown: Sequence[tuple[SessionSummary, int]]) -> None:
    """Print rows: to a pipe whole names in columns that never move, at a terminal no wider columns than are needed."""
    output, short = command.output, command.library.short
    refs = ["  " * depth + short(summary.ref) for summary, depth in shown]
    most = max(map(len, refs), default=0) if output.terminal else REF_CELLS
    for (summary, _), ref in zip(shown, refs, strict=True):
        named = f"{ref:<{min(most, REF_CELLS)}}"
        output.row("  ".join([*_columns(summary, named, output), _title(summary, short)]))


def _columns(summary: SessionSummary, ref: str, output: Output) -> tuple[str, ...]:
    """Return what stands before the title."""
    time = human_time(summary.last_activity)
    if output.narrow:
        return time[:DAY], ref, cell(summary.project, PROJECT_NARROW)
    project = cell(summary.project, PROJECT_CELLS, whole=not output.terminal)
    return time, ref, project, f"{numbers.size(summary.bytes):>8}"


def _title(summary: SessionSummary, short: Callable[[SessionRef], str]) -> str:
    title = summary.title or ("(empty)" if summary.empty else "(no prompt)")
    marks = " · ".join(_marks(summary, short))
    return title + (f"  [{marks}]" if marks else "")


def _marks(summary: SessionSummary, short: Callable[[SessionRef], str]) -> Iterator[str]:
    if summary.fault is not None:
        yield "cannot be read"
    if summary.live:
        yield "live" if summary.waiting is None else WAITS[summary.waiting]
    if summary.forked_from:
        yield f"fork of {short(summary.forked_from)}"
    yield from _counted_marks(((summary.errors, "error"), (summary.unreadable, "unreadable line")))


def _counted_marks(marks: Iterable[tuple[int | None, str]]) -> Iterator[str]:
    return (counted(number, noun) for number, noun in marks if number)
