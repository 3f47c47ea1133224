"""The terminal as the app takes and leaves it: Textual's driver, where that would stumble or leave something behind."""

from __future__ import annotations

import os
import selectors
import signal
from codecs import getincrementaldecoder
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TextIO

from textual._parser import ParseError
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Key

from unspool_tui.held import ALTERNATE, Held, as_keys, typed_apart
from unspool_tui.idle import IdleCollector
from unspool_tui.streams import drawn_on

if TYPE_CHECKING:
    from textual.app import App

GONE: Final = 128 + signal.SIGHUP
"""Exit code when the terminal went away, as if it had told so by its signal."""

TICK_SECONDS: Final = 0.1
"""How often is looked whether the app has ended, and whether an escape that came alone was the key."""

READ_BYTES: Final = 4096


class TerminalDriver(LinuxDriver):
    """Reads keys from, and draws on, a terminal that may send anything and go away at any time.

    One that the app has `held` before shows something already, which stays until the app draws.
    """

    def __init__(
        self, app: App[object], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        file = drawn_on()
        if file is not None:
            self._file = Forgiving(file)  # type: ignore[assignment]  # the one who writes asks for no more
        self._collector: IdleCollector | None = None
        self._held: Held | None = getattr(app, "held", None)
        self._shown = None if self._held is None else self._held.shown
        self._taking_over = self._held is not None

    def start_application_mode(self) -> None:
        """Take the terminal."""
        self._collector = self._collector or IdleCollector(self._loop)
        super().start_application_mode()  # type: ignore[no-untyped-call]  # untyped in Textual
        self._taking_over = False
        if self._held is not None:
            self.attrs_before = self._held.attributes

    def write(self, data: str) -> None:
        """Write, but for what would clear a screen that is taken over as it stands."""
        if not (self._taking_over and data == ALTERNATE):
            super().write(data)

    def disable_input(self) -> None:
        """Stop reading keys."""
        if self._shown is not None:
            self._shown.set()  # who waits for it is the one that shall stop
        super().disable_input()

    def close(self) -> None:
        """Give the terminal back."""
        super().close()
        if self._collector is not None:
            self._collector.stop()
            self._collector = None

    def _query_in_band_window_resize(self) -> None:
        """Learn of a new size by its signal alone: the other way turns the mouse to pixels, and leaves it so."""

    def run_input_thread(self) -> None:
        """Read keys until the app ends. A terminal that is gone ends it; bytes that are no text are no keys."""
        parser = XTermParser(self._debug)
        decode = getincrementaldecoder("utf-8")("ignore").decode
        typed = as_keys(self._waiting())
        if self._shown is not None:
            self._shown.wait()
        self._replay(parser, typed + self._waiting())
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            ending = False
            while not ending:
                ending = self.exit_event.is_set()  # what came before the end is read, lest a shell takes it for keys
                if selector.select(TICK_SECONDS):
                    data = self._read()
                    if not data:
                        self._loop.call_soon_threadsafe(self._app.exit, GONE)
                        return
                    if self._collector is not None:
                        self._collector.heard()
                    for event in parser.feed(decode(data)):
                        self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)
        with suppress(EOFError, ParseError):
            list(parser.feed(""))

    def _replay(self, parser: XTermParser, typed: bytes) -> None:
        """Take the keys that were typed before there was anything to take them."""
        for each in typed_apart(typed):
            events = [Key("escape", "\x1b")] if each == b"\x1b" else parser.feed(each.decode(errors="ignore"))
            for event in events:
                self.process_message(event)

    def _waiting(self) -> bytes:
        """Return what was typed and not read yet."""
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            return self._read() if selector.select(0) else b""

    def _read(self) -> bytes:
        """Return what was typed, nothing when the terminal is gone."""
        try:
            return os.read(self.fileno, READ_BYTES)
        except OSError:
            return b""


class Forgiving:
    """A file that drops what nobody can read any more: else the thread that writes would die, and the app hang."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write, if there is somebody to read it."""
        with suppress(OSError):
            return self._file.write(text)
        return 0

    def flush(self) -> None:
        """Flush, if there is somebody to read it."""
        with suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        """Return the file's descriptor."""
        return self._file.fileno()
