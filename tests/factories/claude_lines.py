"""Claude Code's lines."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

from tests.factories.names import Names
from tests.factories.writing import Lines


class Claude(Lines):
    """A session in `<home>/.claude/projects`; records hang on each other unless `parent` is moved."""

    agent = "claude"

    def __init__(
        self,
        home: Path,
        names: Names,
        *,
        cwd: str | None = None,
        path: Path | None = None,
        session_id: str | None = None,
        **extra: Any,
    ) -> None:
        session_id = session_id or names.uuid()
        self.cwd = cwd or names.folder()
        self.project = home / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", self.cwd)
        super().__init__(path or self.project / f"{session_id}.jsonl", names, session_id)
        self.version = f"2.1.{names.rng.randrange(40, 280)}"
        self.parent: str | None = None
        self.extra = extra

    def chained(self, type_: str, **fields: Any) -> dict[str, Any]:
        """A record of the chain, not added; the next one hangs on it."""
        record = {
            "parentUuid": self.parent,
            "isSidechain": False,
            "userType": "external",
            "cwd": self.cwd,
            "sessionId": self.session_id,
            "version": self.version,
            "gitBranch": "main",
            "type": type_,
            "uuid": self.names.uuid(),
            "timestamp": self.names.time(),
            **self.extra,
            **fields,
        }
        self.parent, self.last_activity = record["uuid"], record["timestamp"]
        return record

    def said(self, content: Any, **fields: Any) -> int:
        """Add a user record with any content, uncounted."""
        return self.add(self.chained("user", message={"role": "user", "content": content}, **fields))

    def spoke(self, *blocks: Any, message_id: str | None = None, output_tokens: int = 7, **fields: Any) -> int:
        """Add an assistant record with any blocks, uncounted."""
        return self.add(self.assistant(list(blocks), message_id, output_tokens, **fields))

    def assistant(
        self, content: Any, message_id: str | None = None, output_tokens: int = 7, **fields: Any
    ) -> dict[str, Any]:
        """An assistant record, not added."""
        usage = {
            "input_tokens": 3,
            "cache_creation_input_tokens": 5,
            "cache_read_input_tokens": 11,
            "output_tokens": output_tokens,
        }
        message = {
            "id": message_id or self.names.token("msg_"),
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-4-5-20250929",
            "content": content,
            "usage": usage,
        }
        return self.chained("assistant", message=message, **fields)

    def user(self, text: str) -> int:
        """Add a prompt: a string, or one text block."""
        self.tally["user"] += 1
        return self.said(self.names.rng.choice([text, [{"type": "text", "text": text}]]))

    def answer(self, text: str) -> int:
        """Add one text of the model."""
        return self.count(assistant=1).add(self.answer_record(text))

    def answer_record(self, text: str) -> dict[str, Any]:
        """A record with one text of the model, not added and not counted."""
        return self.assistant([{"type": "text", "text": text}])

    def call(self, command: str) -> str:
        """Add a call of the shell."""
        call_id = self.names.token("toolu_")
        self.tally["tool_input"] += 1
        self.spoke({"type": "tool_use", "id": call_id, "name": "Bash", "input": {"command": command}})
        return call_id

    def result(self, call_id: Any, text: Any, **fields: Any) -> int:
        """Add the result of a call."""
        self.tally["tool_output"] += 1
        return self.said([{"type": "tool_result", "tool_use_id": call_id, "content": text, **fields}])

    def system(self, text: Any, **fields: Any) -> int:
        """Add a user record that the harness wrote."""
        self.tally["system"] += 1
        return self.said(text, **fields)

    def queue(self, operation: str, *content: Any) -> int:
        """Add a record of the queue in which prompts wait."""
        holds = {"content": content[0]} if content else {}
        return self.note("queue-operation", operation=operation, timestamp=self.names.time(), **holds)

    def note(self, type_: str, **fields: Any) -> int:
        """Add a record of bookkeeping that is not in the chain."""
        return self.add({"type": type_, **fields, "sessionId": self.session_id})


def text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def image_block(names: Names) -> tuple[dict[str, Any], str, str]:
    """A picture block, its line of text, and its base64."""
    data = b"\x89PNG" + names.rng.randbytes(names.rng.randrange(200, 900))
    encoded = base64.b64encode(data).decode()
    source = {"type": "base64", "media_type": "image/png", "data": encoded}
    return {"type": "image", "source": source}, f"[image image/png {len(data)}]", encoded
