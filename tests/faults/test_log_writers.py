from __future__ import annotations

import os
from pathlib import Path

from tests.faults.log_kill import campaign, kill_and_go_on, length_of_last_words, said
from tests.faults.log_writers import look, write_at_once
from unspool.recording import ActiveLog, SessionLog, SessionPlace

WRITERS, EVENTS = 8, 20


def test_writers_at_once_lose_nothing_and_keep_one_chain(tmp_path: Path) -> None:
    log = tmp_path / "1a2b3c4d.jsonl"
    write_at_once(log, WRITERS, EVENTS)
    found = look(log)
    assert (found.torn, found.unlinked) == (0, 0)
    assert found.by_writer == {writer: list(range(EVENTS)) for writer in range(WRITERS)}
    assert ActiveLog.read(log).size == found.size


def test_a_writer_killed_at_any_byte_loses_at_most_its_own_event(tmp_path: Path) -> None:
    length = length_of_last_words(tmp_path / "whole")
    for at in (*range(0, length - 3, 11), *range(length - 3, length + 1)):
        kill_and_go_on(tmp_path / str(at), at, length)


def test_writers_killed_at_any_moment_harm_nobody_elses_events(tmp_path: Path) -> None:
    toll = campaign(tmp_path / "1a2b3c4d.jsonl", 25)
    assert toll.acknowledged >= 25
    assert toll.lost == 0, toll
    assert toll.unlinked == 0, toll
    assert toll.torn <= toll.kills, toll


def test_a_child_that_was_forked_during_an_append_keeps_no_lock(tmp_path: Path) -> None:
    log, reading = tmp_path / "1a2b3c4d.jsonl", os.pipe()
    child = 0

    class ForkingOs(type(SessionLog(SessionPlace.at(log)).calls)):  # type: ignore[misc]
        def write(self, descriptor: int, data: bytes | memoryview) -> int:
            nonlocal child
            child = os.fork()
            if not child:
                os.close(reading[1])
                os.read(reading[0], 1)  # until the parent is done
                os._exit(0)
            return int(super().write(descriptor, data))

    SessionLog(SessionPlace.at(log), cwd="/work", calls=ForkingOs()).append([{"role": "user", "content": "first"}])
    said(log, "second")
    os.close(reading[1])
    os.waitpid(child, 0)
    assert len(ActiveLog.read(log).messages()) == 2
