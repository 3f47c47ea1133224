"""`unspool follow` from outside: a writer does one thing after another and waits until it is told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any, Final

import pytest

from tests.core.views.growing import answered, called, said
from tests.running import unspool

SECONDS: Final = 60.0
"""How long an event may take on a busy machine before it counts as lost."""


class Followed:
    """A running `unspool follow` on a HOME of its own, and what it has told."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.root = home / "work"
        self.project = self.root / ".claude" / "projects" / "-work"
        command = [sys.executable, "-m", "unspool_tui", "follow", "--root", str(self.root), *arguments]
        environment = {**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home / "config")}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True, encoding="utf-8"
        )
        assert self.process.stderr is not None
        assert "following" in self.process.stderr.readline()
        self.lines: list[str] = []
        self.reading = Thread(target=self._read, daemon=True)
        self.reading.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)

    def write(self, name: str, data: bytes) -> Path:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(data)
        return path

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in list(self.lines)]

    def until(self, found: Callable[[list[dict[str, Any]]], bool]) -> None:
        """Wait until what was told is as it should be."""
        until = time.monotonic() + SECONDS
        while not found(self.events()):
            assert time.monotonic() < until, self.lines
            self.reading.join(0.01)

    def until_line(self, wanted: Callable[[str], bool]) -> str:
        """Wait until a line was told, and return it."""
        until = time.monotonic() + SECONDS
        while (found := next(filter(wanted, list(self.lines)), None)) is None:
            assert time.monotonic() < until, self.lines
            self.reading.join(0.01)
        return found

    def told(self, event: str, **fields: Any) -> None:
        """Wait until an event was told."""
        wanted = {"event": event, **fields}
        self.until(lambda events: any(wanted.items() <= each.items() for each in events))

    def end(self, how: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(how)
        return self.process.wait(SECONDS)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        self.reading.join(SECONDS)


@pytest.fixture
def followed(tmp_path: Path) -> Iterator[Followed]:
    running = Followed(tmp_path, "--json")
    yield running
    running.close()


def test_everything_that_a_writer_does_is_told(followed: Followed) -> None:
    ref = "claude:a"
    path = followed.write("a.jsonl", b"")
    followed.told("session", ref=ref, path=str(path), bytes=0)
    path = followed.write("a.jsonl", said(0, "one") + b"\n")
    followed.told("evidence", ref=ref, id="E0.0", summary="one")

    record = said(1, "half line 日本語 tail", "assistant") + b"\n"
    start, cut = path.stat().st_size, record.index("本".encode()) + 1
    for end in (40, cut):
        followed.write("a.jsonl", record[end - 40 if end == 40 else 40 : end])
        followed.told("pending", ref=ref, byte_range=[start, start + end])
    followed.write("a.jsonl", record[cut:])
    followed.told("evidence", ref=ref, id="E1.0", summary="half line 日本語 tail")

    followed.write("a.jsonl", b"".join(said(number, f"burst {number}") + b"\n" for number in range(2, 202)))
    followed.told("evidence", ref=ref, id="E201.0", summary="burst 201")
    followed.write("a.jsonl", b'{"type":"assistant","message":{"ro\n' + said(203, "after torn") + b"\n")
    followed.told("unreadable", ref=ref, line=203)
    followed.told("evidence", ref=ref, id="E203.0")
    ids = [each["id"] for each in followed.events() if each["event"] == "evidence"]
    assert len(ids) == len(set(ids)) == 203

    other = path.with_suffix(".tmp")
    other.write_bytes(said(0, "new") + b"\n" + called(1, "t1") + b"\n")
    other.replace(path)
    followed.told("replaced", ref=ref, from_entry=0, pieces=2)
    followed.told("evidence", ref=ref, id="E0.0", summary="new")
    os.truncate(path, len(said(0, "new")) + 1)
    followed.told("truncated", ref=ref, from_entry=1, pieces=1)

    followed.write("a/subagents/agent-x.jsonl", said(0, "to a subagent") + b"\n")
    followed.told("session", ref="claude:a.x", parent=ref)
    saved = followed.write("a/tool-results/t2.txt", b"first half")
    stub = "<persisted-output>\nOutput too large (54.0KB). Full output saved to: /h/a/tool-results/t2.txt\n\n"
    stub += "Preview (first 2KB):\nfirst half\n</persisted-output>"
    followed.write("a.jsonl", called(1, "t2") + b"\n" + answered(2, "t2", stub) + b"\n")
    followed.told("evidence", ref=ref, id="E2.0", bytes=10)
    with saved.open("ab") as file:
        file.write(b" and the end")
    followed.told("side_file", ref=ref, id="E2.0", bytes=22)

    there = followed.project.with_name("-other") / "a.jsonl"
    there.parent.mkdir()
    path.rename(there)
    followed.told("moved", **{"ref": ref, "path": str(there), "from": str(path)})
    there.unlink()
    followed.told("gone", ref=ref, path=str(there))
    assert followed.end() == 130


def test_it_ends_when_nobody_reads_any_more_though_nothing_happens(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "unspool_tui", "follow", "--root", str(tmp_path / "none"), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        assert "following" in process.stderr.readline()
        process.stdout.close()
        assert process.wait(SECONDS) == 0
        assert process.stderr.read() == ""


def test_one_session_is_followed_for_people_with_the_pieces_that_are_wanted(tmp_path: Path) -> None:
    home = tmp_path / "work" / ".claude" / "projects" / "-work"
    home.mkdir(parents=True)
    (home / "a.jsonl").write_bytes(said(0, "before") + b"\n")
    (home / "b.jsonl").write_bytes(said(0, "another") + b"\n")
    running = Followed(tmp_path, "claude:a", "--kind", "user")
    try:
        for name in ("b.jsonl", "a.jsonl"):
            running.write(name, said(1, f"prompt in {name}") + b"\n" + said(2, "an answer", "assistant") + b"\n")
        running.write("a.jsonl", said(3, "last") + b"\n")
        while not any("last" in line for line in running.lines):
            running.reading.join(0.01)
            assert running.process.poll() is None
        shown = "".join(running.lines)
        assert "prompt in a.jsonl" in shown
        assert "claude:a" in shown
        assert "another" not in shown
        assert "b.jsonl" not in shown
        assert "answer" not in shown
        assert running.end() == 130
    finally:
        running.close()


def test_a_call_that_has_just_begun_is_not_said_to_have_no_answer(tmp_path: Path) -> None:
    running = Followed(tmp_path)
    try:
        running.write("a.jsonl", said(0, "go on") + b"\n" + called(1, "toolu_1") + b"\n" + said(2, "behind") + b"\n")
        while not any("behind" in line for line in running.lines):
            running.reading.join(0.01)
            assert running.process.poll() is None
        (call,) = (line for line in running.lines if "→" in line)
        assert "unanswered" not in call
    finally:
        running.close()
    assert "[no result yet]" in unspool("evidence", "last", "--root", str(running.root)).out


def test_of_a_session_that_becomes_unreadable_the_reason_alone_is_said(tmp_path: Path) -> None:
    followed = Followed(tmp_path)
    try:
        path = followed.write("s.jsonl", said(0, "Sort the list") + b"\n")
        followed.until_line(lambda line: "Sort the list" in line)
        path.write_bytes(b"\0\1\2\3" * 4_096)
        said_of_it = followed.until_line(lambda line: "!" in line and "s.jsonl" in line)
        assert said_of_it.startswith(f"claude:s  ! {path} ")
        assert said_of_it.count("s.jsonl") == 1
    finally:
        followed.close()
