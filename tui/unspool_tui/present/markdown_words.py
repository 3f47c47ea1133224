"""The words within a block of Markdown: their marks become ink, and every character knows where it was written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass, field
from unspool.pattern import pattern
from unspool.text import clean

if TYPE_CHECKING:
    from unspool_tui.present.cells import Cell

REACH: Final = 600
"""Characters between the marks of one stretch at most: what is open longer is no mark, and nothing is searched for."""

_TOKENS: Final = (
    ("\\", r"\\(?P<escaped>[!-/:-@\[-`{-~])"),
    ("&", r"(?P<entity>&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});)"),
    ("`", rf"(?P<tick>`+)(?P<code>(?:(?!(?P=tick)).|(?P=tick)`+){{1,{REACH}}}?)(?P=tick)(?!`)"),
    (
        "[",
        r"(?P<image>!?)\[(?P<label>(?:[^\[\]\\\n]|\\.|!?\[[^\[\]\n]{0,200}\](?:\([^()\s]{0,300}\))?){0,200})\]"
        r"\(<?(?P<to>[^()\s<>]{1,1000}(?:\([^()\s<>]{0,200}\)[^()\s<>]{0,200})?)>?(?:[ \n]+\"[^\"\n]{0,200}\")?\)",
    ),
    ("<", r"<(?P<address>[A-Za-z][A-Za-z0-9+.-]{1,30}:[^\s<>]{1,1000})>"),
    (
        "*",
        rf"(?<![0-9A-Za-z_*])(?P<strong>\*\*\*?)(?=[^\s*])(?P<bold>.{{1,{REACH}}}?)"
        r"(?<=\S)(?P=strong)(?![0-9A-Za-z_*])",
    ),
    ("_", r"(?<!\w)__(?=\S)(?P<said>[^\s_]+ [^_\n]{1,300}?)(?<=\S)__(?!\w)"),
    (
        "*_",
        r"(?P<light>(?<![0-9A-Za-z_*])\*(?=[^\s*])|(?<!\w)_(?=[^\s_]))"
        rf"(?P<slanted>(?:(?!(?P=light)).|\*\*){{1,{REACH}}}?)(?<=\S)(?P=light)(?![0-9A-Za-z_*])",
    ),
    ("~", rf"~~(?=[^\s~])(?P<struck>.{{1,{REACH}}}?)(?<=\S)~~"),
)
"""What is marked: the marks without one of which it is none, and how it is written."""
_MARKS: Final = frozenset("\\&`[<*_~")
_NONE: Final = frozenset[str]()
_DEEPEST: Final = 6
"""Stretches within each other."""

_HEADING = pattern(r"^ {0,3}#{1,6} +|^ {0,3}>(?: ?>)* ?|(?<= )#{2,6} +", re.M)
_OPEN_MARK = pattern(r"(?<![\w*])(?:\*\*|~~|`+)(?=\w)")
"""A mark that a cut left without the one that closes it."""

Spans = tuple[tuple[int, int], ...]
"""Half-open stretches of the characters of a text."""


@dataclass(slots=True)
class Words:
    """One line of a block: cells, and for each of their characters the one of `line` that it was written as.

    `line` counts the lines of the whole text, from 0.
    """

    line: int
    cells: list[Cell] = field(default_factory=list)
    at: list[int] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The characters that are shown."""
        return "".join([text for text, _ in self.cells])

    def put(self, text: str, ink: str, at: Sequence[int]) -> None:
        """Add text in one ink."""
        if text:
            self.cells.append((text, ink))
            self.at += at


def worded(lines: Sequence[tuple[int, int, str]], base: str) -> list[Words]:
    """Return the lines of a block in ink; each is given as (number of its line, column it begins at, text)."""
    pen = _Pen(lines)
    pen.draw(0, len(pen.content), base, 0)
    return pen.rows


def plain(text: str) -> str:
    """Return a text without the marks of Markdown, for where it is told in a few words."""
    text = _HEADING.sub("", text)
    if _MARKS.isdisjoint(text):
        return text
    rows = worded([(0, 0, line) for line in text.split("\n")], "text")
    said = "\n".join([row.text for row in rows])
    return _OPEN_MARK.sub("", said) if said.endswith("…") else said


def plain_around(line: str, spans: Spans) -> tuple[str, Spans]:
    """Return a line without the marks of Markdown, and where its stretches are now.

    A line stays as it was written where a stretch is of what goes with the marks: they are what is looked for.
    """
    begin = found.end() if (found := _HEADING.match(line)) else 0
    words = worded([(0, begin, line[begin:])], "text")[0]
    where = {column: index for index, column in enumerate(words.at)}
    moved = tuple((where.get(start, 0), where.get(start, 0) + stop - start) for start, stop in spans)
    kept = all(words.at[a:b] == list(range(*span)) for (a, b), span in zip(moved, spans, strict=True))
    return (words.text, moved) if kept else (line, spans)


@cache
def token(marks: frozenset[str]) -> re.Pattern[str]:
    """Return what finds all that is marked where there are no other marks: all together take a while to compile."""
    return re.compile("|".join(written for signs, written in _TOKENS if not marks.isdisjoint(signs)), re.S)


class _Pen:
    """Draws stretches of a block's content, its lines joined by LF."""

    def __init__(self, lines: Sequence[tuple[int, int, str]]) -> None:
        self._lines = lines
        self.content = "\n".join(text for _, _, text in lines)
        self.rows = [Words(lines[0][0])] if lines else []
        self._starts = [0]
        for _, _, text in lines[:-1]:
            self._starts.append(self._starts[-1] + len(text) + 1)

    def draw(self, start: int, stop: int, ink: str, depth: int) -> None:
        at = start
        marks = _MARKS.intersection(self.content[start:stop]) if depth < _DEEPEST else _NONE
        if marks:
            for found in token(marks).finditer(self.content, start, stop):
                if found.end() > at:
                    self._write(at, found.start(), ink)
                    self._mark(found, ink, depth + 1)
                    at = found.end()
        self._write(at, stop, ink)

    def _mark(self, found: re.Match[str], ink: str, depth: int) -> None:
        told = found.groupdict()
        bold = "bold italic" if told.get("strong") == "***" else "bold"
        for group, more in (("bold", bold), ("said", "bold"), ("slanted", "italic"), ("struck", "strike")):
            if told.get(group) is not None:
                self.draw(*found.span(group), f"{ink} {more}", depth)
                return
        if told.get("code") is not None:
            self._code(*found.span("code"))
        elif told.get("to") is not None:
            self._link(found, ink, depth)
        elif told.get("address") is not None:
            self._write(*found.span("address"), f"{ink} underline")
        elif told.get("escaped") is not None:
            self._write(*found.span("escaped"), ink)
        else:
            from html import unescape

            self._stand_in(unescape(found["entity"]), found.start(), ink)

    def _code(self, start: int, stop: int) -> None:
        inside = self.content[start:stop]
        if len(inside) > 2 and inside[0] == inside[-1] == " " and inside.strip():
            start, stop = start + 1, stop - 1
        self._write(start, stop, "syn-str")

    def _link(self, found: re.Match[str], ink: str, depth: int) -> None:
        """Show what a link is called and where it leads; nothing is opened."""
        if found["label"] and found["label"] != found["to"]:
            self.draw(*found.span("label"), ink if found["image"] else f"{ink} underline", depth)
            self._stand_in(" (", found.start("to"), "muted")
            self._write(*found.span("to"), "muted")
            self._stand_in(")", found.end("to"), "muted")
        else:
            self._write(*found.span("to"), f"{ink} underline")

    def _stand_in(self, text: str, at: int, ink: str) -> None:
        """Write what stands for something else."""
        text = clean(text, newline=False)
        self.rows[-1].put(text, ink, [self._column(at)] * len(text))

    def _write(self, start: int, stop: int, ink: str) -> None:
        """Write a stretch as it is, line by line."""
        while start < stop:
            end = self.content.find("\n", start, stop)
            upto = stop if end < 0 else end
            first = self._column(start)
            self.rows[-1].put(self.content[start:upto], ink, range(first, first + upto - start))
            if end < 0:
                return
            self.rows.append(Words(self._lines[len(self.rows)][0]))
            start = end + 1

    def _column(self, at: int) -> int:
        """Return the column of a character of the content in its line."""
        row = len(self.rows) - 1
        return self._lines[row][1] + max(0, at - self._starts[row])
