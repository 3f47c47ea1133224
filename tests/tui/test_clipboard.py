"""The programs that keep a clipboard, as a machine may have them."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from unspool_tui.clipboard import hand_over, helpers, told_way

EVERYWHERE = {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0", "WSL_INTEROP": "/run/x"}


def program(folder: Path, name: str, body: str) -> Path:
    """Put a program onto the PATH that does as a shell is told; what it writes into `$OUT` is the file returned."""
    out = folder / f"{name}.out"
    path = folder / name
    path.write_text(f"#!/bin/sh\nOUT='{out}'\n{body}\n")
    path.chmod(0o755)
    return out


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of programs before all others."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def is_running(pid: int) -> bool:
    """Say whether a process runs; one that ended and was not asked for yet does not."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.startswith("Z")


def names(environ: dict[str, str], *, platform: str = "linux") -> list[str]:
    """Return the programs that are asked on a machine that has all of them."""
    return [helper.name for helper in helpers(environ, platform=platform, which=lambda name: f"/bin/{name}")]


def test_only_programs_that_serve_this_display_are_asked() -> None:
    assert names({}) == []
    assert names({"WAYLAND_DISPLAY": "wayland-0"}) == ["wl-copy"]
    assert names({"DISPLAY": ":0"}) == ["xclip", "xsel"]
    assert names({"WSL_DISTRO_NAME": "Debian"}) == ["clip.exe"]
    assert names({}, platform="darwin") == ["pbcopy"]
    assert names(EVERYWHERE) == ["wl-copy", "xclip", "xsel", "clip.exe"]
    assert helpers(EVERYWHERE, which=lambda name: None) == ()


@pytest.mark.parametrize("name", ["SSH_CONNECTION", "SSH_TTY"])
def test_over_ssh_no_program_of_the_far_machine_is_asked(name: str) -> None:
    assert names(EVERYWHERE | {name: "x"}) == []
    assert names({name: "x"}, platform="darwin") == []


def test_inside_tmux_it_is_asked_after_the_display_and_over_ssh_too() -> None:
    assert names({"TMUX": "/tmp/tmux-1/default,1,0"}) == ["tmux"]
    assert names({"TMUX": "x", "WAYLAND_DISPLAY": "wayland-0"}) == ["wl-copy", "tmux"]
    assert names({"TMUX": "x", "SSH_TTY": "x", "DISPLAY": ":0"}) == ["tmux"]
    assert helpers({"TMUX": "x"}, which=lambda name: None) == ()


def test_tmux_keeps_a_text_as_a_buffer_and_passes_it_on(machine: Path) -> None:
    out = program(machine, "tmux", 'printf "%s\n" "$*" > "$OUT"; cat >> "$OUT"')
    assert hand_over("two\nlines", helpers({"TMUX": "x"})) == "tmux"
    assert out.read_text() == "load-buffer -w -\ntwo\nlines"


def test_what_tmux_may_swallow_is_not_called_copied() -> None:
    assert told_way("tmux", {"TMUX": "x"}) == ("copied", "by tmux")
    assert told_way(None, {}) == ("copied", "through the terminal")
    assert told_way(None, {"TMUX": "x"}) == ("sent", "to the terminal; tmux needs set-clipboard on")


def test_a_text_is_handed_over_as_it_is(machine: Path) -> None:
    out = program(machine, "wl-copy", 'cat > "$OUT"')
    text = "größer\n\tund\x00so \U0001f600" + "x" * 99_000
    assert hand_over(text, helpers({"WAYLAND_DISPLAY": "x"})) == "wl-copy"
    assert out.read_bytes() == text.encode()


def test_halves_of_characters_become_what_stands_for_them(machine: Path) -> None:
    out = program(machine, "wl-copy", 'cat > "$OUT"')
    assert hand_over("a\ud800b", helpers({"WAYLAND_DISPLAY": "x"})) == "wl-copy"
    assert out.read_text() == "a\ufffdb"


def test_windows_gets_its_own_encoding(machine: Path) -> None:
    out = program(machine, "clip.exe", 'cat > "$OUT"')
    assert hand_over("größer", helpers({"WSL_INTEROP": "x"})) == "clip.exe"
    assert out.read_bytes() == "größer".encode("utf-16-le")


def test_one_that_fails_gives_way_to_the_next(machine: Path) -> None:
    program(machine, "wl-copy", "exit 1")
    program(machine, "xclip", "cat > /dev/null; exit 3")
    out = program(machine, "xsel", 'cat > "$OUT"')
    assert hand_over("x", helpers(EVERYWHERE)[:3]) == "xsel"
    assert out.read_text() == "x"


def test_one_that_hangs_is_given_up_with_all_that_it_started(machine: Path) -> None:
    out = program(machine, "wl-copy", '(sleep 30; echo still > "$OUT") & echo $! > "$OUT"; wait')
    began = time.monotonic()
    assert hand_over("x" * 90_000, helpers({"WAYLAND_DISPLAY": "x"}), seconds=0.3) is None
    assert time.monotonic() - began < 5
    while is_running(int(out.read_text())):
        assert time.monotonic() - began < 10


def test_one_that_stays_to_serve_the_text_keeps_nobody_waiting(machine: Path) -> None:
    out = program(machine, "xclip", 'cat > "$OUT.text"; (sleep 60) & echo $! > "$OUT"; exit 0')
    began = time.monotonic()
    try:
        assert hand_over("x", helpers({"DISPLAY": ":0"})[:1]) == "xclip"
        assert time.monotonic() - began < 30
    finally:
        os.kill(int(out.read_text()), 9)


def test_none_is_left_when_none_can_be_started(machine: Path) -> None:
    (machine / "wl-copy").write_text("no program")
    assert hand_over("x", helpers({"WAYLAND_DISPLAY": "x"}, which=str)) is None
    assert hand_over("x", ()) is None
