"""One record of a Codex rollout: which pieces it holds.

| record                                                      | reading                                          |
|-------------------------------------------------------------|--------------------------------------------------|
| response_item/message, assistant                            | assistant, all its text blocks joined            |
| … developer, system                                         | system                                           |
| … user                                                      | user; system if every text block is injected     |
| … user, `<user_shell_command>`                              | tool output, flag by_user, no call id            |
| response_item/reasoning with summary or content             | assistant, reasoning; without text nothing       |
| response_item/function_call                                 | tool input: the arguments decoded, compact JSON; |
|                                                             |   the raw string when it is no object or array   |
| response_item/custom_tool_call                              | tool input: the raw string                       |
| response_item/local_shell_call, web_search_call             | tool input: the action as compact JSON           |
| response_item/tool_search_call                              | tool input: the arguments as compact JSON        |
| response_item/image_generation_call                         | tool input: the revised prompt                   |
| response_item/*_output                                      | tool output: the string, the text parts, the     |
|                                                             |   tools as compact JSON, any other value likewise|
| response_item/agent_message with text                       | system                                           |
| response_item/compaction, context_compaction                | system: its metadata as compact JSON             |
| compacted                                                   | system: the message, else the metadata likewise; |
|                                                             |   never the replacement history                  |
| event_msg/user_message, agent_message, agent_reasoning      | user (injected: system), assistant, reasoning    |
| event_msg/item_completed of a Plan                          | assistant                                        |
| event_msg/error, stream_error                               | system, error                                    |
| event_msg/warning, undo_completed                           | system                                           |
| event_msg/entered_review_mode, exited_review_mode           | system: the hint, the overall explanation        |
| every other event, session_meta, turn_context, world_state, | other record                                     |
|   ghost_snapshot, the header and state of the oldest format |                                                  |

web_search_call and image_generation_call are answered in themselves: never unanswered.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.blocks import as_dict, as_list, as_text, data_url_line, read_content, type_of
from tests.oracle.codex_twins import Written
from tests.oracle.session import OraclePiece
from tests.oracle.values import Number, compact, decode_whole

USER_SHELL = "<user_shell_command>"
_INJECTED = (
    "<environment_context>",
    "# AGENTS.md instructions for",
    "<user_instructions>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<skill>",
    "<turn_aborted>",
    "<subagent_notification>",
    "<codex_internal_context",
    "<recommended_plugins>",
)
_CALLS = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "local_shell_call": "action",
    "web_search_call": "action",
    "tool_search_call": "arguments",
    "image_generation_call": "revised_prompt",
}
_ANSWERED_IN_THEMSELVES = frozenset({"web_search_call", "image_generation_call"})
_OUTPUTS = {"function_call_output": "output", "custom_tool_call_output": "output", "tool_search_output": "tools"}
_NOTICES = {
    "error": "message",
    "stream_error": "message",
    "warning": "message",
    "undo_completed": "message",
    "entered_review_mode": "user_facing_hint",
}
ITEMS = frozenset(
    {"message", "reasoning", "agent_message", "compaction", "context_compaction", "ghost_snapshot", *_CALLS, *_OUTPUTS}
)
EVENTS = frozenset(
    {
        "user_message",
        "agent_message",
        "agent_reasoning",
        "token_count",
        "task_started",
        "task_complete",
        "turn_aborted",
        "exec_command_end",
        "patch_apply_end",
        "mcp_tool_call_end",
        "view_image_tool_call",
        "web_search_end",
        "image_generation_end",
        "dynamic_tool_call_request",
        "dynamic_tool_call_response",
        "context_compacted",
        "thread_rolled_back",
        "exited_review_mode",
        "item_completed",
        "thread_goal_updated",
        "thread_name_updated",
        "thread_settings_applied",
        "sub_agent_activity",
        "guardian_assessment",
        *_NOTICES,
    }
)
ENVELOPES = frozenset(
    {
        "session_meta",
        "turn_context",
        "response_item",
        "event_msg",
        "compacted",
        "world_state",
        "inter_agent_communication",
        "inter_agent_communication_metadata",
    }
)
_PROCESS_EXIT = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d+)$", re.MULTILINE)
_IMAGE_TAG = re.compile(r"</?image[^>]*>")


@dataclass
class Reading:
    """The pieces of one record (None for an other record), and as messages those that may have a twin."""

    pieces: list[OraclePiece] | None = None
    written: list[Written] = field(default_factory=list)

    def add(self, piece: OraclePiece, side: str = "", speaker: str = "", parts: list[set[str]] | None = None) -> None:
        """Add a piece unless it is a message without text."""
        self.pieces = self.pieces or []
        if piece.text or piece.kind == "tool":
            self.pieces.append(piece)
            if parts:
                self.written.append(Written(piece, side, speaker, parts))


def is_injected(texts: list[str]) -> bool:
    """Judge a user message by its text blocks: the harness wrote every one."""
    return bool(texts) and all(text.lstrip().startswith(_INJECTED) for text in texts)


def own_words(text: str) -> str:
    """Cut what an editor puts before a prompt."""
    if text.startswith("# Context from my IDE setup:"):
        return text.partition("## My request for Codex:")[2]
    return text


def read_record(envelope: str, payload: dict[str, Any], unknown: Counter[str]) -> Reading:
    """Read one record; types that the format does not know are counted in `unknown`."""
    kind = type_of(payload)
    if envelope == "response_item":
        unknown.update([] if kind in ITEMS else [f"response_item/{kind}"])
        return _item(kind, payload, unknown)
    if envelope == "event_msg":
        unknown.update([] if kind in EVENTS or kind.startswith("collab_") else [f"event_msg/{kind}"])
        return _event(kind, payload)
    reading = Reading()
    if envelope == "compacted":
        reading.add(_boundary(payload))
    elif envelope not in ENVELOPES:
        unknown[envelope] += 1
    return reading


def _boundary(payload: dict[str, Any]) -> OraclePiece:
    hidden = ("type", "id", "message", "replacement_history", "encrypted_content")
    metadata = {key: value for key, value in payload.items() if key not in hidden}
    message = as_text(payload.get("message"))
    return OraclePiece(0, 0, "system", message or compact(metadata), value=None if message else metadata)


def _item(kind: str, payload: dict[str, Any], unknown: Counter[str]) -> Reading:
    reading = Reading()
    if kind == "message":
        _message(reading, payload, unknown)
    elif kind == "reasoning":
        texts = [*_texts(payload.get("summary")), *_texts(payload.get("content"))]
        piece = OraclePiece(0, 0, "assistant", "\n".join(texts), flags={"reasoning"})
        reading.add(piece, "item", "reasoning", [{text.strip()} for text in texts])
    elif kind in _CALLS:
        reading.add(_call(kind, payload))
    elif kind in _OUTPUTS:
        reading.add(_output(payload.get(_OUTPUTS[kind]), payload))
    elif kind == "agent_message" and _texts(payload.get("content")):
        reading.add(OraclePiece(0, 0, "system", read_content(payload["content"]).text))
    elif kind in ("compaction", "context_compaction"):
        reading.add(_boundary(payload))
    return reading


def _texts(content: Any) -> list[str]:
    return read_content(content).texts


def _message(reading: Reading, payload: dict[str, Any], unknown: Counter[str]) -> None:
    content = read_content(payload.get("content"))
    role = as_text(payload.get("role"))
    known = ("input_text", "output_text", "text", "input_image", "encrypted_content")
    blocks = map(type_of, as_list(payload.get("content")))
    unknown.update(f"block {block}" for block in blocks if block not in known)
    piece = OraclePiece(0, 0, role if role in ("user", "assistant") else "system", content.text, images=content.images)
    if role == "user" and content.text.startswith(USER_SHELL):
        piece.kind, piece.tool_part, piece.tool, piece.flags = "tool", "output", "shell", {"by_user"}
    elif role == "user" and is_injected(content.texts):
        piece.kind = "system"
    elif role == "user":
        piece.spoken = own_words("\n".join(content.texts))
    told = [text for text in content.texts if not _IMAGE_TAG.fullmatch(text.strip())]
    same = {"\n".join(told).strip(), "".join(told).strip()}
    reading.add(piece, "item", role, [same] if role in ("user", "assistant") else None)


def _call(kind: str, payload: dict[str, Any]) -> OraclePiece:
    given = payload.get(_CALLS[kind])
    text, value = as_text(given), None
    if kind == "function_call" and isinstance(given, str):
        value = _container(given)
        text = text if value is None else compact(value)
    elif given is not None and not isinstance(given, str):
        text, value = compact(given), given
    name = as_text(payload.get("name")) or kind.removesuffix("_call")
    call_id = as_text(payload.get("call_id")) or as_text(payload.get("id")) or None
    flags = {"never_answered"} if kind in _ANSWERED_IN_THEMSELVES else set[str]()
    return OraclePiece(0, 0, "tool", text, "input", name, call_id, value, flags=flags)


def _container(text: str) -> dict[str, Any] | list[Any] | None:
    """Decode a JSON-encoded string; None when it holds no object and no array."""
    try:
        value = decode_whole(text)
    except ValueError:
        return None
    return value if isinstance(value, (dict, list)) else None


def _output(given: Any, payload: dict[str, Any]) -> OraclePiece:
    piece = OraclePiece(0, 0, "tool", "", "output", call_id=as_text(payload.get("call_id")) or None)
    inner = given["content"] if isinstance(given, dict) and isinstance(given.get("content"), (str, list)) else given
    content = read_content(inner)
    piece.text, piece.images = content.text, content.images
    if not content.lines and inner is not None and inner not in ("", []):
        piece.text, piece.value = compact(inner), inner
    if _failed(given, piece.text):
        piece.flags.add("error")
    return piece


def _failed(given: Any, text: str) -> bool:
    """Read an exit code that is not 0 from the preamble, from the oldest format's JSON, or `success: false`."""
    code = _PROCESS_EXIT.search(text.partition("\nOutput:")[0])
    if code:
        return int(code[1]) != 0
    old = as_dict(_container(text)) if text.startswith("{") else {}
    exit_code = as_dict(old.get("metadata")).get("exit_code")
    return as_dict(given).get("success") is False or (isinstance(exit_code, Number) and exit_code.text != "0")


def _event(kind: str, payload: dict[str, Any]) -> Reading:
    reading = Reading()
    if kind == "user_message":
        said = as_text(payload.get("message"))
        images = [data_url_line(url) for url in as_list(payload.get("images"))]
        piece = OraclePiece(0, 0, "system" if is_injected([said]) else "user", said, images=len(images))
        piece.text = "\n".join(filter(None, [said, *images]))
        piece.spoken = own_words(said) if piece.kind == "user" else ""
        reading.add(piece, "event", "user", [{said.strip()}])
    elif kind == "agent_message":
        said = as_text(payload.get("message"))
        reading.add(OraclePiece(0, 0, "assistant", said), "event", "assistant", [{said.strip()}])
    elif kind == "agent_reasoning":
        said = as_text(payload.get("text"))
        reading.add(OraclePiece(0, 0, "assistant", said, flags={"reasoning"}), "event", "reasoning", [{said.strip()}])
    elif kind == "item_completed" and type_of(payload.get("item")) == "Plan":
        said = as_text(payload["item"].get("text"))
        reading.add(OraclePiece(0, 0, "assistant", said), "event", "assistant", [{said.strip()}])
    elif said := _notice(kind, payload):
        flags = {"error"} if kind in ("error", "stream_error") else set[str]()
        reading.add(OraclePiece(0, 0, "system", said, flags=flags))
    return reading


def _notice(kind: str, payload: dict[str, Any]) -> str:
    if kind == "exited_review_mode":
        return as_text(as_dict(payload.get("review_output")).get("overall_explanation"))
    return as_text(payload.get(_NOTICES.get(kind, "")))
