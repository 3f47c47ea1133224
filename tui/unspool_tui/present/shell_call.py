"""Calls of a shell: read and copied as the command line that they are."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from unspool.sources.json_value import compact
from unspool.text import clean
from unspool_tui.present.lines import Line, line_of

if TYPE_CHECKING:
    from unspool_tui.present.cells import Row

SHELLS: Final = frozenset(
    {
        "bash", "powershell", "shell", "shell_command", "local_shell", "exec_command", "run_terminal_cmd",
        "run_shell_command", "run_command", "local_bash",
    }
)  # fmt: skip
"""Tools whose main argument is a command line, in lower case."""

_KEYS: Final = ("command", "cmd", "script")
_PROGRAMS: Final = frozenset({"bash", "sh", "zsh", "powershell", "pwsh", "cmd"})
"""Programs that take a script behind a flag."""

_DOLLAR: Final[Row] = (("  ", "text"), ("$ ", "input"))
_BESIDE: Final[Row] = (("    ", "text"),)


def command_of(tool: str | None, arguments: Any) -> str | None:
    """Return the command line of a shell call as it was written, `None` for other calls.

    Of a command given as words, that of `bash -lc SCRIPT` is the script, else the words as a shell would quote them.
    """
    if (tool or "").lower() not in SHELLS or not isinstance(arguments, Mapping):
        return None
    value = next((arguments[key] for key in _KEYS if arguments.get(key)), None)
    if isinstance(value, str):
        return value
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        return None
    program = value[0].rpartition("/")[2].removesuffix(".exe")
    if program in _PROGRAMS and len(value) == 3 and value[1].startswith(("-", "/")):
        return str(value[2])
    return shlex.join(value)


def command_lines(command: str, arguments: Mapping[str, Any]) -> tuple[Line, ...]:
    """Return the lines of a command, and below them the other arguments, which step back."""
    lines = [
        line_of([(clean(text.removesuffix("\r"), newline=False), "text")], gutter=_BESIDE if number else _DOLLAR)
        for number, text in enumerate(command.removesuffix("\n").split("\n"))
    ]
    others = [line for key, value in arguments.items() if key not in _KEYS for line in _told(key, value)]
    return (*lines, *([line_of((), gutter=_BESIDE, source=False)] if others else []), *others)


def _told(key: str, value: Any) -> Iterator[Line]:
    """Yield an argument as `key: value`, the further lines of a text below it."""
    first, *more = (value if isinstance(value, str) else compact(value)).split("\n")
    name = (f"{clean(key, newline=False)}: ", "faint")
    yield line_of([name, (clean(first, newline=False), "muted")], gutter=_BESIDE)
    for text in more:
        yield line_of([(clean(text, newline=False), "muted")], gutter=_BESIDE)
