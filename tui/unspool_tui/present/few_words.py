"""Texts in a few words, for rows: without the marks of Markdown that is read rendered, and images by their type alone.

What makes a mark ink takes milliseconds to import, so it is left until a text has one.
"""

from __future__ import annotations

from typing import Final

from unspool.text import clean

Spans = tuple[tuple[int, int], ...]
"""Half-open stretches of the characters of a text."""

_MARKS: Final = frozenset("#>\\&`[<*_~")


def few_words(text: str, *, prose: bool = True) -> str:
    """Return a text as one cleaned line; `prose` is what is read with its Markdown rendered."""
    said = clean(text, newline=False)
    if prose and not _MARKS.isdisjoint(said):
        from unspool_tui.present.markdown_words import plain

        said = plain(said)
    if "[image " in said:
        from unspool_tui.present.picture_line import without_sizes

        said = without_sizes(said)
    return said


def plain_around(line: str, spans: Spans) -> tuple[str, Spans]:
    """Return a cleaned line of prose without its marks, and where its stretches are now."""
    if _MARKS.isdisjoint(line):
        return line, spans
    from unspool_tui.present import markdown_words

    return markdown_words.plain_around(line, spans)
