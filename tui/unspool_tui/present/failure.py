"""Where a failing output is opened: the one rule.

A failing output (flag `error`, or an exit code other than 0) opens at its first line that begins a failure, with
`CONTEXT` lines before it; at its beginning when that line is in view there. A line begins a failure when one of these
holds:

- it is a heading of failures of a test run: `=== FAILURES ===`, `=== ERRORS ===`, `--- FAIL: name`, `not ok 3`
- it names a failure in capitals: `FAILED`, `FAIL`, `ERROR`, `FATAL`, `CRITICAL`, `PANIC`
- it begins a stack trace: `Traceback (most recent call last)`, `panicked at`, `goroutine 1 [running]`,
  `Exception in thread`
- it names an error: `error:`, `error[E0308]`, `error TS2304`, `fatal:`, `TypeError: …`, `java.io.IOException`,
  `npm ERR!`
- it gives the place of one, as compilers and linters do: `src/a.c:12:5 error`, `src/a.ts(12,5): error`, `12:5  error`
- it is what a shell or the system says: `command not found`, `No such file or directory`, `Permission denied`,
  `Segmentation fault`, `core dumped`, `undefined reference`
- it begins with a mark of failure: `✗ ✘ ✖ ✕ × ⨯ E   ` (pytest's)

A count of none (`0 errors`, `errors: 0`, `no errors`) is not a failure. `SEARCHED` bytes are looked through, and of a
longer output its last `SEARCHED_LAST` bytes too; without such a line in them the output opens at its last page, where
programs say how they ended. What was looked at is said.
"""

from __future__ import annotations

import re
from typing import Final

from unspool.pattern import pattern
from unspool_tui.present import numbers

CONTEXT: Final = 3
"""Lines shown before the first failure: what ran when it failed."""

SEARCHED: Final = 4 * 1_048_576
"""Bytes looked through for the first failure: enough for any test run, and still a moment."""

SEARCHED_LAST: Final = 1_048_576
"""Bytes at the end of a longer output that are looked through then: what ends a program stands near its end."""

LOOKED_AT: Final = 2_000
"""Characters of a line that are looked at: a message stands at its beginning; longer lines are data."""

_NONE = pattern(r"\b(?:0|no|without|zero) (?:errors?|failures?|failed)\b|\b(?:errors?|failures?|failed)[:=] ?0\b", re.I)

_FAILURE = pattern(
    r"^[=_-]{3,} ?(?:FAILURES|ERRORS)\b|^ *--- FAIL|^ *not ok \d"
    r"|\b(?:FAILED|FAIL|ERROR|FATAL|CRITICAL|PANIC)\b"
    r"|Traceback \(most recent call last\)|\bpanicked at\b|^goroutine \d+ \[|\bException in thread\b"
    r"|\b(?:[Ee]rror|[Ff]atal|[A-Za-z_.]*(?:Error|Exception))(?::|\[[A-Z]?\d+\])|\bnpm ERR!"
    r"|\berror [A-Z]{1,8}-?\d+\b|(?:\d:\d+|\d,\d+\)):?[ \t]+(?:error|fatal)\b"
    r"|\bcommand not found\b|\b[Nn]o such file or directory\b|\b[Pp]ermission denied\b|\bSegmentation fault\b"
    r"|\bcore dumped\b|\bundefined reference\b"
    r"|^ *[✗✘✖✕×⨯] |^E  +\S"
)


OPENED: Final = "opened at the first failure"

HINTS: Final = (
    "rror", "atal", "FAIL", "ERR", "FATAL", "CRITICAL", "PANIC", "Exception", "not ok", "Traceback", "panicked",
    "goroutine", "not found", "o such file", "ermission denied", "Segmentation fault", "core dumped",
    "undefined reference", "E  ", "✗", "✘", "✖", "✕", "×", "⨯",
)  # fmt: skip
"""What a line that begins a failure holds one of: to look for these first is twenty times faster than the pattern."""


def first_failure(text: str) -> int | None:
    """Return where the first line that begins a failure starts, in characters; `None` without one."""
    first: int | None = None
    for hint in HINTS:
        at = text.find(hint, 0, first)
        while at >= 0:
            start, stop = text.rfind("\n", 0, at) + 1, text.find("\n", at)
            stop = len(text) if stop < 0 else stop
            if begins_failure(text[start:stop]):
                first = start
                break
            at = text.find(hint, stop, first)
    return first


def begins_failure(line: str) -> bool:
    """Say whether a line begins a failure; only its first `LOOKED_AT` characters are looked at."""
    line = line[:LOOKED_AT]
    return _FAILURE.search(line) is not None and _NONE.search(line) is None


def with_context(text: str, start: int) -> int:
    """Return where the line that is `CONTEXT` lines above the one at `start` begins."""
    for _ in range(CONTEXT):
        if start == 0:
            break
        start = text.rfind("\n", 0, start - 1) + 1
    return start


def last_searched(total: int) -> int:
    """Return from which byte on the end of an output of `total` bytes is looked through, when before it is none."""
    return max(SEARCHED, total - SEARCHED_LAST)


def why_there(total: int, at: int | None) -> str:
    """Say why an output of `total` bytes opens where it does, and what of it was looked at; `at` is the byte."""
    start = last_searched(total)
    last = numbers.size(total - start)
    if at is not None:
        return f"opened at the first failure in its last {last}" if at >= start > SEARCHED else OPENED
    if start <= SEARCHED:
        return "no failure recognised, opened at the end"
    return f"no failure recognised in its first {numbers.size(SEARCHED)} and last {last}, opened at the end"
