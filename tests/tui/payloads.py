"""The payload table: what a session may hold that acts on a terminal, on a screen library, or on the eye.

`plant` writes a home in which one agent's sessions hold all of it in every field that there is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from tests.screenshots.script import ClaudeScript, CodexScript, Script

PAYLOADS: Final = {
    "colours": "\x1b[5;7;31;45m",
    "erase": "\x1b[2J\x1b[3J",
    "move": "\x1b[9999;9999H",
    "leave the screen": "\x1b[?1049l",
    "mouse off": "\x1b[?1003l\x1b[?1000l",
    "reset": "\x1bc",
    "report": "\x1b[6n\x1b[c",
    "clipboard": "\x1b]52;c;cHduZWQ=\x07",
    "title": "\x1b]0;OWNED\x07\x1b]2;OWNED\x1b\\",
    "link": "\x1b]8;;https://evil.invalid\x1b\\here\x1b]8;;\x1b\\",
    "device string": "\x1bP1$r0m\x1b\\",
    "privacy message": "\x1b^hidden\x1b\\\x1b_hidden\x1b\\\x1bXhidden\x1b\\",
    "C1": "\x9b31m\x9d0;OWNED\x9c\x90q\x9c\x84\x85",
    "delete": "x\x7f\x7f",
    "null": "\x00",
    "shifts": "\x0e\x0f",
    "backspaces": "good\b\b\b\bevil",
    "bells": "\x07\x07",
    "feeds": "\x0b\x0c",
    "return": "good\revil",
    "tab": "\ta\tb",
    "line ends": "\x85\u2028\u2029",
    "direction": "\u202egnp.exe\u202c \u2066iso\u2069 \u200f\u061c",
    "no width": "\u200b\u200c\u2060\ufeff\u00ad",
    "joined": "\U0001f3f3\ufe0f\u200d\U0001f308 \U0001f468\u200d\U0001f469\u200d\U0001f467",
    "flags": "\U0001f1e9\U0001f1ea \U0001f44d\U0001f3fd",
    "tags": "\U000e0041\U000e0042\U000e007f",
    "tower": "e" + "\u0301" * 60,
    "half a character": "\ud800 \udfff",
    "markup": "[/x] [b]bold[/b] [@click=app.quit]x[/] [$accent] $x {x} %s \\[",
    "wide": "日本語 한글 ｱｲｳ",
    "no end": "\x1b]0;never closed",
    "half a sequence": "tail\x1b[",
    "lone escape": "tail\x1b",
}  # fmt: skip
"""Each payload by what it does, or would do."""

EACH: Final = 3
"""Payloads that share the fields of one turn."""

START: Final = datetime(2026, 11, 27, 9, tzinfo=UTC)


def groups() -> Iterator[str]:
    """Yield the payloads some at a time, with words between them."""
    every = list(PAYLOADS.values())
    for at in range(0, len(every), EACH):
        yield "".join(f"w{at + number}{bad}" for number, bad in enumerate(every[at : at + EACH])) + "z"


def file_name(bad: str) -> str:
    """Return a payload as a name that a file can have."""
    return bad.replace("/", "%").replace("\0", "%").replace("\ud800", "\udcff").replace("\udfff", "\udcfe")[:60]


def plant(home: Path, agent: str) -> None:
    """Write one session per payload, and a newest one with all of them in all fields."""
    for number, bad in enumerate(PAYLOADS.values()):
        start = START - timedelta(hours=number + 1)
        small: Script
        if agent == "claude":
            small = ClaudeScript(f"small {number}", start, f"/srv/{bad}/shop{bad}", branch=f"fix/{bad}")
            small.prompt(f"Prompt {number} {bad}")
            small.title(f"Title {number} {bad}")
            save(small, small.path(home).parent / f"{number}{file_name(bad)}" / f"{number}{file_name(bad)}.jsonl")
            save(small, home / ".claude" / "projects" / f"{number}{file_name(bad)}" / f"{small.session_id}.jsonl")
        else:
            small = CodexScript(f"small {number}", start, f"/srv/{bad}/shop{bad}")
            small.prompt(f"Prompt {number} {bad}")
            save(small, small.path(home))
    if agent == "claude":
        _claude(home)
    else:
        _codex(home)


def save(script: Script, path: Path) -> None:
    """Write a session with every sign escaped: half characters can be written no other way."""
    os.makedirs(path.parent, exist_ok=True)
    lines = [json.dumps(record, ensure_ascii=True) for record in script.records]
    path.write_bytes("\n".join(lines).encode() + b"\n")
    os.utime(path, (script.now.timestamp(), script.now.timestamp()))


def _claude(home: Path) -> None:
    script = ClaudeScript("everything", START, "/srv/everything/" + next(groups()), branch="".join(groups()))
    path = script.path(home)
    for number, bad in enumerate(groups()):
        script.wait(2)
        script.prompt(f"Turn {number} {bad}")
        script.think(f"Thinking {bad}")
        script.say(f"# Saying {bad}\n\n- {bad}\n\n```{bad}\n{bad}\n```\n[{bad}]({bad})")
        script.use(f"Bash{bad}", f"Result {bad}\n{bad}", command=f"cat {bad}", **{f"key {bad}": bad}, error=True)
        script.bash(f"pytest {bad}", f"E   {bad}\nerror: {bad}", code=1)
        script.use("Read", f"     1→{bad}", file_path=f"/srv/{bad}.py")
        edit = {"file_path": f"/srv/everything/{bad}.py", "old_string": f"old {bad}", "new_string": f"new {bad}"}
        script.use("Edit", f"Updated {bad}", **edit)
        script.result(f"no call {bad}", [{"type": "text", "text": bad}, {"type": bad, "text": bad}, bad])
        script.chain("system", subtype=bad, content=f"System {bad}", level=bad)
        script.blocks({"type": "tool_use", "id": bad, "name": bad, "input": {"command": bad, "todos": [{bad: bad}]}})
        script.blocks({"type": "image", "source": {"type": "base64", "media_type": f"image/{bad}", "data": bad}})
        script.records[-1]["message"] |= {"model": f"model {bad}", "id": bad, "stop_reason": bad, "role": bad}
        script.records.append({"type": bad, "uuid": bad, "timestamp": bad, "summary": bad, bad: bad})
        script.records.append({"type": "summary", "summary": f"Summary {bad}", "leafUuid": bad})
        _stored(script, path, number, bad)
    script.title("Everything " + " ".join(groups()))
    save(script, path)
    with open(path, "ab") as file:
        file.write(b'{"type":"user","mess\x1b]0;OWNED\x07\x9b31m\xff\x00":\n')
        file.write("".join(PAYLOADS.values()).encode("utf-8", "surrogatepass").replace(b"\n", b"") + b"\n")


def _stored(script: ClaudeScript, path: Path, number: int, bad: str) -> None:
    """Add an output that was stored under a hostile name."""
    folder = path.with_suffix("") / "tool-results"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{number}{file_name(bad)}.txt"
    whole = "\n".join(f"{line} {bad}" for line in range(200))
    file.write_bytes(whole.encode("utf-8", "surrogatepass"))
    call_id = script.call("Bash", command=f"long {bad}")
    stub = (
        f"<persisted-output>\nOutput too large (9.9KB). Full output saved to: {file}\n\n"
        f"Preview (first 2KB):\n{whole[:400]}\n...\n</persisted-output>"
    )
    script.result(call_id, stub, detail={"stdout": bad, "stderr": bad, "persistedOutputPath": str(file)})


def _codex(home: Path) -> None:
    script = CodexScript("everything", START, "/srv/everything/" + next(groups()))
    for number, bad in enumerate(groups()):
        script.wait(2)
        script.record("turn_context", cwd=f"/srv/{bad}", model=f"model {bad}", effort=bad, summary=bad)
        script.prompt(f"Turn {number} {bad}")
        _item(script, "reasoning", summary=[{"type": "summary_text", "text": f"Thinking {bad}"}], content=None)
        script.say(f"# Saying {bad}\n\n- {bad}\n\n```{bad}\n{bad}\n```\n[{bad}]({bad})")
        script.bash(f"pytest {bad}", f"E   {bad}\nerror: {bad}", code=1)
        patch = f"*** Begin Patch\n*** Update File: src/{bad}.py\n@@ {bad}\n-old {bad}\n+new {bad}\n*** End Patch"
        _item(script, "custom_tool_call", name="apply_patch", input=patch, call_id=f"patch {bad}", status=bad)
        _item(script, "custom_tool_call_output", call_id=f"patch {bad}", output=json.dumps({"output": bad}))
        _item(script, "function_call", name=f"tool {bad}", arguments=json.dumps({bad: [bad, {bad: bad}]}), call_id=bad)
        _item(script, "function_call_output", call_id=bad, output=[{"type": "input_text", "text": bad}, {bad: bad}])
        _item(script, "function_call", name="shell", arguments=f"no JSON {bad}", call_id=f"broken {bad}")
        _item(script, bad, name=bad, role=bad, content=bad)
        script.record("event_msg", type="error", message=f"Error {bad}")
        script.record("event_msg", type=bad, message=bad)
        script.record("compacted", message=f"Compacted {bad}")
        script.record(bad, **{bad: bad})
    save(script, script.path(home))
    with open(script.path(home), "ab") as file:
        file.write(b'{"type":"response_item","pay\x1b]0;OWNED\x07\x9b31m\xff\x00":\n')


def _item(script: CodexScript, kind: str, **fields: Any) -> None:
    script.record("response_item", type=kind, **fields)
