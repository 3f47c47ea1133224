"""Hints of the system: asked for, lost, given up and asked for again."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.core.follow.followed import Clock
from unspool.follow.watch import (
    ARM_AGAIN_AFTER,
    DEBOUNCE_MS,
    FAULTS_WITHIN,
    STEP_MS,
    Stop,
    Told,
    Watch,
    silent_system,
    system_notifier,
)


class Notices:
    """A system that tells what a test puts into it, or fails."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.told: list[Told | Exception] = []
        self.waits: list[tuple[int, int, int]] = []
        self.refusal: Exception | None = None
        self.open = 0

    def __call__(self, folders: Sequence[str]) -> Notices:
        if self.refusal is not None:
            raise self.refusal
        self.asked.append(list(folders))
        self.open += 1
        return self

    def watch(self, debounce_ms: int, step_ms: int, timeout_ms: int, stop_event: Stop | None) -> Told:
        self.waits.append((debounce_ms, step_ms, timeout_ms))
        told = self.told.pop(0) if self.told else "timeout"
        if isinstance(told, Exception):
            raise told
        return told

    def close(self) -> None:
        self.open -= 1


class Never(threading.Event):
    """A stop that is never waited for."""

    def wait(self, timeout: float | None = None) -> bool:
        return self.is_set()


@pytest.fixture
def notices() -> Notices:
    return Notices()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def watch(notices: Notices, clock: Clock) -> Watch:
    return Watch(Never(), notify=notices, now=clock)


def test_hints_are_gathered_no_longer_than_one_waits_for_them(watch: Watch, notices: Notices, tmp_path: Path) -> None:
    watch.arm([str(tmp_path)])
    watch.wait(0.001)
    watch.wait(2.0)
    assert notices.waits == [(1, 1, 1), (DEBOUNCE_MS, STEP_MS, 2_000)]


def test_only_folders_that_are_there_are_watched_and_others_once_they_are(
    watch: Watch, notices: Notices, tmp_path: Path
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    assert watch.arm([str(here), str(there)])
    assert not watch.arm([str(here), str(there)])
    there.mkdir()
    assert watch.arm([str(here), str(there)])
    assert notices.asked == [[str(here)], [str(here), str(there)]]
    assert notices.open == 1


def test_a_folder_that_was_put_in_the_place_of_another_is_watched_anew(
    watch: Watch, notices: Notices, tmp_path: Path
) -> None:
    folder = tmp_path / "root"
    folder.mkdir()
    watch.arm([str(folder)])
    folder.rename(tmp_path / "old")
    assert not watch.arm([str(folder)])
    assert notices.open == 0
    folder.mkdir()
    assert watch.arm([str(folder)])
    assert notices.open == 1


def test_hints_are_paths_and_an_interrupt_is_raised(watch: Watch, notices: Notices, tmp_path: Path) -> None:
    watch.arm([str(tmp_path)])
    notices.told = [{(1, "/a"), (2, "/a"), (3, "/b")}, "timeout", "stop", "signal"]
    assert [watch.wait(1) for _ in range(3)] == [{"/a", "/b"}, set(), set()]
    with pytest.raises(KeyboardInterrupt):
        watch.wait(1)


def test_without_anything_left_to_watch_with_it_says_why_and_tries_again_later(
    watch: Watch, notices: Notices, clock: Clock, tmp_path: Path
) -> None:
    notices.refusal = OSError(errno.ENOSPC, "OS file watch limit reached.")
    assert watch.arm([str(tmp_path)])
    assert watch.reason is not None
    assert "limit reached" in watch.reason
    assert watch.wait(1) == set()
    assert not watch.arm([str(tmp_path)])
    notices.refusal = None
    clock.now += ARM_AGAIN_AFTER
    assert watch.arm([str(tmp_path)])
    assert watch.reason is None


def test_a_fault_is_begun_anew_and_given_up_when_it_comes_again_and_again(
    watch: Watch, notices: Notices, clock: Clock, tmp_path: Path
) -> None:
    for number in range(3):
        assert watch.arm([str(tmp_path)])
        assert watch.reason is None
        notices.told = [RuntimeError(f"fault {number}")]
        assert watch.wait(1) == set()
    assert watch.reason == "fault 2"
    assert not watch.arm([str(tmp_path)])
    clock.now += ARM_AGAIN_AFTER
    assert watch.arm([str(tmp_path)])
    assert notices.open == 1


def test_hints_that_were_given_up_for_faults_are_trusted_again_once_none_came_for_a_while(
    watch: Watch, notices: Notices, clock: Clock, tmp_path: Path
) -> None:
    for _ in range(3):
        watch.arm([str(tmp_path)])
        notices.told = [RuntimeError("a name that is no text")]
        watch.wait(1)
    for fault in ("the same", "another"):
        clock.now += ARM_AGAIN_AFTER
        assert watch.arm([str(tmp_path)])
        assert watch.reason == "a name that is no text"
        notices.told = [{(1, "hint")}, RuntimeError(fault)]
        assert watch.wait(1) == {"hint"}
        watch.wait(1)
        assert watch.reason == "a name that is no text"
        assert not watch.arm([str(tmp_path)])
    clock.now += ARM_AGAIN_AFTER
    assert watch.arm([str(tmp_path)])
    clock.now += FAULTS_WITHIN
    watch.wait(1)
    assert watch.reason is None
    notices.told = [RuntimeError("one alone")]
    watch.wait(1)
    assert watch.arm([str(tmp_path)])
    assert watch.reason is None


def test_a_file_system_that_tells_nothing_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/a / ext4 rw 0 0\nhost:/x {tmp_path}/far nfs4 rw 0 0\nbad line\n")
    monkeypatch.setattr("sys.platform", "linux")
    mounts.write_text(f"/dev/a / ext4 rw 0 0\nhost:/x {tmp_path}/far nfs4 rw 0 0\n")
    assert silent_system(str(tmp_path / "far" / "below"), str(mounts)) == "nfs4"
    assert silent_system(str(tmp_path / "farther"), str(mounts)) is None
    assert silent_system(str(tmp_path), str(tmp_path / "missing")) is None


def test_the_system_lets_its_handles_and_threads_go(tmp_path: Path) -> None:
    tasks = "/proc/self/task" if os.path.isdir("/proc/self/task") else "/dev/fd"
    before = len(os.listdir("/dev/fd")), len(os.listdir(tasks))
    for _ in range(20):
        watch = Watch(Never(), notify=system_notifier)
        assert watch.arm([str(tmp_path)])
        watch.close()
    while len(os.listdir(tasks)) > before[1]:
        assert threading.active_count()
    assert len(os.listdir("/dev/fd")) <= before[0] + 1
