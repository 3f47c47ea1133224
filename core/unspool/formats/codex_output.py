"""What Codex puts around the output of a command: exit codes and notes that it cut something."""

from __future__ import annotations

import re
from typing import Final

from unspool.formats.piece import Flag
from unspool.pattern import pattern
from unspool.sources.json_value import Clipped

_HEAD: Final = 600
"""Characters in which the lines before an output stand; the command's own text must not be taken for them."""

_TAIL: Final = 200
"""Characters that hold the metadata behind the output in the oldest shape, `{"output":…,"metadata":{…}}`."""

_PREAMBLES = ("Exit code: ", "Chunk ID: ", "Wall time: ")
_EXIT_CODE = pattern(r"^(?:Exit code: |Process exited with code )(-?\d+)$", re.MULTILINE)
_OUTPUT = "\nOutput:"
_METADATA = pattern(r'"metadata"\s*:\s*\{(?:\s*"[a-z_]+"\s*:[^",{}]*,)*\s*"exit_code"\s*:\s*(-?\d+)')
_OLDEST = pattern(r'\{\s*"output"\s*:\s*"')
_REFUSED = (
    "failed in sandbox ",
    "execution error: ",
    "apply_patch verification failed",
    "exec_command failed",
    "failed to parse function arguments",
    "unsupported call: ",
)
"""How an output begins when Codex could not do what was asked; no exit code is told then."""

_USER_COMMAND = pattern(r"<result>\nExit code: (-?\d+)\n")
_CUT = pattern(r"(?:Warning: truncated output \(original token count: \d+\)|Total output lines: \d+(?:\n|\\n){2})")
_CUT_BEFORE = pattern(r"^Total output lines: \d+$", re.MULTILINE)
_LINES = "Total output lines: "
_OMITTED = pattern(r"\\n\[\.\.\. omitted \d+ of \d+ lines \.\.\.\]\\n")
"""Only the oldest shape says it nowhere but in the middle."""

_FLAGS: Final = {
    (False, False): Flag(0),
    (False, True): Flag.SHORTENED,
    (True, False): Flag.ERROR,
    (True, True): Flag.ERROR | Flag.SHORTENED,
}
"""By whether it failed and whether it was cut: a table, for flags are slow to put together."""


def output_flags(text: str) -> Flag:
    """Return what the wrapper of an output says: `error` for an exit code other than 0, `shortened` when cut."""
    if text.startswith(_PREAMBLES):
        code, cut = _preamble(text)
    elif text.startswith("{") and (wrapped := _OLDEST.match(text)):
        end = (text.tail or "") if isinstance(text, Clipped) else text
        code = _last(_METADATA, end[-_TAIL:])
        cut = _CUT.match(text, wrapped.end()) or _OMITTED.search(text)
    else:
        code, cut = None, _CUT.match(text)
    return _FLAGS[code not in (None, 0) or text.startswith(_REFUSED), cut is not None]


def _preamble(text: str) -> tuple[int | None, re.Match[str] | None]:
    """Return the exit code that the lines before an output tell, and what tells that it was cut."""
    head, marked, _ = text[:_HEAD].partition(_OUTPUT)
    cut = _CUT_BEFORE.search(head) if marked and _LINES in head else None
    code = _last(_EXIT_CODE, head if marked else head.partition("\n")[0])
    return code, cut or _CUT.match(text, len(head) + len(_OUTPUT) + 1)


def user_command_flags(text: str) -> Flag:
    """Return the flags of a command that the person ran, from the result that stands beside it."""
    found = _USER_COMMAND.search(text)
    return Flag.BY_USER | (Flag.ERROR if found and int(found[1]) else Flag(0))


def _last(pattern: re.Pattern[str], text: str) -> int | None:
    found = pattern.findall(text)
    return int(found[-1]) if found else None
