"""The bell at a file: what makes it ring, what does not, and that nothing of it is left."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from unspool.follow import bell as bells
from unspool.follow.bell import Bell

LONG = 60.0
"""Seconds that nobody waits: what is waited for has happened."""

needs_inotify = pytest.mark.skipif(sys.platform != "linux", reason="other systems tell of no changes of a file")


@pytest.fixture
def stop() -> threading.Event:
    return threading.Event()


@pytest.fixture
def bell(stop: threading.Event) -> Iterator[Bell]:
    made = Bell(stop)
    yield made
    made.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"{}\n")
    return path


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"{}\n")


@needs_inotify
def test_it_rings_for_what_is_written_and_once(bell: Bell, file: Path) -> None:
    bell.hang(str(file))
    assert not bell.wait(0), "nothing was written yet"
    append(file)
    append(file)
    assert bell.wait(LONG)
    assert not bell.wait(0)


@needs_inotify
@pytest.mark.parametrize("what", ["truncated", "moved", "removed", "touched"])
def test_it_rings_for_whatever_becomes_of_the_file(bell: Bell, file: Path, what: str) -> None:
    bell.hang(str(file))
    match what:
        case "truncated":
            os.truncate(file, 0)
        case "moved":
            file.rename(file.with_name("other"))
        case "removed":
            file.unlink()
        case "touched":
            file.touch()
    assert bell.wait(LONG)


@needs_inotify
def test_it_rings_for_the_file_in_the_place_of_another_once_it_hangs_there_again(bell: Bell, file: Path) -> None:
    bell.hang(str(file))
    other = file.with_name("other")
    other.write_bytes(b"{}\n")
    other.replace(file)
    assert bell.wait(LONG)
    bell.hang(str(file))
    bell.wait(0)
    append(file)
    assert bell.wait(LONG)


@needs_inotify
def test_a_folder_rings_for_what_is_written_in_it(bell: Bell, file: Path) -> None:
    bell.hang(str(file.parent))
    append(file)
    assert bell.wait(LONG)
    (file.parent / "new").touch()
    assert bell.wait(LONG)


def test_where_no_file_is_nothing_rings(bell: Bell, tmp_path: Path) -> None:
    bell.hang(str(tmp_path / "none"))
    assert not bell.wait(0)


def test_who_waits_is_woken_when_it_is_time_to_stop(bell: Bell, file: Path, stop: threading.Event) -> None:
    bell.hang(str(file))
    waits = threading.Thread(target=bell.wait, args=(LONG,))
    waits.start()
    stop.set()
    bell.wake()
    waits.join(LONG / 2)
    assert not waits.is_alive()


def test_it_is_silent_and_waits_for_the_end_where_the_system_has_nothing_left(
    monkeypatch: pytest.MonkeyPatch, file: Path, stop: threading.Event
) -> None:
    monkeypatch.setattr(bells, "_inotify", lambda: None)
    bell = Bell(stop)
    bell.hang(str(file))
    append(file)
    assert not bell.wait(0)
    stop.set()
    assert not bell.wait(LONG)
    bell.wake()
    bell.close()


@needs_inotify
def test_no_handle_is_left_and_it_may_be_woken_afterwards(stop: threading.Event, file: Path) -> None:
    before = set(os.listdir("/proc/self/fd"))
    bell = Bell(stop)
    bell.hang(str(file))
    bell.close()
    assert set(os.listdir("/proc/self/fd")) == before
    bell.wake()
    bell.close()
