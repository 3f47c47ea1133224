"""Pages: a piece in a private file, for a program of the person's own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool_tui import pager
from unspool_tui.messages.taking import PieceWritten
from unspool_tui.worker import Cancelled, ask

if TYPE_CHECKING:
    from textual.message import Message
    from textual.widget import Widget

    from unspool.ids import EvidenceId
    from unspool.views.view import SessionView

WINDOW_BYTES: Final = 1 << 20
"""What is held of a piece at once while it is written."""

PAGED_BYTES: Final = 256 << 20
"""What is written of a piece for a pager: more than one reads there, less than fills a disk by a slip of a key."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece as a reader shows it: all of it, what the model saw, or its record as it is stored."""

    piece: EvidenceId
    model_view: bool = False
    raw: bool = False


def page_out(to: Widget, view: SessionView, shown: Shown, line: int | None) -> None:
    """Write a piece into a private file for the person's pager, to begin at a line: `PieceWritten`."""

    def work(cancelled: Cancelled) -> Iterator[Message]:
        program = pager.program_of(os.environ)
        scratch = pager.Scratch(f"{shown.piece}.txt", os.environ)
        windows = _Windows(view.apart(), shown, cancelled)
        scratch.write(pager.cleaned(windows))
        yield PieceWritten(scratch, pager.command(program, scratch.path, line), windows.left)

    ask(to, "page", work, lasting=True)


class _Windows:
    """The text of a piece, window by window, up to `PAGED_BYTES`; then `left` says how many bytes are left out."""

    def __init__(self, view: SessionView, shown: Shown, cancelled: Cancelled) -> None:
        self.left = 0
        self._view = view
        self._shown = shown
        self._cancelled = cancelled

    def __iter__(self) -> Iterator[str]:
        shown, start = self._shown, 0
        while not self._cancelled():
            window = self._view.slice(
                shown.piece,
                bytes=(start, start + WINDOW_BYTES),
                model_view=shown.model_view,
                raw=shown.raw,
                max_bytes=WINDOW_BYTES,
            )
            yield window.text
            start = window.stop
            if window.at_end or start >= PAGED_BYTES:
                self.left = window.total_bytes - start
                return
