"""Programs in tmux, looked at as a person's terminal shows them."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import Final, Self

from tests.shared_data import PROJECT
from tests.tui.terminal import PATIENCE

SIZE: Final = (160, 45)
"""Columns and rows of each program's screen."""


def end(program: int) -> None:
    """End a program, and wait until it has written its last."""
    pause, until = Event(), time.monotonic() + PATIENCE
    with suppress(ProcessLookupError):
        os.kill(program, signal.SIGKILL)
        while time.monotonic() < until:
            os.kill(program, 0)
            pause.wait(0.01)


class Multiplexer:
    """A tmux of its own, with one screen for each program; leaving the context ends all of them."""

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="unspool-tmux-")
        self._command = ("tmux", "-S", str(Path(self._folder.name, "socket")), "-f", "/dev/null")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for screen in self._ask("list-panes", "-a", "-F", "#{pane_pid}").split():
            end(int(screen))
        self._ask("kill-server")
        self._folder.cleanup()

    def start(self, name: str, command: Sequence[str], environ: Mapping[str, str]) -> None:
        """Run a program on a screen of its own."""
        set_variables = (f"{each}={value}" for each, value in environ.items() if each != "TERM")
        whole = shlex.join(["env", *set_variables, *command])
        width, height = map(str, SIZE)
        self._ask("new-session", "-d", "-s", name, "-x", width, "-y", height, "-c", str(PROJECT), f"exec {whole}")

    def type(self, name: str, keys: str) -> None:
        """Send keys to a program."""
        self._ask("send-keys", "-t", name, "-l", keys)

    def wait_for(self, name: str, words: str) -> None:
        """Wait until words stand on a program's screen, looking as often as tmux answers; raises `TimeoutError`."""
        end = time.monotonic() + PATIENCE
        while words not in (shown := self._ask("capture-pane", "-p", "-t", name)):
            if time.monotonic() > end:
                raise TimeoutError(f"no {words!r} on:\n{shown}")

    def seen(self, name: str, words: Callable[[], str]) -> Callable[[], None]:
        """Return what waits until words stand on a program's screen."""
        return lambda: self.wait_for(name, words())

    def _ask(self, *words: str) -> str:
        return subprocess.run([*self._command, *words], capture_output=True, text=True, check=False).stdout
