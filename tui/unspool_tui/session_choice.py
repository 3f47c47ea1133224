"""Choosing sessions by who worked in them, where and when: one choice for the list and for the search over all."""

from __future__ import annotations

import argparse
import os
import time
from typing import TYPE_CHECKING

from unspool.dataclass import dataclass
from unspool.errors import BadQuery
from unspool_tui.present.since import NoTime, Since

if TYPE_CHECKING:
    from unspool.library import SessionSummary


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Add the words that choose sessions."""
    group = parser.add_argument_group("which sessions")
    group.add_argument("--agent", action="append", default=[], metavar="NAME", help="only this agent (repeatable)")
    group.add_argument("--project", metavar="TEXT", help="only projects whose name holds TEXT, or whose folder TEXT is")
    group.add_argument("--since", metavar="WHEN", help="only those active since: 2026-06-01, 2026-06-01T09:00, 7d, 12h")


@dataclass(frozen=True, slots=True)
class SessionChoice:
    """What a session must be: of one of some agents (any where there is none), in a project, active since a time.

    `since` is in milliseconds since 1970 UTC.
    """

    agents: frozenset[str]
    project: str | None
    since: int | None

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> SessionChoice:
        """Return the choice that the command's words make; raises `BadQuery` for a time that is none."""
        agents = frozenset(word.casefold() for value in arguments.agent for word in value.split(","))
        return cls(agents, arguments.project, _since(arguments.since))

    def __bool__(self) -> bool:
        """Whether any session is left out at all."""
        return bool(self.agents) or self.project is not None or self.since is not None

    def wants(self, summary: SessionSummary) -> bool:
        """Say whether a session is chosen."""
        if self.agents and summary.agent not in self.agents:
            return False
        if self.since is not None and (summary.last_activity or 0) < self.since:
            return False
        return self.project is None or in_project(summary, self.project)


def in_project(summary: SessionSummary, wanted: str) -> bool:
    """Say whether a session worked in a project: in a folder where a path is wanted, else one whose name holds it."""
    if is_folder(wanted):
        folder = os.path.abspath(wanted)
        return summary.cwd is not None and (
            summary.cwd == folder or summary.cwd.startswith(folder.rstrip(os.sep) + os.sep)
        )
    return wanted.casefold() in (summary.project or "").casefold()


def is_folder(wanted: str) -> bool:
    """Say whether a project is named by its folder."""
    return os.sep in wanted or wanted == "."


def _since(when: str | None) -> int | None:
    try:
        return Since.parse(when).begins(time.time_ns() // 1_000_000) if when else None
    except NoTime as error:
        raise BadQuery(str(error)) from None
