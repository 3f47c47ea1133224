"""The small project that the scripted agent works in: a till with two faults, its tests, and the tools to work with.

The files are really written, and the commands really run, by the Python that runs this.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from unspool.dataclass import dataclass
from unspool_tui.demo import files

PYTHON: Final = Path(sys.executable).name or "python3"
"""The command that stands for this Python, as a person would type it."""

TAKES_AT_MOST: Final = 60
"""Seconds for a command: each takes a moment, and one that hangs must not keep the agent for ever."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tool gave, and whether it failed."""

    text: str
    failed: bool = False


class Project:
    """A folder with the till in it; `use` does what an agent asks for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._tools: Mapping[str, Callable[..., Outcome]] = {
            "list_files": self._list,
            "read_file": self._read,
            "write_file": self._write,
            "edit_file": self._edit,
            "grep_files": self._grep,
            "run_command": self._run,
        }

    def create(self) -> None:
        """Write the project."""
        self.folder.mkdir(parents=True)
        for name, text in files.FILES.items():
            (self.folder / name).write_text(text, encoding="utf-8")

    def use(self, tool: str, arguments: Mapping[str, str]) -> Outcome:
        """Use a tool; what goes wrong in it is its outcome."""
        try:
            return self._tools[tool](**arguments)
        except (OSError, subprocess.SubprocessError) as error:
            return Outcome(f"{type(error).__name__}: {error}", failed=True)

    def _list(self, path: str) -> Outcome:
        found = sorted((self.folder / path).iterdir())
        return Outcome("\n".join(f"file {each.name}  {each.stat().st_size} bytes" for each in found))

    def _read(self, path: str) -> Outcome:
        return Outcome((self.folder / path).read_text(encoding="utf-8"))

    def _write(self, path: str, content: str) -> Outcome:
        (self.folder / path).write_text(content, encoding="utf-8")
        return Outcome(f"Wrote {path}: {content.count(chr(10))} lines")

    def _edit(self, path: str, search: str, replace: str) -> Outcome:
        file = self.folder / path
        text = file.read_text(encoding="utf-8")
        if text.count(search) != 1:
            return Outcome(f"{path} has the text {text.count(search)} times, not once", failed=True)
        file.write_text(text.replace(search, replace), encoding="utf-8")
        return Outcome(f"Edited {path}")

    def _grep(self, pattern: str, path: str) -> Outcome:
        return Outcome("\n".join(_matching(pattern, self.folder / path)))

    def _run(self, command: str) -> Outcome:
        """Run a command, in which `PYTHON` is this Python; nobody is asked for anything."""
        words = [sys.executable if word == PYTHON else word for word in shlex.split(command)]
        ran = subprocess.run(
            words,
            cwd=self.folder,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a ctrl+c at the keyboard is for us, and ends between two entries
            timeout=TAKES_AT_MOST,
            check=False,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        return Outcome(ran.stdout, failed=ran.returncode != 0)


def _matching(pattern: str, path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if re.search(pattern, line):
                yield f"{path.name}:{number}: {line.rstrip()}"
