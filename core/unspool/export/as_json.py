"""JSON: one object with the session, the rows of the command's JSON each with its text, and what was redacted.

    {"session": {…}, "pieces": [
    {"id": "E0.0", …, "text": "…", "truncation": {…}},
    …
    ], "summary": {…}}

One piece a line, plain ASCII: every control, format and surrogate character is an escape.
"""

from __future__ import annotations

from collections.abc import Iterator
from json import dumps
from typing import TYPE_CHECKING, Any

from unspool.views.bounds import Truncation

if TYPE_CHECKING:
    from unspool.export.exhibit import Cut, Exhibit
    from unspool.export.heading import Heading
    from unspool.export.report import Exported, Prompts


class JsonWriter:
    """Writes JSON; texts are as they are in the session, not cleaned."""

    def __init__(self) -> None:
        self._first = True

    def begin(self, heading: Heading, prompts: Prompts) -> Iterator[str]:
        """Yield the session and the beginning of the list."""
        yield f'{{"session": {_written(heading.to_json())}, "pieces": ['

    def piece(self, exhibit: Exhibit) -> Iterator[str]:
        """Yield one piece."""
        yield ("" if self._first else ",") + "\n" + _written(exhibit.evidence.to_json())[:-1] + ', "text": "'
        self._first = False
        for block in exhibit.blocks():
            yield dumps(block)[1:-1]
        more: dict[str, Any] = {"truncation": _truncation(exhibit.cut).to_json()}
        if exhibit.notice:
            more["notice"] = exhibit.notice
        yield '", ' + _written(more)[1:]

    def end(self, exported: Exported) -> Iterator[str]:
        """Yield the end of the list and what was done."""
        yield f'\n], "summary": {_written(exported.to_json())}}}\n'


def _truncation(cut: Cut | None) -> Truncation:
    if cut is None:
        return Truncation(truncated=False, shown=1)
    return Truncation(truncated=True, shown=1, reason="bytes", omitted_bytes=cut.left, next=cut.after)


def _written(value: dict[str, Any]) -> str:
    return dumps(value, check_circular=False)
