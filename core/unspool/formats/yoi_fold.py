"""What the records of a yoi session say about the session: where it comes from, its first prompt, its tokens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from unspool.formats import fields
from unspool.formats.facts import Facts, Usage
from unspool.formats.piece import Flag, Kind
from unspool.formats.waiting import Standing

if TYPE_CHECKING:
    from unspool.formats.base import Mark
    from unspool.formats.decoded import Decoded

_PROMPT_CHARACTERS: Final = 2_000
"""Kept of the first prompt: a title needs its first line."""


class YoiFold:
    """State that walks the records of one file in order."""

    def __init__(self) -> None:
        self.facts = Facts()
        self._standing = Standing()
        self._prompted = False
        """Whether the first prompt is one of this session, and not of the history that it began with."""

    def add(self, record: Mapping[str, Any], decoded: Decoded, rows: range) -> Iterable[Mark]:
        """Take the next record; no record of yoi's changes an earlier one."""
        if decoded.type.startswith(("segment_start", "session_start")):
            self._take_start(record)
        elif decoded.type == "llm_usage":
            self._take_usage(record)
        self._take_standing(record, decoded)
        for piece in decoded.pieces:
            if piece.kind == Kind.USER and not self._prompted:
                self._take_prompt(piece.text(), own=Flag.REPLAYED not in piece.flags)
        return ()

    def _take_standing(self, record: Mapping[str, Any], decoded: Decoded) -> None:
        """Note whether the agent works; it gives the word back at the end of a run that nobody interrupted.

        It never asks in between, and one that yielded goes on by itself.
        """
        ends = decoded.type in _RUN_ENDS
        ended = record.get("outcome", record.get("result"))
        failed = decoded.type == "run_errored" or (ends and isinstance(ended, dict))
        if failed or (ends and record.get("interrupted") is False and ended != "yielded"):
            self._standing.rests()
        elif ends or decoded.pieces or decoded.type in _WORKING:
            self._standing.works()
        self.facts.waiting = self._standing.waiting

    def _take_start(self, record: Mapping[str, Any]) -> None:
        self.facts.session_id = self.facts.session_id or fields.text(record.get("session_id"))
        for key in ("forked_from", "compacted_from"):
            origin = fields.text(fields.mapping(record.get(key)).get("session_id"))
            if origin and origin != self.facts.session_id:
                self.facts.forked_from = self.facts.forked_from or origin

    def _take_prompt(self, text: str, *, own: bool) -> None:
        """Take the first prompt; without one of its own a session has that of the history that it began with."""
        if text.strip() and (own or self.facts.first_prompt is None):
            self.facts.first_prompt = text.strip()[:_PROMPT_CHARACTERS]
            self._prompted = own

    def _take_usage(self, record: Mapping[str, Any]) -> None:
        """Add up what was asked of the model; what yoi calls input is the whole prompt, cache included."""
        given, read, written, output = (fields.count_of(record.get(key)) for key in _TOKENS)
        used = Usage(max(0, given - read - written), output, read, written)
        self.facts.usage = used if self.facts.usage is None else self.facts.usage + used
        self.facts.context_tokens = given + output


_RUN_ENDS: Final = frozenset({"run_completed", "run_outcome"})
_WORKING: Final = frozenset({"invoke", "paused_turn_abandoned"})
_TOKENS: Final = ("input_total_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens")
