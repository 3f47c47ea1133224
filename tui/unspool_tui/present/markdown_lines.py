"""Markdown, line by line: the words stay as they were written, only their ink changes.

Nothing is moved or hidden, so numbers, copies and searches are those of the source. Understood are headings, fences,
lists, quotes, rules, tables' rules, bold, emphasis and code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from unspool.pattern import pattern
from unspool_tui.present.code_lines import coloured, language_of

if TYPE_CHECKING:
    from unspool_tui.present.cells import Cell, Row

_FENCE = pattern(r" {0,3}(`{3,}|~{3,})(.*)$")
_HEADING = pattern(r" {0,3}#{1,6}(?= |$)")
_RULE = pattern(r" {0,3}([-*_])(?: *\1){2,} *$")
_TABLE_RULE = pattern(r" *\|?[ :|-]*-{3}[ :|-]*$")
_QUOTE = pattern(r" {0,3}(?:> ?)+")
_ITEM = pattern(r" *(?:[-*+]|[0-9]{1,9}[.)])(?: \[[ xX]\])? +")
_SPAN = pattern(
    r"(?P<code>(?P<tick>`+)(?!`).+?(?<!`)(?P=tick)(?!`))"
    r"|(?P<bold>\*\*(?=[^\s*]).+?(?<=[^\s])\*\*)"
    r"|(?P<emphasis>(?<![\w*])\*(?=[^\s*])[^*]+?(?<=[^\s*])\*(?![\w*]))"
)

_ENDINGS: Final = {
    "python": "py", "python3": "py", "javascript": "js", "typescript": "ts", "shell": "sh", "console": "sh",
    "golang": "go", "rust": "rs", "c++": "cpp", "csharp": "cs", "ruby": "rb", "kotlin": "kt", "haskell": "hs",
    "docker": "dockerfile",
}  # fmt: skip
"""Names of languages that are not the ending of their files."""

SPANS_IN: Final = 2_000
"""Characters of a line that are looked through for bold and code; in a longer one only its kind is shown."""


def inked_lines(texts: Iterable[str], base: str = "text") -> Iterator[Row]:
    """Return each cleaned line as cells; a fence that opens before the first line is not known."""
    fence, language = "", None
    for text in texts:
        mark = _FENCE.match(text)
        if fence:
            closes = mark is not None and mark[1].startswith(fence) and not mark[2].strip()
            yield ((text, "faint"),) if closes else coloured(text, language, "soft")
            fence = "" if closes else fence
        elif mark and not (mark[1][0] == "`" and "`" in mark[2]):
            fence, language = mark[1], language_named(mark[2])
            yield ((text, "faint"),)
        else:
            yield _inked(text, base)


def language_named(info: str) -> re.Pattern[str] | None:
    """Return the pattern for the language that the words behind a fence name; `None` for an unknown one."""
    name = info.strip().partition(" ")[0].lower()
    return language_of(f"x.{_ENDINGS.get(name, name)}") if name else None


def lead(text: str) -> int:
    """Return how many characters precede the first word: indent, and the mark of an item or quote."""
    mark = _ITEM.match(text) or _QUOTE.match(text)
    return mark.end() if mark else len(text) - len(text.lstrip(" "))


def _inked(text: str, base: str) -> Row:
    if _HEADING.match(text):
        mark = len(text) - len(text.lstrip(" #"))
        return ((text[:mark], "faint"), (text[mark:], f"{base} bold"))
    if _RULE.match(text) or ("|" in text and _TABLE_RULE.match(text)):
        return ((text, "faint"),)
    if quote := _QUOTE.match(text):
        return ((quote[0], "faint"), *_spans(text[quote.end() :], "muted"))
    if item := _ITEM.match(text):
        return ((item[0], "muted"), *_spans(text[item.end() :], base))
    return _spans(text, base)


def _spans(text: str, base: str) -> Row:
    """Ink bold, emphasis and code within a line; their marks stay, faint."""
    if len(text) > SPANS_IN or ("*" not in text and "`" not in text):
        return ((text, base),)
    cells: list[Cell] = []
    at = 0
    for found in _SPAN.finditer(text):
        cells.append((text[at : found.start()], base))
        mark = len(found["tick"] or "") or (2 if found["bold"] else 1)
        whole = found[0]
        ink = "syn-str" if found["code"] else f"{base} bold" if found["bold"] else f"{base} italic"
        cells += [(whole[:mark], "faint"), (whole[mark:-mark], ink), (whole[-mark:], "faint")]
        at = found.end()
    return (*cells, (text[at:], base))
