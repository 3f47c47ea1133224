"""A terminal of our own: a pseudo-terminal with a program on it, all that was written, and what it shows."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import pyte

from tests.shared_data import PROJECT
from tests.tui.wire import Token, keyboard_depth, modes, tokens

PATIENCE: Final = 60.0
"""Seconds after which something that is waited for will not come."""

QUIET: Final = 0.25
"""Seconds without a byte after which a screen counts as drawn: longer than every delay of the app's own."""

ANSWERS: Final = {"\x1b[?2026$p": "\x1b[?2026;2$y", "\x1b[?2048$p": "\x1b[?2048;2$y"}
"""What a modern terminal says when it is asked what it can do."""

_SHOWN: Final = frozenset({"style", "cursor", "row", "text"})
"""What changes the picture."""

_UNFINISHED: Final = re.compile(r"(?:\x1b(?:\[[0-9;:?<>$]*|\][^\x07\x1b]*)?|\r)\Z")
"""A sequence whose end has not come yet."""

_BEHIND: Final = 'exec "$@" <"$0" >"$0" 2>"$0"'
"""Runs a program on the terminal `$0`, which becomes the one that it is controlled by."""


class Terminal:
    """Runs one program; leaving the context ends it. `modern` answers when it is asked what it can do."""

    def __init__(self, size: tuple[int, int] = (120, 36), *, modern: bool = False) -> None:
        self.size = size
        self.screen = pyte.Screen(*size)
        self.written = ""
        self._modern = modern
        self._stream = pyte.Stream(self.screen)
        self._decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
        self._held = ""
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.master, self.slave = pty.openpty()
        self.resize(self.size)
        self.found = termios.tcgetattr(self.slave)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        for each in (self.master, self.slave):
            if each >= 0:
                os.close(each)

    # What a person does.

    def start(self, *command: str, environ: Mapping[str, str] | None = None, folder: Path | None = None) -> None:
        """Run a Python module or file with its arguments on this terminal."""
        search = os.pathsep.join([str(PROJECT), *filter(None, [os.environ.get("PYTHONPATH")])])
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", _BEHIND, os.ttyname(self.slave), sys.executable, *command],
            env={**os.environ, "PYTHONPATH": search, **(environ or {})},
            cwd=folder or PROJECT,
            start_new_session=True,
        )

    def type(self, keys: str) -> None:
        """Send keys as a terminal does."""
        os.write(self.master, keys.encode())

    def click(self, x: int, y: int) -> None:
        """Press and release the mouse at a cell; cells count from 0."""
        for end in "Mm":
            self.type(f"\x1b[<0;{x + 1};{y + 1}{end}")

    def wheel(self, x: int, y: int, *, down: bool) -> None:
        """Turn the wheel over a cell."""
        self.type(f"\x1b[<{65 if down else 64};{x + 1};{y + 1}M")

    def resize(self, size: tuple[int, int]) -> None:
        """Change the size, as dragging a window does."""
        self.size = size
        self.screen.resize(size[1], size[0])
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def hang_up(self) -> None:
        """Go away, as a closed window or a broken line does."""
        os.close(self.slave)
        os.close(self.master)
        self.master = self.slave = -1

    # What is seen.

    @property
    def rows(self) -> list[str]:
        """The rows of the screen."""
        return [row.rstrip() for row in self.screen.display]

    def __str__(self) -> str:
        return "\n".join(self.rows)

    def wait_for(self, words: str) -> None:
        """Wait until words stand on the screen."""
        end = time.monotonic() + PATIENCE
        while words not in str(self):
            assert time.monotonic() < end, f"no {words!r} in:\n{self}\n{self.written[-300:]!r}"
            alive = self._read(0.1)
            assert alive or words in str(self), f"no {words!r}, and it ended:\n{self}\n{self.written[-300:]!r}"

    def wait_written(self, text: str) -> None:
        """Wait until something was written, and go on at once."""
        end = time.monotonic() + PATIENCE
        while text not in self.written:
            assert time.monotonic() < end, f"no {text!r} in {self.written!r}"
            self._read(0.01)

    def settle(self, quiet: float = QUIET) -> None:
        """Wait until nothing more is drawn for some seconds."""
        end, last = time.monotonic() + PATIENCE, time.monotonic()
        while time.monotonic() - last < quiet:
            assert time.monotonic() < end, f"it draws and draws:\n{self}"
            before = len(self.written)
            if not self._read(min(0.05, quiet)):
                return
            if len(self.written) > before:
                last = time.monotonic()

    def press(self, *keys: str) -> None:
        """Type keys one by one, each when what the last one led to is drawn."""
        for key in keys:
            self.type(key)
            self.settle()

    def ended(self) -> int:
        """Wait until the program ends; return its exit code, negative for the signal that killed it."""
        assert self.process is not None
        if self.master < 0:
            return self.process.wait(PATIENCE)
        end = time.monotonic() + PATIENCE
        while self._read(0.05):
            assert time.monotonic() < end, f"it does not end:\n{self}"
        self._read(0)
        return self.process.returncode

    def left(self) -> dict[str, object]:
        """Return how the terminal differs from what the program found: nothing when it was left well."""
        rest: dict[str, object] = {}
        if changed := modes(self.written):
            rest["modes"] = changed
        if depth := keyboard_depth(self.written):
            rest["keyboard"] = depth
        styles = [token.text for token in tokens(self.written) if token.name == "style"]
        if styles and styles[-1] not in ("\x1b[0m", "\x1b[m"):
            rest["style"] = styles[-1]
        if termios.tcgetattr(self.slave) != self.found:
            rest["termios"] = termios.tcgetattr(self.slave)
        return rest

    def said(self) -> str:
        """Return what was written after the last change of a mode: what a person finds below the prompt."""
        every = list(tokens(self.written))
        last = max((at for at, token in enumerate(every) if token.name in ("mode", "keyboard")), default=-1)
        return "".join(token.text for token in every[last + 1 :])

    def _read(self, seconds: float) -> bool:
        """Take what the program wrote within some seconds; say whether more can come."""
        assert self.process is not None
        ready, _, _ = select.select([self.master], [], [], seconds)
        while ready:
            self.take(os.read(self.master, 1 << 16))
            ready, _, _ = select.select([self.master], [], [], 0)
        return self.process.poll() is None

    def take(self, data: bytes) -> None:
        """Follow what the program wrote."""
        text = self._held + self._decode(data)
        cut = _UNFINISHED.search(text)
        self._held = cut.group() if cut is not None else ""
        text = text[: len(text) - len(self._held)]
        self.written += text
        for token in tokens(text):
            self._follow(token)

    def _follow(self, token: Token) -> None:
        """Draw what was written; answer what was asked."""
        if token.name in _SHOWN:
            self._stream.feed(token.text)
        elif token.name == "question" and self._modern:
            self.type(ANSWERS[token.text])
