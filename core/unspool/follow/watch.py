"""Hints that something changed below some folders: by the system where it tells, else there are none.

A hint is never the truth: it says where to look. Whatever goes wrong with it costs time alone.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, Protocol

STEP_MS: Final = 10
"""Milliseconds between two looks at what the system told: half of this is what an append waits."""

DEBOUNCE_MS: Final = 50
"""Milliseconds for which hints are gathered while more come."""

FAULTS: Final = 3
"""Faults within `FAULTS_WITHIN` seconds after which hints are given up for a while."""

FAULTS_WITHIN: Final = 10.0
"""Also the seconds without a fault after which hints that were given up for faults are trusted again."""

ARM_AGAIN_AFTER: Final = 30.0
"""Seconds after which hints are asked for again once they were given up: limits are raised, and mounts change."""

SILENT: Final = ("nfs", "cifs", "smb", "9p", "afs", "ceph", "fuse", "drvfs", "virtiofs", "vboxsf", "gluster", "lustre")
"""File systems that are written by other machines, of which the system tells nothing."""

Told = set[tuple[int, str]] | Literal["signal", "stop", "timeout"]


class Stop(Protocol):
    """Says whether to stop; a `threading.Event` is one."""

    def is_set(self) -> bool:
        """Say whether to stop."""
        ...

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is time to stop."""
        ...


class Notifier(Protocol):
    """What tells of changes below the folders that it was made for."""

    def watch(self, debounce_ms: int, step_ms: int, timeout_ms: int, stop_event: Stop | None) -> Told:
        """Wait for changes."""
        ...

    def close(self) -> None:
        """Let everything go."""
        ...


Notify = Callable[[Sequence[str]], Notifier]
"""Makes a notifier; raises `OSError`, `RuntimeError`, or `UnicodeError` for a name that it cannot take."""


def system_notifier(folders: Sequence[str]) -> Notifier:
    """Ask the system; raises when it has nothing left to watch with. A folder that may not be read is passed over."""
    from watchfiles._rust_notify import RustNotify

    try:
        return RustNotify(list(folders), False, False, 0, True, False)
    except PermissionError:  # only then: to be lenient with folders hides that a limit was reached
        return RustNotify(list(folders), False, False, 0, True, True)


class Watch:
    """Hints for some folders. `reason` says why there are none, `None` when there are."""

    def __init__(
        self, stop: Stop, *, notify: Notify = system_notifier, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.reason: str | None = None
        self._stop = stop
        self._notify = notify
        self._now = now
        self._notifier: Notifier | None = None
        self._armed: dict[str, tuple[int, int]] = {}
        self._faults: list[float] = []
        self._again_at = 0.0
        self._trusted_at = 0.0

    def arm(self, folders: Iterable[str]) -> bool:
        """Watch these folders, as far as they are there; return whether that began anew: then all is to be looked at.

        It does when the folders are others, when one was put in the place of another, and after a fault.
        """
        there = {folder: place for folder in folders if (place := _place(folder)) is not None}
        due = self._notifier is None and bool(there) and self._now() >= self._again_at
        if there == self._armed and not due:
            return False
        self.close()
        self._armed = there
        if not there or self._now() < self._again_at:
            return False
        silent = next((name for folder in there if (name := silent_system(folder)) is not None), None)
        if silent is not None:
            self._give_up(f"{silent} file systems tell of no changes")
            return True
        try:
            self._notifier = self._notify(list(there))
            self._trusted_at = self._now() + (FAULTS_WITHIN if self._faults else 0)
            self._trust()
        except (OSError, RuntimeError, UnicodeError) as error:
            self._give_up(str(error))
        return True

    def wait(self, seconds: float) -> set[str]:
        """Wait for hints at most so long; return the paths they name. Raises `KeyboardInterrupt`."""
        if self._notifier is None:
            self._stop.wait(seconds)
            return set()
        timeout = max(1, int(seconds * 1000))
        try:
            told = self._notifier.watch(min(DEBOUNCE_MS, timeout), min(STEP_MS, timeout), timeout, self._stop)
        except (OSError, RuntimeError) as error:
            self._fail(str(error))
            return set()
        if told == "signal":
            raise KeyboardInterrupt
        self._trust()
        return {path for _, path in told} if isinstance(told, set) else set()

    def distrust(self, reason: str) -> None:
        """Begin anew with the next `arm`, for something changed of which nothing was told: a limit may be reached."""
        if self._notifier is not None:
            self._fail(reason)

    def close(self) -> None:
        """Let the system's handles go; `arm` takes them again."""
        if self._notifier is not None:
            self._notifier.close()
        self._notifier = None
        self._armed = {}

    def _trust(self) -> None:
        if self.reason is not None and self._now() >= self._trusted_at:
            self.reason, self._faults = None, []

    def _fail(self, reason: str) -> None:
        """Begin anew at the next `arm`; give up for a while when that happens again and again, or is no better yet."""
        now = self._now()
        self._faults = [*(each for each in self._faults if now - each < FAULTS_WITHIN), now]
        self.close()
        if self.reason is not None:
            self._give_up(self.reason)
        elif len(self._faults) >= FAULTS:
            self._give_up(reason)

    def _give_up(self, reason: str) -> None:
        self.reason = " ".join(reason.partition(" about [")[0].split())
        self._again_at = self._now() + ARM_AGAIN_AFTER


def _place(folder: str) -> tuple[int, int] | None:
    try:
        found = os.stat(folder)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def silent_system(folder: str, mounts: str = "/proc/self/mounts") -> str | None:
    """Return the kind of a folder's file system when it tells of no changes, `None` when it may."""
    if sys.platform != "linux":
        return None
    path = os.path.realpath(folder)
    best, kind = "", ""
    try:
        with open(mounts, encoding="utf-8", errors="surrogateescape") as lines:
            for line in lines:
                _, point, name, *_ = line.split(" ")
                inside = path == point or path.startswith(point.rstrip("/") + "/")
                if inside and len(point) >= len(best):
                    best, kind = point, name
    except (OSError, ValueError):
        return None
    return kind if kind.startswith(SILENT) else None
