"""Where the files of a session lie.

<home>/projects/<project>/<session>.jsonl               its log
<home>/projects/<project>/<session>/tool-results/…      its large results
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, Protocol

from unspool.blobs.calls import OS, Os
from unspool.dataclass import dataclass
from unspool.errors import BadReference
from unspool.pattern import pattern
from unspool.recording.side_file import safe_name
from unspool.stores.minicode import ARTIFACTS, ENDING, PROJECTS

_SEPARATORS: Final = pattern(r"[/\\:]+")
_OUTSIDE: Final = frozenset("/\0")
"""Characters that lead out of a folder, or into none."""
_NO_NAMES: Final = ("", ".", "..")
"""What is no name of a folder, although a log's may begin with it."""


@dataclass(frozen=True, slots=True)
class SessionPlace:
    """A session of a project: `project` is the folder that its log lies in, `name` that of its files.

    Without a name they are called by the id, as far as that is safe: whatever it is made of, they stay inside the
    folder of the project.
    """

    project: Path
    session_id: str
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or safe_name(self.session_id))

    @classmethod
    def of(cls, home: str | os.PathLike[str], cwd: str, session_id: str) -> SessionPlace:
        """Return the place of a session of a home, by the folder that its agent works in.

        The project's name is that path with `-` for its separators, as the format has it: several paths share a name.
        """
        project = _SEPARATORS.sub("-", cwd).removeprefix("-")
        return cls(Path(home).absolute() / PROJECTS / project, session_id)

    @classmethod
    def at(cls, log: str | os.PathLike[str]) -> SessionPlace:
        """Return the place of the session whose log has a path; raises `BadReference` when no log is called so."""
        path = Path(log).absolute()
        if not path.name.endswith(ENDING):
            raise BadReference(f"{path} is no log: the name of one ends with {ENDING}", text=str(log))
        name = path.name.removesuffix(ENDING)
        return cls(path.parent, name, name)

    @property
    def log(self) -> Path:
        """The path of the log."""
        return self.project / f"{self.name}{ENDING}"

    @property
    def folder(self) -> Path:
        """The path of the folder of its other files."""
        return self.project / (safe_name(self.name) if self.name in _NO_NAMES else self.name)

    @property
    def results(self) -> Path:
        """The path of the folder of its large results."""
        return self.folder / ARTIFACTS

    def sibling(self, name: str) -> SessionPlace:
        """Return the place of another session of the project, by the name of its files or by its id."""
        is_plain = name not in _NO_NAMES and not _OUTSIDE.intersection(name)
        return SessionPlace(self.project, name, name if is_plain else "")


class HasPlace(Protocol):
    """What writes a session: its log."""

    place: SessionPlace
    calls: Os


Session = HasPlace | SessionPlace | str | os.PathLike[str]
"""A session: its log, its place, or the path of its log."""


def place_of(session: Session) -> SessionPlace:
    """Return where the files of a session lie."""
    if isinstance(session, SessionPlace):
        return session
    return SessionPlace.at(session) if isinstance(session, (str, os.PathLike)) else session.place


def calls_of(session: Session) -> Os:
    """Return the system's calls that a session is read by."""
    return OS if isinstance(session, (SessionPlace, str, os.PathLike)) else session.calls
