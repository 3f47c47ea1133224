"""What comes in on standard input, collected while it comes: a session that streams in can be read like any other."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import weakref
from typing import Final

from unspool.errors import BadReference, Unreadable
from unspool.library.streamed import STREAM, begins

BLOCK: Final = 1 << 16
"""Bytes read at a time: what a pipe holds."""

HOW: Final = "pipe a session in, as `claude -p … --output-format stream-json --verbose | unspool -`"


class Piped:
    """Standard input, read by a thread of its own into a file that nobody else can open and that leaves nothing behind.

    From then on there is nothing on standard input, until somebody takes the keys. Raises `BadReference` where a person
    types there.
    """

    def __init__(self) -> None:
        if sys.stdin.isatty():
            typed = "`-` reads a session from standard input, and that is your keyboard"
            raise BadReference(f"{typed}; {HOW}", text=STREAM)
        self._source = os.dup(0)
        _take(os.open(os.devnull, os.O_RDONLY))
        with tempfile.TemporaryFile(prefix="unspool-") as file:
            self._file = os.dup(file.fileno())
        weakref.finalize(self, os.close, self._file)
        self._changed = threading.Condition()
        self._lines = self._bytes = 0
        self._fault: str | None = None
        self._ended = False
        threading.Thread(target=self._collect, name="unspool-stdin", daemon=True).start()

    @property
    def path(self) -> str:
        """Where the file can be opened, by this process alone."""
        return f"/dev/fd/{self._file}"

    @property
    def ended(self) -> bool:
        """Whether the writer is gone, and all that it wrote is in the file."""
        return self._ended

    def whole(self) -> str:
        """Wait until the writer is gone; return the path. Raises `Unreadable` when nothing came."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended)
        return self._checked()

    def begun(self) -> str:
        """Wait until the first lines tell whose session it is, or the writer is gone; return the path.

        Raises `Unreadable` when nothing came.
        """
        lines = 0
        while not self._ended and not begins(self.path):
            with self._changed:
                while self._lines == lines and not self.ended:
                    self._changed.wait()
                lines = self._lines
        return self._checked()

    def _checked(self) -> str:
        if self._fault is not None:
            raise Unreadable(f"standard input cannot be collected: {self._fault}", path=STREAM)
        if not self._bytes:
            raise Unreadable(f"nothing came on standard input; {HOW}", path=STREAM)
        return self.path

    def _collect(self) -> None:
        try:
            while block := os.read(self._source, BLOCK):
                left = memoryview(block)
                while left:
                    left = left[os.write(self._file, left) :]
                with self._changed:
                    self._bytes += len(block)
                    self._lines += block.count(b"\n")
                    self._changed.notify_all()
        except OSError as error:
            self._fault = error.strerror or str(error)
        os.close(self._source)
        with self._changed:
            self._ended = True
            self._changed.notify_all()


def take_keys() -> None:
    """Make the terminal standard input; raises `BadReference` where there is none."""
    try:
        _take(os.open("/dev/tty", os.O_RDWR))
    except OSError:
        other = "`unspool overview -` reads without one"
        raise BadReference(f"the app needs a terminal, and this is none; {other}", text=STREAM) from None


def _take(descriptor: int) -> None:
    os.dup2(descriptor, 0)
    os.close(descriptor)
