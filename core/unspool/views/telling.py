"""The one line of a tool output that says how it went.

The rule, in this order: the last verdict of a test runner near the end (`1 failed, 409 passed`); of a failed output the
exception that a traceback ends with, else its first line that begins by naming an error; else the first line that is
no preamble of the harness, and of an indented JSON value its beginning.
"""

from __future__ import annotations

import re
from typing import Final

from unspool.pattern import pattern
from unspool.text import elided

LINE_CHARACTERS: Final = 200
"""A row of the widest screen holds no more."""

HEAD_CHARACTERS: Final = 16_384
"""Characters looked at from the beginning: preambles and first errors stand there."""

TAIL_CHARACTERS: Final = 4_096
"""Characters looked at from the end: verdicts and exceptions stand there."""

_VERDICT = pattern(
    r"^.{0,80}?\b\d{1,9} (?:tests? )?(?:failed|passed|failing|passing|failures?|examples?|errors?)\b.*$", re.MULTILINE
)
_VERDICTS: Final = ("fail", "pass", "example", "error")
"""One of these stands in every verdict."""
_EXCEPTION = pattern(r"^(?:E +)?[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit)(?::.*)?$", re.MULTILINE)
_ERROR = pattern(r"^(?:\S{1,200}:\s*)?(?:error|fatal|panic|failed|FAIL)\b.*$", re.MULTILINE | re.IGNORECASE)
_PREAMBLE = pattern(
    r"\A\s*(?:(?:Error: )?Exit code:? -?\d+|Chunk ID: .*|Wall time: .*|Process exited with code .*|Output:|```\w*|"
    r"Total output lines: \d+|Original token count: \d+)\s*\Z"
)
_PREAMBLES: Final = (
    "Error: Exit code",
    "Exit code",
    "Chunk ID: ",
    "Wall time: ",
    "Process exited ",
    "Output:",
    "```",
    "Total output lines: ",
    "Original token count: ",
)
"""One of these begins every preamble: most lines need no expression."""
_OPENERS: Final = ("{", "[", "[{")
"""Lines with which an indented JSON value begins: what comes behind them tells more."""
_RULE = pattern(r"\A[=\-─━*_#~ ]+|[=\-─━*_#~ ]+\Z")


def first_line(text: str) -> str:
    """Return the first line that is not blank, at most 200 characters."""
    return next((elided(line, LINE_CHARACTERS) for line in _lines(text)), "")


def telling_line(head: str, tail: str, *, failed: bool) -> str:
    """Return the line of an output that says how it went, at most 200 characters; empty for a blank one."""
    found = _last(_VERDICT, tail) if any(word in tail for word in _VERDICTS) else None
    if found is None and failed:
        found = _last(_EXCEPTION, tail) or next((match[0] for match in _ERROR.finditer(head[:HEAD_CHARACTERS])), None)
    if found is not None:
        return elided(_RULE.sub("", found), LINE_CHARACTERS)
    lines = _lines(head)
    at = next((number for number, line in enumerate(lines) if not _is_preamble(line)), len(lines))
    if at == len(lines):  # a preamble alone: how it ended, when that is worth a word
        return next((line for line in lines if failed and "xit" in line), "")
    told = lines[at:] if lines[at] in _OPENERS else lines[at : at + 1]
    return elided(" ".join(told), LINE_CHARACTERS)


def _is_preamble(line: str) -> bool:
    return line.startswith(_PREAMBLES) and _PREAMBLE.match(line) is not None


def _last(pattern: re.Pattern[str], text: str) -> str | None:
    found = None
    for match in pattern.finditer(text):
        found = match[0]
    return found


def _lines(text: str) -> list[str]:
    return [stripped for line in text[:HEAD_CHARACTERS].split("\n") if (stripped := line.strip())]
