"""The clipboard: a program of this machine that keeps it, where there is one; else the terminal is asked to.

What the person sees may be far away: over SSH the programs of this machine keep a clipboard that nobody looks at, so
that only the terminal is asked. Inside tmux the terminal is tmux, which passes on what programs write only when it is
set to; asked by its own command it keeps the text as its newest buffer, and passes it on to the terminal around it.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from unspool.dataclass import dataclass
from unspool.text import utf8

COPIED_BYTES: Final = 100_000
"""Text that a clipboard takes without trouble: what is longer belongs into a file."""

TERMINAL_BYTES: Final = 74_994
"""Text that every terminal takes: hterm, xterm and those after them read control strings up to 100,000 characters."""

SECONDS: Final = 2.0
"""How long a program may take; one that hangs (no compositor, no X server) is given up."""

_REMOTE: Final = ("SSH_CONNECTION", "SSH_TTY")
_MULTIPLEXER: Final = "TMUX"
_SUBSYSTEM: Final = ("WSL_DISTRO_NAME", "WSL_INTEROP")


@dataclass(frozen=True, slots=True)
class Helper:
    """A program that takes a text on its standard input."""

    name: str
    arguments: tuple[str, ...] = ()
    encoding: str = "utf-8"


_WAYLAND: Final = (Helper("wl-copy"),)
_X11: Final = (Helper("xclip", ("-selection", "clipboard", "-in")), Helper("xsel", ("--clipboard", "--input")))
_MAC: Final = (Helper("pbcopy"),)
_TMUX: Final = (Helper("tmux", ("load-buffer", "-w", "-")),)
_WINDOWS: Final = (Helper("clip.exe", encoding="utf-16-le"),)


def helpers(
    environ: Mapping[str, str], *, platform: str = sys.platform, which: Callable[[str], str | None] = shutil.which
) -> tuple[Helper, ...]:
    """Return the programs that keep the clipboard which the person at the keyboard has, the likeliest first."""
    likely = [*(() if any(environ.get(name) for name in _REMOTE) else _of_display(environ, platform))]
    likely += _TMUX if environ.get(_MULTIPLEXER) else ()
    return tuple(helper for helper in likely if which(helper.name) is not None)


def told_way(helper: str | None, environ: Mapping[str, str]) -> tuple[str, str]:
    """Say how a text went, in a word before what it was and words behind: only a program is known to have it."""
    if helper is not None:
        return "copied", f"by {helper}"
    if environ.get(_MULTIPLEXER):
        return "sent", "to the terminal; tmux needs set-clipboard on"
    return "copied", "through the terminal"


def _of_display(environ: Mapping[str, str], platform: str) -> tuple[Helper, ...]:
    return (
        *(_WAYLAND if environ.get("WAYLAND_DISPLAY") else ()),
        *(_X11 if environ.get("DISPLAY") else ()),
        *(_MAC if platform == "darwin" else ()),
        *(_WINDOWS if any(environ.get(name) for name in _SUBSYSTEM) else ()),
    )


def hand_over(text: str, among: Sequence[Helper], *, seconds: float = SECONDS) -> str | None:
    """Give a text to the first program that takes it and return its name, `None` when none does.

    It blocks for up to `seconds` for each of them, so it belongs into a worker.
    """
    return next((helper.name for helper in among if _takes(helper, text, seconds)), None)


def _takes(helper: Helper, text: str, seconds: float) -> bool:
    """Say whether a program took the text: those that stay to serve it leave a parent that ends well."""
    data = utf8(text).decode().encode(helper.encoding)
    try:
        process = subprocess.Popen(
            [helper.name, *helper.arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,  # a program that stays would hold a pipe open for ever
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # it goes on serving when this terminal is closed
        )
    except OSError:
        return False
    with process:
        try:
            process.communicate(data, timeout=seconds)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        return process.wait() == 0
