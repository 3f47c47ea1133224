"""A home with nothing in it, for the programs that are measured: nobody's settings, no cache, bytecode written once."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

from tests.shared_data import PROJECT

KEPT: Final = ("PATH", "PYTHONPATH", "TMPDIR", "UV_PYTHON", "VIRTUAL_ENV")
"""Variables that programs are found by; no other one reaches what is measured."""


class EmptyHome:
    """A folder that is gone afterwards, and the environments of programs that take it for their home."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def environ(self) -> dict[str, str]:
        """Return variables under which what one program keeps is there for the next one."""
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        search = os.pathsep.join(filter(None, [str(PROJECT), kept.pop("PYTHONPATH", "")]))
        return {
            **kept,
            "HOME": str(self.folder),
            "XDG_CACHE_HOME": str(self.cache),
            "PYTHONPATH": search,
            "PYTHONPYCACHEPREFIX": str(self.folder / "bytecode"),
            "LC_ALL": "C.UTF-8",
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
        }

    @property
    def cache(self) -> Path:
        """Where programs keep what only saves time."""
        return self.folder / "cache"

    def cold(self) -> dict[str, str]:
        """Return variables under which nothing is kept yet."""
        return {**self.environ(), "XDG_CACHE_HOME": tempfile.mkdtemp(prefix="cache-", dir=self.folder)}
