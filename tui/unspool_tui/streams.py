"""The standard streams as a shell hands them over: closed, full, or with nobody behind them.

A closed stream would be worse than none: the next file that is opened takes its number.
"""

from __future__ import annotations

import os
import sys
from typing import Final, TextIO

_MODES: Final = {"stdin": "r", "stdout": "w", "stderr": "w"}


def settle() -> None:
    """Put something in the place of closed streams, and write what a terminal's encoding lacks as escapes.

    Answers that go to a closed standard output fail when they are written; notices that have nowhere to go are dropped.
    """
    for name, mode in _MODES.items():
        if getattr(sys, name) is None:
            flags = os.O_WRONLY if name == "stderr" else os.O_RDONLY
            setattr(sys, name, open(os.open(os.devnull, flags), mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def drawn_on() -> TextIO | None:
    """Return the stream that leads to the terminal: standard error, where that goes elsewhere standard output."""
    streams = (sys.__stderr__, sys.__stdout__)
    return next((stream for stream in streams if stream is not None and stream.isatty()), None)


def encoding() -> str | None:
    """Return the encoding of the terminal that the app draws on."""
    return getattr(drawn_on() or sys.__stderr__, "encoding", None)


def ring() -> None:
    """Ring the terminal's bell; where there is no terminal, nobody hears one."""
    terminal = drawn_on()
    if terminal is not None:
        terminal.write("\a")
        terminal.flush()


def silence(stream: TextIO) -> None:
    """Let all that a stream still holds, and all that is written to it from now on, go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
