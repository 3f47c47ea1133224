"""Looking at everything: hints can be lost, and where nothing tells of changes there are none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from unspool.follow.effort import Effort
from unspool.follow.events import AnyEvent, Unlisted
from unspool.stores.base import ScanError, SourceFile

if TYPE_CHECKING:
    from unspool.follow.poll import Places
    from unspool.follow.watch import Watch

AUDIT_EVERY: Final = 2.0
"""Seconds between two full looks at what there is, at least."""

HINTS_LATE: Final = 1.0
"""Seconds after which a change that a full look found should have been told."""

POLL_EVERY: Final = 0.5
POLL_AT_MOST: Final = 2.0
POLL_RATIO: Final = 20
"""Seconds between two full looks when nothing tells of changes: so many times what a look takes, within bounds."""


class Audit:
    """When everything is looked at, and whether what it finds is told by hints too."""

    def __init__(self, places: Places, watch: Watch, now: Callable[[], float]) -> None:
        self._places = places
        self._watch = watch
        self._now = now
        self._at = 0.0
        self._unlisted: set[ScanError] = set()
        self._untold: dict[str, float] = {}
        self._catching_up = False

    @property
    def due(self) -> bool:
        """Whether it is time."""
        return self._now() >= self._at

    def hasten(self) -> None:
        """Be due now, for hints began anew; of what is found then nothing can have told."""
        self._at, self._catching_up = 0.0, True

    def files(self, events: list[AnyEvent]) -> list[SourceFile]:
        """List everything, and what it takes says when it is due again; tell once what cannot be listed."""
        effort, errors = Effort(self._now), list[ScanError]()
        found = list(self._places.sources(None, errors))
        polled = self._watch.reason is not None
        pause = min(effort.pause(POLL_EVERY, POLL_RATIO), POLL_AT_MOST) if polled else effort.pause(AUDIT_EVERY)
        self._at = self._now() + pause
        new = [error for error in errors if error not in self._unlisted]
        self._unlisted = set(errors)
        events += [Unlisted(error.path, error.reason) for error in new]
        return found

    def found(self, path: str) -> None:
        """Take note of a change that no hint told of so far."""
        if not self._catching_up:
            self._untold.setdefault(path, self._now())

    def end(self) -> None:
        """Take note that all was looked at."""
        self._catching_up = False

    def check(self, hints: Iterable[str]) -> None:
        """Ask for hints anew when a change that was found without one is not told later either."""
        if not self._untold:
            return
        for path in hints:
            self._untold.pop(path, None)
        late = [path for path, found_at in self._untold.items() if self._now() - found_at > HINTS_LATE]
        if late:
            self._untold.clear()
            self._watch.distrust(f"nothing told that {late[0]} changed")
