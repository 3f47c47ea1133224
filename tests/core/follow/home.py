"""One root with sessions, as a follower sees it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from unspool.columns.side_files import SideFiles
from unspool.formats.claude_code import CLAUDE_CODE
from unspool.ids import SessionRef
from unspool.stores.base import ScanError, SourceFile
from unspool.stores.claude_code import CLAUDE_CODE_STORE
from unspool.views.view import SessionView


class Home:
    """A home of Claude Code with one project."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "home"
        self.project = self.folder / "projects" / "-work"

    def sources(self, below: str | None, errors: list[ScanError]) -> Iterable[SourceFile]:
        return CLAUDE_CODE_STORE.sources(below or str(self.folder), errors=errors)

    def ref(self, source: SourceFile) -> SessionRef:
        return SessionRef("claude", source.session_id, source.part)

    def open(self, source: SourceFile, ref: SessionRef) -> SessionView:
        return SessionView.open(source.path, ref, CLAUDE_CODE, SideFiles(CLAUDE_CODE_STORE.artifacts(source)))

    def folders(self) -> list[str]:
        return [str(self.folder)]

    def root(self, path: str) -> str | None:
        return str(self.folder)

    def write(self, name: str, data: bytes) -> Path:
        """Append to a session's file, with all folders above it."""
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(data)
        return path
