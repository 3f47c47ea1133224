"""What the records of one Claude Code session say about the session as a whole."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from unspool.formats.base import Mark
from unspool.formats.claude_branches import Branches
from unspool.formats.claude_copies import Copies
from unspool.formats.claude_message import SYNTHETIC_MODEL, is_answer, is_aside, is_message
from unspool.formats.claude_queue import Queue
from unspool.formats.claude_stream import used_in_all
from unspool.formats.claude_usage import counts_of
from unspool.formats.claude_voice import is_command, spoken_from, typed_command
from unspool.formats.claude_waiting import ClaudeStanding
from unspool.formats.facts import Facts, Usage
from unspool.formats.fields import as_amount, as_int, identity, mapping, text
from unspool.formats.key import text_key
from unspool.formats.piece import Flag, ImagePart, Kind, TextPart, ToolPart

if TYPE_CHECKING:
    from unspool.formats.decoded import Decoded

PROMPT_CHARACTERS: Final = 2_000
"""How much of the first prompt is kept: a title is cut far below this."""
_PENDING_SUMMARIES: Final = 1_000
"""Summaries kept until the message appears that they end with; files start with a few."""
_OUTPUT: Final = ToolPart.OUTPUT


class ClaudeFold:
    """Walks the records of a session and collects its facts; marks abandoned, inherited, replayed and twin rows.

    Usage counts once per API message, from the line that reports the largest output, the last of equals: one message
    is written as several lines which repeat its usage, the early ones with an output of a few tokens. Context is the
    fill after the newest message of the main conversation.
    """

    def __init__(self) -> None:
        self.facts = Facts()
        self._branches = Branches()
        self._copies = Copies()
        self._queue = Queue()
        self._standing = ClaudeStanding()
        self._counted: dict[int, int] = {}
        """Where the counts of an API message stand, by the hash of its id: messages are many, so they are integers."""
        self._counts = array("q")
        self._counted_last: tuple[str, list[int]] = "", []
        self._summaries: dict[str, str] = {}
        self._summary: str | None = None
        self._ai_title: str | None = None
        self._main = False
        """Whether a record of the main conversation was read; then sidechains inside the file say nothing about it."""
        self._streamed: set[int] = set()
        """Hashes of what was said in a stream since its last result, which repeats one of them."""
        self._prompted = False
        self._sessions: set[str] = set()
        self._session_row = 0

    def add(self, record: Mapping[str, Any], decoded: Decoded, rows: range) -> Iterable[Mark]:
        """Take the next record."""
        kind, aside = record.get("type"), is_aside(record)
        self._note_place(record)
        self.facts.waiting = self._standing.take(record, decoded, aside=aside)
        marks: list[Mark] = []
        if kind == "assistant" or kind == "user" or kind == "system":
            marks += self._note_session(record, rows)
            self._note_conversation(record, decoded, kind, aside)
        else:
            self._note_other(record, decoded, kind, aside)
        uuid = decoded.native_id
        if self._summaries and uuid is not None and uuid in self._summaries:
            self._titled(summary=self._summaries.pop(uuid))
        marks += self._copies.add(record, decoded, rows)
        if kind == "assistant" or (kind == "user" and is_answer(decoded.pieces)):
            marks += self._branches.add(uuid, decoded.parent_id, rows, message=True)
            return marks
        marks += self._queue.add(record, decoded, rows, aside=aside)
        if decoded.pieces:
            marks += _own_commands(decoded, rows)
        return marks + self._place(record, decoded, rows, kind, aside)

    def _place(self, record: Mapping[str, Any], decoded: Decoded, rows: range, kind: Any, aside: bool) -> list[Mark]:
        """Give a record that neither the model wrote nor is an answer to it its place in the tree."""
        if kind != "user":
            named = decoded.native_id
            return self._branches.add(named, decoded.parent_id, rows, message=False) if rows or named else []
        return self._branches.add(
            decoded.native_id,
            decoded.parent_id,
            rows,
            message=is_message(decoded.pieces),
            prompt=not aside and _is_prompt(decoded),
            queued=record.get("promptSource") == "queued",
            sent_as=identity(record.get("promptId")),
        )

    def unheard(self, decoded: Decoded) -> Decoded:
        """Return a result without the answer that was streamed before it."""
        told = (
            piece
            for piece in decoded.pieces
            if piece.number not in decoded.echoes or text_key(piece.text()) not in self._streamed
        )
        return decoded._replace(pieces=tuple(told))

    def _note_place(self, record: Mapping[str, Any]) -> None:
        facts = self.facts
        if facts.cwd is None:
            facts.cwd = text(record.get("cwd")) or None
        branch, version = record.get("gitBranch"), record.get("version")
        if branch != facts.branch and branch and text(branch):
            facts.branch = branch
        if version and (type(version) is str or text(version)):
            versions = facts.versions
            versions[version] = versions.get(version, 0) + 1

    def _note_session(self, record: Mapping[str, Any], rows: range) -> list[Mark]:
        """Follow the session id; a new one behind others says that what stands before it was copied from there."""
        facts = self.facts
        origin, session = record.get("forkedFrom"), record.get("sessionId")
        if origin is not None and facts.forked_from is None:
            facts.forked_from = text(mapping(origin).get("sessionId")) or text(origin)
        if type(session) is str and session in self._sessions:
            return []
        session = text(session) or text(record.get("session_id"))
        if not session or session in self._sessions:
            return []
        marks: list[Mark] = []
        if facts.session_id is not None and "sessionId" in record:
            facts.forked_from = facts.session_id
            marks = [Mark(row, Flag.INHERITED) for row in range(self._session_row, rows.start)]
            self._session_row = rows.start
        elif record.get("isSidechain") is True and text(record.get("agentId")):
            facts.parent = session
        facts.session_id = session
        self._sessions.add(session)
        return marks

    def _note_conversation(self, record: Mapping[str, Any], decoded: Decoded, kind: str, sidechain: bool) -> None:
        if not sidechain and not self._main:
            self._main = True
            if self.facts.sidechain:
                self.facts.first_prompt, self.facts.parent, self._prompted = None, None, False
        self.facts.sidechain = not self._main
        aside = sidechain and self._main
        if kind == "assistant":
            self._note_message(record, mapping(record.get("message")), aside)
            if "session_id" in record and not sidechain:
                self._streamed |= {text_key(piece.text()) for piece in decoded.pieces if piece.tool_part is None}
        elif kind == "user":
            if not self._prompted and not aside:
                self._note_prompt(decoded)
            self._note_subagent(record, decoded)
        elif record.get("subtype") == "init":
            self._note_model(record.get("model"), record.get("claude_code_version"))

    def _note_prompt(self, decoded: Decoded) -> None:
        """Keep the first real prompt; until there is one, the first slash command that starts a turn."""
        for piece in decoded.pieces:
            texts = [part.value for part in piece.parts if isinstance(part, TextPart)]
            if piece.kind == Kind.USER:
                said = next((said for value in texts if (said := _said(value))), None)
                said = said or "\n".join(part.text() for part in piece.parts if isinstance(part, ImagePart))
                self._prompted = bool(said)
                self.facts.first_prompt = said or self.facts.first_prompt
            elif piece.kind == Kind.SYSTEM and texts and self.facts.first_prompt is None:
                command = typed_command(texts[0])
                self.facts.first_prompt = command[:PROMPT_CHARACTERS] if command else None

    def _note_message(self, record: Mapping[str, Any], message: Mapping[str, Any], aside: bool) -> None:
        model = message.get("model")
        if model == SYNTHETIC_MODEL:
            return
        named, counts = message.get("id"), counts_of(message.get("usage"))
        fill = sum(counts)
        if fill > 0 and not aside:
            self.facts.context_tokens = fill
        if type(named) is str and named:
            if (named, counts) == self._counted_last:  # the next line of one message
                return
            self._counted_last = named, counts
        else:
            named = identity(named) or identity(record.get("requestId")) or identity(record.get("uuid"))
        key = text_key(named) if named is not None else len(self._counted)
        place = self._counted.setdefault(key, len(self._counts))
        if place == len(self._counts):
            self._counts.extend(counts)
            self._note_model(model, None)
            self._note_usage(counts)
        elif counts[1] >= self._counts[place + 1]:
            before = self._counts[place : place + len(counts)].tolist()
            if counts != before:
                self._counts[place : place + len(counts)] = array("q", counts)
                self._note_usage([now - then for now, then in zip(counts, before, strict=True)])

    def _note_usage(self, counts: list[int]) -> None:
        if any(counts):
            used = self.facts.usage or _NO_USAGE
            self.facts.usage = Usage(
                used.input + counts[0],
                used.output + counts[1],
                used.cache_read + counts[2],
                used.cache_write + counts[3],
            )

    def _note_model(self, model: Any, version: Any) -> None:
        facts = self.facts
        if text(model):
            facts.models[model] = facts.models.get(model, 0) + 1
        if text(version):
            facts.versions[version] = facts.versions.get(version, 0) + 1

    def _note_subagent(self, record: Mapping[str, Any], decoded: Decoded) -> None:
        told = mapping(record.get("toolUseResult", record.get("tool_use_result")))
        agent = identity(told["agentId"]) if "agentId" in told else None
        if agent is not None:
            calls = (piece.call_id for piece in decoded.pieces if piece.tool_part == ToolPart.OUTPUT)
            self._joined(agent, next(calls, None))

    def _joined(self, agent: str, call: str | None) -> None:
        if call is not None:
            self.facts.joined_calls.setdefault(agent, call)

    def _note_other(self, record: Mapping[str, Any], decoded: Decoded, kind: Any, aside: bool) -> None:
        facts = self.facts
        if kind == "progress":
            agent = identity(mapping(record.get("data")).get("agentId"))
            if agent is not None:
                self._joined(agent, identity(record.get("parentToolUseID")))
        elif kind == "custom-title":
            facts.title = title_of(record.get("customTitle"))
        elif kind == "queue-operation" and decoded.pieces and is_command(words := decoded.pieces[0].text()):
            facts.first_prompt = facts.first_prompt or words[:PROMPT_CHARACTERS].strip()
        elif kind == "attachment" or kind == "queue-operation":
            if not self._prompted and not aside:
                self._note_prompt(decoded)
        elif kind == "ai-title":
            self._titled(ai_title=title_of(record.get("aiTitle")))
        elif kind == "agent-name":
            facts.agent_name = title_of(record.get("agentName"))
        elif kind == "summary":
            self._note_summary(identity(record.get("leafUuid")), title_of(record.get("summary")))
        elif kind == "result":
            self._note_result(record)

    def _note_result(self, record: Mapping[str, Any]) -> None:
        """Take what a run used in all: the messages of a stream are told before their last tokens are counted."""
        facts = self.facts
        windows = [as_int(mapping(used).get("contextWindow")) for used in mapping(record.get("modelUsage")).values()]
        facts.context_window = max((window for window in windows if window), default=facts.context_window)
        used = used_in_all(record)
        if used is not None and used.output > (facts.usage or _NO_USAGE).output:
            facts.usage = used
        cost = as_amount(record.get("total_cost_usd"))
        facts.cost_usd = facts.cost_usd if cost is None else max(cost, facts.cost_usd or 0)
        self._streamed.clear()

    def _note_summary(self, leaf: str | None, summary: str | None) -> None:
        """Take a summary for a title only when it ends with a message of this very file; many tell of another one."""
        if leaf is None or summary is None:
            return
        if self._branches.knows(leaf):
            self._titled(summary=summary)
        elif len(self._summaries) < _PENDING_SUMMARIES:
            self._summaries[leaf] = summary

    def _titled(self, *, summary: str | None = None, ai_title: str | None = None) -> None:
        self._summary = summary or self._summary
        self._ai_title = ai_title or self._ai_title
        self.facts.generated_title = self._ai_title or self._summary


_NO_USAGE: Final = Usage()


def _own_commands(decoded: Decoded, rows: range) -> list[Mark]:
    """A command that the person ran and that stands in its own output waits for no other call."""
    return [
        Mark(row, Flag.ORPHAN, on=False)
        for row, piece in zip(rows, decoded.pieces, strict=True)
        if piece.tool_part is _OUTPUT and piece.call_id is None and Flag.BY_USER in piece.flags
    ]


def _is_prompt(decoded: Decoded) -> bool:
    """Say whether a user record is nothing but words of a person."""
    return bool(decoded.pieces) and all(piece.kind == Kind.USER for piece in decoded.pieces)


def _said(value: str) -> str:
    """Return the beginning of the person's own words in a text."""
    start = spoken_from(value)
    return "" if start is None else value[start : start + PROMPT_CHARACTERS].strip()


def title_of(value: Any) -> str | None:
    """Return a title as it was given, `None` for a blank one."""
    string = text(value)
    return string[:PROMPT_CHARACTERS].strip() or None if string else None
