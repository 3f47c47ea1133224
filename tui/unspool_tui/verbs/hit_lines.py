"""How hits are printed: a line each that can be pasted back, or an object."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from unspool.views.searching import SNIPPET_CHARACTERS
from unspool_tui.flag_words import flag_words
from unspool_tui.output import human_time
from unspool_tui.present import numbers

if TYPE_CHECKING:
    from unspool.ids import EvidenceId, SessionRef
    from unspool.library import SessionSummary
    from unspool.library.searching import SessionHits
    from unspool.views.hits import Hit, RawHit
    from unspool_tui.command import Command


class HitLines:
    """Prints what was found, session by session; what was printed early is not printed again.

    `shown` counts the hits that were printed.
    """

    def __init__(self, command: Command) -> None:
        self._command = command
        self._output = command.output
        self.shown = 0
        self._early: set[tuple[SessionRef, EvidenceId]] = set()

    def print_early(self, found: SessionHits) -> None:
        """Print what the newest lines of a session hold, and what is done meanwhile."""
        searched, summary = found.result.searched, found.summary
        newest = f"the newest {numbers.size(summary.bytes - searched.begin)} of {numbers.size(summary.bytes)}"
        if found.result.total > len(found.result.hits):
            newest = f"{len(found.result.hits)} of {found.result.total} hits in {newest}"
        elif not found.result.hits:
            newest = f"nothing in {newest}"
        self._output.row(f"── {newest}; the rest is being read")
        for hit in found.result.hits:
            self._print(summary, hit)
            self._early.add((summary.ref, hit.evidence.id))
        self._output.flush()

    def print(self, found: SessionHits) -> None:
        """Print what a session holds."""
        self._print_title(found)
        left = [hit for hit in found.result.hits if (found.summary.ref, hit.evidence.id) not in self._early]
        if left and self._early:
            self._output.row("── the rest")
        for hit in left:
            self._print(found.summary, hit)
        for raw in found.result.raw:
            self._print_raw(found.summary.ref, raw)
        self._output.flush()

    def _print_title(self, found: SessionHits) -> None:
        """Head the hits of a session for whoever reads them at a terminal; in a pipe every line is a hit."""
        summary, result = found.summary, found.result
        if self._output.terminal and summary.title and (result.hits or result.raw):
            self._output.row(f"── {human_time(summary.last_activity)}  {summary.title}")

    def _print(self, summary: SessionSummary, hit: Hit) -> None:
        self.shown += 1
        if self._output.json:
            parent = str(summary.parent) if summary.parent else None
            self._output.object({"ref": str(summary.ref), "parent": parent, **hit.to_json()})
            return
        short = self._command.library.short
        flags = flag_words(hit.evidence.flags, partial(self._command.lives, summary.ref))
        child = f" (subagent of {short(summary.parent)})" if summary.parent else ""
        self._output.row(
            f"{short(summary.ref)}/{hit.shown.place}: {_snippet(hit.shown)}" + (f"  {flags}" if flags else "") + child
        )

    def _print_raw(self, ref: SessionRef, hit: RawHit) -> None:
        if self._output.json:
            self._output.object({"ref": str(ref), **hit.to_json()})
        else:
            short = self._command.library.short(ref)
            self._output.row(f"{short}/E{hit.line - 1}: [{hit.reason}] {' '.join(hit.snippet.split())}")


def _snippet(hit: Hit) -> str:
    """Return the match and what stands around it on one line; `…` says that the line goes on."""
    before = "…" if hit.spans and hit.column is not None and hit.column - 1 > hit.spans[0][0] else ""
    behind = "…" if len(hit.snippet) >= SNIPPET_CHARACTERS else ""
    return f"{before}{' '.join(hit.snippet.split())}{behind}"
