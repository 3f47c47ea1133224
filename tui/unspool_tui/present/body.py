"""The lines of a body as they were written, in ink: by nature of the piece."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from unspool.dataclass import replace
from unspool.pattern import pattern
from unspool.text import clean
from unspool_tui.present import ansi
from unspool_tui.present.code_lines import coloured, language_of, numbered, own_numbers
from unspool_tui.present.failure import HINTS, begins_failure
from unspool_tui.present.lines import Line, Origin, line_of
from unspool_tui.present.markdown_lines import inked_lines, lead
from unspool_tui.present.markdown_page import MarkdownPage, page_of
from unspool_tui.present.picture_line import picture_cells
from unspool_tui.present.subject import Nature, Subject
from unspool_tui.present.traces import telling_lines

if TYPE_CHECKING:
    from unspool_tui.present.cells import Row

LOOKED_AT: Final = 2_000
"""Characters of a line up to which it is looked at for what it says; longer ones are data."""

_RULES: Final = frozenset("=_-\u2500\u2501\u2550")
_WRAPPER = pattern(
    r" *</?(?:system-reminder|persisted-output|tool_use_error|local-command-[a-z]+|command-[a-z]+|bash-[a-z]+"
    r"|environment_context|user_instructions|INSTRUCTIONS|user_shell_command|turn_aborted)>"
)
_PREAMBLE = pattern(
    r"(?:Chunk ID: [0-9a-f]+|Wall time: [0-9.]+ seconds|Process (?:exited with code|running with session ID) -?\d+"
    r"|Original token count: \d+|Exit code:? -?\d+|Output:)\Z"
)
"""What an agent writes before the output of a command; the header says the same."""

_REMINDER: Final = "<system-reminder>"


def body_lines(text: str, subject: Subject, *, plain: bool = False) -> tuple[Line, ...]:
    """Return the lines of a window of the piece's text, one for each line of the source.

    A line ends at LF alone; the last one may lack it. `plain` is for the record itself, which has no nature.
    """
    texts = _texts(text)
    nature = Nature.PLAIN if plain else subject.nature
    base = "text" if plain else subject.ink
    if nature is Nature.FILE:
        return tuple(_file_lines(texts, subject.path, base))
    if nature is Nature.OUTPUT and ansi.has_colours(text):
        rows: Iterable[Row] = _printed(texts, base)
    else:
        rows = _inked(_cleaned(texts), subject, nature, base)
    lines = (_prose_line(row) if nature is Nature.PROSE else _line(row) for row in rows)
    return tuple(lines if plain or not subject.evidence.images else (_pictured(line, subject) for line in lines))


def rendered(text: str, subject: Subject) -> MarkdownPage | None:
    """Return a whole text with its Markdown rendered; the harness's own wrappers step back here too."""
    texts = _cleaned(_texts(text))
    dimmed = _dimmed(texts, (((line, ""),) for line in texts))
    faint = frozenset(at for at, row in enumerate(dimmed) if row[:1] and row[0][1] == "faint")
    page = page_of(texts, subject.ink, faint)
    if page is None or not subject.evidence.images:
        return page
    return replace(page, blocks=[_pictured(each, subject) if isinstance(each, Line) else each for each in page.blocks])


def _texts(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _pictured(line: Line, subject: Subject) -> Line:
    """Return what is told of an image for the line that stands for it, other lines as they are."""
    cells = picture_cells(line.text, subject.pictures)
    if cells is None:
        return line
    origin = line.origin and Origin(line.origin.line)
    return line_of(cells)._replace(origin=origin)


def _file_lines(texts: Sequence[str], path: str, base: str) -> Iterator[Line]:
    """Yield the lines of a file that a tool read; the numbers that it wrote before them go into the gutter."""
    numbers = own_numbers(texts)
    asides = [numbered(text) if number is not None else 0 for text, number in zip(texts, numbers, strict=True)]
    cleaned = _cleaned([text[aside:] for text, aside in zip(texts, asides, strict=True)])
    language = language_of(path)
    none = 0 if any(asides) else None
    rows = _dimmed(cleaned, (coloured(text, language, base) for text in cleaned))
    for row, number, aside in zip(rows, numbers, asides, strict=True):
        yield _line(row)._replace(number=none if number is None else number, aside=aside)


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
