"""One record of a Codex rollout: which pieces it holds.

| record                                                      | reading                                          |
|-------------------------------------------------------------|--------------------------------------------------|
| response_item/message, assistant                            | assistant, one piece for each block              |
| … developer, system                                         | system                                           |
| … user                                                      | one piece for each author of its blocks: the     |
|                                                             |   person; system, what is injected; tool output, |
|                                                             |   flag by_user, no call id: `<user_shell_command>` |
| response_item/reasoning with summary or content             | assistant, reasoning; without text nothing       |
| response_item/function_call                                 | tool input: the arguments decoded, compact JSON; |
|                                                             |   the raw string when it is no object or array   |
| response_item/custom_tool_call                              | tool input: the raw string                       |
| response_item/local_shell_call, web_search_call             | tool input: the action as compact JSON           |
| response_item/tool_search_call                              | tool input: the arguments as compact JSON        |
| response_item/image_generation_call                         | tool input: the revised prompt; piece 1 is the   |
|                                                             |   tool output, where there is a result           |
| response_item/mcp_call                                      | tool input: the arguments, likewise; piece 1 is  |
|                                                             |   the tool output: error or output, where told   |
| response_item/*_output                                      | tool output: the string, the text parts, the     |
|                                                             |   tools as compact JSON, any other value likewise|
| response_item/agent_message with text                       | system                                           |
| response_item/compaction, context_compaction                | system: the values of its metadata, one a line   |
| compacted                                                   | system: the message, else the metadata likewise; |
|                                                             |   never the replacement history                  |
| event_msg/user_message, agent_message, agent_reasoning      | user (injected: system), assistant, reasoning    |
| event_msg/item_completed of a Plan, UserMessage,            | as the item or event of that kind                |
|   AgentMessage, Reasoning                                   |                                                  |
| event_msg/error, stream_error; task_complete with an error  | system, error                                    |
| event_msg/web_search_end with results                       | tool output: the results as compact JSON         |
| event_msg/warning, undo_completed                           | system                                           |
| event_msg/entered_review_mode, exited_review_mode           | system: the hint, the output as compact JSON     |
| every other event, session_meta, turn_context, world_state, | other record                                     |
|   ghost_snapshot, the header and state of the oldest format |                                                  |

web_search_call and image_generation_call are answered in themselves: never unanswered.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from tests.oracle.blocks import as_dict, as_list, as_text, read_content, type_of
from tests.oracle.codex_events import EVENTS, read_event
from tests.oracle.codex_reading import Reading, add_answer, is_injected, own_words, texts_of
from tests.oracle.session import OraclePiece
from tests.oracle.values import Number, compact, decode_whole

USER_SHELL = "<user_shell_command>"
_CALLS = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "local_shell_call": "action",
    "web_search_call": "action",
    "tool_search_call": "arguments",
    "image_generation_call": "revised_prompt",
    "mcp_call": "arguments",
}
_ANSWERED_IN_THEMSELVES = frozenset({"web_search_call", "image_generation_call"})
_OUTPUTS = {"function_call_output": "output", "custom_tool_call_output": "output", "tool_search_output": "tools"}
ITEMS = frozenset(
    {"message", "reasoning", "agent_message", "compaction", "context_compaction", "ghost_snapshot", *_CALLS, *_OUTPUTS}
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
_REFUSED = (
    "failed in sandbox ",
    "execution error: ",
    "apply_patch verification failed",
    "exec_command failed",
    "failed to parse function arguments",
    "unsupported call: ",
)
_IMAGE_TAG = re.compile(r"</?image[^>]*>")


def read_record(envelope: str, payload: dict[str, Any], unknown: Counter[str]) -> Reading:
    """Read one record; types that the format does not know are counted in `unknown`."""
    kind = type_of(payload)
    if envelope == "response_item":
        unknown.update([] if kind in ITEMS else [f"response_item/{kind}"])
        return _item(kind, payload, unknown)
    if envelope == "event_msg":
        unknown.update([] if kind in EVENTS or kind.startswith("collab_") else [f"event_msg/{kind}"])
        return read_event(kind, payload)
    reading = Reading()
    if envelope == "compacted":
        reading.add(_boundary(payload), "boundary")
    elif envelope not in ENVELOPES:
        unknown[envelope] += 1
    return reading


def _boundary(payload: dict[str, Any]) -> OraclePiece:
    hidden = ("type", "id", "message", "replacement_history", "encrypted_content")
    metadata = [value for key, value in payload.items() if key not in hidden and value not in (None, "")]
    told = "\n".join(as_text(value) or compact(value) for value in metadata)
    return OraclePiece(0, 0, "system", as_text(payload.get("message")) or told)


def _item(kind: str, payload: dict[str, Any], unknown: Counter[str]) -> Reading:
    reading = Reading()
    if kind == "message":
        _message(reading, payload, unknown)
    elif kind == "reasoning":
        texts = [*texts_of(payload.get("summary")), *texts_of(payload.get("content"))]
        piece = OraclePiece(0, 0, "assistant", "\n".join(texts), flags={"reasoning"})
        reading.add(piece, "item", "reasoning", [{text.strip()} for text in texts])
    elif kind in _CALLS:
        reading.add(_call(kind, payload))
        if kind == "image_generation_call" and isinstance(payload.get("result"), str):
            reading.add(_generated(payload))
        told = next((key for key in ("error", "output") if kind == "mcp_call" and payload.get(key) is not None), None)
        if told:
            result = _output(payload[told], {"call_id": payload.get("id")})
            result.piece, result.flags = 1, result.flags | ({"error"} if told == "error" else set())
            reading.add(result)
    elif kind in _OUTPUTS:
        reading.add(_output(payload.get(_OUTPUTS[kind]), payload))
    elif kind == "agent_message" and texts_of(payload.get("content")):
        reading.add(OraclePiece(0, 0, "system", read_content(payload["content"]).text))
    elif kind in ("compaction", "context_compaction"):
        reading.add(_boundary(payload), "boundary")
    return reading


def _message(reading: Reading, payload: dict[str, Any], unknown: Counter[str]) -> None:
    content = read_content(payload.get("content"))
    role = as_text(payload.get("role"))
    known = ("input_text", "output_text", "text", "input_image", "encrypted_content")
    blocks = map(type_of, as_list(payload.get("content")))
    unknown.update(f"block {block}" for block in blocks if block not in known)
    if role == "assistant":
        add_answer(reading, payload.get("content"), "item")
        return
    if role == "user":
        _users_message(reading, as_list(payload.get("content")) or [payload.get("content")])
        return
    reading.add(OraclePiece(0, 0, "system", content.text, images=content.images), "item", role)


def _users_message(reading: Reading, blocks: list[Any]) -> None:
    """Give each author of a message their own blocks, at the place of the first of them."""
    shared: dict[str, list[Any]] = {}
    for place, block in enumerate(blocks):
        found = read_content([block])
        injected = any(map(is_injected, found.texts))
        author = "user" if not injected else "shell" if found.text.strip().startswith(USER_SHELL) else "system"
        if found.lines:
            shared.setdefault(author, [place]).append(block)
    for author, (place, *own) in shared.items():
        said = read_content(own)
        piece = OraclePiece(0, place if len(shared) > 1 else 0, author, said.text, images=said.images)
        if author == "shell":
            piece.kind, piece.tool_part, piece.tool, piece.flags = "tool", "output", "shell", {"by_user"}
        elif author == "user":
            piece.spoken = own_words("\n".join(said.texts))
        told = [text for text in said.texts if not _IMAGE_TAG.fullmatch(text.strip())]
        reading.add(
            piece, "item", "shell" if author == "shell" else "user", [{"\n".join(told).strip(), "".join(told).strip()}]
        )


def _generated(payload: dict[str, Any]) -> OraclePiece:
    """The picture that stands in the call itself."""
    data = payload["result"]
    line = [f"[image image/png {len(data.rstrip('=')) * 3 // 4}]"] if data else []
    flags = {"error"} if payload.get("status") == "failed" else set[str]()
    call_id = as_text(payload.get("id")) or None
    return OraclePiece(0, 1, "tool", "".join(line), "output", call_id=call_id, images=len(line), flags=flags)


def _call(kind: str, payload: dict[str, Any]) -> OraclePiece:
    given = payload.get(_CALLS[kind])
    text, value = as_text(given), None
    if kind in ("function_call", "mcp_call") and isinstance(given, str):
        value = _container(given)
        text = text if value is None else compact(value)
    elif given is not None and not isinstance(given, str):
        text, value = compact(given), given
    name = as_text(payload.get("name")) or kind.removesuffix("_call")
    if as_text(payload.get("namespace")):
        name = f"{as_text(payload['namespace']).rstrip('_')}__{name.lstrip('_')}"
    if as_text(payload.get("server_label")):
        name = f"mcp__{payload['server_label']}__{name}"
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
    """Read an exit code that is not 0 from the preamble, from the oldest format's JSON, or `success: false`.

    What Codex could not do at all begins with its reason.
    """
    if text.startswith(_REFUSED):
        return True
    code = _PROCESS_EXIT.search(text.partition("\nOutput:")[0])
    if code:
        return int(code[1]) != 0
    old = as_dict(_container(text)) if text.startswith("{") else {}
    exit_code = as_dict(old.get("metadata")).get("exit_code")
    return as_dict(given).get("success") is False or (isinstance(exit_code, Number) and exit_code.text != "0")
