"""What the events of a MiniCode session say about it: its names, its folder, its tokens, what was copied into it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from unspool.formats import fields
from unspool.formats.base import Mark
from unspool.formats.facts import Facts, Usage
from unspool.formats.key import key_of
from unspool.formats.piece import Flag, Kind
from unspool.formats.waiting import Standing
from unspool.pattern import pattern

if TYPE_CHECKING:
    from unspool.formats.decoded import Decoded

_PROMPT_CHARACTERS: Final = 2_000
"""Kept of the first prompt: a title needs its first line."""

_FORK: Final = pattern(r"_fork\d+\Z")
"""How the name ends that a fork gets."""

_FORK_TAKES: Final = 10_000
"""Milliseconds: a fork is written and named at once; who renames a session later has worked in it for longer."""


class MiniCodeFold:
    """State that walks the events of one session in order."""

    def __init__(self) -> None:
        self.facts = Facts()
        self._seen: set[int] = set()
        """Hashes of the ids of events so far: one that comes again tells nothing about the session again."""
        self._began: int | None = None
        self._named = False
        self._standing = Standing()

    def add(self, record: Mapping[str, Any], decoded: Decoded, rows: range) -> Iterable[Mark]:
        """Take the next event."""
        facts = self.facts
        facts.session_id = facts.session_id or fields.text(record.get("sessionId"))
        facts.cwd = facts.cwd or fields.text(record.get("cwd"))
        if self._began is None:
            self._began = decoded.time
        if decoded.type == "rename":
            return self._take_name(record, decoded, rows)
        key = key_of(decoded.native_id)
        if decoded.native_id is not None and key in self._seen:
            return _replayed(rows)
        self._seen.add(key)
        for piece in decoded.pieces:
            if piece.kind == Kind.USER and facts.first_prompt is None:
                facts.first_prompt = piece.text()[:_PROMPT_CHARACTERS].strip() or None
        self._take_usage(fields.mapping(record.get("message")))
        self._take_standing(decoded)
        return ()

    def _take_standing(self, decoded: Decoded) -> None:
        """Note whether the agent works: what it says while it does is progress, and an answer ends its turn."""
        if decoded.type == "assistant" and decoded.pieces:
            self._standing.rests()
        elif decoded.pieces:
            self._standing.works()
        self.facts.waiting = self._standing.waiting

    def _take_name(self, record: Mapping[str, Any], decoded: Decoded, rows: range) -> list[Mark]:
        """Take a name, the last one counts; the first one of a fork tells that all before it was copied.

        Forks that were made with this library name their source, and what that was forked from.
        """
        name = (fields.text(record.get("title")) or "")[:_PROMPT_CHARACTERS].strip()
        self.facts.title = name or self.facts.title
        first, self._named = not self._named, True
        source = next(map(fields.text, fields.items(record.get("forkedFrom"))), None)
        if source is not None:
            self.facts.forked_from = source
            return [Mark(row, Flag.INHERITED) for row in range(rows.start)]
        if not first or not _FORK.search(name) or self._began is None or decoded.time is None:
            return []
        at_once = 0 <= decoded.time - self._began <= _FORK_TAKES
        return [Mark(row, Flag.INHERITED) for row in range(rows.start)] if at_once else []

    def _take_usage(self, message: Mapping[str, Any]) -> None:
        """Add up what was asked of the model; each request is told once, with the first message that it gave."""
        told = fields.mapping(message.get("providerUsage"))
        given, output = (fields.count_of(told.get(key)) for key in ("inputTokens", "outputTokens"))
        if not given and not output:
            return
        used = Usage(given, output)
        self.facts.usage = used if self.facts.usage is None else self.facts.usage + used
        if message.get("usageStale") is not True:
            self.facts.context_tokens = given + output


def _replayed(rows: range) -> list[Mark]:
    """Mark an event that was written before: its id alone tells.

    By then a result may have been cleared, and a summary that the next compaction kept looks like a prompt.
    """
    return [mark for row in rows for mark in (Mark(row, Flag.REPLAYED), Mark(row, Flag.DUPLICATE, on=False))]
