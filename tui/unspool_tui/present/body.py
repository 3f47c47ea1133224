"""The lines of a body as they were written, in ink: by nature of the piece."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from unspool.text import clean
from unspool_tui.present import ansi
from unspool_tui.present.cells import Row
from unspool_tui.present.code_lines import read_lines
from unspool_tui.present.failure import HINTS, begins_failure
from unspool_tui.present.lines import Line
from unspool_tui.present.markdown_lines import inked_lines, lead
from unspool_tui.present.subject import Nature, Subject
from unspool_tui.present.traces import telling_lines

LOOKED_AT: Final = 2_000
"""Characters of a line up to which it is looked at for what it says; longer ones are data."""

_RULES: Final = frozenset("=_-\u2500\u2501\u2550")
_WRAPPER = re.compile(
    r" *</?(?:system-reminder|persisted-output|tool_use_error|local-command-[a-z]+|command-[a-z]+|bash-[a-z]+"
    r"|environment_context|user_instructions|INSTRUCTIONS|user_shell_command|turn_aborted)>"
)
_PREAMBLE = re.compile(
    r"(?:Chunk ID: [0-9a-f]+|Wall time: [0-9.]+ seconds|Process (?:exited with code|running with session ID) -?\d+"
    r"|Original token count: \d+|Exit code:? -?\d+|Output:)\Z"
)
"""What an agent writes before the output of a command; the header says the same."""

_REMINDER: Final = "<system-reminder>"


def body_lines(text: str, subject: Subject, *, plain: bool = False) -> tuple[Line, ...]:
    """Return the lines of a window of the piece's text, one for each line of the source.

    A line ends at LF alone; the last one may lack it. `plain` is for the record itself, which has no nature.
    """
    texts = text.removesuffix("\n").split("\n") if text else []
    nature = Nature.PLAIN if plain else subject.nature
    base = "text" if plain else subject.ink
    if nature is Nature.OUTPUT and ansi.has_colours(text):
        rows: Iterable[Row] = _printed(texts, base)
    else:
        cleaned = _cleaned(texts)
        rows = _inked(cleaned, subject, nature, base)
    if nature is Nature.PROSE:
        return tuple(_prose_line(row) for row in rows)
    return tuple(_line(row) for row in rows)


def _line(row: Row) -> Line:
    if len(row) == 1:
        return Line(row[0][0], row if row[0][0] else ())
    kept = tuple(cell for cell in row if cell[0])
    return Line("".join([text for text, _ in kept]), kept)


def _prose_line(row: Row) -> Line:
    line = _line(row)
    return Line(line.text, line.cells, hang=lead(line.text)) if line.text else line


def _cleaned(texts: Sequence[str]) -> list[str]:
    return [clean(text[:-1] if text[-1:] == "\r" else text, newline=False) for text in texts]


def _printed(texts: Iterable[str], base: str) -> Iterator[Row]:
    pen = ansi.PLAIN
    for text in texts:
        row, pen = ansi.coloured(text.removesuffix("\r"), pen, base)
        yield row


def _inked(texts: Sequence[str], subject: Subject, nature: Nature, base: str) -> Iterable[Row]:
    if nature is Nature.PROSE:
        return _dimmed(texts, inked_lines(texts, base))
    if nature is Nature.FILE:
        return _dimmed(texts, read_lines(texts, subject.path, base))
    if nature is Nature.OUTPUT:
        traced = telling_lines(texts)
        said = (_said(text, base, failed=subject.failed, traced=at in traced) for at, text in enumerate(texts))
        return _dimmed(texts, said)
    return (((text, base),) for text in texts)


def _said(text: str, base: str, *, failed: bool, traced: bool) -> Row:
    """Ink one line that a program printed without colours: rules step back, failures stand out."""
    if text and len(text) <= LOOKED_AT:
        if traced:
            base = "error"
        elif _PREAMBLE.match(text):
            base = "faint"
        elif _is_rule(text):
            base = "muted"
        elif failed and text.startswith(">  "):  # the line that pytest points at
            return ((">", "error bold"), (text[1:], base))
        elif failed and any(hint in text for hint in HINTS) and begins_failure(text):
            base = "error"
    return ((text, base),)


def _is_rule(text: str) -> bool:
    """Say whether a line is a rule, perhaps with words in it: six equal signs of one before, three after."""
    said = text.strip(" ")
    sign = said[:1]
    return sign in _RULES and len(said) >= 9 and said.startswith(sign * 6) and said.endswith(sign * 3)


def _dimmed(texts: Sequence[str], rows: Iterable[Row]) -> Iterator[Row]:
    """Step the harness's own wrappers back, and all of a reminder; they stay where they are."""
    inside = False
    for text, row in zip(texts, rows, strict=True):
        if not inside and "<" not in text:
            yield row
            continue
        opens = _REMINDER in text
        if inside or opens or _WRAPPER.match(text):
            row = _faint_from(text, row, text.find(_REMINDER) if opens and not inside else 0)
        closes = "</system-reminder>" in text
        inside = (inside or opens) and not closes
        yield row


def _faint_from(text: str, row: Row, start: int) -> Row:
    return ((text, "faint"),) if start == 0 else (*_until(row, start), (text[start:], "faint"))


def _until(row: Row, stop: int) -> Iterator[tuple[str, str]]:
    for text, ink in row:
        if stop <= 0:
            return
        yield text[:stop], ink
        stop -= len(text)
