"""A terminal that is taken before the app is there: something is shown, and keys wait until somebody takes them."""

from __future__ import annotations

import os
import signal
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from unspool_tui.streams import drawn_on

if TYPE_CHECKING:
    from threading import Event
    from types import FrameType

ALTERNATE: Final = "\x1b[?1049h"
"""Switches to the alternate screen, which is cleared."""

_ENTER: Final = f"{ALTERNATE}\x1b[?25l\x1b[?7l"
_LEAVE: Final = "\x1b[0m\x1b[?7h\x1b[?1049l\x1b[?25h"

_IFLAG, _LFLAG, _CC = 0, 3, 6
_COOKED: Final = termios.ECHO | termios.ICANON | termios.IEXTEN
"""What a line editor needs. `ISIG` stays: ctrl+c works before anybody reads keys."""
_TRANSLATED: Final = termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR

_GOING: Final = (signal.SIGTERM, signal.SIGHUP)


class Held:
    """The terminal between the first thing that is shown and the app's first frame.

    `attributes` are those that it was found with.
    """

    def __init__(self, output: int) -> None:
        self.attributes: list[Any] = termios.tcgetattr(0)
        self.taken = False
        self._output = output

    @cached_property
    def shown(self) -> Event:
        """Set when the app draws frames of its own, or has ended: it leaves the terminal itself then."""
        from threading import Event

        return Event()

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return os.get_terminal_size(0)

    def take(self) -> None:
        """Take the terminal."""
        self.taken = True
        attributes = termios.tcgetattr(0)
        attributes[_IFLAG] &= ~_TRANSLATED
        attributes[_LFLAG] &= ~_COOKED
        attributes[_CC] = list(attributes[_CC])
        attributes[_CC][termios.VMIN] = 1
        for each in (termios.VSUSP, termios.VQUIT):  # keys as others: who stops must leave the screen first
            attributes[_CC][each] = b"\0"
        termios.tcsetattr(0, termios.TCSANOW, attributes)
        self.write(_ENTER)

    def write(self, text: str, encoding: str | None = None) -> None:
        """Write all of a text to the terminal, as UTF-8 unless it has another `encoding`."""
        data = text.encode(encoding or "utf-8", errors="replace")
        while data:
            data = data[os.write(self._output, data) :]

    def give_back(self) -> None:
        """Leave the terminal as it was found, unless the app has taken it over, or it went away."""
        if not self.taken or self.shown.is_set():
            return
        self.shown.set()
        with suppress(OSError, termios.error):
            termios.tcsetattr(0, termios.TCSANOW, self.attributes)
            self.write(_LEAVE)


@contextmanager
def held() -> Iterator[Held | None]:
    """Hold the terminal, if there is one; whatever ends what is done meanwhile, it is given back.

    A signal that asks to go raises `SystemExit` here, as long as nobody else handles it.
    """
    stream = drawn_on()
    if stream is None or sys.__stdin__ is None or not os.isatty(0):
        yield None
        return
    before = {each: signal.signal(each, _go) for each in _GOING}
    terminal = Held(stream.fileno())
    try:
        yield terminal
    finally:
        terminal.give_back()
        for each, handler in before.items():
            signal.signal(each, handler)


def _go(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)


def as_keys(waiting: bytes) -> bytes:
    """Return what waits when the app begins to read as the keys that were pressed: a line feed is enter.

    A terminal that still reads lines makes one of it. Nothing tells the two apart, and nobody means ctrl+j here.
    """
    return waiting.replace(b"\n", b"\r")


def typed_apart(data: bytes) -> Iterator[bytes]:
    """Part what was typed while nobody read: the escape key, and the key behind it, are two.

    Read at once they look like one key with `alt`, which nobody types in the moment in which an app begins.
    """
    at = 0
    while (found := data.find(b"\x1b", at)) >= 0:
        behind = data[found + 1 : found + 2]
        if behind in (b"[", b"O"):  # begins a sequence: an arrow, a click, an answer
            following = data.find(b"\x1b", found + 1)
            stop = len(data) if following < 0 else following
        else:
            stop = found + 1
        if found > at:
            yield data[at:found]
        yield data[found:stop]
        at = stop
    if at < len(data):
        yield data[at:]
