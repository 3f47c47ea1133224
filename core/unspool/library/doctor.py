"""What was found where, and what was not understood: one line each."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from unspool.cache.folder import CacheFolder, Held
from unspool.dataclass import dataclass
from unspool.library.catalogue import Catalogue, Listed
from unspool.library.misread import Misread, Progress, Views, glanced, misread
from unspool.library.roots import RootReport, homes_of
from unspool.stores.base import DEPTH
from unspool.stores.discovery import UNKNOWN, why_no_session
from unspool.stores.minicode import MINICODE_STORE
from unspool.stores.minicode_left import LeftBehind, Reason, left_behind

if TYPE_CHECKING:
    from unspool.library.glances import Glances

Level = Literal["found", "missing", "unread", "note"]

ENDINGS: Final = (".jsonl", ".jsonl.zst")

NAMED_LINES: Final = 8
"""Unreadable lines of a session that are named: the session's own figures have all of them."""

NAMED_SESSIONS: Final = 8
"""Sessions that a line names which may be about many."""

NAMED_TYPES: Final = 20
"""Record types that are named: more would no longer be one line."""

LISTED_FAULTS: Final = 200
"""Lines of one sort that are listed: whoever has more has one cause."""


@dataclass(frozen=True, slots=True)
class DoctorLine:
    """One finding. `level`: `found`, `missing` (a place that is not there), `unread` (not understood), `note`."""

    level: Level
    text: str
    path: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the object of the command's JSON."""
        return {"level": self.level, "text": self.text, "path": self.path}


def examine(catalogue: Catalogue, glances: Glances, views: Views | None, progress: Progress | None) -> list[DoctorLine]:
    """Return the findings of a listing; with `views` every session is read whole."""
    lines = [line for report in catalogue.reports for line in _of_root(report)]
    lines += _limited([line for report in catalogue.reports for line in _oddities(report)])
    lines += _limited([_of_left(left) for home in _minicode_homes(catalogue) for left in left_behind(home)])
    found = misread(catalogue, views, progress) if views is not None else glanced(catalogue, glances)
    closed = {path: fault for contents in found.values() for path, fault in contents.closed.items()}
    lines += _limited(list(_of_files(catalogue, glances, closed)))
    for root, contents in found.items():
        lines += _of_contents(root, contents, catalogue)
    for each in catalogue.repeated:
        lines.append(
            DoctorLine("note", f"{each.source.path} has the id of {each.first}; named {each.ref}", each.source.path)
        )
    if catalogue.hidden:
        lines.append(DoctorLine("note", f"{catalogue.hidden} logs of an agent's own housekeeping are not listed"))
    if views is None:
        lines.append(DoctorLine("note", "only heads and tails were read: unreadable lines were not counted"))
    return lines


def kept_in(folder: str | None) -> list[DoctorLine]:
    """Say how much of what was read of sessions is kept in a folder, if anything is."""
    held = CacheFolder(folder).held() if folder is not None else Held(0, 0)
    if not held.files:
        return []
    kept = f"{_counted(held.files, 'session')} kept to be opened at once, {_counted(held.bytes, 'byte')}"
    return [DoctorLine("note", f"{folder}: {kept}; remove it at will", folder)]


def _of_root(report: RootReport) -> Iterator[DoctorLine]:
    if not report.exists:
        yield DoctorLine("missing", f"{report.path}: not there", report.path)
        return
    if report.found:
        what = ", ".join(f"{count} {agent} {'log' if count == 1 else 'logs'}" for agent, count in report.found.items())
        yield DoctorLine("found", f"{report.path}: {what}", report.path)
    elif report.errors or not os.path.isfile(report.path):
        yield DoctorLine("missing", f"{report.path}: no session in it", report.path)
    else:
        yield DoctorLine("unread", f"{report.path} {why_no_session(report.path)}", report.path)
    for error in report.errors[:LISTED_FAULTS]:
        reason = "no agent that unspool knows writes such a file" if error.reason == UNKNOWN else error.reason
        text = reason if reason.startswith(error.path) else f"{error.path}: {reason}"
        if error.reason == UNKNOWN and error.path == os.path.realpath(report.path):
            text = f"{error.path} {why_no_session(error.path)}"
        yield DoctorLine("unread", text, error.path)
    if len(report.errors) > LISTED_FAULTS:
        yield DoctorLine("unread", f"{report.path}: {len(report.errors) - LISTED_FAULTS} more like these", report.path)


def _oddities(report: RootReport) -> Iterator[DoctorLine]:
    """Yield what bears a session's name and is no file: links, pipes, devices. Nothing of it is opened."""
    pending = [(report.path, DEPTH)]
    while pending:
        folder, left = pending.pop()
        try:
            with os.scandir(folder) as listing:
                found = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in found:
            try:
                mode = entry.stat(follow_symlinks=False).st_mode
            except OSError:
                continue
            if stat.S_ISDIR(mode):
                if left > 0 and entry.name not in (".git", "node_modules"):
                    pending.append((entry.path, left - 1))
            elif not stat.S_ISREG(mode) and (entry.name.endswith(ENDINGS) or _leads_away(entry, mode)):
                yield DoctorLine("unread", f"{entry.path}: {_what(mode)}; not followed", entry.path)


def _leads_away(entry: os.DirEntry[str], mode: int) -> bool:
    """Say whether an entry is a link to a folder, or to nothing."""
    return stat.S_ISLNK(mode) and (os.path.isdir(entry.path) or not os.path.exists(entry.path))


def _what(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "a link"
    return "a named pipe" if stat.S_ISFIFO(mode) else "no regular file"


def _minicode_homes(catalogue: Catalogue) -> list[str]:
    """Return the homes under the roots, those without any session too."""
    homes = homes_of([listed.source for listed in catalogue.listed.values()])[MINICODE_STORE.agent]
    recognised = (MINICODE_STORE.recognise(report.path) for report in catalogue.reports)
    return sorted(homes | {home for home in recognised if home is not None})


def _of_left(left: LeftBehind) -> DoctorLine:
    """Say why saved outputs are no session's; nothing of them is lost or removed."""
    held = f"{_counted(left.files, 'saved output')}, {_counted(left.size, 'byte')}"
    return DoctorLine("note", f"{left.path}: {held}; {_LEFT[left.reason]}", left.path)


_LEFT: Final[Mapping[Reason, str]] = {
    "first versions": "of first versions, which kept those of all sessions here",
    "log gone": "the log of their session is gone, a fork of it may still point to them",
    "no log kept": "their run kept no log",
}


def _of_files(catalogue: Catalogue, glances: Glances, closed: Mapping[str, str]) -> Iterator[DoctorLine]:
    """Yield the files that cannot be opened, as a glance or a whole read (`closed`) has shown, and odd names."""
    for listed in catalogue.listed.values():
        path = listed.source.path
        fault = glances.of(listed.source).fault or closed.get(path)
        if fault is not None:
            yield DoctorLine("unread", fault if fault.startswith(path) else f"{path}: {fault}", path)
        if any("\udc80" <= sign <= "\udcff" for sign in path):
            yield DoctorLine("note", f"{path}: the name is not UTF-8; listed as {listed.ref}", path)


def _of_contents(root: str, contents: Misread, catalogue: Catalogue) -> Iterator[DoctorLine]:
    """Yield the unreadable lines under a root, and the record types that a format does not know."""
    if contents.broken:
        reasons = ", ".join(f"{reason} {count}" for reason, count in contents.reasons.most_common())
        count, sessions = contents.reasons.total(), len(contents.broken)
        text = f"{_counted(count, 'unreadable line')} in {_counted(sessions, 'session')} ({reasons})"
        yield DoctorLine("unread", f"{root}: {text}", root)
    worst = sorted(contents.broken, key=lambda each: (-len(each[1]), str(each[0].ref)))
    yield from _limited([_of_session(listed, lines, catalogue) for listed, lines in worst])
    yield from _limited([_of_chain(listed, lines, catalogue) for listed, lines in contents.unchained])
    if contents.unfinished:
        named = ", ".join(str(catalogue.short(listed.ref)) for listed in contents.unfinished[:NAMED_SESSIONS])
        more = ", …" if len(contents.unfinished) > NAMED_SESSIONS else ""
        text = f"{_counted(len(contents.unfinished), 'log')} with half a record at the end, being written or torn"
        yield DoctorLine("note", f"{root}: {text}: {named}{more}", root)
    for agent, types in contents.unknown.items():
        named = ", ".join(f"{name} ({count})" for name, count in types.most_common(NAMED_TYPES))
        more = f" and {len(types) - NAMED_TYPES} more" if len(types) > NAMED_TYPES else ""
        kept = "kept as they are, `unspool stats` counts them"
        yield DoctorLine("note", f"{root}: record types of {agent} not known: {named}{more}; {kept}", root)


def _of_session(listed: Listed, lines: Sequence[int], catalogue: Catalogue) -> DoctorLine:
    """Name the unreadable lines of a session, and the way to see them."""
    ref = catalogue.short(listed.ref)
    named = ", ".join(map(str, lines[:NAMED_LINES])) + (", …" if len(lines) > NAMED_LINES else "")
    which, first = (f"line {named} is", "it") if len(lines) == 1 else (f"lines {named} are", "the first")
    text = f"{ref}: {which} unreadable; `unspool read {ref}/E{lines[0] - 1} --raw` shows {first}"
    return DoctorLine("unread", text, listed.source.path)


def _of_chain(listed: Listed, lines: Sequence[int], catalogue: Catalogue) -> DoctorLine:
    """Name the records of a session that were changed, or no longer follow on one another."""
    ref = catalogue.short(listed.ref)
    named = ", ".join(map(str, lines[:NAMED_LINES])) + (", …" if len(lines) > NAMED_LINES else "")
    which = f"line {named} does" if len(lines) == 1 else f"lines {named} do"
    text = f"{ref}: {which} not fit into the chain of its records; `unspool stats {ref}` says why"
    return DoctorLine("unread", text, listed.source.path)


def _counted(number: int, one: str) -> str:
    return f"{number:,} {one if number == 1 else one + 's'}"


def _limited(lines: Sequence[DoctorLine]) -> list[DoctorLine]:
    if len(lines) <= LISTED_FAULTS:
        return list(lines)
    return [*lines[:LISTED_FAULTS], DoctorLine("unread", f"{len(lines) - LISTED_FAULTS} more like these")]
