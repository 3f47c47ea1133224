"""The definition that a line of source text stands in, as the heading of a change."""

from __future__ import annotations

from typing import Final

from unspool.pattern import pattern

ABOVE: Final = 4_000
"""Lines above that are looked at."""

LONGEST: Final = 4_000_000
"""Characters of a text that is looked into."""

_DEFINES: Final = pattern(
    r"\s*(?:(?:abstract|async|class|const|data|def|default|enum|export|extern|final|fn|fun|func|function|impl|inline|"
    r"interface|internal|macro|module|namespace|object|open|override|package|private|proc|protected|pub|public|record|"
    r"sealed|static|struct|sub|template|trait|type|union|unsafe|virtual)\b"
    r"|[A-Za-z_$][\w$:<>*&, ]*\([^;]*\)\s*\{)"
)
"""How definitions begin in the languages that sessions are written in, or look in those of C's kind."""
_NOT: Final = pattern(r"\s*(?:if|else|for|while|switch|catch|return|with|do|try|elif|when|match|case)\b")
_REMARKS: Final = ("#", "//", "/*", "*", "--", "%")
"""How lines begin that stand anywhere."""


def enclosing(text: str, line: int) -> str:
    """Return the innermost definition around a line (from 1), as its first line without indent; else an empty text.

    Indentation tells what stands around: every line further left than all between it and the one that is asked for.
    """
    lines = text.split("\n", line + ABOVE) if line > 1 and len(text) <= LONGEST else []
    margin = next((each for each in map(_indent, lines[line - 1 :]) if each is not None), 0)
    for each in reversed(lines[max(0, line - 1 - ABOVE) : line - 1]):
        indent = _indent(each)
        if indent is None or indent >= margin:
            continue
        if _DEFINES.match(each) and not _NOT.match(each):
            return each.strip()
        margin = indent
    return ""


def _indent(line: str) -> int | None:
    """Return how far a line stands to the right, in characters; `None` for one that is blank or a remark."""
    bare = line.lstrip()
    return len(line) - len(bare) if bare and not bare.startswith(_REMARKS) else None
