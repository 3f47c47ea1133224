"""One event of a Codex rollout: what the app showed the person, much of it a second or third time."""

from __future__ import annotations

from typing import Any

from tests.oracle.blocks import as_dict, as_list, as_text, data_url_line, read_content, type_of
from tests.oracle.codex_reading import Reading, add_answer, is_injected, own_words, texts_of
from tests.oracle.session import OraclePiece
from tests.oracle.values import Number, compact

_NOTICES = {
    "error": "message",
    "stream_error": "message",
    "warning": "message",
    "undo_completed": "message",
    "entered_review_mode": "user_facing_hint",
}
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


def read_event(kind: str, payload: dict[str, Any]) -> Reading:
    """Read one event; one that says nothing to anybody is an other record."""
    reading = Reading()
    if kind == "user_message":
        said = as_text(payload.get("message"))
        images = [data_url_line(url) for key in ("images", "local_images") for url in as_list(payload.get(key))]
        injected = payload.get("kind") in ("environment_context", "user_instructions")
        piece = OraclePiece(0, 0, "system" if injected else "user", said, images=len(images))
        piece.text = "\n".join(filter(None, [said, *images]))
        shell = not images and said.strip().startswith("<user_shell_command>") and is_injected(said)
        if shell:
            piece.kind, piece.tool_part, piece.tool, piece.flags = "tool", "output", "shell", {"by_user"}
        piece.spoken = own_words(said) if piece.kind == "user" else ""
        reading.add(piece, "event", "shell" if shell else "user", [{said.strip()}])
    elif kind == "agent_message":
        said = as_text(payload.get("message"))
        reading.add(OraclePiece(0, 0, "assistant", said), "event", "assistant", [{said.strip()}])
    elif kind == "agent_reasoning":
        said = as_text(payload.get("text"))
        reading.add(OraclePiece(0, 0, "assistant", said, flags={"reasoning"}), "event", "reasoning", [{said.strip()}])
    elif kind == "item_completed":
        _completed(reading, as_dict(payload.get("item")))
    elif kind == "web_search_end" and as_list(payload.get("results")):
        found = payload["results"]
        call_id = as_text(payload.get("call_id")) or None
        reading.add(OraclePiece(0, 0, "tool", compact(found), "output", "web_search", call_id, found))
    elif kind == "exited_review_mode" and as_dict(payload.get("review_output")):
        reading.add(OraclePiece(0, 0, "system", compact(payload["review_output"]), value=payload["review_output"]))
    elif kind == "task_complete":
        said = as_text(as_dict(payload.get("error")).get("message"))
        reading.add(OraclePiece(0, 0, "system", said, flags={"error"}), "end", "failure", [{said.strip()}])
        last = as_text(payload.get("last_agent_message"))
        place = len(reading.pieces or ())
        reading.add(OraclePiece(0, place, "assistant", last, flags={"echo"}), "end", "assistant", [{last.strip()}])
    elif said := as_text(payload.get(_NOTICES.get(kind, ""))):
        failed = kind in ("error", "stream_error")
        piece = OraclePiece(0, 0, "system", said, flags={"error"} if failed else set())
        reading.add(piece, "event", "failure", [{said.strip()}] if failed else None)
    return reading


def tells_failure(kind: str, payload: dict[str, Any]) -> bool:
    """Say whether an event says of a call that it failed: by exit code, by success, or by what an MCP server said."""
    if kind == "exec_command_end":
        return isinstance(code := payload.get("exit_code"), Number) and code.text != "0"
    if kind == "mcp_tool_call_end":
        result = as_dict(payload.get("result"))
        return "Err" in result or as_dict(result.get("Ok")).get("isError") is True
    return kind in ("patch_apply_end", "dynamic_tool_call_response") and payload.get("success") is False


def _completed(reading: Reading, item: dict[str, Any]) -> None:
    """Read what newer versions write a third time, when an item is done."""
    kind, texts = type_of(item), texts_of(item.get("content"))
    if kind == "Plan":
        add_answer(reading, item.get("text"), "completed")
    elif kind == "AgentMessage":
        add_answer(reading, item.get("content"), "completed")
    elif kind == "UserMessage":
        content = read_content(item.get("content"))
        piece = OraclePiece(0, 0, "user", content.text, images=content.images)
        reading.add(piece, "completed", "user", [{"\n".join(texts).strip(), "".join(texts).strip()}])
    elif kind == "Reasoning":
        texts = [*texts_of(item.get("summary_text")), *texts_of(item.get("raw_content"))]
        piece = OraclePiece(0, 0, "assistant", "\n".join(texts), flags={"reasoning"})
        reading.add(piece, "completed", "reasoning", [{text.strip()} for text in texts])
