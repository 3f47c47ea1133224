"""Exporting a view: which pieces, in which format, with or without their secrets."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, get_args

from unspool.errors import BadQuery
from unspool.export.as_html import HtmlWriter
from unspool.export.as_json import JsonWriter
from unspool.export.as_markdown import MarkdownWriter
from unspool.export.exhibit import Exhibits
from unspool.export.heading import Heading
from unspool.export.redaction import RULES, Redactor
from unspool.export.report import Exported, Prompts, Writer
from unspool.formats.piece import Flag, Kind
from unspool.views.filter import Filter
from unspool.views.thread import thinned

if TYPE_CHECKING:
    from unspool.export.shape import Rule
    from unspool.ids import EvidenceId
    from unspool.views.view import SessionView

ExportFormat = Literal["md", "html", "json"]

PROMPTS: Final = 400
"""Prompts that a page lists beside its pieces; of more some are left out, evenly."""


class Export:
    """One export of a view: iterate over it for the file's text, block by block; then ask what it did.

    `filter` says which pieces, the default-visible ones without it. `rules` are those of redaction, none for no
    redaction. `full` never cuts a piece. No more is held than one window of one piece. Raises `BadQuery` for a format
    that there is not; while it is iterated over, `SourceChanged`.
    """

    def __init__(
        self,
        view: SessionView,
        format: ExportFormat = "md",
        filter: Filter | None = None,
        *,
        rules: Sequence[Rule] = RULES,
        full: bool = False,
    ) -> None:
        if format not in get_args(ExportFormat):
            raise BadQuery(f"no format {format!r}; there are {', '.join(get_args(ExportFormat))}")
        self.format: ExportFormat = format
        self.rows: array[int] = view.wanted(filter or Filter())
        self._view = view
        self._redactor = Redactor(rules)
        self._exhibits = Exhibits(view, self._redactor, full, readable=format != "json")
        self._pieces = self._cut = 0
        self._ended = False

    @property
    def exported(self) -> Exported:
        """What was done so far; all of it when the iteration has ended."""
        counts = dict(self._redactor.counts.most_common()) if self._redactor.rules else None
        return Exported(self.format, self._pieces, self._cut, counts, self._ended)

    def __iter__(self) -> Iterator[str]:
        writer = self._writer()
        yield from writer.begin(Heading.of(self._view, self.rows, self._redactor), self._prompts())
        for exhibit in self._exhibits.of(self.rows):
            yield from writer.piece(exhibit)
            self._pieces += 1
            self._cut += exhibit.cut is not None
        yield from writer.end(self.exported)
        self._ended = True

    def _writer(self) -> Writer:
        ref = str(self._view.ref)
        if self.format == "md":
            return MarkdownWriter(ref)
        return HtmlWriter(ref, self._holds) if self.format == "html" else JsonWriter()

    def _holds(self, evidence_id: EvidenceId) -> bool:
        row = self._view.row_of(evidence_id)
        at = bisect_left(self.rows, row) if row is not None else len(self.rows)
        return at < len(self.rows) and self.rows[at] == row

    def _prompts(self) -> Prompts:
        """Return the prompts that a page lists."""
        if self.format != "html":
            return []
        view = self._view
        prompts = [row for row in self.rows if view.kind(row) is Kind.USER and Flag.BY_USER not in view.flags(row)]
        listed = [prompts[position] for position in thinned(len(prompts), PROMPTS)]
        return [(view.id(row), self._exhibits.summary(row)) for row in listed]


def export_view(
    view: SessionView,
    write: Callable[[str], object],
    format: ExportFormat = "md",
    filter: Filter | None = None,
    *,
    rules: Sequence[Rule] = RULES,
    full: bool = False,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[Exported], object] = lambda exported: None,
) -> Exported:
    """Write pieces of a view through `write`, which takes text; see `Export`. Given up when `cancelled` says so.

    `progress` is told after each block what was done so far.
    """
    export = Export(view, format, filter, rules=rules, full=full)
    for block in export:
        if cancelled():
            break
        write(block)
        progress(export.exported)
    return export.exported
