"""MiniCode's lines."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.factories.names import Names
from tests.factories.writing import Lines


class MiniCode(Lines):
    """A session in `<home>/.mini-code/projects`; events hang on each other as MiniCode writes them."""

    agent = "minicode"

    def __init__(self, home: Path, names: Names, *, cwd: str | None = None) -> None:
        self.home = home / ".mini-code"
        self.cwd = cwd or names.folder()
        self.project = self.home / "projects" / re.sub(r"[/\\:]+", "-", self.cwd).removeprefix("-")
        session_id = names.uuid()[:8]
        super().__init__(self.project / f"{session_id}.jsonl", names, session_id)
        self.parent: str | None = None
        self.names_of_calls: dict[str, str] = {}

    def event(self, type_: str, uuid: str | None = None, **fields: Any) -> dict[str, Any]:
        """An event of the chain, not added; the next one hangs on it."""
        event = {
            "type": type_,
            **fields,
            "uuid": uuid or self.names.uuid(),
            "timestamp": self.names.time(),
            "sessionId": self.session_id,
            "cwd": self.cwd,
        }
        event.setdefault("parentUuid", self.parent)
        self.parent, self.last_activity = event["uuid"], event["timestamp"]
        return event

    def message(self, type_: str, role: str, **fields: Any) -> dict[str, Any]:
        """An event with a message, which has the id of its event; not added."""
        event = self.event(type_, message={"role": role, **fields})
        event["message"]["id"] = event["uuid"]
        return event

    def again(self, *events: dict[str, Any]) -> None:
        """Add events that were written before once more: their ids are the old ones, all else of them is new."""
        for event in events:
            self.add(self.event(event["type"], event["uuid"], message=event["message"]))

    def boundary(self, type_: str, **fields: Any) -> dict[str, Any]:
        """An event between two chains, not added."""
        before, self.parent = self.parent, None
        return self.event(type_, subtype=type_, logicalParentUuid=before, **fields)

    def compacted(self, summary: str) -> dict[str, Any]:
        """Add a boundary and its summary, counted; return the event of the summary."""
        trigger = self.names.rng.choice(["auto", "manual"])
        metadata = {"trigger": trigger, "preTokens": self.names.rng.randrange(9_000, 90_000), "postTokens": 800}
        self.count(system=2).add(self.boundary("compact_boundary", compactMetadata=metadata))
        event = self.event("user", message={"role": "user", "content": summary})
        self.add(event)
        return event

    def user(self, text: str) -> int:
        """Add a prompt."""
        return self.count(user=1).add(self.message("user", "user", content=text))

    def answer(self, text: str) -> int:
        """Add one text of the model."""
        return self.count(assistant=1).add(self.answer_record(text))

    def answer_record(self, text: str) -> dict[str, Any]:
        """An event with one text of the model, not added and not counted."""
        return self.message("assistant", "assistant", content=text)

    def call(self, command: str) -> str:
        """Add a call of the shell."""
        return self.used("run_command", {"command": command})

    def used(self, tool: str, given: Any, call_id: str | None = None) -> str:
        """Add a call of a tool."""
        call_id = call_id or self.names.token("toolu_")
        self.names_of_calls[call_id] = tool
        self.count(tool_input=1).add(self.call_record(tool, given, call_id))
        return call_id

    def call_record(self, tool: str, given: Any, call_id: str) -> dict[str, Any]:
        """An event of a call, not added."""
        return self.message("tool_call", "assistant_tool_call", toolUseId=call_id, toolName=tool, input=given)

    def result(self, call_id: str, text: Any, **fields: Any) -> int:
        """Add the result of a call."""
        return self.count(tool_output=1).add(self.result_record(call_id, text, **fields))

    def result_record(self, call_id: str, text: Any, **fields: Any) -> dict[str, Any]:
        """An event of a result, not added."""
        told = {"toolUseId": call_id, "toolName": self.names_of_calls.get(call_id, "run_command"), "content": text}
        return self.message("tool_result", "tool_result", **told, **{"isError": False, **fields})

    def saved(self, call_id: str, text: str, preview: str, *, name: str | None = None) -> int:
        """Add a result whose text is saved beside the session, under a path of some other machine."""
        name = name or f"{call_id}.txt"
        self.save_output(name, text)
        return self.result(call_id, self.stand_in(name, preview))

    def save_output(self, name: str, text: str) -> None:
        """Write a file beside the session."""
        own = self.path.with_suffix("") / "tool-results"
        own.mkdir(parents=True, exist_ok=True)
        (own / name).write_bytes(text.encode())

    def stand_in(self, name: str, preview: str, *, folder: str = "") -> str:
        """What stands in the log for a saved result."""
        machine = self.names.rng.choice(["/home/else/.mini-code", "C:\\Users\\Else\\.mini-code"])
        slash = "\\" if machine[0] == "C" else "/"
        folder = folder or f"projects/{self.project.name}/{self.session_id}/tool-results"
        path = slash.join([machine, *folder.split("/"), name])
        size = self.names.rng.choice(["54K chars", "1.2M chars", "51.7KB"])
        told = f"Output too large ({size}). Full output saved to: {path}"
        return f"<persisted-output>\n{told}\n\nPreview (first 2K chars):\n{preview}\n...\n</persisted-output>"

    def rename(self, title: str, *, at_once: bool = False) -> int:
        """Add a name for the session; `at_once` as a fork gets it, a moment after the events before it."""
        moment = self.last_activity
        event = self.event("rename", title=title)
        del event["parentUuid"]
        if at_once and moment is not None:
            event["timestamp"] = self.last_activity = moment
        return self.add(event)


def milliseconds(time: str) -> int:
    """A moment as the ids and messages of boundaries tell it."""
    return int(datetime.fromisoformat(time).timestamp() * 1000)
