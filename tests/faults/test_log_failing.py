from __future__ import annotations

import errno
import gc
import os
from pathlib import Path
from typing import Any

import pytest

from tests.faults.failing import ARMS, ERRORS, Arm, FailingOs, ShortWrites
from unspool.blobs.calls import OS, Os
from unspool.errors import UnspoolError, Unwritable
from unspool.recording import ActiveLog, SessionLog, SessionPlace

SAID = [{"role": "user", "content": "words " * 20}, {"role": "assistant", "content": "more words"}]


def session(log: Path, calls: Os = OS, *, durable: bool = False) -> SessionLog:
    return SessionLog(SessionPlace.at(log), cwd="/work", calls=calls, durable=durable)


def texts(log: Path) -> list[Any]:
    return [message["content"] for message in ActiveLog.read(log).messages()]


def open_descriptors() -> set[str]:
    gc.collect()
    return set(os.listdir("/dev/fd"))


@pytest.mark.parametrize("error", ERRORS, ids=[errno.errorcode[error] for error in ERRORS])
@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("new", [True, False], ids=["a new log", "a log with a torn end"])
def test_whichever_call_fails_an_event_is_there_exactly_when_it_was_promised(
    new: bool, arm: Arm, error: int, tmp_path: Path
) -> None:
    before, at, answers = open_descriptors(), 1, []
    while True:
        log = tmp_path / str(at) / "project" / "1a2b3c4d.jsonl"
        if not new:
            session(log).append([{"role": "user", "content": "first"}])
            with log.open("ab") as file:
                file.write(b'{"type":"user","mess')
        calls = FailingOs(at, error, arm=arm)
        answers.append(promised(session(log, calls, durable=True)))
        if not calls.failed:
            break
        session(log).append([{"role": "user", "content": "next"}])
        check(log, [] if new else ["first"], answers[-1], rolls_back=arm == "once")
        at += 1
    assert at > 10
    assert open_descriptors() <= before
    assert answers[-1]
    assert not all(answers)


def promised(log: SessionLog) -> bool:
    try:
        log.append(SAID)
    except Unwritable:
        return False
    return True


def check(log: Path, first: list[str], was_promised: bool, *, rolls_back: bool) -> None:
    """What was said before and afterwards is there, and between them what was promised, or nothing.

    When the calls that take it back fail too, an event may be there that was not promised.
    """
    said = [str(message["content"]) for message in SAID]
    found = texts(log)
    assert [found[: len(first)], found[-1:]] == [first, ["next"]]
    between = found[len(first) : -1]
    if was_promised:
        assert between == said
    elif rolls_back:
        assert between == []
    else:
        assert between == said[: len(between)]


def test_a_disk_that_fills_up_at_any_byte_leaves_the_log_as_it_was(tmp_path: Path) -> None:
    log = tmp_path / "1a2b3c4d.jsonl"
    session(log).append([{"role": "user", "content": "first"}])
    before = log.read_bytes()
    for room in range(200):
        with pytest.raises(Unwritable, match="No space left"):
            session(log, ShortWrites(room)).append(SAID)
        assert log.read_bytes() == before
    session(log).append(SAID)
    assert texts(log) == ["first", *(message["content"] for message in SAID)]


def test_a_disk_that_is_full_leaves_no_empty_log(tmp_path: Path) -> None:
    log = tmp_path / "project" / "1a2b3c4d.jsonl"
    with pytest.raises(Unwritable):
        session(log, ShortWrites(40)).append(SAID)
    assert not log.exists()


def test_a_write_in_parts_is_whole_in_the_end(tmp_path: Path) -> None:
    class InParts(Os):
        def write(self, descriptor: int, data: bytes | memoryview) -> int:
            return super().write(descriptor, data[:7])

    log = tmp_path / "1a2b3c4d.jsonl"
    session(log, InParts()).append(SAID)
    assert texts(log) == [message["content"] for message in SAID]


def test_what_another_program_wrote_behind_a_failed_append_is_not_taken_back(tmp_path: Path) -> None:
    log = tmp_path / "1a2b3c4d.jsonl"

    class Interrupted(Os):
        def write(self, descriptor: int, data: bytes | memoryview) -> int:
            super().write(descriptor, data[:50])
            with log.open("ab") as file:
                file.write(b'\n{"type":"user","uuid":"u1","message":{"role":"user","content":"theirs"}}\n')
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    session(log).append([{"role": "user", "content": "first"}])
    with pytest.raises(Unwritable):
        session(log, Interrupted()).append(SAID)
    session(log).append([{"role": "user", "content": "next"}])
    assert texts(log) == ["first", "theirs", "next"]


def test_an_event_is_not_gone_on_with_behind_what_another_program_wrote_in_its_middle(tmp_path: Path) -> None:
    log = tmp_path / "1a2b3c4d.jsonl"

    class InBetween(Os):
        def write(self, descriptor: int, data: bytes | memoryview) -> int:
            written = super().write(descriptor, data[:50])
            with log.open("ab") as file:
                file.write(b'\n{"type":"user","uuid":"u1","message":{"role":"user","content":"theirs"}}\n')
            return written

    with pytest.raises(Unwritable, match="wrote in between"):
        session(log, InBetween()).append(SAID)
    session(log).append([{"role": "user", "content": "next"}])
    assert texts(log) == ["theirs", "next"]


def test_an_interrupt_in_the_middle_of_an_append_takes_it_back(tmp_path: Path) -> None:
    class Interrupted(Os):
        def write(self, descriptor: int, data: bytes | memoryview) -> int:
            super().write(descriptor, data)
            raise KeyboardInterrupt

    log = tmp_path / "1a2b3c4d.jsonl"
    session(log).append([{"role": "user", "content": "first"}])
    before = log.read_bytes()
    with pytest.raises(KeyboardInterrupt):
        session(log, Interrupted()).append(SAID)
    assert log.read_bytes() == before


class Flushes(Os):
    """Notes what is flushed, by its path."""

    def __init__(self) -> None:
        self.paths: list[str] = []

    def fsync(self, descriptor: int) -> None:
        super().fsync(descriptor)
        self.paths.append(os.readlink(f"/proc/self/fd/{descriptor}"))


def test_a_durable_append_flushes_the_log_and_once_the_folders_that_are_new(tmp_path: Path) -> None:
    calls = Flushes()
    log = tmp_path / "projects" / "work" / "1a2b3c4d.jsonl"
    durable = session(log, calls, durable=True)
    durable.append(SAID)
    assert calls.paths[0] == str(log)
    assert calls.paths[1:4] == [str(log.parent), str(log.parent.parent), str(tmp_path)]
    calls.paths.clear()
    durable.append(SAID)
    assert calls.paths == [str(log)]
    calls.paths.clear()
    durable.append(SAID, durable=False)
    assert calls.paths == []


def test_a_flush_that_failed_is_no_promise(tmp_path: Path) -> None:
    class Unflushed(Os):
        def fsync(self, descriptor: int) -> None:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    log = tmp_path / "1a2b3c4d.jsonl"
    session(log).append([{"role": "user", "content": "first"}])
    with pytest.raises(UnspoolError):
        session(log, Unflushed(), durable=True).append(SAID)
    assert texts(log) == ["first"]


@pytest.mark.parametrize("verb", ["clear", "fork", "rename"])
def test_whichever_call_fails_no_other_session_is_harmed(verb: str, tmp_path: Path) -> None:
    at, before = 1, open_descriptors()
    while True:
        project = tmp_path / str(at)
        ours, other = project / "1a2b3c4d.jsonl", project / "2b3c4d5e.jsonl"
        session(ours).append(SAID)
        session(other).append(SAID)
        calls = FailingOs(at, errno.EIO)
        try:
            getattr(session(ours, calls), verb)(*(["named"] if verb == "rename" else []))
        except UnspoolError:
            assert calls.failed
        assert len(texts(other)) == 2
        if not calls.failed:
            break
        at += 1
    assert at > 5
    assert open_descriptors() <= before
