"""What is asked about one piece: to be read by windows, to be copied, and its record as it is stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from unspool.text import size
from unspool.views.bounds import Bounds
from unspool_tui.clipboard import COPIED_BYTES
from unspool_tui.gateway.questions import Questions
from unspool_tui.messages.reading import PieceRead, RecordRead, WindowRead
from unspool_tui.messages.taking import TextTaken

if TYPE_CHECKING:
    from textual.message import Message
    from textual.widget import Widget

    from unspool.ids import EvidenceId
    from unspool.search.needle import Case
    from unspool.views.view import SessionView
    from unspool_tui.present.windows import Request
    from unspool_tui.worker import Cancelled

RECORD_BYTES: Final = 4_096
"""Beginning of a record that is shown raw: enough to see what broke it."""


class PieceQuestions(Questions):
    """Questions about one piece of an opened session. What takes a piece apart is imported with the first of them."""

    def read_piece(
        self, to: Widget, view: SessionView, row: int, generation: int, *, query: str = "", case: Case = "smart",
        line: int | None = None, last: bool = False,
    ) -> None:  # fmt: skip
        """Read a piece for the reader, at its first (or `last`) match of a query or at a line: `PieceRead`."""

        def work(_: Cancelled) -> Iterator[Message]:
            from unspool_tui.present.opening import open_piece

            with self._lock(view):
                piece = open_piece(view, row, line=line, query=query, case=case, last=last)
            yield PieceRead(generation, piece)

        self._ask(to, "piece", work, generation)

    def read_window(self, to: Widget, view: SessionView, request: Request, generation: int) -> None:
        """Read the window that the reader wants: `WindowRead`."""

        def work(_: Cancelled) -> Iterator[Message]:
            from unspool_tui.present.windows import answer

            with self._lock(view):
                window = answer(view, request)
            yield WindowRead(generation, window)

        self._ask(to, "window", work, generation)

    def take_reference(self, to: Widget, view: SessionView, wanted: EvidenceId, lines: tuple[int, int] | None) -> None:
        """Make a reference with its digest: `TextTaken`."""

        def work(_: Cancelled) -> Iterator[Message]:
            with self._lock(view):
                reference = str(view.reference(wanted, lines))
            yield TextTaken("reference", reference, len(reference), wanted)

        self._ask(to, "take", work)

    def take_text(self, to: Widget, view: SessionView, wanted: EvidenceId, *, exact: bool = False) -> None:
        """Read a text to be copied, of a shell call its command; `exact` when it is not to be cleaned: `TextTaken`."""

        def work(_: Cancelled) -> Iterator[Message]:
            from unspool_tui.present.shell_call import command_of

            with self._lock(view):
                row = view.row(wanted)
                command = command_of(view.tool(row), view.arguments(row))
                window = view.slice(wanted, max_bytes=COPIED_BYTES)
            text = window.text if window.at_end else ""
            if command is not None:
                yield TextTaken("exact" if exact else "command", command, size(command), wanted)
            else:
                yield TextTaken("exact" if exact else "text", text, window.total_bytes, wanted)

        self._ask(to, "take", work)

    def read_record(self, to: Widget, view: SessionView, line: int) -> None:
        """Read the beginning of a line as it is stored: `RecordRead`."""

        def work(_: Cancelled) -> Iterator[Message]:
            with self._lock(view):
                reading = view.read(f"E{line - 1}", raw=True, bounds=Bounds(max_items=1, max_bytes=RECORD_BYTES))
            yield RecordRead(line, "\n".join(piece.text for piece in reading.pieces))

        self._ask(to, "record", work)
