"""Claude Code's commonest records in one step: a message of one block that is a call, a result, or words of the model.

What a record means and what it says about others is found together, each value looked at once. At the first doubt
nothing has changed yet, and the record is left to `claude_plain` and `claude_fold`, which say the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from unspool.formats.base import Mark
from unspool.formats.claude_bookkeeping import UNUSUAL, BookkeepingSteps
from unspool.formats.claude_message import SYNTHETIC_MODEL, TOOL_ERROR, holds_cut
from unspool.formats.fields import milliseconds
from unspool.formats.key import key_of, text_key
from unspool.formats.piece import Flag, Kind, ToolPart
from unspool.formats.row import Other, Step, is_flat, row_of, written_as
from unspool.outputs.marker import BLOB_OPENING, OPENING

_ELSEWHERE: Final = (OPENING, BLOB_OPENING)
"""How a text begins that stands in the place of a longer one."""

_ERROR, _REASONING, _SHORTENED = int(Flag.ERROR), int(Flag.REASONING), int(Flag.SHORTENED)
_ASSISTANT, _TOOL, _INPUT, _OUTPUT = Kind.ASSISTANT, Kind.TOOL, ToolPart.INPUT, ToolPart.OUTPUT
_ASSISTANT_NUMBER, _INPUT_NUMBER = int(Kind.ASSISTANT), int(ToolPart.INPUT)
_NO_TOOL: Final = text_key("")

Record = Mapping[str, Any]


class ClaudeSteps(BookkeepingSteps):
    """The fold of Claude Code's records that takes common ones in one step."""

    def step(self, record: Record, row: int) -> Step | None:
        """Take the next record, whose piece, if it has one, gets a row; `None` leaves it to `decode` and `add`."""
        kind, message = record.get("type"), record.get("message")
        if kind != "assistant" and kind != "user":
            return self._take_other(record, kind, row)
        if type(message) is not dict:
            return None
        native, parent, session = record.get("uuid"), record.get("parentUuid"), record.get("sessionId")
        if (
            type(native) is not str
            or not native
            or (parent is not None and (type(parent) is not str or not parent))
            or type(session) is not str
            or session not in self._sessions
            or not (self._main or record.get("isSidechain") is True)
            or not record.keys().isdisjoint(UNUSUAL)
        ):
            return None
        content = message.get("content")
        if type(content) is not list or len(content) != 1 or type(content[0]) is not dict:
            return None
        block, name = content[0], content[0].get("type")
        if kind == "user":
            return self._answer(record, block, row) if name == "tool_result" else None
        named = message.get("id")
        if type(named) is not str or not named or message.get("model") == SYNTHETIC_MODEL:
            return None
        if name == "tool_use":
            return self._call(record, message, block, row)
        return self._words(record, message, block, row) if name == "text" or name == "thinking" else None

    def _answer(self, record: Record, block: dict[str, Any], row: int) -> Step | None:
        """Take a tool result that is one text."""
        text, called, twin = block.get("content"), block.get("tool_use_id"), record.get("toolUseResult")
        if type(text) is list and len(text) == 1 and type(text[0]) is dict and text[0].get("type") == "text":
            text = text[0].get("text")
        if type(text) is not str or not text or type(called) is not str or not called or text.startswith(_ELSEWHERE):
            return None
        written = written_as(text)
        if written is None or (type(twin) is dict and "agentId" in twin):
            return None
        flags = _ERROR if block.get("is_error") is True or text.startswith(TOOL_ERROR) else 0
        if type(twin) is dict:
            flags |= _ERROR if twin.get("is_error") is True else 0
            if twin.get("truncated") is True or ("stdout" in twin and holds_cut(text)):
                flags |= _SHORTENED
        if record.get("isSidechain") is not True:
            self._standing.answered(called)
        marks, said = self._take(record, range(row, row + 1)), text_key(text)
        time, native = milliseconds(record.get("timestamp")), record.get("uuid")
        return row_of((_TOOL, _OUTPUT, None, called, flags, time, native, text, written, False, said, marks))

    def _call(self, record: Record, message: dict[str, Any], block: dict[str, Any], row: int) -> Step | None:
        """Take a call whose arguments can be written as they were read."""
        called, tool, arguments = block.get("id"), block.get("name"), block.get("input")
        if type(called) is not str or not called or type(tool) is not str or not is_flat(arguments):
            return None
        written = written_as(arguments)
        if written is None:
            return None
        said = text_key(written)
        if record.get("isSidechain") is not True:
            self._standing.speaks(message["id"])
            self._standing.calls(tool, called)
        fingerprint = hash((_INPUT_NUMBER, text_key(tool), text_key(called), said))
        marks = self._spoken(record, message, row, hash((fingerprint, 0)), is_call=True)
        time, native = milliseconds(record.get("timestamp")), record.get("uuid")
        return row_of((_TOOL, _INPUT, tool, called, 0, time, native, None, written, False, said, marks))

    def _words(self, record: Record, message: dict[str, Any], block: dict[str, Any], row: int) -> Step | None:
        """Take words of the model, said or thought."""
        thought = block["type"] == "thinking"
        text = block.get("thinking" if thought else "text")
        if thought and text == "":
            return self._unsaid(record, message, block, row)
        written = written_as(text) if type(text) is str and text else None
        if type(text) is not str or written is None:
            return None
        said, flags = text_key(text), _REASONING if thought else 0
        if record.get("isSidechain") is not True:
            self._standing.speaks(message["id"])
            self._standing.ends(None if thought else message.get("stop_reason"))
        fingerprint = hash((_ASSISTANT_NUMBER, said))
        marks = self._spoken(record, message, row, hash((fingerprint, flags)), is_call=False)
        time, native = milliseconds(record.get("timestamp")), record.get("uuid")
        return row_of((_ASSISTANT, None, None, None, flags, time, native, text, written, False, said, marks))

    def _unsaid(self, record: Record, message: dict[str, Any], block: dict[str, Any], row: int) -> Step | None:
        """Take a thought that the model kept to itself: only its signature tells it from others."""
        signature = block.get("signature")
        if signature is not None and (type(signature) is not str or not signature):
            return None
        if record.get("isSidechain") is not True:
            self._standing.speaks(message["id"])
        self._note_message(record, message, self._main and record.get("isSidechain") is True)
        uuid, parent = record["uuid"], record.get("parentUuid")
        self._copies.repeated(message["id"], key_of("thinking", signature), parent, uuid, is_call=False)
        marks = self._take(record, range(row, row))
        return Other(None, milliseconds(record.get("timestamp")), marks)

    def _spoken(self, record: Record, message: dict[str, Any], row: int, key: int, *, is_call: bool) -> list[Mark]:
        """Take what a line of an API message says beside its block, of which `key` is what it says."""
        self._note_message(record, message, self._main and record.get("isSidechain") is True)
        uuid, parent = record["uuid"], record.get("parentUuid")
        again = self._copies.repeated(message["id"], key, parent, uuid, is_call=is_call)
        marks = self._take(record, range(row, row + 1))
        if not again:
            return marks
        replayed = [Mark(row, Flag.REPLAYED)]
        return replayed + ([Mark(row, Flag.UNANSWERED, on=False)] if is_call else []) + marks

    def _take(self, record: Record, rows: range) -> list[Mark]:
        """Take what any record says: where it stands in the session and in the tree."""
        facts, version, uuid = self.facts, record.get("version"), record["uuid"]
        if (
            type(version) is str
            and version in facts.versions
            and record.get("gitBranch") == facts.branch
            and facts.cwd is not None
        ):
            facts.versions[version] += 1
        else:
            self._note_place(record)
        facts.waiting, facts.sidechain = self._standing.waiting, not self._main
        if self._summaries and uuid in self._summaries:
            self._titled(summary=self._summaries.pop(uuid))
        self._copies.note(uuid, rows)
        return self._branches.follow(uuid, record.get("parentUuid"), rows)
