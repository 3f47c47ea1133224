"""What one record of yoi gives, by the schema of its four versions.

| kind                                                     | pieces                                                   |
|----------------------------------------------------------|----------------------------------------------------------|
| user_input with item                                     | that item                                                |
| user_input with segments                                 | user: the segments run together; a reference as @, #, /  |
|                                                          | or [Flow: …]; what is unknown only in chained logs, as   |
|                                                          | [unknown input segment]                                  |
| assistant_item, tool_result                              | that item                                                |
| assistant_items, tool_results                            | each item, numbered by its place                         |
| hook_injected_items, system_items, system_item           | system: a message's text, or the body                    |
| session_start, segment_start                             | the history's items; replayed when an origin is named    |
| everything else                                          | none                                                     |

Items are tagged `type` in the first two versions and `kind` later. A message is one piece, its parts joined by LF; a
result is its output, or its summary, content and images joined by LF; reasoning is its text and its summary.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.oracle.blocks import as_dict, as_list, as_text, id_of
from tests.oracle.session import OraclePiece
from tests.oracle.values import compact, decode_whole

_ITEM = ("user_input", "assistant_item", "tool_result")
_ITEMS = ("assistant_items", "tool_results")
_INJECTED = ("hook_injected_items", "system_items", "system_item")
STARTS = ("session_start", "segment_start")
_OTHERS = (
    "turn_end", "cache_locked", "cache_unlocked", "run_outcome", "config_changed", "run_completed", "run_errored",
    "llm_usage", "extension", "invoke", "paused_turn_abandoned",
)  # fmt: skip
_BODIES = (
    "notification", "worker_event", "pod_event", "file_attachment", "skill_activation", "task_reminder", "interrupt",
    "knowledge", "workflow",
)  # fmt: skip
_SIGNS = {"file_ref": ("path", "@", ""), "knowledge_ref": ("slug", "#", ""), "workflow_invoke": ("slug", "/", ""),
          "flow": ("selector", "[Flow: ", "]")}  # fmt: skip


def read_record(record: dict[str, Any], unknown: Counter[str]) -> list[OraclePiece] | None:
    """Give the pieces of a record, none when it has nothing to say, None when it is bookkeeping or unknown."""
    kind = as_text(record.get("kind"))
    if kind == "user_input" and isinstance(record.get("segments"), list):
        return _segments(record, unknown)
    if kind in _ITEM:
        return _given(kind, [record.get("item")], unknown)
    if kind in _ITEMS:
        return _given(kind, as_list(record.get("items")), unknown)
    if kind in _INJECTED:
        values = [record.get("item")] if kind == "system_item" else as_list(record.get("items"))
        return _given(kind, values, unknown, injected=True)
    if kind in STARTS:
        return _history(record, kind, unknown)
    if kind not in _OTHERS:
        unknown[kind] += 1
    return None


def places_of(record: dict[str, Any]) -> int:
    """How many numbers the pieces of a record may take."""
    listed = record.get("history") if as_text(record.get("kind")) in STARTS else record.get("items")
    return max(1, len(as_list(listed)))


def _tag(item: dict[str, Any]) -> str:
    return as_text(item.get("kind")) or as_text(item.get("type"))


def _given(kind: str, values: list[Any], unknown: Counter[str], *, injected: bool = False) -> list[OraclePiece] | None:
    read = [_item(as_dict(value), place, injected) for place, value in enumerate(values)]
    pieces = [piece for each, _ in read for piece in each]
    if all(known for _, known in read):
        return pieces
    unknown[kind] += 1
    return pieces or None


def _history(record: dict[str, Any], kind: str, unknown: Counter[str]) -> list[OraclePiece] | None:
    pieces = _given(kind, as_list(record.get("history")), unknown) or None
    for piece in pieces or ():
        piece.flags |= {"replayed"} if record.get("forked_from") or record.get("compacted_from") else set()
    return pieces


def _item(item: dict[str, Any], place: int, injected: bool) -> tuple[list[OraclePiece], bool]:
    """Give the pieces of an item, and whether all of it is known."""
    tag = _tag(item)
    if tag == "message":
        role = "system" if injected else as_text(item.get("role"))
        if role not in ("user", "assistant", "system"):
            return [], False
        lines, known = _message(item.get("content"))
        return _said(item, place, role, lines), known
    if tag == "reasoning":
        lines = [as_text(item.get("text")), *map(as_text, as_list(item.get("summary")))]
        return _said(item, place, "assistant", lines, {"reasoning"}), True
    if tag == "tool_call":
        return [_call(item, place)], True
    if tag == "tool_result":
        return [_result(item, place)], all(_tag(as_dict(one)) == "image" for one in as_list(item.get("attachments")))
    if injected and tag in _BODIES:
        return _said(item, place, "system", [as_text(item.get("body"))]), True
    return [], False


def _message(content: Any) -> tuple[list[str], bool]:
    if not isinstance(content, list):
        return [as_text(content)], content is None or isinstance(content, str)
    parts = [as_dict(part) for part in content]
    known = [part for part in parts if _tag(part) in ("text", "refusal")]
    return [as_text(part.get(_tag(part))) for part in known], len(known) == len(parts)


def _said(
    item: dict[str, Any], place: int, kind: str, lines: list[str], flags: set[str] | None = None
) -> list[OraclePiece]:
    text = "\n".join(line for line in lines if line)
    piece = OraclePiece(0, place, kind, text, flags=flags or set(), native_id=id_of(item.get("id")), spoken=text)
    return [piece] if text else []


def _call(item: dict[str, Any], place: int) -> OraclePiece:
    given, value = item.get("arguments"), None
    text = as_text(given)
    try:
        value = decode_whole(text) if isinstance(given, str) else given
    except ValueError:
        value = None
    if value is not None:
        text = compact(value)
    name, call_id = as_text(item.get("name")) or None, id_of(item.get("call_id"))
    return OraclePiece(0, place, "tool", text, "input", name, call_id, value, native_id=id_of(item.get("id")))


def _result(item: dict[str, Any], place: int) -> OraclePiece:
    lines = [as_text(item.get(key)) for key in ("output", "summary", "content")]
    images = [as_dict(one) for one in as_list(item.get("attachments")) if _tag(as_dict(one)) == "image"]
    for image in images:
        size = len(as_text(image.get("data")).rstrip("=")) * 3 // 4
        lines.append(f"[image {as_text(image.get('mime_type')) or '?'} {size}]")
    flags = {"error"} if item.get("is_error") is True else set[str]()
    text, call_id = "\n".join(line for line in lines if line), id_of(item.get("call_id"))
    return OraclePiece(0, place, "tool", text, "output", call_id=call_id, images=len(images), flags=flags)


def _segments(record: dict[str, Any], unknown: Counter[str]) -> list[OraclePiece]:
    text = ""
    for segment in map(as_dict, record["segments"]):
        tag = _tag(segment)
        if tag in ("text", "paste"):
            text += as_text(segment.get("content"))
        elif tag in _SIGNS:
            key, before, behind = _SIGNS[tag]
            named = as_text(segment.get(key))
            text += before + named + behind if named else ""
        else:
            text += "[unknown input segment]" if "hash" in record else ""
            unknown.update(["user_input"] * (tag != "unknown"))
    return [OraclePiece(0, 0, "user", text, spoken=text)] if text else []
