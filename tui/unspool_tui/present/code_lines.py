"""Code in four quiet colours: words of the language, strings, numbers, what is being defined; comments step back.

Not a parser: one pattern for all languages, line by line, so that any window of any file is coloured at once. A
string or comment that goes over several lines is coloured as far as a line tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

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

_PATTERN = (
    r"(?P<comment>{comment}.*)"
    r"|(?P<string>[rRbBfFuU]{{0,2}}\"\"\"(?:(?!\"\"\").)*+(?:\"\"\")?|[rRbBfFuU]{{0,2}}\"(?:[^\"\\]|\\.)*+\"?"
    r"|[rRbBfFuU]{{0,2}}(?<!\w)'(?:[^'\\]|\\.)*+'|`(?:[^`\\]|\\.)*+`)"
    r"|(?:(?<=\bdef )|(?<=\bclass )|(?<=\bfn )|(?<=\bfunc )|(?<=\bfunction )|(?<=\bstruct )|(?<=\binterface )"
    r"|(?<=\btrait )|(?<=\benum )|(?<=\btype ))(?P<name>[A-Za-z_$][\w$]*)"
    r"|(?P<number>\b(?:0[xXbBoO][0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9_]+)?(?:[eE][+-]?[0-9]+)?)\b)"
    rf"|(?P<word>\b(?:{'|'.join(sorted(_LANGUAGE_WORDS))})\b)"
)
_INKS: Final = {"comment": "muted", "string": "syn-str", "name": "syn-def", "number": "syn-num", "word": "syn-key"}

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
    for found in language.finditer(text):
        cells += [(text[at : found.start()], base), (found[0], _INKS[found.lastgroup or "word"])]
        at = found.end()
    cells.append((text[at:], base))
    return tuple(cell for cell in cells if cell[0])


_NUMBERED = re.compile(r"( *[0-9]+)(→|\t| {2}|:)(.*)")


def read_lines(texts: Iterable[str], path: str, base: str = "text") -> Iterator[Row]:
    """Return the cleaned lines of a file that a tool read, its own line numbers faint."""
    language = language_of(path)
    for text in texts:
        if len(text) <= COLOURED and (found := _NUMBERED.match(text)):
            yield ((found[1] + found[2], "faint"), *coloured(found[3], language, base))
        else:
            yield coloured(text, language, base)
