"""Claude Code: JSON Lines, one record a line, a tree by `uuid` and `parentUuid`; also its stream-json dialect.

What a record is (a piece is numbered by the index of its block; content that is a string, and every system record or
attachment, is piece 0; a message of several blocks takes the number of its first text or image):

    user            said by the person                                          user
                    tool_result blocks, one piece each                          tool, output
                    <bash-input> / <bash-stdout>, <bash-stderr> (`!` commands)  tool, input / output, by_user
                    both in one record                                          tool, output, by_user
                    isMeta, isCompactSummary, command envelopes, local command  system
                    output, caveats, reminders alone, task notifications,
                    interruptions, warm-ups of sidechains
    assistant       text blocks, one piece each                                 assistant
                    thinking with text                                          assistant, reasoning
                    tool_use, server_tool_use                                   tool, input
                    *_tool_result of server tools                               tool, output
                    model <synthetic>; isApiErrorMessage                        system; system, error
                    thinking without text, redacted_thinking, fallback          nothing
    system          compact_boundary, microcompact_boundary (also without text) system
                    api_error, error                                            system, error
                    stop_hook_summary with errors or context                    system
                    hook_response with an output; a task_notification           system
                    any other with content (local_command, informational, …)    system
                    without (turn_duration, init, session_start, …)             other
    attachment      queued_command                                              user; a task notification: system
                    with words (see `claude_notice.WORDS`): hook output,        system
                    skills, memory, files, selections, banners
                    with data only (`claude_notice.SILENT`): deltas, todo and   other
                    task lists, modes, counts, file names
    tool_use, tool_result   whole records of versions before 1.0                tool, input / output
    queue-operation enqueue, unless the harness queued a notification           user; twin once it is delivered
                    any other                                                   other
    result          the last answer, unless it was streamed before              assistant; system, error
                    errors                                                      system, error
    progress, summary, titles, last-prompt, file-history-snapshot,              other
    modes, links, stream events, unknown types

`toolUseResult` repeats an output in a richer form: it tells flags and the subagent, never text. Texts are as written,
so a `<persisted-output>` stub is the text that the model saw. A reference to a tool is no text; a document is its text,
or one line like an image when it is binary.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from unspool.formats import claude_plain, claude_tools
from unspool.formats.claude_message import Found, assistant_pieces, call_piece, old_result_piece, user_pieces
from unspool.formats.claude_notice import attachment_pieces, compaction, system_pieces
from unspool.formats.claude_plain import SILENT, type_of
from unspool.formats.claude_queue import queued_pieces
from unspool.formats.claude_step import ClaudeSteps
from unspool.formats.claude_stream import ECHO, result_pieces
from unspool.formats.decoded import Decoded
from unspool.formats.fields import identity, mapping, milliseconds, text
from unspool.formats.piece import Flag, Piece

if TYPE_CHECKING:
    from unspool.formats.base import Fold

_OWN_KEYS: Final = ("isSidechain", "userType", "version", "requestId", "parent_tool_use_id")
"""Of these a message of Claude Code has one; agents that copied its layout have none."""

_SPEAKING: Final[Mapping[str, Callable[[Mapping[str, Any]], Found]]] = {
    "assistant": assistant_pieces,
    "attachment": attachment_pieces,
    "queue-operation": queued_pieces,
    "result": result_pieces,
    "system": system_pieces,
    "tool_result": lambda record: ([old_result_piece(record)], True),
    "tool_use": lambda record: ([call_piece(record, (), 0, record)], True),
    "user": user_pieces,
}


_MESSAGES: Final = ("assistant", "user")
_ECHOES: Final = frozenset({ECHO})


class ClaudeCode:
    """Claude Code's records, from version 0.2 on."""

    agent: Final = "claude"

    def detect(self, head: Sequence[Mapping[str, Any]]) -> bool:
        """Say whether the first records of a source look like Claude Code's."""
        return any(_is_typical(record) for record in head)

    def decode(self, record: Mapping[str, Any]) -> Decoded:
        """Turn one record into pieces."""
        return claude_plain.plain(record) or self.decode_any(record)

    def plain(self, record: Mapping[str, Any]) -> Decoded | None:
        """Turn one record of a common shape into pieces; `None` for every other one."""
        return claude_plain.plain(record)

    def decode_any(self, record: Mapping[str, Any]) -> Decoded:
        """Turn one record of whatever shape into pieces, the general way alone."""
        kind = text(record.get("type")) or ""
        speak = _SPEAKING.get(kind)
        pieces, known = speak(record) if speak else ([], kind in SILENT)
        if record.get("forkedFrom"):
            pieces = [_inherited(piece) for piece in pieces]
        decoded = Decoded(
            type_of(record, kind),
            known,
            tuple(pieces),
            milliseconds(record.get("timestamp")),
            identity(record.get("uuid")),
            identity(record.get("parentUuid")),
            not pieces and known and kind in _MESSAGES,
            _places(record),
            compaction(record),
        )
        return decoded._replace(echoes=_ECHOES) if kind == "result" else decoded

    def fold(self) -> Fold:
        """Return a fresh fold state."""
        return ClaudeSteps()

    def headline(self, tool: str, arguments: Any) -> str:
        """Return the one argument that tells most about a call."""
        return claude_tools.headline(tool, arguments)

    def files(self, tool: str, arguments: Any) -> tuple[str, ...]:
        """Return the paths that a call names in its structured arguments."""
        return claude_tools.files(arguments)

    def detail(self, record: Mapping[str, Any]) -> Any | None:
        """Return what the record of a tool result tells beside the text that the model got."""
        return record.get("toolUseResult", record.get("tool_use_result"))


CLAUDE_CODE: Final = ClaudeCode()


def _places(record: Mapping[str, Any]) -> int:
    message = record.get("message")
    blocks = message.get("content") if isinstance(message, dict) else None
    return max(1, len(blocks)) if isinstance(blocks, list) else 1


def _inherited(piece: Piece) -> Piece:
    return Piece(
        piece.number,
        piece.kind,
        piece.parts,
        piece.tool_part,
        piece.tool,
        piece.call_id,
        piece.flags | Flag.INHERITED,
        piece.native_id,
    )


def _is_typical(record: Mapping[str, Any]) -> bool:
    kind = text(record.get("type"))
    named = text(record.get("sessionId")) or text(record.get("session_id"))
    if kind == "user" or kind == "assistant":
        message = mapping(record.get("message"))
        return "content" in message and any(key in record for key in _OWN_KEYS)
    if kind == "system":
        return bool(named) and "subtype" in record and "systemPayload" not in record and "message" not in record
    if kind == "attachment":
        return isinstance(record.get("attachment"), dict) and "uuid" in record
    if kind == "summary":
        return "leafUuid" in record
    if kind == "file-history-snapshot":
        return "snapshot" in record
    if kind == "progress":
        return bool(named) and "data" in record
    return (
        bool(named)
        and "payload" not in record
        and (kind in ("tool_use", "queue-operation") or kind in SILENT or (kind == "result" and "subtype" in record))
    )
