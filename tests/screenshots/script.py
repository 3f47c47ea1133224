"""Writes sessions as their agents would: one small builder per agent, with a clock of its own."""

from __future__ import annotations

import json
import os
import re
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

HOME = Path("/home/mira")
"""The home that the sessions name, wherever they are written to."""

SPACE = uuid.UUID("6f0a3f0e-5d1c-4a51-9a38-0c7a1fb6a2c4")
"""Ids are made from names below this one, so that pictures never change."""


def stamp(moment: datetime) -> str:
    """Write a time as agents do."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Script:
    """Records of one session in order; `wait` lets time pass between them."""

    def __init__(self, name: str, start: datetime) -> None:
        self.name = name
        self.session_id = str(uuid.uuid5(SPACE, name))
        self.now = start
        self.records: list[dict[str, Any]] = []
        self._made = 0

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += timedelta(seconds=seconds)

    def id(self, prefix: str = "") -> str:
        """Make an id."""
        self._made += 1
        return prefix + uuid.uuid5(SPACE, f"{self.name}/{self._made}").hex[:22]

    def write(self, path: Path) -> Path:
        """Write the file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(record, ensure_ascii=False, separators=(",", ":")) for record in self.records]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        os.utime(path, (self.now.timestamp(), self.now.timestamp()))
        return path


class ClaudeScript(Script):
    """A Claude Code session."""

    def __init__(self, name: str, start: datetime, cwd: str, *, branch: str = "main") -> None:
        super().__init__(name, start)
        self.cwd, self.branch = cwd, branch
        self.side: dict[str, Any] = {}
        self._parent: str | None = None

    def path(self, home: Path) -> Path:
        """Return where the session lies."""
        return home / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", self.cwd) / f"{self.session_id}.jsonl"

    def chain(self, kind: str, **fields: Any) -> None:
        """Add a record of the chain."""
        record = {
            "parentUuid": self._parent, "isSidechain": False, "userType": "external", "cwd": self.cwd,
            "sessionId": self.session_id, "version": "2.1.190", "gitBranch": self.branch, "type": kind,
            "uuid": str(uuid.uuid5(SPACE, f"{self.name}/chain/{len(self.records)}")), "timestamp": stamp(self.now),
            **self.side, **fields,
        }  # fmt: skip
        self._parent = record["uuid"]
        self.records.append(record)

    def prompt(self, text: str) -> None:
        """Add what a person wrote."""
        self.chain("user", message={"role": "user", "content": text})

    def blocks(self, *blocks: dict[str, Any]) -> None:
        """Add what the model said or did in one message."""
        known = 21_000 + 900 * len(self.records)
        usage = {"input_tokens": 6, "cache_creation_input_tokens": 900, "cache_read_input_tokens": known,
                 "output_tokens": 240}  # fmt: skip
        message = {"id": self.id("msg_"), "type": "message", "role": "assistant", "model": "claude-opus-4-5-20251101",
                   "content": list(blocks), "usage": usage}  # fmt: skip
        self.chain("assistant", message=message)

    def say(self, text: str) -> None:
        """Add one text of the model."""
        self.blocks({"type": "text", "text": text})

    def think(self, text: str) -> None:
        """Add reasoning."""
        self.blocks({"type": "thinking", "thinking": text, "signature": "c2lnbg=="})

    def call(self, tool: str, **arguments: Any) -> str:
        """Add a call, and return its id."""
        call_id = self.id("toolu_")
        self.blocks({"type": "tool_use", "id": call_id, "name": tool, "input": arguments})
        return call_id

    def result(self, call_id: str, text: Any, *, detail: Any = None, error: bool = False) -> None:
        """Add the result of a call."""
        block = {"type": "tool_result", "tool_use_id": call_id, "content": text, "is_error": error}
        extra = {} if detail is None else {"toolUseResult": detail}
        self.chain("user", message={"role": "user", "content": [block]}, **extra)

    def use(
        self, tool: str, text: Any, *, took: float = 1, detail: Any = None, error: bool = False, **arguments: Any
    ) -> str:
        """Add a call and its result."""
        call_id = self.call(tool, **arguments)
        self.wait(took)
        self.result(call_id, text, detail=detail, error=error)
        return call_id

    def bash(self, command: str, text: str, *, took: float = 2, code: int = 0) -> str:
        """Add a command with what it printed."""
        shown = f"Exit code {code}\n{text}" if code else text
        detail = shown if code else {"stdout": text, "stderr": "", "interrupted": False}
        return self.use("Bash", shown, took=took, detail=detail, error=bool(code), command=command)

    def stored(self, home: Path, command: str, text: str, *, took: float, code: int = 0) -> None:
        """Add a command whose output was too large for the model, and lay the whole of it beside the session."""
        call_id = self.call("Bash", command=command)
        folder = self.path(home).with_suffix("") / "tool-results"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{call_id}.txt"
        file.write_text(text, encoding="utf-8")
        told = HOME / file.relative_to(home)
        size = f"{len(text.encode()) / 1_000_000:.1f}MB"
        preview = text[:2000].rpartition("\n")[0]
        stub = (
            f"<persisted-output>\nOutput too large ({size}). Full output saved to: {told}\n\n"
            f"Preview (first 2KB):\n{preview}\n...\n</persisted-output>"
        )
        self.wait(took)
        detail = {"stdout": preview, "stderr": "", "persistedOutputPath": str(told), "persistedOutputSize": len(text)}
        self.result(call_id, stub, detail=detail, error=bool(code))

    def title(self, text: str) -> None:
        """Add the title that the agent gave."""
        self.records.append({"type": "ai-title", "aiTitle": text, "sessionId": self.session_id})


class CodexScript(Script):
    """A Codex session."""

    def __init__(self, name: str, start: datetime, cwd: str) -> None:
        super().__init__(name, start)
        self.cwd = cwd
        self._start = start
        self.record("session_meta", id=self.session_id, timestamp=stamp(start), cwd=cwd, originator="codex_cli_rs",
                    cli_version="0.146.0", source="cli", git={"branch": "main"})  # fmt: skip
        self.record("turn_context", cwd=cwd, model="gpt-5.6", effort="medium", summary="auto")

    def path(self, home: Path) -> Path:
        """Return where the session lies."""
        name = f"rollout-{self._start.strftime('%Y-%m-%dT%H-%M-%S')}-{self.session_id}.jsonl"
        return home / ".codex" / "sessions" / self._start.strftime("%Y/%m/%d") / name

    def record(self, kind: str, **payload: Any) -> None:
        """Add a record."""
        self.records.append({"timestamp": stamp(self.now), "type": kind, "payload": payload})

    def prompt(self, text: str) -> None:
        """Add what a person wrote, as item and event."""
        content = [{"type": "input_text", "text": text}]
        self.record("response_item", type="message", role="user", content=content)
        self.record("event_msg", type="user_message", message=text, images=[])

    def say(self, text: str) -> None:
        """Add one text of the model, as event and item."""
        self.record("event_msg", type="agent_message", message=text)
        content = [{"type": "output_text", "text": text}]
        self.record("response_item", type="message", role="assistant", content=content)

    def bash(self, command: str, text: str, *, took: float = 2, code: int = 0) -> None:
        """Add a command with what it printed."""
        call_id = self.id("call_")
        arguments = json.dumps({"cmd": command, "workdir": self.cwd})
        self.record("response_item", type="function_call", name="exec_command", arguments=arguments, call_id=call_id)
        self.wait(took)
        output = f"Wall time: {took:.4f} seconds\nProcess exited with code {code}\nOutput:\n{text}"
        self.record("response_item", type="function_call_output", call_id=call_id, output=output)
