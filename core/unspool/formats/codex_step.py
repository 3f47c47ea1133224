"""Codex's commonest records in one step: calls, outputs, words of the model of one text, and numbers of tokens.

What a record means and what it says about others is found together, each value looked at once. At the first doubt
nothing has changed yet, and the record is left to `codex_plain` and `codex_fold`, which say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from unspool.formats.base import Mark
from unspool.formats.codex_fold import CodexFold
from unspool.formats.codex_messages import TEXT_BLOCKS
from unspool.formats.codex_output import output_flags
from unspool.formats.codex_tools import WEB_SEARCH
from unspool.formats.codex_twins import Channel, Record
from unspool.formats.codex_waiting import ASKING_TOOL
from unspool.formats.fields import milliseconds
from unspool.formats.key import key_of, text_key
from unspool.formats.piece import Flag, Kind, ToolPart
from unspool.formats.row import Other, Step, is_flat, row_of, written_as
from unspool.outputs.marker import BLOB_OPENING, OPENING
from unspool.sources import codec

_ELSEWHERE: Final = (OPENING, BLOB_OPENING)
"""How a text begins that stands in the place of a longer one."""

_REASONING: Final = int(Flag.REASONING)
_ASSISTANT, _TOOL, _INPUT, _OUTPUT = Kind.ASSISTANT, Kind.TOOL, ToolPart.INPUT, ToolPart.OUTPUT
_ANSWER, _THOUGHT, _ITEM, _EVENT = Channel.ASSISTANT, Channel.REASONING, Record.ITEM, Record.EVENT
_ASSISTANT_NUMBER: Final = int(Kind.ASSISTANT)

Item = dict[str, Any]


class CodexSteps(CodexFold):
    """The fold of Codex's records that takes common ones in one step."""

    def step(self, record: Mapping[str, Any], row: int) -> Step | None:
        """Take the next record, whose piece, if it has one, gets a row; `None` leaves it to `decode` and `add`."""
        item, kind = record.get("payload"), record.get("type")
        if type(item) is not dict or "item" in item or not row or self._origin.copying or self._boundary is not None:
            return None
        if kind == "turn_context":
            return self._context(record, item)
        name, native = item.get("type"), item.get("id")
        if type(name) is not str or (native is not None and type(native) is not str):
            return None
        taken = (_ITEMS if kind == "response_item" else _EVENTS if kind == "event_msg" else _NONE).get(name)
        return None if taken is None else taken(self, record, item, native, row)

    def _context(self, record: Mapping[str, Any], item: Item) -> Step | None:
        native = item.get("id")
        if native is not None and type(native) is not str:
            return None
        self._note_turn_context(item)
        return Other("turn_context", milliseconds(record.get("timestamp")))

    def _tokens(self, record: Mapping[str, Any], item: Item, native: str | None, row: int) -> Step | None:
        self._note_tokens(item)
        return Other("event_msg/token_count", milliseconds(record.get("timestamp")))

    def _function_call(self, record: Mapping[str, Any], item: Item, native: str | None, row: int) -> Step | None:
        """Take a call whose arguments are a document that can be written as it was read."""
        document = item.get("arguments")
        try:
            arguments = codec.loads(document.encode()) if type(document) is str else None
        except ValueError:
            return None
        written = written_as(arguments) if is_flat(arguments) else None
        return None if written is None else self._call(record, item, native, None, written)

    def _custom_call(self, record: Mapping[str, Any], item: Item, native: str | None, row: int) -> Step | None:
        """Take a call whose input is a text."""
        told = item.get("input")
        written = written_as(told) if type(told) is str and told else None
        return None if written is None else self._call(record, item, native, told, written)

    def _call(
        self, record: Mapping[str, Any], item: Item, native: str | None, text: str | None, written: bytes
    ) -> Step | None:
        name, called = item.get("name"), item.get("call_id")
        if type(name) is not str or type(called) is not str or not called or "namespace" in item:
            return None
        if name in (WEB_SEARCH, ASKING_TOOL) or name.endswith("spawn_agent"):
            return None
        self.facts.waiting = self._standing.waiting
        self._answered()
        said, time = text_key(written if text is None else text), milliseconds(record.get("timestamp"))
        return row_of((_TOOL, _INPUT, name, called, 0, time, native, text, written, text is None, said, ()))

    def _output(self, record: Mapping[str, Any], item: Item, native: str | None, row: int) -> Step | None:
        """Take an output that is one text."""
        text, called = item.get("output"), item.get("call_id")
        if type(text) is not str or not text or type(called) is not str or not called or "name" in item:
            return None
        written = None if text.startswith(_ELSEWHERE) else written_as(text)
        if written is None or self._calls.awaits(called):
            return None
        self._standing.answered(called)
        self.facts.waiting = self._standing.waiting
        self._answered()
        said, flags, time = text_key(text), int(output_flags(text)), milliseconds(record.get("timestamp"))
        return row_of((_TOOL, _OUTPUT, None, called, flags, time, native, text, written, False, said, ()))

    def _message(self, record: Mapping[str, Any], item: Item, native: str | None, row: int) -> Step | None:
        """Take an answer of one text."""
        text = _only_text(item.get("content")) if item.get("role") == "assistant" else None
        return self._words(record, text, _ANSWER, _ITEM, native, row) if text else None

    def _reasoning(self, record: Mapping[str, Any], item: Item, native: str | None, row: int) -> Step | None:
        """Take reasoning of one text, or of none that can be read."""
        summary, content = item.get("summary"), item.get("content")
        if type(summary) is not list or (content is not None and content != []):
            return None
        if not summary:
            return Other(None, milliseconds(record.get("timestamp")))
        text = _only_text(summary)
        return self._words(record, text, _THOUGHT, _ITEM, native, row) if text else None

    def _agent_message(self, record: Mapping[str, Any], event: Item, native: str | None, row: int) -> Step | None:
        text = event.get("message")
        if type(text) is not str or not text:
            return None
        return self._words(record, text, _ANSWER, _EVENT, None, row)

    def _agent_reasoning(self, record: Mapping[str, Any], event: Item, native: str | None, row: int) -> Step | None:
        text = event.get("text")
        if type(text) is not str or not text:
            return None
        return self._words(record, text, _THOUGHT, _EVENT, None, row)

    def _words(
        self, record: Mapping[str, Any], text: str, channel: Channel, kind: Record, native: str | None, row: int
    ) -> Step | None:
        """Take words of the model; what was said before, by the other kind of record, is a twin."""
        written = written_as(text)
        if written is None:
            return None
        if kind is _ITEM:
            self._standing.works()
        self.facts.waiting = self._standing.waiting
        said, marks = text_key(text), list[Mark]()
        if native is None or not self._is_known(key_of(native, 0, hash((_ASSISTANT_NUMBER, said)))):
            if self._twins.take_text(channel, kind, text) is not None:
                marks = [Mark(row, Flag.TWIN)]
            self._answered()
        time, flags = milliseconds(record.get("timestamp")), _REASONING if channel is _THOUGHT else 0
        return row_of((_ASSISTANT, None, None, None, flags, time, native, text, written, False, said, marks))


def _only_text(blocks: Any) -> str | None:
    """Return the text of the only block; `None` where there are more, or where it is none of text."""
    if type(blocks) is not list or len(blocks) != 1 or type(blocks[0]) is not dict:
        return None
    kind, text = blocks[0].get("type"), blocks[0].get("text")
    return text if type(kind) is str and kind in TEXT_BLOCKS and type(text) is str else None


_Taken = Callable[[CodexSteps, Mapping[str, Any], Item, str | None, int], Step | None]

_NONE: Final[Mapping[str, _Taken]] = {}
_ITEMS: Final[Mapping[str, _Taken]] = {
    "custom_tool_call": CodexSteps._custom_call,
    "custom_tool_call_output": CodexSteps._output,
    "function_call": CodexSteps._function_call,
    "function_call_output": CodexSteps._output,
    "message": CodexSteps._message,
    "reasoning": CodexSteps._reasoning,
}
_EVENTS: Final[Mapping[str, _Taken]] = {
    "agent_message": CodexSteps._agent_message,
    "agent_reasoning": CodexSteps._agent_reasoning,
    "token_count": CodexSteps._tokens,
}
