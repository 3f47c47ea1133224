"""The bell: it rings once when an agent begins to wait, through the terminal, and nowhere else."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.core.views.growing import finished, said
from tests.tui.terminal import Terminal
from tests.tui.wire import tokens
from unspool.formats.waiting import Waiting
from unspool.ids import SessionRef
from unspool_tui.present.waits import Attention
from unspool_tui.streams import ring

SECONDS: Final = 60.0


def test_without_a_terminal_nothing_rings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with (tmp_path / "out").open("w") as file:
        monkeypatch.setattr(sys, "__stderr__", file)
        monkeypatch.setattr(sys, "__stdout__", file)
        ring()
    assert (tmp_path / "out").read_bytes() == b""


@pytest.mark.parametrize("asked", ["flag", "setting", None])
def test_follow_rings_once_for_each_change_to_waiting_while_its_answers_stay_clean(
    tmp_path: Path, asked: str | None
) -> None:
    project = tmp_path / ".claude" / "projects" / "-work"
    project.mkdir(parents=True)
    path = project / "a.jsonl"
    path.write_bytes(said(0, "go") + b"\n")
    config = tmp_path / "config" / "unspool"
    config.mkdir(parents=True)
    (config / "settings.toml").write_text("bell = true\n" if asked == "setting" else "")
    leader, follower = os.openpty()
    command = [sys.executable, "-m", "unspool_tui", "follow", "--json", "--root", str(tmp_path)]
    process = subprocess.Popen(
        command + ["--bell"] * (asked == "flag"),
        stdout=subprocess.PIPE,
        stderr=follower,
        env={**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")},
    )
    os.close(follower)
    assert process.stdout is not None
    try:
        heard = os.read(leader, 4_096)
        assert b"following" in heard
        told: list[dict[str, object]] = []
        for number, record in enumerate((finished(1, "a"), finished(2, "b"), said(3, "c"), finished(4, "d"))):
            with path.open("ab") as file:
                file.write(record + b"\n")
            while len([each for each in told if each["event"] == "evidence"]) < number + 1 or (
                number != 1 and told[-1]["event"] != "waiting"
            ):
                told.append(json.loads(process.stdout.readline()))
        assert [each["waiting"] for each in told if each["event"] == "waiting"] == ["turn", None, "turn"]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(SECONDS)
        process.stdout.close()
    try:
        while more := os.read(leader, 4_096):
            heard += more
    except OSError:
        pass
    os.close(leader)
    assert heard.count(b"\a") == (2 if asked else 0)


@pytest.mark.parametrize("asked", [True, False])
def test_the_app_rings_when_the_agent_of_the_open_session_begins_to_wait(tmp_path: Path, asked: bool) -> None:
    project = tmp_path / ".claude" / "projects" / "-work"
    project.mkdir(parents=True)
    path = project / "a.jsonl"
    path.write_bytes(said(0, "count the files") + b"\n" + finished(1, "Three.") + b"\n")
    environ = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "c"), "XDG_STATE_HOME": str(tmp_path / "s")}
    with Terminal() as terminal:
        options = ["--bell"] * asked
        terminal.start("-m", "unspool_tui", "--root", str(tmp_path), "claude:a", *options, environ=environ)
        terminal.wait_for("count the files")
        terminal.settle()
        with path.open("ab", buffering=0) as file:
            for number, words in enumerate(("and the folders", "and the links"), 1):
                file.write(said(3 * number, words) + b"\n")
                terminal.wait_for(words)
                file.write(finished(3 * number + 1, f"Done {number}.") + b"\n")
                terminal.wait_for(f"Done {number}.")
        terminal.settle()
        rung = [token for token in tokens(terminal.written) if token.name == "bell"]
        assert len(rung) == (2 if asked else 0)


def test_what_is_seen_first_was_there_before_and_each_change_to_waiting_calls_once() -> None:
    attention, ref = Attention(), SessionRef("claude", "a")
    steps: list[Waiting | None] = ["turn", "turn", None, "question", "question", "permission", None, "turn"]
    assert [attention.takes(ref, each) for each in steps] == [False, False, False, True, False, True, False, True]
