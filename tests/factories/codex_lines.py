"""Codex's lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.factories.names import Names
from tests.factories.writing import Lines


class Codex(Lines):
    """A rollout in `<home>/.codex`; it begins with its header and a turn context, unless it is `bare`."""

    agent = "codex"

    def __init__(
        self,
        home: Path,
        names: Names,
        *,
        cwd: str | None = None,
        session_id: str | None = None,
        archived: bool = False,
        suffix: str = ".jsonl",
        bare: bool = False,
        **meta: Any,
    ) -> None:
        session_id = session_id or names.uuid()
        self.cwd = cwd or names.folder()
        day = names.now.strftime("archived_sessions" if archived else "sessions/%Y/%m/%d")
        stem = f"rollout-{names.now.strftime('%Y-%m-%dT%H-%M-%S')}-{session_id}"
        super().__init__(home / ".codex" / day / f"{stem}{suffix}", names, session_id)
        if bare:
            return
        self.header(id=session_id, **meta)
        self.record("turn_context", cwd=self.cwd, model="gpt-5.6-luna", effort="medium", summary="auto")

    def header(self, **meta: Any) -> int:
        """Add a session header."""
        return self.record(
            "session_meta",
            timestamp=self.names.time(),
            cwd=self.cwd,
            originator="codex_cli_rs",
            cli_version="0.146.0",
            **{"source": "cli"} | meta,
        )

    def record(self, type_: str, **payload: Any) -> int:
        """Add an envelope with this payload, uncounted."""
        return self.add(self.envelope(type_, payload))

    def envelope(self, type_: str, payload: dict[str, Any]) -> dict[str, Any]:
        """A record, not added."""
        self.last_activity = self.names.time()
        return {"timestamp": self.last_activity, "type": type_, "payload": payload}

    def item(self, type_: str, **fields: Any) -> int:
        """Add a response item, uncounted."""
        return self.record("response_item", type=type_, **fields)

    def event(self, type_: str, **fields: Any) -> int:
        """Add an event, uncounted."""
        return self.record("event_msg", type=type_, **fields)

    def message(self, role: str, *texts: str) -> int:
        """Add a message item, uncounted."""
        kind = "output_text" if role == "assistant" else "input_text"
        return self.item("message", role=role, content=[{"type": kind, "text": text} for text in texts])

    def user(self, text: str) -> int:
        """Add a prompt as item and event."""
        self.count(user=1, twin=1)
        line = self.message("user", text)
        self.event("user_message", message=text, images=[])
        return line

    def answer(self, text: str) -> int:
        """Add a text of the model as event and item, in either order."""
        self.count(assistant=1, twin=1)
        line = len(self) + 1
        for side in self.names.rng.sample(("event", "item"), 2):
            if side == "event":
                self.event("agent_message", message=text)
            else:
                self.message("assistant", text)
        return line

    def answer_record(self, text: str) -> dict[str, Any]:
        """An event with one text of the model, not added and not counted."""
        return self.envelope("event_msg", {"type": "agent_message", "message": text})

    def call(self, command: str) -> str:
        """Add a call of the shell."""
        return self.function("exec_command", json.dumps({"cmd": command}))

    def function(self, name: str, arguments: str) -> str:
        """Add a function call with these arguments, a JSON string or not."""
        call_id = self.names.token("call_")
        self.count(tool_input=1).item("function_call", name=name, arguments=arguments, call_id=call_id)
        return call_id

    def result(self, call_id: str, text: Any) -> int:
        """Add the output of a call."""
        return self.count(tool_output=1).item("function_call_output", call_id=call_id, output=text)
