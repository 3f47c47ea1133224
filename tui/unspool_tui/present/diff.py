"""A patch as lines: old number, new number, sign, text; the ground says the same as the sign."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Final

from unspool.pattern import pattern
from unspool.text import clean
from unspool_tui.present import marks
from unspool_tui.present.code_lines import coloured, language_of
from unspool_tui.present.lines import Line, inked, line_of

if TYPE_CHECKING:
    from unspool_tui.present.cells import Row
    from unspool_tui.present.patch import FilePatch, Hunk, Patch, Sign

LINES: Final = 20_000
"""Lines of a difference shown at most."""

ALIKE: Final = 0.6
"""Share of their words that two lines must have in common before the words that differ are marked."""

PAIRED: Final = 60
"""Lines of a block up to which old and new ones are paired by likeness."""

WORDS_IN: Final = 1_000
"""Characters of a line up to which its words are compared."""

_WORD = pattern(r"\w+|[^\w\s]|\s+")

_MARKS: Final[dict[Sign, tuple[str, str, str]]] = {
    " ": (" ", "text", "ground"),
    "+": ("+", "add bold", "add-bg"),
    "-": (marks.MINUS, "del bold", "del-bg"),
}
"""Sign, its ink, the ground of the line."""

Marked = dict[int, list[tuple[int, int]]]
"""Index of a line within its hunk to the stretches of characters that differ."""


def diff_lines(patch: Patch) -> tuple[Line, ...]:
    """Return all lines of a patch, at most `LINES`."""
    lines: list[Line] = []
    for index, file in enumerate(patch.files):
        if len(patch.files) > 1:
            lines += [_blank()] if index else []
            lines.append(line_of([(clean(file.path, newline=False), "text bold")], gutter=_gutter(None, None, " ")))
        for line in _file(file):
            if len(lines) >= LINES:
                said = f"more than {LINES} lines; the raw record holds all of them"
                return (*lines, line_of([(said, "faint")], gutter=_gutter(None, None, " "), source=False))
            lines.append(line)
    return tuple(lines)


def _file(file: FilePatch) -> Iterator[Line]:
    for index, hunk in enumerate(file.hunks):
        if index:
            yield _blank()
        if (hunk.heading or index or (hunk.old or 1) > 1) and not file.whole:
            head = clean(hunk.heading, newline=False)
            yield line_of(
                [(head, "muted")], gutter=((" " * 11, "faint"), (f" {marks.LEFT_OUT} ", "muted")), source=bool(head)
            )
        yield from _hunk(hunk, file.path)


def _hunk(hunk: Hunk, path: str) -> Iterator[Line]:
    texts = [(sign, clean(text, newline=False)) for sign, text in hunk.lines]
    language = language_of(path)
    marked = _marked(texts)
    old, new = hunk.old, hunk.new
    for index, (sign, text) in enumerate(texts):
        gutter = _gutter(old if sign != "+" else None, new if sign != "-" else None, sign)
        word = "text on add-word" if sign == "+" else "text on del-word"
        cells = inked(coloured(text, language), [(start, stop, word) for start, stop in marked.get(index, ())])
        yield line_of(cells, gutter=gutter, ground=_MARKS[sign][2])
        old = old + 1 if old is not None and sign != "+" else old
        new = new + 1 if new is not None and sign != "-" else new


def _gutter(old: int | None, new: int | None, sign: Sign) -> Row:
    mark, ink, _ = _MARKS[sign]
    numbers = "".join(f"{number if number is not None else '':>5}" for number in (old, new))
    return ((f"{numbers} ", "faint"), (f"{mark}  ", ink))


def _blank() -> Line:
    return Line("", (), _gutter(None, None, " "), source=False)


# Which words differ.


def _marked(lines: Sequence[tuple[Sign, str]]) -> Marked:
    """Return what differs within lines that were changed and not replaced."""
    marked: Marked = {}
    signs = groupby(range(len(lines)), lambda index: lines[index][0])
    blocks = [(sign, list(indexes)) for sign, indexes in signs]
    for (sign, old), (following, new) in pairwise(blocks):
        if sign == "-" and following == "+" and max(len(old), len(new)) <= PAIRED:
            for one, other in _pairs([lines[at][1] for at in old], [lines[at][1] for at in new]):
                removed, added = _differing(lines[old[one]][1], lines[new[other]][1])
                marked[old[one]], marked[new[other]] = removed, added
    return marked


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pair old lines with the new lines most like them, in order."""
    first = 0
    for index, line in enumerate(old):
        likeness = [(_likeness(line, other), -at) for at, other in enumerate(new) if at >= first]
        best, at = max(likeness, default=(0.0, 0))
        if best >= ALIKE:
            first = 1 - at
            yield index, -at


def _likeness(one: str, other: str) -> float:
    if max(len(one), len(other)) > WORDS_IN:
        return 0.0
    old: list[str] = re.findall(r"\w+", one)
    new: list[str] = re.findall(r"\w+", other)
    return SequenceMatcher(None, old, new, autojunk=False).ratio() if old and new else 0.0


def _differing(old: str, new: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the stretches of characters of both lines whose words the other one lacks."""
    before: list[str] = _WORD.findall(old)
    after: list[str] = _WORD.findall(new)
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    changes = [code for code in codes if code[0] != "equal"]
    return (
        _stretches(before, [(start, stop) for _, start, stop, _, _ in changes]),
        _stretches(after, [(start, stop) for _, _, _, start, stop in changes]),
    )


def _stretches(tokens: Sequence[str], changed: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Turn stretches of tokens into stretches of characters; those with only a space between become one."""
    ends = [0]
    for token in tokens:
        ends.append(ends[-1] + len(token))
    found: list[tuple[int, int]] = []
    for start, stop in changed:
        if start == stop:
            continue
        if found and not "".join(tokens[at] for at in range(start) if ends[at] >= found[-1][1]).strip():
            found[-1] = (found[-1][0], ends[stop])
        else:
            found.append((ends[start], ends[stop]))
    return [span for start, stop in found if (span := _without_spaces("".join(tokens), start, stop))]


def _without_spaces(text: str, start: int, stop: int) -> tuple[int, int] | None:
    """Return a stretch without the spaces at its ends, `None` when nothing is left."""
    inner = text[start:stop]
    kept = inner.strip()
    start += len(inner) - len(inner.lstrip())
    return (start, start + len(kept)) if kept else None
