"""For what Claude Code waits.

    AskUserQuestion without a result                                            question
    ExitPlanMode without a result; control_request can_use_tool                 permission
    a text that ends its message's turn; turn_duration; result; an API error    turn
    a session_state_changed of idle, requires_action                            turn, permission

A result of the call, an answer to the request, the model's next message or a person's next word settles it. What is
said in side conversations, as subagents hold them, concerns nobody. A person who interrupts knows that the agent waits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from unspool.formats.fields import identity, mapping, text
from unspool.formats.piece import Flag, Kind, Piece, ToolPart
from unspool.formats.waiting import Standing, Waiting

if TYPE_CHECKING:
    from unspool.formats.decoded import Decoded

_ASKING: Final[Mapping[str | None, Waiting]] = {"AskUserQuestion": "question", "ExitPlanMode": "permission"}
"""Tools whose result is what a person says."""

_INPUT: Final = ToolPart.INPUT
_OUTPUT: Final = ToolPart.OUTPUT

_LAST: Final = frozenset({"end_turn", "refusal", "stop_sequence"})
"""Reasons to stop with which the model gives the word back."""

_SETTLING: Final = frozenset({"control_cancel_request", "control_response"})


class ClaudeStanding(Standing):
    """Where a session of Claude Code stands."""

    def __init__(self) -> None:
        super().__init__()
        self._message: str | None = None
        """The API message that was taken last: it is written as several records, and may ask and call at once."""

    def take(self, record: Mapping[str, Any], decoded: Decoded, *, aside: bool) -> Waiting | None:
        """Take the next record, return what is waited for; `aside` says whether it is of a side conversation."""
        kind = record.get("type")
        if kind == "assistant":
            if not aside:
                self._take_message(record, decoded)
        elif kind == "user":
            if not aside:
                self._take_user(decoded)
        elif kind == "system":
            self._take_system(record, aside)
        elif kind == "result":
            self.rests()
        elif kind == "control_request":
            self._take_request(record)
        elif isinstance(kind, str) and kind in _SETTLING:
            self.answered(identity(record.get("request_id") or mapping(record.get("response")).get("request_id")))
        elif decoded.pieces and any(piece.kind == Kind.USER for piece in decoded.pieces):
            self.answered(None)  # a prompt that waits to be delivered
        return self.waiting if self._asked or self._rested else None

    def _take_message(self, record: Mapping[str, Any], decoded: Decoded) -> None:
        message = mapping(record.get("message"))
        named = message.get("id")
        self.speaks(named if type(named) is str else identity(named))
        calls = False
        for piece in decoded.pieces:
            if piece.tool_part is _INPUT:
                calls = True
                self.calls(piece.tool, piece.call_id)
        if not calls and self.waiting is None and self._ends(record, message, decoded):
            self.rests()

    def speaks(self, named: str | None) -> None:
        """Take a line of an API message: the first one of another message settles what was asked before."""
        if named is None or named != self._message:
            self.works()
        self._message = named

    def calls(self, tool: str | None, called: str | None) -> None:
        """Take a call, which may ask something."""
        asked = _ASKING.get(tool)
        if asked is not None and called is not None:
            self.asks(called, asked)

    def ends(self, reason: Any) -> None:
        """Take words of the model, beside the reason to stop with which they came."""
        if type(reason) is str and reason in _LAST and self.waiting is None:
            self.rests()

    def _ends(self, record: Mapping[str, Any], message: Mapping[str, Any], decoded: Decoded) -> bool:
        if text(message.get("stop_reason")) in _LAST and any(map(_is_answer, decoded.pieces)):
            return True
        return record.get("isApiErrorMessage") is True

    def _take_user(self, decoded: Decoded) -> None:
        for piece in decoded.pieces:
            if piece.tool_part is _OUTPUT:
                self.answered(piece.call_id)
            else:
                self.works()

    def _take_system(self, record: Mapping[str, Any], aside: bool) -> None:
        subtype = record.get("subtype")
        if subtype == "turn_duration" and not aside:
            self.rests()
        elif subtype == "session_state_changed":
            state = record.get("state")
            if state == "idle":
                self.rests()
            elif state == "requires_action":
                self.asks("", "permission")
            else:
                self.works()

    def _take_request(self, record: Mapping[str, Any]) -> None:
        named = identity(record.get("request_id"))
        if named is not None and mapping(record.get("request")).get("subtype") == "can_use_tool":
            self.asks(named, "permission")


def _is_answer(piece: Piece) -> bool:
    return piece.kind == Kind.ASSISTANT and not piece.flags & Flag.REASONING
