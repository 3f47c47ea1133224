"""Code in four quiet colours: words of the language, strings, numbers, what is being defined; comments step back.

Not a parser: one pattern for all languages, line by line, so that any window of any file is coloured at once. A
string or comment that goes over several lines is coloured as far as a line tells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from unspool.pattern import pattern

if TYPE_CHECKING:
    from unspool_tui.present.cells import Cell, Row

COLOURED: Final = 2_000
"""Characters of a line that are looked through; longer lines are data, not code."""


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


_HASH: Final = _words(
    "py pyi pyx rb sh bash zsh fish yaml yml toml ini cfg conf r pl mk cmake dockerfile makefile nix ex exs tf ps1"
)
_SLASH: Final = _words(
    "c h cc cpp hpp cs java js jsx ts tsx mjs cjs go rs swift kt kts scala php dart zig css scss less json jsonc proto"
)
_DASH: Final = _words("sql lua hs elm")

_LANGUAGE_WORDS: Final = _words(
    "abstract and as assert async await break case catch class const continue def default defer del do elif else elsif",
    "end enum except export extends extern false False final finally fn for foreach from func function global go goto",
    "if impl implements import in include instanceof interface is lambda let local loop macro match mod module move",
    "mut namespace new nil None nonlocal not null operator or package pass private protected pub public raise readonly",
    "require return select self Self static struct super switch template then this throw trait true True try type",
    "typedef typeof undefined union unless unsafe until use using var virtual void when where while with yield",
)

_DEFINING: Final = _words("class def enum fn func function interface struct trait type")
"""Words that the name of what is being defined follows."""

_PATTERN = (
    r"(?P<comment>{comment}.*)"
    r"|(?P<string>[rRbBfFuU]{{0,2}}(?:\"\"\"(?:(?!\"\"\").)*+(?:\"\"\")?|\"(?:[^\"\\]|\\.)*+\"?)"
    r"|[rRbBfFuU]{{0,2}}(?<!\w)'(?:[^'\\]|\\.)*+'|`(?:[^`\\]|\\.)*+`)"
    r"|(?P<word>[A-Za-z_$][\w$]*+)"
    r"|(?P<number>[0-9][0-9a-zA-Z_]*+(?:\.[0-9_]++)?)"
)
_INKS: Final = {"comment": "muted", "string": "syn-str", "number": "syn-num"}

_LANGUAGES: Final = {
    comment: re.compile(_PATTERN.format(comment=pattern))
    for comment, pattern in (("#", "(?<![^ ])#"), ("//", r"//|/\*|^ *\*(?= |/|$)"), ("--", "--(?= |$)"))
}


def language_of(path: str) -> re.Pattern[str] | None:
    """Return the pattern for a file by its name's ending; `None` for what is no code."""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    ending = name.rpartition(".")[2]
    for comment, endings in (("#", _HASH), ("//", _SLASH), ("--", _DASH)):
        if ending in endings:
            return _LANGUAGES[comment]
    return None


def coloured(text: str, language: re.Pattern[str] | None, base: str = "text") -> Row:
    """Return one cleaned line as cells."""
    if language is None or len(text) > COLOURED:
        return ((text, base),) if text else ()
    cells: list[Cell] = []
    at = 0
    defines = False
    for found in language.finditer(text):
        word = found[0]
        ink = _INKS.get(found.lastgroup or "")
        if ink is None:
            ink = "syn-key" if word in _LANGUAGE_WORDS else "syn-def" if defines else ""
            defines = word in _DEFINING
        if ink:
            cells += [(text[at : found.start()], base), (word, ink)]
            at = found.end()
    cells.append((text[at:], base))
    return tuple(cell for cell in cells if cell[0])


_NUMBERED = pattern(r" *([0-9]{1,9})(?:→|\t)")


def own_numbers(texts: Sequence[str]) -> list[int | None]:
    """Return the number in its file that each line of a text begins with, `None` for lines without.

    A number counts that goes on from the line before, or with which the line behind goes on.
    """
    told = [found and int(found[1]) for found in map(_NUMBERED.match, texts)]
    around = zip([None, *told], told, [*told[1:], None], strict=False)
    single = len(texts) == 1
    return [
        number if number is not None and (single or before == number - 1 or behind == number + 1) else None
        for before, number, behind in around
    ]


def numbered(text: str) -> int:
    """Return how many characters of an uncleaned line say its number in the file."""
    found = _NUMBERED.match(text)
    return found.end() if found else 0
