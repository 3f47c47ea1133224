"""Claude Code's commonest records beside messages, in one step: bookkeeping, and attachments that are one text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from unspool.formats.base import Mark
from unspool.formats.claude_fold import ClaudeFold, title_of
from unspool.formats.claude_notice import SILENT as SILENT_ATTACHMENTS
from unspool.formats.claude_notice import WORDS
from unspool.formats.claude_plain import SILENT
from unspool.formats.fields import milliseconds
from unspool.formats.key import text_key
from unspool.formats.piece import Kind, TextPart, piece_of
from unspool.formats.row import Other, Step, row_of, written_as

UNUSUAL: Final = frozenset({
    "forkedFrom", "isApiErrorMessage", "isCompactSummary", "parent_tool_use_id", "retractedMessageUuids", "session_id",
    "tool_use_result",
})  # fmt: skip
"""Fields that few records have, and that say something else of them."""

_PASSING: Final = SILENT - {
    "agent-name", "ai-title", "control_cancel_request", "control_request", "control_response", "progress", "summary",
}  # fmt: skip
"""Types of bookkeeping that tell a session nothing, but for a title."""
_ONE_TEXT: Final = frozenset(name for name, places in WORDS.items() if places == (("content",),))
"""Attachments whose words stand in one place."""
_TYPE_CHARACTERS: Final = 64

_SYSTEM: Final = Kind.SYSTEM
_CONTENT: Final = ("attachment", "content")

Record = Mapping[str, Any]


class BookkeepingSteps(ClaudeFold):
    """The part of a fold in steps that takes what nobody says in a conversation."""

    def _take_other(self, record: Record, kind: Any, row: int) -> Step | None:
        """Take the next record if it is no message; `None` leaves it to `decode` and `add`."""
        native, parent = record.get("uuid"), record.get("parentUuid")
        if (
            type(kind) is not str
            or (native is not None and (type(native) is not str or not native))
            or (parent is not None and (type(parent) is not str or not parent))
            or record.get("message") is not None
            or not record.keys().isdisjoint(UNUSUAL)
        ):
            return None
        if kind == "attachment":
            return self._attachment(record, native, parent, row)
        if kind == "queue-operation":
            operation = record.get("operation")
            if type(operation) is not str or operation == "enqueue":
                return None
            self._queue.operate(record, range(0))
        elif kind not in _PASSING:
            return None
        elif kind == "custom-title":
            self.facts.title = title_of(record.get("customTitle"))
        return Other(kind, milliseconds(record.get("timestamp")), self._hang(record, native, parent, range(row, row)))

    def _attachment(self, record: Record, native: str | None, parent: str | None, row: int) -> Step | None:
        attachment = record.get("attachment")
        name = attachment.get("type") if type(attachment) is dict else None
        if type(attachment) is not dict or type(name) is not str:
            return None
        time = milliseconds(record.get("timestamp"))
        if name in SILENT_ATTACHMENTS:
            marks = self._hang(record, native, parent, range(row, row))
            return Other(f"attachment/{name[:_TYPE_CHARACTERS]}", time, marks)
        text = attachment.get("content")
        if name not in _ONE_TEXT or type(text) is not str or not text or not self._prompted:
            return None
        written = written_as(text)
        if written is None:
            return None
        delivered: list[Mark] = []
        if self._queue.waits and record.get("isSidechain") is not True:
            part = TextPart(_CONTENT, text)
            delivered = self._queue.delivered(piece_of((0, _SYSTEM, (part,), None, None, None, 0, native, "\n", None)))
        marks, said = delivered + self._hang(record, native, parent, range(row, row + 1)), text_key(text)
        return row_of((_SYSTEM, None, None, None, 0, time, native, text, written, False, said, marks))

    def _hang(self, record: Record, native: str | None, parent: str | None, rows: range) -> list[Mark]:
        """Give a record its place in the session and in the tree."""
        self._note_place(record)
        if native is None:
            return self._branches.add(None, parent, rows, message=False) if rows else []
        if self._summaries and native in self._summaries:
            self._titled(summary=self._summaries.pop(native))
        self._copies.note(native, rows)
        return self._branches.add(native, parent, rows, message=False)
