"""Prose of a session, which is Markdown mostly: told apart into lines and fenced code, by a rule that is never fooled.

Readers of Markdown disagree on where a fence begins inside of lists and quotes. Here whatever may be a fence is one,
wherever it stands, and is written anew at the margin, so that no reader can take for text what was taken for code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from unspool.dataclass import dataclass
from unspool.pattern import pattern

_OPENING: Final = pattern(
    r"(?P<before>(?:[ \t>]|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*+)(?P<fence>`{3,}+(?=[^`]*\Z)|~{3,}+)(?P<info>.*)\Z"
)
_LANGUAGE: Final = pattern(r"[\w+#.\-]{1,20}")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """A fenced block: no line of it can be taken for `fence`, its end."""

    fence: str
    language: str
    lines: tuple[str, ...]


def closing(line: str, start: int, length: int) -> tuple[int, int] | None:
    """Return where the run of backticks stands that closes a code span opened by as many; `None` for none."""
    found = re.compile(rf"(?<!`)`{{{length}}}(?!`)").search(line, start)
    return found.span() if found is not None else None


def parts(text: str) -> Iterator[Line | Code]:
    """Yield the parts of a cleaned text; a fence that is never closed runs to the end.

    What stands beside an opening fence and is no name of a language becomes a line of its own.
    """
    lines = iter(text.split("\n"))
    for line in lines:
        opening = _OPENING.match(line)
        if opening is None:
            yield Line(line)
            continue
        before = opening["before"]
        if before.strip(" \t>"):
            yield Line(before.rstrip())
        info = opening["info"].strip()
        language = info if _LANGUAGE.fullmatch(info) else ""
        if info and not language:
            yield Line(info)
        yield Code(opening["fence"], language, tuple(_inside(lines, opening["fence"], before)))


def _inside(lines: Iterator[str], fence: str, before: str) -> Iterator[str]:
    """Yield the lines up to the closing fence, without what stood before the opening one."""
    closing = re.compile(rf"[ \t>]*+{re.escape(fence[0])}{{{len(fence)},}}+[ \t]*\Z")
    quoted, indent = ">" in before, len(before) - len(before.lstrip(" "))
    for line in lines:
        if closing.match(line):
            return
        if quoted:
            line = re.sub(r"\A[ \t]*>[ ]?", "", line)
        yield line[min(indent, len(line) - len(line.lstrip(" "))) :]
