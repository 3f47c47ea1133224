"""What the records of a rollout say about each other, and about the session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from unspool.formats import fields
from unspool.formats.base import Mark
from unspool.formats.codex_calls import CALL_EVENTS, Calls
from unspool.formats.codex_context import folder_of, request
from unspool.formats.codex_origin import Origin
from unspool.formats.codex_twins import Channel, Heard, Record, Twins
from unspool.formats.codex_usage import UsageMeter
from unspool.formats.codex_waiting import STANDING_EVENTS, CodexStanding
from unspool.formats.facts import Facts
from unspool.formats.fingerprint import fingerprint
from unspool.formats.key import key_of
from unspool.formats.piece import Flag, Kind, Piece, TextPart

if TYPE_CHECKING:
    from unspool.formats.decoded import Decoded

_PROMPT_CHARACTERS: Final = 2_000
"""Kept of the first prompt: a title needs its first line."""

_TURN_ENDS = frozenset({"event_msg/task_complete", "event_msg/turn_complete", "event_msg/turn_aborted"})
_ANSWERS = (Channel.ASSISTANT, Channel.REASONING, Channel.SYSTEM)
_PROMPTS, _EVENT = (Channel.USER, Channel.SHELL), Record.EVENT
"""By names of their own: a member of an enumeration is looked up for each record as slowly as a function is called."""
_JOINED = (Channel.ASSISTANT, Channel.REASONING)
"""A prompt of several blocks is one piece; these are several pieces, or several texts of one."""
_BOUNDARIES = frozenset(
    {
        "compacted",
        "response_item/compaction",
        "response_item/compaction_summary",
        "response_item/context_compaction",
    }
)
_ALONE = _BOUNDARIES | {"event_msg/entered_review_mode", "event_msg/exited_review_mode"}
"""Boundaries are no twins of messages, whatever words they hold."""


class CodexFold:
    """State that walks the records of one rollout in order."""

    def __init__(self) -> None:
        self.facts = Facts()
        self._twins = Twins()
        self._origin = Origin()
        self._meter = UsageMeter()
        self._standing = CodexStanding()
        self._turns: list[int] = []
        self._abandoned: list[tuple[int, int]] = []
        """Ranges of rows, in order, apart from each other."""
        self._calls = Calls(self.facts.joined_calls)
        self._seen: set[int] = set()
        self._prompt_from: Record | None = None
        self._boundary: tuple[str, int] | None = None
        """Record type and row of the piece just taken, if that is where a compaction begins."""

    def add(self, record: Mapping[str, Any], decoded: Decoded, rows: range) -> list[Mark]:
        """Take the next record; return twins, what a fork inherited, what a rollback took back."""
        payload, name = fields.mapping(record.get("payload", record)), decoded.type
        if self._origin.copying or not rows.start or name == "session_meta":  # else no copy can begin any more
            self._origin.take(payload, decoded, self.facts, first_rows=rows.start == 0)
        if decoded.pieces or name in STANDING_EVENTS:
            self._standing.take(payload, decoded)
            self.facts.waiting = self._standing.waiting
        note = _NOTES.get(name)
        if note is not None:
            note(self, payload)
        elif name in CALL_EVENTS:
            self._calls.note(name, payload)
        marks: list[Mark] = []
        if decoded.pieces:
            marks = self._take_pieces(decoded, rows, in_users_name=payload.get("role") == "user")
        elif name == "event_msg/thread_rolled_back":
            marks = self._roll_back(payload, rows.start)
        if name in _TURN_ENDS:
            self._twins.forget(*Channel)
        return marks

    def unheard(self, decoded: Decoded) -> Decoded:
        """Return a record without those of its `echoes` that were said before it."""
        told = (
            piece for piece in decoded.pieces if piece.number not in decoded.echoes or not self._twins.is_answer(piece)
        )
        return decoded._replace(pieces=tuple(told))

    def _take_pieces(self, decoded: Decoded, rows: range, *, in_users_name: bool) -> list[Mark]:
        pieces = decoded.pieces
        marks = [Mark(row, Flag.INHERITED) for row in rows] if self._origin.copying else []
        if len(pieces) > 1 or len(pieces[0].parts) > 1:
            marks += self._take_several(decoded, rows, in_users_name=in_users_name)
        elif pieces[0].kind == Kind.TOOL or not self._is_replay(pieces[0]):
            marks += self._take_piece(decoded, pieces[0], rows.start, in_users_name=in_users_name)
        if self._boundary is not None or decoded.type in _BOUNDARIES:
            marks += [mark for row in rows for mark in self._take_boundary(decoded.type, row)]
        return marks

    def _take_several(self, decoded: Decoded, rows: range, *, in_users_name: bool) -> list[Mark]:
        """Take pieces, or one of several parts: what they say together may have been said before as one text."""
        kind, told = Record.of(decoded.type), zip(rows, decoded.pieces, strict=True)
        fresh = [(row, piece) for row, piece in told if piece.kind == Kind.TOOL or not self._is_replay(piece)]
        joined = [(channel, _of(channel, fresh)) for channel in _JOINED]
        heard = [channel for channel, pieces in joined if self._twins.hears(channel, kind, pieces)]
        marks: list[Mark] = []
        for row, piece in fresh:
            if heard and Channel.of(piece) in heard and _has_text(piece):
                self._answered()
                marks.append(Mark(row, Flag.TWIN))
            else:
                marks += self._take_piece(decoded, piece, row, in_users_name=in_users_name)
        for channel, pieces in joined:
            if channel not in heard:
                self._twins.remember(channel, kind, pieces)
        return marks

    def _take_boundary(self, name: str, row: int) -> list[Mark]:
        """Tell a compaction once that an item and its own record say; the record alone has the summary."""
        before, self._boundary = self._boundary, (name, row) if name in _BOUNDARIES else None
        if before is not None and self._boundary is not None and before[0] != name:
            return [Mark(before[1] if name == "compacted" else row, Flag.TWIN)]
        return []

    def _take_piece(self, decoded: Decoded, piece: Piece, row: int, *, in_users_name: bool) -> list[Mark]:
        if piece.kind == Kind.TOOL:
            return self._take_tool(decoded, piece, row)
        kind = Record.of(decoded.type)
        heard = self._heard(kind, decoded, piece, row if in_users_name else None)
        first = row if heard is None or heard.overrules is None else heard.overrules
        self._begin_turn(kind, decoded, piece, first, twin=heard is not None and first == row)
        return [] if heard is None else [Mark(first, Flag.TWIN)]

    def _take_tool(self, decoded: Decoded, piece: Piece, row: int) -> list[Mark]:
        marks = self._calls.take(piece, row)
        if Channel.of(piece) is None:
            self._answered()
        elif self._twins.take(Channel.SHELL, Record.of(decoded.type), piece) is not None:
            marks.append(Mark(row, Flag.TWIN))
        return marks

    def _heard(self, kind: Record, decoded: Decoded, piece: Piece, users_row: int | None) -> Heard | None:
        """Say whether a message was said before; `users_row` is the row of one in the user's name."""
        channel = None if decoded.type in _ALONE else Channel.of(piece)
        if channel is None:
            return None
        if channel is Channel.SYSTEM and users_row is not None:
            return self._twins.take_context(piece, users_row)
        return self._twins.take(channel, kind, piece)

    def _is_replay(self, piece: Piece) -> bool:
        """Say whether the very message stood here before: written again, it is no twin and begins no turn."""
        if piece.native_id is None:
            return False
        return self._is_known(key_of(piece.native_id, piece.number, fingerprint(piece)))

    def _is_known(self, key: int) -> bool:
        known = key in self._seen
        self._seen.add(key)
        return known

    def _begin_turn(self, kind: Record, decoded: Decoded, piece: Piece, row: int, *, twin: bool) -> None:
        """Note where turns begin: at a prompt, or at what another agent said."""
        if piece.kind == Kind.ASSISTANT:
            self._answered()
        elif piece.kind == Kind.USER:
            self._note_prompt(kind, piece)
        elif self.facts.cwd is None:
            told = (folder_of(part.value) for part in piece.parts if isinstance(part, TextPart))
            self.facts.cwd = next((folder for folder in told if folder), None)
        if not twin and (piece.kind == Kind.USER or decoded.type == "response_item/agent_message"):
            self._turns.append(row)
            self._twins.forget(*_ANSWERS)

    def _answered(self) -> None:
        """Close the prompt: once the model speaks, the other record of the prompt has been written."""
        self._twins.forget(*_PROMPTS)
        if self._prompt_from is not None:
            self._prompt_from = _EVENT

    def _note_prompt(self, kind: Record, piece: Piece) -> None:
        """Take the first prompt; an event right behind an item knows better which one the person typed."""
        better = self._prompt_from == Record.ITEM and kind != Record.ITEM
        if self.facts.first_prompt is not None and not better:
            return
        said = "\n".join(part.value for part in piece.parts if isinstance(part, TextPart))
        text = request(said, typed=kind is not Record.ITEM)
        if text:
            self.facts.first_prompt = text[:_PROMPT_CHARACTERS]
            self._prompt_from = kind

    def _roll_back(self, payload: Mapping[str, Any], end: int) -> list[Mark]:
        """Abandon the last turns, from their prompts on; rows that were abandoned before are not marked again."""
        self._twins.forget(*Channel)
        turns = fields.as_int(payload.get("num_turns")) or 0
        if turns <= 0 or not self._turns:
            return []
        start = self._turns[-min(turns, len(self._turns))]
        del self._turns[-min(turns, len(self._turns)) :]
        stop, marks = end, list[Mark]()
        while self._abandoned and self._abandoned[-1][0] >= start:
            first, behind = self._abandoned.pop()
            marks += [Mark(row, Flag.ABANDONED) for row in range(behind, stop)]
            stop = first
        self._abandoned.append((start, end))
        return marks + [Mark(row, Flag.ABANDONED) for row in range(start, stop)]

    def _note_start(self, payload: Mapping[str, Any]) -> None:
        self._twins.forget(*_ANSWERS)
        self.facts.context_window = fields.as_int(payload.get("model_context_window")) or self.facts.context_window

    def _note_tokens(self, payload: Mapping[str, Any]) -> None:
        info = fields.mapping(payload.get("info"))
        self._meter.take(info, inherited=self._origin.copying, forked=self.facts.forked_from is not None)
        last = fields.mapping(info.get("last_token_usage"))
        self.facts.usage = self._meter.usage() or self.facts.usage
        self.facts.context_tokens = fields.as_int(last.get("total_tokens")) or self.facts.context_tokens
        self.facts.context_window = fields.as_int(info.get("model_context_window")) or self.facts.context_window

    def _note_turn_context(self, payload: Mapping[str, Any]) -> None:
        self.facts.cwd = self.facts.cwd or fields.text(payload.get("cwd"))
        model = fields.text(payload.get("model"))
        if model:
            self.facts.models[model] = self.facts.models.get(model, 0) + 1

    def _note_name(self, payload: Mapping[str, Any]) -> None:
        """Take a rename; one that a fork copied belongs to the other session."""
        if not self._origin.copying:
            name = fields.text(payload.get("thread_name"))
            self.facts.title = (name or "").strip() or None

    def _note_goal(self, payload: Mapping[str, Any]) -> None:
        """Take the goal of a session that was started with one instead of a prompt."""
        objective = fields.text(fields.mapping(payload.get("goal")).get("objective"))
        if objective and self.facts.first_prompt is None:
            self.facts.first_prompt = objective.strip()[:_PROMPT_CHARACTERS] or None


_NOTES: Final[Mapping[str, Callable[[CodexFold, Mapping[str, Any]], None]]] = {
    "event_msg/task_started": CodexFold._note_start,
    "event_msg/thread_goal_updated": CodexFold._note_goal,
    "event_msg/thread_name_updated": CodexFold._note_name,
    "event_msg/token_count": CodexFold._note_tokens,
    "event_msg/turn_started": CodexFold._note_start,
    "turn_context": CodexFold._note_turn_context,
}
"""Who takes what a record without a message says, by its type."""


def _of(channel: Channel, told: list[tuple[int, Piece]]) -> list[Piece]:
    return [piece for _, piece in told if Channel.of(piece) is channel]


def _has_text(piece: Piece) -> bool:
    return any(isinstance(part, TextPart) for part in piece.parts)
