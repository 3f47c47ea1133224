"""Following everything under a root, driven step by step: what is told, whether hints come or not."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from unittest.mock import PropertyMock, patch

import pytest

from tests.core.follow.failing import failing
from tests.core.follow.followed import Clock
from tests.core.follow.home import Home
from tests.core.follow.test_watch import Never, Notices
from tests.core.views.growing import answered, called, finished, said
from unspool.follow import open_sessions
from unspool.follow.audit import AUDIT_EVERY, HINTS_LATE, POLL_AT_MOST
from unspool.follow.events import AnyEvent, EvidenceAdded, SessionAppeared, WaitingChanged
from unspool.follow.follower import Follower
from unspool.follow.open_sessions import OPEN_SESSIONS, WATCHED_CLOSELY
from unspool.follow.tail import Tail
from unspool.follow.teller import TOLD_AT_ONCE
from unspool.follow.watch import Watch
from unspool.formats.piece import ToolPart
from unspool.ids import SessionRef
from unspool.stores.base import ScanError, SourceFile
from unspool.views.filter import Filter
from unspool.views.snapshot import Snapshot


class Stage:
    """A root, a follower, a clock, and a system that gives hints or not."""

    def __init__(self, folder: Path, **more: object) -> None:
        self.home = Home(folder)
        self.clock = Clock()
        self.notices = Notices()
        self.follower = self.begun(**more)

    def begun(self, **more: object) -> Follower:
        watch = Watch(Never(), notify=self.notices, now=self.clock)
        return Follower(self.home, watch, now=self.clock, **more)  # type: ignore[arg-type]

    def step(self, *hints: Path) -> list[AnyEvent]:
        """One step, with hints."""
        self.notices.told = [{(1, str(path)) for path in hints}] if hints else []
        return self.follower.step(0)

    def audit(self) -> list[AnyEvent]:
        """A step at a time when all is looked at, and one more to settle."""
        self.clock.now += AUDIT_EVERY
        return [*self.step(), *self.step()]


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def told(events: Iterable[AnyEvent]) -> list[str]:
    """Each event in a few words."""
    words = []
    for event in events:
        what = event.evidence.id if isinstance(event, EvidenceAdded) else ""
        words.append(f"{event.event} {getattr(event, 'ref', '')} {what}".strip())
    return words


ONE = said(0, "one") + b"\n"


def test_what_is_there_at_the_beginning_is_not_told_and_what_comes_is(stage: Stage) -> None:
    path = stage.home.write("a.jsonl", ONE)
    assert stage.step() == []
    stage.home.write("a.jsonl", said(1, "two") + b"\n")
    assert told(stage.step(path)) == ["evidence claude:a E1.0"]
    assert stage.step(path) == []


def test_a_root_that_does_not_exist_yet_is_waited_for(stage: Stage) -> None:
    assert stage.step() == stage.step() == []
    stage.home.write("a.jsonl", b"")
    assert told(stage.step()) == ["session claude:a"]
    path = stage.home.write("a.jsonl", ONE)
    assert told(stage.step(path)) == ["evidence claude:a E0.0"]


def test_an_added_folder_is_looked_at_now_and_with_the_next_step(stage: Stage) -> None:
    stage.home.write("a.jsonl", ONE)
    stage.step()
    other = stage.home.folder / "projects" / "-other"
    other.mkdir()
    assert stage.step(other) == []
    (other / "b.jsonl").write_bytes(ONE)
    assert told(stage.step()) == ["session claude:b", "evidence claude:b E0.0"]


def test_a_file_that_only_looks_like_a_session_is_none(stage: Stage) -> None:
    stage.home.write("a.jsonl", ONE)
    (stage.home.folder / "file-history").mkdir()
    stage.step()
    other = stage.home.folder / "logs" / "debug.jsonl"
    other.parent.mkdir()
    other.write_bytes(ONE)
    assert [*stage.step(other), *stage.step(other), *stage.audit()] == []


def test_lost_hints_cost_time_until_everything_is_looked_at(stage: Stage) -> None:
    stage.home.write("a.jsonl", ONE)
    stage.step()
    stage.home.write("a.jsonl", said(1, "two") + b"\n")
    stage.home.write("b.jsonl", ONE)
    assert stage.step() == []
    assert sorted(told(stage.audit())) == ["evidence claude:a E1.0", "evidence claude:b E0.0", "session claude:b"]


def test_a_change_that_nothing_told_makes_the_system_be_asked_anew(stage: Stage) -> None:
    path = stage.home.write("a.jsonl", ONE)
    stage.step()
    asked = len(stage.notices.asked)
    stage.home.write("a.jsonl", said(1, "told late") + b"\n")
    stage.audit()
    stage.step(path)
    stage.clock.now += HINTS_LATE + 0.1
    stage.step()
    assert len(stage.notices.asked) == asked
    stage.home.write("a.jsonl", said(2, "never told") + b"\n")
    stage.audit()
    stage.clock.now += HINTS_LATE + 0.1
    stage.notices.refusal = OSError(28, "limit reached")
    assert told([*stage.step(), *stage.step()]) == ["polling"]


def test_polling_is_said_once_and_finds_everything_in_time(stage: Stage) -> None:
    stage.notices.refusal = OSError(28, "limit reached")
    stage.home.write("a.jsonl", ONE)
    assert told(stage.step()) == ["polling"]
    stage.home.write("b.jsonl", ONE)
    stage.clock.now += POLL_AT_MOST
    assert told(stage.step()) == ["session claude:b", "evidence claude:b E0.0"]
    stage.notices.refusal = None
    stage.clock.now += 60
    assert told(stage.step()) == ["polling"]


def test_a_subagent_names_the_session_that_it_belongs_to(stage: Stage) -> None:
    stage.home.write("a.jsonl", ONE)
    stage.step()
    path = stage.home.write("a/subagents/agent-x.jsonl", ONE)
    events = stage.step(path)
    assert told(events) == ["session claude:a.x", "evidence claude:a.x E0.0"]
    assert isinstance(events[0], SessionAppeared)
    assert events[0].parent == SessionRef("claude", "a")


def test_a_session_that_moved_is_told_once_and_keeps_its_reference(stage: Stage) -> None:
    path = stage.home.write("a.jsonl", ONE)
    stage.step()
    other = path.parent.with_name("-other")
    other.mkdir()
    shutil.move(path, other / "a.jsonl")
    assert told(stage.step(path, other / "a.jsonl")) == ["moved claude:a"]
    with (other / "a.jsonl").open("ab") as file:
        file.write(said(1, "two") + b"\n")
    assert told(stage.step(other / "a.jsonl")) == ["evidence claude:a E1.0"]


def test_an_open_session_that_moved_is_told_once_too(stage: Stage) -> None:
    path = stage.home.write("a.jsonl", ONE)
    stage.step()
    stage.home.write("a.jsonl", said(1, "two") + b"\n")
    stage.step(path)
    other = path.with_name("sub")
    other.mkdir()
    shutil.move(path, other / "a.jsonl")
    assert told([*stage.step(path, other / "a.jsonl"), *stage.step()]) == ["moved claude:a"]
    with (other / "a.jsonl").open("ab") as file:
        file.write(said(2, "three") + b"\n")
    assert told(stage.step(other / "a.jsonl")) == ["evidence claude:a E2.0"]


def test_a_session_that_was_deleted_is_gone_and_one_of_its_name_is_new(stage: Stage) -> None:
    path = stage.home.write("a.jsonl", ONE)
    stage.step()
    path.unlink()
    assert told([*stage.step(path), *stage.step()]) == ["gone claude:a"]
    stage.home.write("a.jsonl", ONE)
    assert told(stage.step(path)) == ["session claude:a", "evidence claude:a E0.0"]


def test_a_root_that_is_away_is_never_taken_for_sessions_that_are_gone(stage: Stage) -> None:
    path = stage.home.write("a.jsonl", ONE)
    stage.step()
    away = stage.home.folder.with_name("away")
    stage.home.folder.rename(away)
    assert [*stage.step(path), *stage.audit(), *stage.audit()] == []
    away.rename(stage.home.folder)
    stage.home.write("a.jsonl", said(1, "back") + b"\n")
    assert told(stage.step()) == ["evidence claude:a E1.0"]


def test_a_session_that_nobody_can_look_at_for_a_while_is_told_and_goes_on(stage: Stage) -> None:
    path = stage.home.write("s.jsonl", said(0, "a") + b"\n")
    stage.step()
    stage.home.write("s.jsonl", said(1, "b") + b"\n")
    assert told(stage.step(path)) == ["evidence claude:s E1.0"]
    with failing(str(path), errno.EACCES):
        first = stage.step()
        assert [event.to_json()["reason"] for event in first] == [f"{path} cannot be read: Permission denied"]
        assert told([*stage.audit(), *stage.audit()]) == []
    stage.home.write("s.jsonl", said(2, "c") + b"\n")
    assert told([*stage.step(), *stage.step()]) == ["moved claude:s", "evidence claude:s E2.0"]


def test_what_cannot_be_listed_is_told_once_and_costs_no_other(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.home.write("a.jsonl", ONE)
    locked = ScanError(str(stage.home.folder / "locked"), "Permission denied")
    listed = stage.home.sources

    def sources(below: str | None, errors: list[ScanError]) -> Iterable[SourceFile]:
        errors.append(locked)
        return listed(below, errors)

    monkeypatch.setattr(stage.home, "sources", sources)
    assert [event.to_json()["path"] for event in stage.step()] == [locked.path]
    stage.home.write("a.jsonl", said(1, "two") + b"\n")
    assert told(stage.audit()) == ["evidence claude:a E1.0"]


def test_names_that_are_no_utf8_and_link_loops_are_no_trouble(stage: Stage) -> None:
    stage.home.write("a.jsonl", ONE)
    (stage.home.project / "loop").symlink_to(stage.home.project)
    (stage.home.project / "nowhere").symlink_to(stage.home.project / "missing")
    stage.step()
    path = Path(os.fsdecode(os.fsencode(stage.home.project) + b"/b\xff.jsonl"))
    path.write_bytes(ONE)
    assert [event.event for event in stage.audit()] == ["session", "evidence"]


def test_only_wanted_sessions_and_pieces_are_told(tmp_path: Path) -> None:
    wanted = SessionRef("claude", "a")
    stage = Stage(tmp_path, wanted=lambda ref, source: ref == wanted, filter=Filter(tool_part=ToolPart.OUTPUT))
    first, second = stage.home.write("a.jsonl", ONE), stage.home.write("b.jsonl", ONE)
    stage.step()
    for name in ("a.jsonl", "b.jsonl"):
        stage.home.write(name, called(1, "t1") + b"\n" + answered(2, "t1", "done") + b"\n")
    assert told(stage.step(first, second)) == ["evidence claude:a E2.0"]


def test_a_file_that_was_replaced_before_it_was_opened_is_told_anew(stage: Stage) -> None:
    path = stage.home.write("a.jsonl", ONE * 3)
    stage.step()
    other = path.with_suffix(".tmp")
    other.write_bytes(ONE)
    other.replace(path)
    assert told(stage.step(path)) == ["replaced claude:a", "evidence claude:a E0.0"]


def test_a_longer_file_in_the_place_of_one_that_was_never_opened_is_told_anew(stage: Stage) -> None:
    path = stage.home.write("a.jsonl", ONE)
    stage.step()
    other = path.with_suffix(".tmp")
    other.write_bytes(said(7, "anew") + b"\n" + said(8, "and longer") + b"\n")
    other.replace(path)
    assert told(stage.step(path)) == ["replaced claude:a", "evidence claude:a E0.0", "evidence claude:a E1.0"]


@pytest.mark.parametrize("opened", [False, True])
def test_a_session_written_anew_and_moved_between_two_looks_keeps_its_reference(stage: Stage, opened: bool) -> None:
    path = stage.home.write("a.jsonl", ONE * 3)
    stage.step()
    if opened:
        stage.home.write("a.jsonl", ONE)
        stage.step(path)
    anew, other = path.with_suffix(".tmp"), path.parent.with_name("-other")
    anew.write_bytes(said(7, "anew") + b"\n")
    anew.replace(path)
    other.mkdir()
    shutil.move(path, other / "a.jsonl")
    events = told([*stage.step(path, other / "a.jsonl"), *stage.step()])
    assert events == ["moved claude:a", "replaced claude:a", "evidence claude:a E0.0"]


def test_a_saved_output_that_grows_is_told_by_a_hint(stage: Stage) -> None:
    stub = "<persisted-output>\nOutput too large (54.0KB). Full output saved to: /h/a/tool-results/t1.txt\n\n"
    stub += "Preview (first 2KB):\nhalf\n</persisted-output>"
    saved = stage.home.write("a/tool-results/t1.txt", b"half")
    path = stage.home.write("a.jsonl", called(0, "t1") + b"\n")
    stage.step()
    stage.home.write("a.jsonl", answered(1, "t1", stub) + b"\n")
    stage.step(path)
    stage.home.write("a/tool-results/t1.txt", b" and more")
    assert told(stage.step(saved)) == ["side_file claude:a"]
    assert stage.step() == []


def test_the_session_that_was_written_last_is_watched_most_closely(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_sessions, "WATCHED_CLOSELY", 1)
    first, second = stage.home.write("a.jsonl", ONE), stage.home.write("b.jsonl", ONE)
    stage.step()
    for number, path in enumerate((first, second, first), 1):
        stage.home.write(path.name, said(number, "more") + b"\n")
        stage.step(path)
    for path in (first, second):
        stage.home.write(path.name, said(9, "untold") + b"\n")
    assert told(stage.step()) == ["evidence claude:a E3.0"]


def waits(events: Iterable[AnyEvent]) -> list[str | None]:
    return [event.waiting for event in events if isinstance(event, WaitingChanged)]


def test_an_agent_that_begins_to_wait_is_told_once_and_again_when_it_goes_on(stage: Stage) -> None:
    stage.step()
    path = stage.home.write("a.jsonl", said(0, "go") + b"\n")
    assert waits(stage.step(path)) == []
    stage.home.write("a.jsonl", finished(9, "done") + b"\n")
    assert waits(stage.step(path)) == ["turn"]
    stage.home.write("a.jsonl", b'{"type":"ai-title","aiTitle":"t","sessionId":"a"}\n')
    assert waits([*stage.step(path), *stage.audit()]) == []
    stage.home.write("a.jsonl", said(10, "more") + b"\n")
    assert waits(stage.step(path)) == [None]


def test_an_agent_that_waited_before_is_not_told_and_keeps_waiting_unheard(tmp_path: Path) -> None:
    stage = Stage(tmp_path, wanted=lambda ref, source: True)
    path = stage.home.write("a.jsonl", said(0, "go") + b"\n" + finished(9, "done") + b"\n")
    assert waits(stage.step()) == []
    stage.home.write("a.jsonl", b'{"type":"ai-title","aiTitle":"t","sessionId":"a"}\n')
    assert waits(stage.step(path)) == []


def test_a_subagent_that_is_done_calls_nobody(stage: Stage) -> None:
    stage.step()
    path = stage.home.write("a/subagents/agent-b1.jsonl", said(0, "go") + b"\n" + finished(9, "done") + b"\n")
    events = [*stage.step(path.parent), *stage.audit()]
    assert told(events)
    assert waits(events) == []


def test_a_session_that_was_let_go_is_not_told_to_wait_again(stage: Stage) -> None:
    stage.step()
    path = stage.home.write("a.jsonl", finished(9, "done") + b"\n")
    assert waits(stage.step(path)) == ["turn"]
    others = [stage.home.write(f"o{number}.jsonl", said(0, "go") + b"\n") for number in range(OPEN_SESSIONS)]
    stage.step(*others)
    stage.home.write("a.jsonl", b'{"type":"ai-title","aiTitle":"t","sessionId":"a"}\n')
    assert waits(stage.step(path)) == []


def test_more_sessions_than_are_kept_open_lose_nothing_and_hold_no_more_files(stage: Stage) -> None:
    number = OPEN_SESSIONS + 40
    paths = [stage.home.write(f"s{each}.jsonl", ONE) for each in range(number)]
    stage.step()
    before = len(os.listdir("/dev/fd"))
    for count in (1, 2):
        for path in paths:
            stage.home.write(path.name, said(count, "more") + b"\n")
        events = told(stage.step(*paths))
        assert len(events) == len(set(events)) == number
    assert len(os.listdir("/dev/fd")) <= before + OPEN_SESSIONS
    stage.follower.close()
    assert len(os.listdir("/dev/fd")) <= before


def test_sessions_at_which_nobody_writes_are_asked_for_nothing_unless_they_were_the_last(stage: Stage) -> None:
    stage.step()
    paths = [stage.home.write(f"s{each}.jsonl", ONE) for each in range(3 * WATCHED_CLOSELY)]
    assert told(stage.step(*paths))
    assert stage.step() == []
    with (
        patch.object(Tail, "unsettled", new_callable=PropertyMock, return_value=False) as unsettled,
        patch.object(Snapshot, "side_folders", new_callable=PropertyMock, return_value=frozenset()) as side_folders,
    ):
        assert stage.step() == []
    assert (unsettled.call_count, side_folders.call_count) == (WATCHED_CLOSELY, WATCHED_CLOSELY)


def test_much_at_once_is_told_in_several_steps_and_what_is_said_of_its_end_last(stage: Stage) -> None:
    stage.step()
    records = b"".join(said(number, "much") + b"\n" for number in range(4 * TOLD_AT_ONCE))
    path = stage.home.write("a.jsonl", records + finished(9, "done") + b"\n" + said(10, "half")[:40])
    steps = [told(stage.step(path))]
    while steps[-1]:
        steps.append(told(stage.step()))
    assert max(map(len, steps)) <= 2 * TOLD_AT_ONCE + 1
    events = [each for step in steps for each in step]
    assert [each.partition(" ")[0] for each in (events[0], *events[-3:])] == [
        "session", "evidence", "pending", "waiting"
    ]  # fmt: skip
    assert len(events) == len(set(events)) == 4 * TOLD_AT_ONCE + 4


def test_a_session_of_which_there_is_more_to_tell_is_not_let_go(stage: Stage) -> None:
    stage.step()
    path = stage.home.write("a.jsonl", b"".join(said(number, "much") + b"\n" for number in range(TOLD_AT_ONCE + 9)))
    others = [stage.home.write(f"o{number}.jsonl", ONE) for number in range(OPEN_SESSIONS + 9)]
    events = [*stage.step(path, *others), *stage.step()]
    assert sum(isinstance(each, EvidenceAdded) and each.ref.session_id == "a" for each in events) == TOLD_AT_ONCE + 9
