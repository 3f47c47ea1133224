"""What was found where, and what was not understood: one line each."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from unspool.library.catalogue import Catalogue, glance_of
from unspool.library.glance import Glances
from unspool.library.roots import RootReport
from unspool.stores.base import DEPTH
from unspool.stores.discovery import UNKNOWN

Level = Literal["found", "missing", "unread", "note"]

ENDINGS: Final = (".jsonl", ".jsonl.zst")

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


def examine(catalogue: Catalogue, glances: Glances) -> list[DoctorLine]:
    """Return the findings of a listing."""
    lines = [line for report in catalogue.reports for line in _of_root(report)]
    lines += _limited([line for report in catalogue.reports for line in _oddities(report)])
    lines += _limited(list(_of_files(catalogue, glances)))
    lines += _of_unknown(catalogue, glances)
    for each in catalogue.repeated:
        lines.append(
            DoctorLine("note", f"{each.source.path} has the id of {each.first}; named {each.ref}", each.source.path)
        )
    if catalogue.hidden:
        lines.append(DoctorLine("note", f"{catalogue.hidden} logs of an agent's own housekeeping are not listed"))
    return lines


def _of_root(report: RootReport) -> Iterator[DoctorLine]:
    if not report.exists:
        yield DoctorLine("missing", f"{report.path}: not there", report.path)
        return
    if report.found:
        what = ", ".join(f"{count} {agent} {'log' if count == 1 else 'logs'}" for agent, count in report.found.items())
        yield DoctorLine("found", f"{report.path}: {what}", report.path)
    else:
        yield DoctorLine("missing", f"{report.path}: no session in it", report.path)
    for error in report.errors[:LISTED_FAULTS]:
        reason = "no agent that unspool knows writes such a file" if error.reason == UNKNOWN else error.reason
        text = reason if reason.startswith(error.path) else f"{error.path}: {reason}"
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


def _of_files(catalogue: Catalogue, glances: Glances) -> Iterator[DoctorLine]:
    for listed in catalogue.listed.values():
        path = listed.source.path
        fault = glance_of(listed.source, glances).fault
        if fault is not None:
            yield DoctorLine("unread", fault if fault.startswith(path) else f"{path}: {fault}", path)
        if any("\udc80" <= sign <= "\udcff" for sign in path):
            yield DoctorLine("note", f"{path}: the name is not UTF-8; listed as {listed.ref}", path)


def _of_unknown(catalogue: Catalogue, glances: Glances) -> Iterator[DoctorLine]:
    """Yield the record types that a format does not know, as far as heads and tails show them."""
    unknown: dict[str, Counter[str]] = {}
    for listed in catalogue.listed.values():
        unknown.setdefault(listed.ref.agent, Counter()).update(glance_of(listed.source, glances).unknown)
    for agent, counts in unknown.items():
        if counts:
            named = ", ".join(f"{name} ({count})" for name, count in counts.most_common(20))
            yield DoctorLine("note", f"{agent}: record types not known: {named}; kept as they are, `stats` counts them")


def _limited(lines: Sequence[DoctorLine]) -> list[DoctorLine]:
    if len(lines) <= LISTED_FAULTS:
        return list(lines)
    return [*lines[:LISTED_FAULTS], DoctorLine("unread", f"{len(lines) - LISTED_FAULTS} more like these")]
