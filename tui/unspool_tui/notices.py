"""What a person is told beside an answer: what of the session could not be read, and how to see it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from unspool_tui.output import Output, counted

if TYPE_CHECKING:
    from unspool.views.view import SessionView

NAMED_LINES: Final = 8
"""Line numbers that a notice names: more would be a list, which `stats` gives."""


def tell_of(view: SessionView, output: Output) -> None:
    """Print the notices of a view, one line each."""
    for notice in notices(view):
        output.note(notice)


def notices(view: SessionView) -> Iterator[str]:
    """Yield what a reader of this view should know."""
    if view.unreadable:
        lines = sorted({each.line for each in view.unreadable})
        named = ", ".join(map(str, lines[:NAMED_LINES])) + (", …" if len(lines) > NAMED_LINES else "")
        which = f"({'line' if len(lines) == 1 else 'lines'} {named})"
        raw = f"`unspool search --raw` looks into them, `unspool stats {view.ref}` says why"
        yield f"{counted(len(lines), 'unreadable line')} {which}; {raw}"
    if view.broken_links:
        lines = [each.line for each in view.broken_links]
        named = ", ".join(map(str, lines[:NAMED_LINES])) + (", …" if len(lines) > NAMED_LINES else "")
        which = f"line {named} does" if len(lines) == 1 else f"lines {named} do"
        yield f"{which} not fit into the chain of its records; `unspool stats {view.ref}` says why"
    if view.pending is not None:
        yield "the file ends in half a record" if view.torn else "the last record is still being written"
