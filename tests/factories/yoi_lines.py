"""yoi's lines, in the layouts of all its versions."""

from __future__ import annotations

import json
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from tests.factories.names import Names
from tests.factories.writing import Lines

ERAS = ("flat", "chained", "logged", "segments")
CONFIG = {"max_tokens": None, "temperature": None, "top_p": None, "top_k": None, "stop_sequences": []}


class Yoi(Lines):
    """A session in one of yoi's homes below `home`, or a segment of one; it begins with its start record.

    Eras: `flat` with items tagged by type, the same `chained` by hashes, `logged` items tagged by kind in a chain, and
    unchained `segments` in a folder for each session.
    """

    agent = "yoi"

    def __init__(
        self,
        home: Path,
        names: Names,
        *,
        era: str | None = None,
        sessions: Path | None = None,
        session_id: str | None = None,
        history: list[dict[str, Any]] | None = None,
        **origin: Any,
    ) -> None:
        self.era = era or names.rng.choice(ERAS)
        self.tag = "type" if self.era in ("flat", "chained") else "kind"
        self.sessions = sessions or home / names.rng.choice([".local/share/yoi", ".yoi"]) / "sessions"
        self.segment_id = names.ordered_uuid()
        session_id = session_id or names.ordered_uuid()
        segmented = self.era == "segments"
        name = f"{session_id}/{self.segment_id}" if segmented else session_id
        super().__init__(self.sessions / f"{name}.jsonl", names, session_id)
        self.newest: str | None = None
        told = {"session_id": session_id} if segmented else {}
        start = {"system_prompt": names.rng.choice([None, "Be kind."]), "config": CONFIG, "history": history or []}
        self.entry("segment_start" if segmented else "session_start", **told, **start, **origin)

    @property
    def is_chained(self) -> bool:
        """Whether records carry the hashes of a chain."""
        return self.era in ("chained", "logged")

    def record(self, kind: str, **fields: Any) -> dict[str, Any]:
        """A record at the next moment, not added."""
        self.last_activity = self.names.time()
        moment = datetime.fromisoformat(self.last_activity)
        return {"kind": kind, "ts": int(moment.timestamp()) * 1000 + moment.microsecond // 1000, **fields}

    def entry(self, kind: str, **fields: Any) -> int:
        """Add a record, uncounted."""
        return self.add(self.record(kind, **fields))

    def add(self, record: dict[str, Any]) -> int:
        """Add a record, in a chain behind the one before."""
        line = self.encode(record)
        return self.raw(self.linked(line) if self.is_chained else line)

    def linked(self, line: bytes) -> bytes:
        """Put the hashes before a record, as yoi writes them: without blanks."""
        text = json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":"))
        before = self.newest
        self.newest = sha256(bytes.fromhex(before or "0" * 64) + text.encode()).hexdigest()
        hashes = json.dumps({"hash": self.newest, "prev_hash": before}, separators=(",", ":"))
        return f"{hashes[:-1]},{text[1:]}".encode()

    def message(self, role: str, *texts: str) -> dict[str, Any]:
        """A message item."""
        return {self.tag: "message", "role": role, "content": [{self.tag: "text", "text": text} for text in texts]}

    def items(self, kind: str, *items: dict[str, Any]) -> int:
        """Add items in one record or, as later versions do, each in its own; uncounted."""
        if self.era in ("flat", "chained") or (self.era == "logged" and self.names.rng.random() < 0.3):
            return self.entry(f"{kind}s", items=list(items))
        for item in items:
            self.entry(kind, item=item)
        return len(self)

    def user(self, text: str) -> int:
        """Add a prompt."""
        self.count(user=1)
        if self.tag == "type":
            return self.entry("user_input", item=self.message("user", text))
        return self.entry("user_input", segments=[{"kind": "text", "content": text}])

    def answer(self, text: str) -> int:
        """Add one text of the model."""
        return self.count(assistant=1).items("assistant_item", self.message("assistant", text))

    def answer_record(self, text: str) -> dict[str, Any]:
        """A record with one text of the model, not added, not counted and in no chain."""
        if self.tag == "type":
            return self.record("assistant_items", items=[self.message("assistant", text)])
        return self.record("assistant_item", item=self.message("assistant", text))

    def call(self, command: str) -> str:
        """Add a call of the shell."""
        return self.function("bash", json.dumps({"command": command}))

    def function(self, name: str, arguments: str) -> str:
        """Add a call with these arguments, a JSON string or not."""
        call_id = self.names.token("call_")
        call = {self.tag: "tool_call", "call_id": call_id, "name": name, "arguments": arguments}
        self.count(tool_input=1).items("assistant_item", call)
        return call_id

    def result(self, call_id: str, text: Any, **fields: Any) -> int:
        """Add the result of a call."""
        return self.count(tool_output=1).items("tool_result", self.result_item(call_id, text, **fields))

    def result_item(self, call_id: str, text: Any, **fields: Any) -> dict[str, Any]:
        """An item of a result, not added."""
        key = "output" if self.era == "flat" else "summary"
        return {self.tag: "tool_result", "call_id": call_id, key: text, **fields}

    def save(self, *, start: bytes = b"", newline: bytes = b"\n", end: bytes = b"\n") -> Self:
        """Write the file, and the trace beside it."""
        super().save(start=start, newline=newline, end=end)
        trace = {"kind": "session_start", "ts": 1_780_000_000_000, "history": [], "config": CONFIG, "turn": 0}
        self.path.with_suffix(".trace.jsonl").write_text(json.dumps(trace) + "\n", "utf-8")
        return self
