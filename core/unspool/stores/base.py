"""What every store tells: the files of sessions as the file system lists them, and what lies beside them.

A store knows where one agent keeps its files and what their paths tell. It looks at names and sizes only; what is
inside a session is its format's matter. Listing never follows links, never opens a session, and never fails as a
whole: a folder that cannot be read is reported and passed by.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from unspool.dataclass import dataclass

if TYPE_CHECKING:
    from unspool.stores.artifacts import ArtifactFolder

DEPTH: Final = 6
"""Folders entered below a root that a person gave: enough for every agent's layout, never a whole disk by chance."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a session, as its path tells.

    `path` may hold surrogate escapes for bytes that are not UTF-8. `part` is the id of a subagent, or of one of the
    parts that a session is made of in their order (`ordered`), `None` for the session itself. `parent` is (session id,
    part) where the layout alone tells it; a subagent without a `parent` belongs to the session that its records name
    (`Facts.parent`), and `session_id` is then the file's own name. `size` is bytes on disk, `inode` is device, number
    and time of the last change of the file's inode, `None` where only its path is looked at. `hidden` files are an
    agent's own housekeeping, not for lists.
    """

    path: str
    agent: str
    session_id: str
    part: str | None
    size: int
    mtime_ns: int
    parent: tuple[str, str | None] | None = None
    compressed: bool = False
    hidden: bool = False
    ordered: bool = False
    inode: tuple[int, int, int] | None = None

    @property
    def is_subagent(self) -> bool:
        """Whether the file is that of a subagent, and no part of what the person's session is made of."""
        return self.part is not None and not self.ordered


@dataclass(frozen=True, slots=True)
class Spawn:
    """What lies beside a subagent's file about its start: the call that started it, and a name for people."""

    call_id: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class LiveState:
    """A session that a running process holds. `status` is the agent's word (`busy`, `idle`), `updated_at` in ms."""

    pid: int
    status: str | None = None
    updated_at: int | None = None


@dataclass(frozen=True, slots=True)
class ScanError:
    """A folder or file that could not be listed, and why, in the system's words."""

    path: str
    reason: str


Alive = Callable[[int], bool]
"""Says whether a process runs, by its id."""

Fits = Callable[[str], bool]
"""Says of a path whether anybody asks for what lies there."""


def every(path: str) -> bool:
    """Say that all is asked for."""
    return True


class Store(ABC):
    """Where one agent keeps its sessions. What an agent does not keep, a store does not tell of."""

    agent: ClassVar[str]
    """The name used in references."""

    @abstractmethod
    def default_roots(self, environ: Mapping[str, str], home: str) -> list[str]:
        """Return the agent's own folders, existing or not: those of its variables, else the usual ones under `home`."""

    @abstractmethod
    def recognise(self, path: str) -> str | None:
        """Return the agent's home that a folder or file is, lies in, or (as a person's HOME) holds; by markers only."""

    @abstractmethod
    def sources(
        self, root: str, *, errors: list[ScanError], depth: int = DEPTH, fits: Fits = every
    ) -> Iterator[SourceFile]:
        """List the session files below a root: a HOME, an agent's home, any folder below it or elsewhere, or a file.

        In no promised order. What cannot be listed is appended to `errors`. In a folder elsewhere every file with a
        session's ending is listed: whose it is, only its records tell. What does not fit is not looked at.
        """

    @abstractmethod
    def source(self, path: str) -> SourceFile | None:
        """Describe one file by its path; `None` when it is missing, a folder or link, or no session by its name."""

    def artifacts(self, source: SourceFile) -> ArtifactFolder | None:
        """Return the folder of the session's side files, existing or not; `None` when its path does not tell."""
        return None

    def blobs(self, source: SourceFile) -> str | None:
        """Return the folder of blobs that belongs to a session, existing or not; `None` for agents without blobs."""
        return None

    def spawn(self, source: SourceFile) -> Spawn | None:
        """Read what lies beside a subagent's file about its start; `None` when nothing does."""
        return None

    def live(self, home: str, *, alive: Alive) -> dict[str, LiveState]:
        """Return the sessions that running processes hold, by session id, as the agent's registry tells."""
        return {}

    def titles(self, home: str) -> dict[str, str]:
        """Return the names that people gave to sessions outside of the sessions' own files, by session id."""
        return {}

    def resume(self, session_id: str) -> tuple[str, ...] | None:
        """Return the command that goes on with a session, word by word, to be run in its folder; `None` without one."""
        return None


def inode_of(state: os.stat_result) -> tuple[int, int, int]:
    """Return device, number and time of the last change of an inode."""
    return state.st_dev, state.st_ino, state.st_ctime_ns


def runs(pid: int) -> bool:
    """Say whether a process of this machine runs; the usual `Alive`."""
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True
