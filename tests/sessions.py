"""Small sessions of every agent made from texts, for tests that care about texts and not about records."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from unspool.formats.base import Format
from unspool.formats.claude_code import CLAUDE_CODE
from unspool.formats.codex import CODEX
from unspool.formats.minicode import MINICODE
from unspool.formats.yoi import YOI
from unspool.ids import SessionRef
from unspool.sources.json_value import compact
from unspool.views.view import SessionView

Said = tuple[str, Any]
"""Who, and what: user, assistant, reasoning: a text; input: a value; output: a text."""


def claude_records(said: Sequence[Said]) -> Iterator[dict[str, Any]]:
    """Yield one record a piece, in Claude Code's form."""
    calls = itertools.count()
    call = "toolu_0"
    for number, (who, what) in enumerate(said):
        if who == "input":
            call = f"toolu_{next(calls)}"
        yield {
            "type": "user" if who in ("user", "output") else "assistant",
            "uuid": f"u{number}",
            "timestamp": f"2026-03-01T10:00:{number % 60:02}.000Z",
            "cwd": "/srv/shop",
            "message": {"role": "x", "content": _claude_content(who, what, call)},
        }


def codex_records(said: Sequence[Said]) -> Iterator[dict[str, Any]]:
    """Yield one record a piece, in Codex's form: arguments are JSON inside a string."""
    calls = itertools.count()
    call = "call_0"
    for number, (who, what) in enumerate(said):
        if who == "input":
            call = f"call_{next(calls)}"
        yield {
            "timestamp": f"2026-03-01T10:00:{number % 60:02}.000Z",
            "type": "response_item",
            "payload": _codex_payload(who, what, call),
        }


def yoi_records(said: Sequence[Said]) -> Iterator[dict[str, Any]]:
    """Yield one record a piece, in yoi's newest form; what is typed comes in short segments that cut through words."""
    calls = itertools.count()
    call = "c0"
    for number, (who, what) in enumerate(said):
        if who == "input":
            call = f"c{next(calls)}"
        kind, held = _yoi_held(who, what, call)
        yield {"kind": kind, "ts": 1_780_000_000_000 + 1000 * number, **held}


def _yoi_held(who: str, what: Any, call: str) -> tuple[str, dict[str, Any]]:
    if who == "user":
        return "user_input", {"segments": [{"kind": "text", "content": content} for content in _cut(what)]}
    if who == "input":
        item = {"kind": "tool_call", "name": "bash", "call_id": call, "arguments": compact(what)}
        return "assistant_item", {"item": item}
    if who == "output":
        return "tool_result", {"item": {"kind": "tool_result", "call_id": call, "summary": what}}
    if who == "reasoning":
        return "assistant_item", {"item": {"kind": "reasoning", "text": what}}
    return "assistant_item", {"item": {"kind": "message", "role": who, "content": [{"kind": "text", "text": what}]}}


def minicode_records(said: Sequence[Said]) -> Iterator[dict[str, Any]]:
    """Yield one event a piece, in MiniCode's form."""
    calls = itertools.count()
    call = "toolu_0"
    for number, (who, what) in enumerate(said):
        if who == "input":
            call = f"toolu_{next(calls)}"
        type_, message = _minicode_message(who, what, call)
        yield {
            "type": type_,
            "message": {**message, "id": f"u{number}"},
            "uuid": f"u{number}",
            "timestamp": f"2026-03-01T10:00:{number % 60:02}.000Z",
            "sessionId": "1a2b3c4d",
            "cwd": "/srv/shop",
        }


def _minicode_message(who: str, what: Any, call: str) -> tuple[str, dict[str, Any]]:
    if who == "input":
        told = {"toolUseId": call, "toolName": "run_command", "input": what}
        return "tool_call", {"role": "assistant_tool_call", **told}
    if who == "output":
        told = {"toolUseId": call, "toolName": "run_command", "content": what, "isError": False}
        return "tool_result", {"role": "tool_result", **told}
    if who == "reasoning":
        return "thinking", {"role": "assistant_thinking", "blocks": [{"type": "thinking", "thinking": what}]}
    return who, {"role": who, "content": what}


def _cut(text: str) -> list[str]:
    return [text[start : start + 3] for start in range(0, len(text), 3)]


def _claude_content(who: str, what: Any, call: str) -> Any:
    if who == "user":
        return what
    if who == "input":
        return [{"type": "tool_use", "id": call, "name": "Bash", "input": what}]
    if who == "output":
        return [{"type": "tool_result", "tool_use_id": call, "content": what}]
    if who == "reasoning":
        return [{"type": "thinking", "thinking": what}]
    return [{"type": "text", "text": what}]


def _codex_payload(who: str, what: Any, call: str) -> dict[str, Any]:
    if who == "input":
        return {"type": "function_call", "name": "shell", "call_id": call, "arguments": compact(what)}
    if who == "output":
        return {"type": "function_call_output", "call_id": call, "output": what}
    if who == "reasoning":
        return {"type": "reasoning", "summary": [{"type": "summary_text", "text": what}]}
    kind = "input_text" if who == "user" else "output_text"
    return {"type": "message", "role": who, "content": [{"type": kind, "text": what}]}


def records_of(said: Sequence[Said], format: Format) -> Iterator[dict[str, Any]]:
    """Yield one record a piece, in the form of an agent."""
    make = {"claude": claude_records, "codex": codex_records, "yoi": yoi_records, "minicode": minicode_records}
    return make[format.agent](said)


def view_of(said: Sequence[Said], format: Format = CLAUDE_CODE) -> SessionView:
    """Return a view of a session in memory."""
    return SessionView.of(records_of(said, format), format)


def view_of_lines(lines: Sequence[str], folder: Path, format: Format = CLAUDE_CODE) -> SessionView:
    """Return a view of a file with these lines, written into `folder`."""
    path = folder / "session.jsonl"
    path.write_text("".join(line + "\n" for line in lines), "utf-8")
    return SessionView.open(str(path), SessionRef(format.agent, "x"), format)


__all__ = [
    "CLAUDE_CODE",
    "CODEX",
    "MINICODE",
    "YOI",
    "Said",
    "claude_records",
    "codex_records",
    "records_of",
    "view_of",
    "view_of_lines",
]
