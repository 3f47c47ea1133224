"""What grows while a session is followed leaves no holes behind."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

from unspool_tui import own_mappings
from unspool_tui.cli import main
from unspool_tui.own_mappings import map_what_grows
from unspool_tui.verbs import follow

HAS_MALLOPT = sys.platform.startswith("linux") and hasattr(ctypes.CDLL(None), "mallopt")

MAPPED = """
import sys
from unspool_tui.own_mappings import map_what_grows

def mappings():
    with open("/proc/self/maps") as file:
        return sum(1 for _ in file)

if sys.argv[1] == "told":
    map_what_grows()
large = bytearray(16 << 20)
del large  # by itself the C library takes smaller ones from its heap from here on
before = mappings()
kept = [bytearray((1 << 20) * (number + 1)) for number in range(8)]
print(mappings() > before)
"""


@pytest.mark.skipif(not HAS_MALLOPT, reason="the C library has no mallopt")
@pytest.mark.parametrize("told", [True, False])
def test_large_blocks_lie_in_mappings_of_their_own_also_after_a_larger_one_was_freed(told: bool) -> None:
    command = [sys.executable, "-c", MAPPED, "told" if told else "untold"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(told)


class Library:
    """A C library that takes no parameters."""

    def __init__(self, _name: None) -> None:
        pass


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_where_that_cannot_be_had_nothing_happens(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    monkeypatch.setattr(ctypes, "CDLL", Library)
    monkeypatch.setattr(own_mappings.sys, "platform", platform)
    map_what_grows()


def test_who_follows_has_what_grows_mapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[bool] = []
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(follow, "map_what_grows", lambda: told.append(True))
    monkeypatch.setattr(follow, "_gone", lambda: lambda: True)
    assert main(["follow", "--root", str(tmp_path)]) == 0
    assert told == [True]
