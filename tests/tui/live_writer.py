"""The writer of the sample cases, which does one step after the other when it is told to."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Final, Self

SHIM: Final = """
import runpy, sys, time
sleep, free = time.sleep, False
def wait(seconds):
    global free
    if free:
        return sleep(seconds)
    print("...", flush=True)
    free = sys.stdin.readline() == "go on\\n"
time.sleep = wait
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""Runs a script that waits for a line wherever it would sleep, until that line says that it may sleep."""


class LiveWriter:
    """Writes below `root`, with a `pause` in seconds between its steps where it is not told when to go on."""

    def __init__(self, shared: Path, root: Path, pause: float = 0) -> None:
        script = shared / "cases" / "tools" / "live_writer.py"
        command = [sys.executable, "-c", SHIM, str(script), str(root), str(pause)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8")
        self._waits = False

    def go_on(self) -> None:
        """Let it do all that is left."""
        assert self._process.stdin is not None
        self._process.stdin.write("go on\n")
        self._process.stdin.flush()

    def step(self) -> str:
        """Let it go on until it has said what must be visible."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        said = ""
        while True:
            if self._waits:
                self._process.stdin.write("\n")
                self._process.stdin.flush()
            line = self._process.stdout.readline()
            self._waits = not line.startswith("STEP")
            if said and self._waits:
                return said
            said = said or ("" if self._waits else line.strip())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()
