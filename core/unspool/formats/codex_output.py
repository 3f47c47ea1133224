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

_PREAMBLE = pattern(r"(?:Exit code: |Chunk ID: |Wall time: )")
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
_OMITTED = pattern(r"\\n\[\.\.\. omitted \d+ of \d+ lines \.\.\.\]\\n")
"""Only the oldest shape says it nowhere but in the middle."""


def output_flags(text: str) -> Flag:
    """Return what the wrapper of an output says: `error` for an exit code other than 0, `shortened` when cut."""
    if wrapped := _OLDEST.match(text):
        end = (text.tail or "") if isinstance(text, Clipped) else text
        code = _last(_METADATA, end[-_TAIL:])
        cut = _CUT.match(text, wrapped.end()) or _OMITTED.search(text)
    elif _PREAMBLE.match(text):
        head, marked, _ = text[:_HEAD].partition(_OUTPUT)
        code = _last(_EXIT_CODE, head if marked else head.partition("\n")[0])
        cut = _CUT_BEFORE.search(head) if marked else None
        cut = cut or _CUT.match(text, len(head) + len(_OUTPUT) + 1)
    else:
        code, cut = None, _CUT.match(text)
    failed = code not in (None, 0) or text.startswith(_REFUSED)
    return (Flag.ERROR if failed else Flag(0)) | (Flag.SHORTENED if cut else Flag(0))


def user_command_flags(text: str) -> Flag:
    """Return the flags of a command that the person ran, from the result that stands beside it."""
    found = _USER_COMMAND.search(text)
    return Flag.BY_USER | (Flag.ERROR if found and int(found[1]) else Flag(0))


def _last(pattern: re.Pattern[str], text: str) -> int | None:
    found = pattern.findall(text)
    return int(found[-1]) if found else None
