"""Homes of recorded sessions of any age, and what lies in a folder, byte for byte."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

DAY = 86_400
MONTH = timedelta(days=30)
OLD, YOUNG = 60, 3
"""Days: above and below `MONTH`."""


def event(text: str, at: float, **more: Any) -> bytes:
    """A line of a log."""
    uuid = hashlib.sha256(f"{text}{at}{more}".encode(errors="replace")).hexdigest()[:12]
    told = {
        "type": "user",
        "message": {"role": "user", "content": text, "id": uuid},
        "uuid": uuid,
        "timestamp": datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds"),
        "sessionId": "any",
        "cwd": "/srv/shop",
        "parentUuid": None,
    }
    return json.dumps(told | more).encode() + b"\n"


def result(content: str, at: float) -> bytes:
    """The line of a tool's result."""
    told = {"role": "tool_result", "toolUseId": "t1", "toolName": "run_command", "content": content, "isError": False}
    line = json.loads(event("", at))
    return json.dumps(line | {"type": "tool_result", "message": told | {"id": line["uuid"]}}).encode() + b"\n"


def pointer(session_id: str, name: str = "t1.txt", home: str = "/home/else/.mini-code", project: str = "p") -> str:
    """What stands in a log for a result that is saved with a session."""
    path = f"{home}/projects/{project}/{session_id}/tool-results/{name}"
    told = f"Output too large (54K chars). Full output saved to: {path}"
    return f"<persisted-output>\n{told}\n\nPreview (first 2K chars):\nit begins\n...\n</persisted-output>"


def aged(path: Path, days: float) -> Path:
    """Set back when a file was last written."""
    moment = time.time() - days * DAY
    os.utime(path, (moment, moment), follow_symlinks=False)
    return path


class Home:
    """A home, `.mini-code` in a folder unless it has another name."""

    def __init__(self, above: Path, name: str = ".mini-code") -> None:
        self.path = above / name
        (self.path / "projects").mkdir(parents=True)

    @property
    def trash(self) -> Path:
        return self.path / ".unspool-trash"

    def project(self, name: str = "p") -> Path:
        return self.path / "projects" / name

    def session(
        self,
        session_id: str,
        days: float = OLD,
        *,
        recorded: float | None = None,
        saved: Iterable[str] = (),
        pointing: Iterable[str] = (),
        tail: bytes = b"",
        project: str = "p",
    ) -> Path:
        """Write a session: `days` old by its file, `recorded` by its records, which point to those of other ids."""
        at = time.time() - (days if recorded is None else recorded) * DAY
        lines = [event(f"in {session_id}", at), *(result(pointer(each), at) for each in pointing)]
        log = self.project(project) / f"{session_id}.jsonl"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_bytes(b"".join(lines) + tail)
        self.outputs(session_id, days, saved, project=project)
        return aged(log, days)

    def outputs(self, name: str, days: float, saved: Iterable[str] = ("t1.txt",), *, project: str = "p") -> Path:
        """Write saved outputs, with or without a log beside them."""
        folder = self.project(project) / name
        for each in saved:
            self._output(folder / "tool-results" / each, days)
        return folder

    def run(self, name: str, days: float, saved: Iterable[str] = ("t1.txt",)) -> Path:
        """Write saved outputs as first versions did."""
        folder = self.path / "tool-results" / name
        for each in saved:
            self._output(folder / each, days)
        return folder

    def _output(self, path: Path, days: float) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"all of {path.name} of {path.parent.parent.name}", errors="replace")
        aged(path, days)


def contents(folder: Path) -> dict[str, str]:
    """What lies in a folder: each file's bytes, each link's target, each folder."""
    found: dict[str, str] = {}
    for above, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(above) / name
            found[str(path.relative_to(folder))] = _told(path)
    return found


def _told(path: Path) -> str:
    if path.is_symlink():
        return f"-> {os.readlink(path)}"
    if path.is_file():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    return "folder" if path.is_dir() else "special"
