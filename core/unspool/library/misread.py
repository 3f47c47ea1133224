"""What of the sessions' contents was not understood, root by root: unreadable lines, records of unknown types."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from unspool.dataclass import dataclass, field
from unspool.errors import UnspoolError
from unspool.library.catalogue import Catalogue, Listed
from unspool.views.view import SessionView

if TYPE_CHECKING:
    from unspool.library.glances import Glances

Views = Callable[[Listed], SessionView]
Progress = Callable[[int, int], None]
"""Told after each session: how many were read, and how many there are."""


@dataclass(slots=True)
class Misread:
    """What was not understood under one root.

    `broken` are sessions with their unreadable lines, `unchained` with the lines that do not fit into their chain,
    `unfinished` those that end in half a record, `closed` the paths of those that could not be opened, with why;
    `unknown` counts types of records by agent.
    """

    reasons: Counter[str] = field(default_factory=Counter)
    broken: list[tuple[Listed, list[int]]] = field(default_factory=list)
    unchained: list[tuple[Listed, list[int]]] = field(default_factory=list)
    unfinished: list[Listed] = field(default_factory=list)
    closed: dict[str, str] = field(default_factory=dict)
    unknown: dict[str, Counter[str]] = field(default_factory=dict)

    def note_unknown(self, agent: str, types: Mapping[str, int]) -> None:
        """Add records of unknown types."""
        if types:
            self.unknown.setdefault(agent, Counter()).update(types)

    def read(self, listed: Listed, view: SessionView) -> None:
        """Add what a view did not understand."""
        self.note_unknown(listed.ref.agent, view.unknown_records)
        lines = sorted({each.line for each in view.unreadable})
        if lines:
            self.reasons.update({each.line: each.reason for each in view.unreadable}.values())
            self.broken.append((listed, lines))
        if view.broken_links:
            self.unchained.append((listed, [each.line for each in view.broken_links]))
        if view.pending is not None:
            self.unfinished.append(listed)


def glanced(catalogue: Catalogue, glances: Glances) -> dict[str, Misread]:
    """Return what heads and tails show."""
    found: dict[str, Misread] = {}
    for root, listed in _by_root(catalogue):
        found.setdefault(root, Misread()).note_unknown(listed.ref.agent, glances.of(listed.source).unknown)
    return found


def misread(catalogue: Catalogue, views: Views, progress: Progress | None) -> dict[str, Misread]:
    """Read every session whole; one that has vanished since it was listed is left out."""
    found: dict[str, Misread] = {}
    every = list(_by_root(catalogue))
    for number, (root, listed) in enumerate(every, 1):
        contents = found.setdefault(root, Misread())
        try:
            view = views(listed)
        except (UnspoolError, OSError) as error:
            if os.path.lexists(listed.source.path):
                contents.closed[listed.source.path] = str(error)
            continue
        finally:
            if progress is not None:
                progress(number, len(every))
        contents.read(listed, view)
        view.close()
    return found


def _by_root(catalogue: Catalogue) -> Iterator[tuple[str, Listed]]:
    """Yield every session that lists show, with the root it was found under."""
    for listed in catalogue.listed.values():
        if not listed.source.hidden:
            yield catalogue.root_of[listed.source.path], listed
