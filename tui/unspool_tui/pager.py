"""A pager or editor of the person's own, lent the terminal to show a text from a private file.

The text is cleaned: what less shows as it is may act in another program. Nothing here knows the app.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Final

from unspool.errors import NotFound, Unwritable
from unspool.stores.ownership import owner_of
from unspool.text import SEQUENCE_BODY, clean

CHOSEN: Final = ("PAGER", "VISUAL", "EDITOR")
"""Variables that name a program, in the order in which they are asked."""

USUAL: Final = ("less", "more")
"""What is taken where no variable names a program."""

AT_LINE: Final = frozenset({"less", "more", "vi", "vim", "nvim", "view", "nano", "emacs", "micro", "kak"})
"""Programs that begin at a line when they are told `+NUMBER`."""

AT_ONCE: Final = 0.5
"""Seconds: a program that ends sooner has shown nothing that a person could have read."""

HELD_CHARACTERS: Final = 1 << 20
"""Characters of one line that wait for its end before they are written."""

_CONTROL_STARTS: Final = ("\x1b", "\x90", "\x98", "\x9b", "\x9d", "\x9e", "\x9f")


def program_of(environ: Mapping[str, str], *, which: Callable[[str], str | None] = shutil.which) -> tuple[str, ...]:
    """Return the words of the program that the person chose, or of a usual one; raises `NotFound`, saying which."""
    for variable in CHOSEN:
        try:
            words = shlex.split(environ.get(variable, ""))
        except ValueError as error:
            raise NotFound(f"${variable} cannot be read as a command: {error}") from error
        if words and which(words[0]) is None:
            raise NotFound(f"${variable} names {words[0]!r}, and there is no such program")
        if words:
            return tuple(words)
    usual = next((name for name in USUAL if which(name) is not None), None)
    if usual is None:
        raise NotFound("no program to open it with; name one in $PAGER or $EDITOR")
    return (usual,)


def command(program: Sequence[str], path: str, line: int | None = None) -> tuple[str, ...]:
    """Return the whole command: the program on a file, at a line (from 1) where it can be told."""
    at = (f"+{line}",) if line is not None and line > 1 and os.path.basename(program[0]) in AT_LINE else ()
    return (*program, *at, path)


class Scratch:
    """A private folder with a file in it, gone when it is closed or forgotten, at the latest when the process ends.

    Raises `Unwritable` when there is no place for it, or only an agent's own.
    """

    def __init__(self, name: str, environ: Mapping[str, str]) -> None:
        folder = tempfile.gettempdir()
        owner = owner_of(os.path.join(folder, name), environ)
        if owner is not None:
            raise Unwritable(f"temporary files would go to {owner.folder}, which belongs to {owner.agent}", path=folder)
        try:
            self.folder = tempfile.mkdtemp(prefix="unspool-")
        except OSError as error:
            raise Unwritable(f"no temporary file can be made in {folder}: {error.strerror}", path=folder) from error
        self.path = os.path.join(self.folder, name)
        self._closing = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, blocks: Iterable[str]) -> None:
        """Write the file, readable by its owner only; raises `Unwritable`."""
        try:
            descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with open(descriptor, "w", encoding="utf-8", newline="") as file:
                file.writelines(blocks)
        except OSError as error:
            raise Unwritable(f"{self.path} cannot be written: {error.strerror}", path=self.path) from error

    def close(self) -> None:
        """Remove folder and file."""
        self._closing()


def cleaned(windows: Iterable[str]) -> Iterator[str]:
    """Clean a text that comes in windows: each line as a whole, unless it is enormous."""
    held = ""
    for window in windows:
        held += window
        stop = held.rfind("\n") + 1 or (_border(held) if len(held) > HELD_CHARACTERS else 0)
        yield clean(held[:stop])
        held = held[stop:]
    yield clean(held)


def _border(text: str) -> int:
    """Return where a text may be cut so that no control sequence is cut in two."""
    return min(
        (at for sign in _CONTROL_STARTS if (at := text.find(sign, len(text) - SEQUENCE_BODY)) > 0), default=len(text)
    )


def run(words: Sequence[str], *, pause: Callable[[], object]) -> str:
    """Run a command on this terminal until it ends; return what went wrong in one line, empty for nothing.

    `pause` is called when it ended at once, so that a person can read what it left on the terminal.
    """
    began = time.monotonic()
    with _signals({signal.SIGINT: _nothing, signal.SIGQUIT: _nothing}):  # meant for the program
        try:
            process = subprocess.Popen(words)
        except OSError as error:
            return f"{words[0]} cannot be run: {error.strerror}"

        def hand_on(number: int, _: FrameType | None) -> None:
            process.send_signal(number)

        with _signals({signal.SIGTERM: hand_on, signal.SIGHUP: hand_on}):
            code = process.wait()
            if code == 0 and time.monotonic() - began < AT_ONCE:
                pause()
    return "" if code == 0 else f"{words[0]} ended with {f'exit {code}' if code > 0 else f'signal {-code}'}"


Handler = Callable[[int, FrameType | None], object]


@contextmanager
def _signals(handlers: Mapping[signal.Signals, Handler]) -> Iterator[None]:
    """Handle signals in another way for a while."""
    before = {each: signal.signal(each, handler) for each, handler in handlers.items()}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler if handler is not None else signal.SIG_DFL)


def _nothing(number: int, frame: FrameType | None) -> None:
    """Do nothing: unlike an ignored signal, one that is handled is not ignored by the programs that are started."""
