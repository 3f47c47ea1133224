"""Tool calls and tool results of a Codex record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from unspool.formats import fields
from unspool.formats.codex_messages import Contents, read_block, read_blocks
from unspool.formats.codex_output import output_flags
from unspool.formats.parts import base64_parts, encoded_parts, json_parts, text_or_json_parts, text_parts
from unspool.formats.piece import Flag, Kind, Part, Piece, Pointer, TextPart, ToolPart

WEB_SEARCH: Final = "web_search"
"""Run by the provider: the call is written when it is over, and usually no result is."""


def read_function_call(item: Mapping[str, Any], at: Pointer) -> Contents:
    """Read a `function_call`: its arguments are a JSON document inside a string."""
    parts = encoded_parts(item.get("arguments"), (*at, "arguments"))
    return _call(item, _tool_name(item), parts, fields.text(item.get("call_id")))


def read_custom_tool_call(item: Mapping[str, Any], at: Pointer) -> Contents:
    """Read a `custom_tool_call`: its input is raw text, such as a patch."""
    parts = text_or_json_parts(item.get("input"), (*at, "input"))
    return _call(item, _tool_name(item), parts, fields.text(item.get("call_id")))


def read_local_shell_call(item: Mapping[str, Any], at: Pointer) -> Contents:
    """Read a `local_shell_call`; one without a call id is answered by its own id."""
    return _call(item, "local_shell", json_parts(item.get("action"), (*at, "action")), _call_or_own_id(item))


def read_web_search_call(item: Mapping[str, Any], at: Pointer) -> Contents:
    """Read a `web_search_call`; its own id is what a `web_search_end` event names."""
    return _call(item, WEB_SEARCH, json_parts(item.get("action"), (*at, "action")), _call_or_own_id(item))


def read_tool_search_call(item: Mapping[str, Any], at: Pointer) -> Contents:
    """Read a `tool_search_call`: its arguments are an object."""
    parts = encoded_parts(item.get("arguments"), (*at, "arguments"))
    return _call(item, "tool_search", parts, fields.text(item.get("call_id")))


def read_image_generation_call(item: Mapping[str, Any], at: Pointer) -> Contents:
    """Read an `image_generation_call`: call and result in one, the prompt and the image as base64.

    Newer versions keep the image elsewhere and leave an empty string.
    """
    own_id = fields.text(item.get("id"))
    prompt = text_parts(item.get("revised_prompt"), (*at, "revised_prompt"))
    call = _call(item, "image_generation", prompt, own_id).pieces[0]
    if fields.text(item.get("result")) is None:
        return Contents((call,))
    flags = Flag.ERROR if item.get("status") == "failed" else Flag(0)
    parts = base64_parts(item.get("result"), (*at, "result"), "image/png")
    return Contents((call, Piece(1, Kind.TOOL, parts, ToolPart.OUTPUT, None, own_id, flags, own_id)))


def read_mcp_call(item: Mapping[str, Any], at: Pointer) -> Contents:
    """Read a call that the provider made to an MCP server: call and, once it is over, result or error in one."""
    server = next((name for key in ("server_label", "server") if (name := fields.text(item.get(key)))), None)
    named = {"name": item.get("name") or item.get("tool"), "namespace": f"mcp__{server}" if server else None}
    call_id = _call_or_own_id(item)
    call = _call(item, _tool_name(named), encoded_parts(item.get("arguments"), (*at, "arguments")), call_id).pieces[0]
    key = next((name for name in ("error", "output") if item.get(name) is not None), None)
    if key is None:
        return Contents((call,))
    parts, flags, known = _output(item[key], (*at, key))
    flags |= Flag.ERROR if key == "error" else Flag(0)
    return Contents((call, Piece(1, Kind.TOOL, parts, ToolPart.OUTPUT, None, call_id, flags, call.native_id)), known)


def read_output(item: Mapping[str, Any], at: Pointer) -> Contents:
    """Read a `function_call_output` or `custom_tool_call_output`."""
    parts, flags, known = _output(item.get("output"), (*at, "output"))
    return Contents((_result(item, parts, flags, _tool_name(item)),), known)


def read_tool_search_output(item: Mapping[str, Any], at: Pointer) -> Contents:
    """Read a `tool_search_output`: the tools that were found."""
    return Contents((_result(item, json_parts(item.get("tools"), (*at, "tools"))),))


def read_web_search_end(event: Mapping[str, Any], at: Pointer) -> Contents:
    """Read a `web_search_end` event: the results, where it has them; else it says nothing that the call does not."""
    if not fields.items(event.get("results")):
        return Contents()
    return Contents((_result(event, json_parts(event["results"], (*at, "results")), tool=WEB_SEARCH),))


def _call(item: Mapping[str, Any], tool: str | None, parts: tuple[Part, ...], call_id: str | None) -> Contents:
    native_id = fields.text(item.get("id"))
    return Contents((Piece(0, Kind.TOOL, parts, ToolPart.INPUT, tool, call_id, native_id=native_id),))


def _result(item: Mapping[str, Any], parts: tuple[Part, ...], flags: Flag = Flag(0), tool: str | None = None) -> Piece:
    call_id, native_id = fields.text(item.get("call_id")), fields.text(item.get("id"))
    return Piece(0, Kind.TOOL, parts, ToolPart.OUTPUT, tool, call_id, flags, native_id)


def _call_or_own_id(item: Mapping[str, Any]) -> str | None:
    return fields.text(item.get("call_id")) or fields.text(item.get("id"))


def _tool_name(item: Mapping[str, Any]) -> str | None:
    """Return the name; one in a namespace is written as older versions did, `mcp__server__tool`."""
    name, namespace = fields.text(item.get("name")), fields.text(item.get("namespace"))
    return f"{namespace.rstrip('_')}__{name.lstrip('_')}" if name and namespace else name


def _output(value: Any, at: Pointer) -> tuple[tuple[Part, ...], Flag, bool]:
    """Read a result: a string, a list of blocks, one block, or `{"content": …, "success": …}`; else structured."""
    if isinstance(value, list):
        content = read_blocks(value, at)
        return content.parts, _flags_of(content.parts), content.known
    if not isinstance(value, dict):
        parts = text_or_json_parts(value, at)
        return parts, _flags_of(parts), True
    key = next((name for name in ("content", "content_items") if name in value), None)
    if key is None:
        parts, known = read_block(value, at)
        return (parts, _flags_of(parts), True) if known else (json_parts(value, at), Flag(0), True)
    content = read_blocks(value[key], (*at, key))
    failed = Flag.ERROR if value.get("success") is False else Flag(0)
    return content.parts, failed | _flags_of(content.parts), content.known


def _flags_of(parts: tuple[Part, ...]) -> Flag:
    """Judge an output by its first text: Codex's own lines stand there."""
    return output_flags(parts[0].value) if parts and isinstance(parts[0], TextPart) else Flag(0)
