"""A plan carried out: exactly what it names, and nothing of what changed since."""

from __future__ import annotations

import fcntl
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.core.retention.aging import MONTH, OLD, YOUNG, Home, aged, contents, event
from unspool.blobs.calls import Os
from unspool.recording import SessionLog, load_transcript
from unspool.retention import Applied, Moment, apply_retention, plan_retention
from unspool.retention.trash import moment_of


@pytest.fixture
def place(home: Path) -> Home:
    return Home(home)


def cleaned(place: Home, age: timedelta = MONTH) -> Applied:
    return apply_retention(plan_retention(place.path, age))


def in_place(place: Home) -> dict[str, str]:
    """What lies in the home, without the trash."""
    return {path: told for path, told in contents(place.path).items() if not path.startswith(".unspool-trash")}


def in_trash(place: Home) -> dict[str, str]:
    """What lies in the trash, by the paths that it had in the home."""
    found = contents(place.trash) if place.trash.exists() else {}
    return {path.partition("/")[2]: told for path, told in found.items() if "/" in path}


def test_a_session_goes_as_a_whole_and_can_be_had_back(place: Home) -> None:
    place.session("aaaa0000", saved=["t1.txt", "t2.json"])
    place.session("bbbb0000", YOUNG, saved=["t1.txt"])
    before = in_place(place)
    applied = cleaned(place)
    assert [item.name for item in applied.gone] == ["aaaa0000"]
    assert applied.whole
    assert in_place(place) == {path: told for path, told in before.items() if "aaaa0000" not in path}
    assert in_trash(place).items() >= {(path, told) for path, told in before.items() if "aaaa0000" in path}
    (batch,) = place.trash.iterdir()
    shutil.copytree(batch, place.path, dirs_exist_ok=True)
    assert in_place(place) == before


def test_the_trash_is_its_owners_alone(place: Home) -> None:
    place.session("aaaa0000", saved=["t1.txt"])
    cleaned(place)
    folders = [place.trash, *place.trash.glob("*"), *place.trash.glob("*/projects/p")]
    assert {oct(folder.stat().st_mode & 0o777) for folder in folders} == {"0o700"}


def test_outputs_without_a_log_go_too(place: Home) -> None:
    place.outputs("aaaa0000", OLD)
    place.outputs("bbbb0000", OLD, project=".")
    place.run("run-1", OLD)
    place.session("cccc0000", YOUNG)
    before = in_place(place)
    assert len(cleaned(place).gone) == 3
    assert not any(name in path for path in in_place(place) for name in ("aaaa0000", "bbbb0000", "run-1"))
    kept = {path: told for path, told in before.items() if "t1.txt" in path}
    assert kept.items() <= in_trash(place).items()
    assert len(kept) == 3


def test_a_second_plan_is_empty_and_its_application_touches_nothing(place: Home) -> None:
    place.session("aaaa0000", saved=["t1.txt"])
    cleaned(place)
    before = contents(place.path)
    plan = plan_retention(place.path, MONTH)
    assert (plan.going, plan.emptied, plan.held_back) == ((), (), ())
    applied = apply_retention(plan)
    assert (applied.gone, applied.emptied, applied.whole) == ([], [], True)
    assert contents(place.path) == before


def test_what_went_more_than_seven_days_ago_goes_for_ever(place: Home) -> None:
    day = 86_400
    for name, age in (("old", 7 * day + 60), ("young", 7 * day - 60)):
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(time.time() - age))
        (place.trash / stamp / "projects" / "p" / name / "tool-results").mkdir(parents=True)
        (place.trash / stamp / "projects" / "p" / f"{name}.jsonl").write_text(name)
        (place.trash / stamp / "projects" / "p" / name / "tool-results" / "t1.txt").write_text(name)
    (place.trash / "mine").mkdir()
    (place.trash / "20200101T000000Z.txt").write_text("mine")
    applied = cleaned(place)
    assert len(applied.emptied) == 1
    left = sorted(path.name for path in place.trash.iterdir())
    assert left == [stamp, "20200101T000000Z.txt", "mine"] or left == ["20200101T000000Z.txt", stamp, "mine"]
    assert (place.trash / stamp / "projects" / "p" / "young" / "tool-results" / "t1.txt").exists()


def test_a_trash_of_any_depth_and_with_links_is_emptied_and_nothing_beside_it(place: Home, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "kept.txt").write_text("kept")
    top = place.trash / "20200101T000000Z"
    top.mkdir(parents=True)
    descriptor = os.open(top, os.O_RDONLY)
    for number in range(1_500):  # deeper than a path may be long, and than Python calls itself
        os.mkdir("d" * 20, dir_fd=descriptor)
        below = os.open("d" * 20, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = below
        os.symlink(tmp_path / "outside", f"link{number}", dir_fd=descriptor)
    os.close(descriptor)
    assert cleaned(place).emptied == ["20200101T000000Z"]
    assert list(place.trash.iterdir()) == []
    assert contents(tmp_path / "outside") == contents(tmp_path / "outside")
    assert (tmp_path / "outside" / "kept.txt").read_text() == "kept"


def test_emptying_that_was_interrupted_is_gone_on_with(place: Home) -> None:
    half = place.trash / "20260101T000000Z.gone" / "projects"
    half.mkdir(parents=True)
    place.session("aaaa0000")
    cleaned(place)
    assert not half.parent.exists()


def interrupted(place: Home, age: timedelta) -> str:
    """Lay things out as a run that was interrupted leaves them; return the batch."""
    place.session("bbbb0000", YOUNG)
    log = place.session("aaaa0000", saved=["t1.txt"])
    batch = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(time.time() - age.total_seconds()))
    (place.trash / batch / "projects" / "p").mkdir(parents=True)
    log.rename(place.trash / batch / "projects" / "p" / log.name)
    return batch


def test_a_run_that_was_interrupted_is_completed_whatever_the_age_asked_for(place: Home) -> None:
    batch = interrupted(place, timedelta(days=2))
    plan = plan_retention(place.path, timedelta(days=400))
    assert [(item.name, item.begun) for item in plan.going] == [("aaaa0000", batch)]
    applied = apply_retention(plan)
    assert applied.whole
    assert (place.trash / batch / "projects" / "p" / "aaaa0000" / "tool-results" / "t1.txt").exists()
    assert [path.name for path in place.trash.iterdir()] == [batch]


def test_outputs_that_were_saved_after_the_log_went_are_those_of_a_session_that_goes_on(place: Home) -> None:
    interrupted(place, timedelta(days=2))
    aged(place.project() / "aaaa0000" / "tool-results" / "t1.txt", 1)
    assert plan_retention(place.path, MONTH).going == ()


# What changed between plan and application stays.


def pin(place: Home) -> None:
    (place.project() / "aaaa0000.pinned").touch()


def write_on(place: Home) -> None:
    with (place.project() / "aaaa0000.jsonl").open("ab") as log:
        log.write(event("more", time.time()))


def write_on_unnoticed_by_its_time(place: Home) -> None:
    write_on(place)
    aged(place.project() / "aaaa0000.jsonl", OLD)


def replace_it(place: Home) -> None:
    log = place.project() / "aaaa0000.jsonl"
    stamp, data = log.stat().st_mtime_ns, log.read_bytes()
    other = place.project() / "other"
    other.write_bytes(data)
    other.replace(log)
    os.utime(log, ns=(stamp, stamp))


def save_more(place: Home) -> None:
    place.outputs("aaaa0000", OLD, ["t9.txt"])


def fork_it(place: Home) -> None:
    place.session("cccc0000", 0, pointing=["aaaa0000"])


def link_its_outputs(place: Home) -> None:
    folder = place.project() / "aaaa0000"
    folder.rename(place.path / "moved")
    folder.symlink_to(place.path / "moved")


def remove_it(place: Home) -> None:
    (place.project() / "aaaa0000.jsonl").unlink()


def move_project(place: Home) -> None:
    other = place.path / "projects" / "q"
    shutil.copytree(place.project(), other)
    shutil.rmtree(place.project())
    other.rename(place.project())


def move_home(place: Home) -> None:
    other = place.path.with_name("copy")
    shutil.copytree(place.path, other)
    shutil.rmtree(place.path)
    other.rename(place.path)


CHANGES: list[Callable[[Home], None]] = [
    pin, write_on, write_on_unnoticed_by_its_time, replace_it, save_more, fork_it, link_its_outputs, remove_it,
    move_project, move_home,
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_since_the_plan_stays(place: Home, change: Callable[[Home], None]) -> None:
    place.session("aaaa0000", saved=["t1.txt"])
    plan = plan_retention(place.path, MONTH)
    change(place)
    before = in_place(place)
    applied = apply_retention(plan)
    assert applied.gone == []
    assert applied.left or applied.held_back
    assert in_place(place) == before
    assert in_trash(place) == {}


class Interfering(Os):
    """Lets somebody else act once, right before something of some name is moved."""

    def __init__(self, name: str, act: Callable[[], None]) -> None:
        self._name, self._act = name, act
        self.acted = False

    def rename(self, name: str, target: str, *, dir_fd: int, target_fd: int) -> None:
        if not self.acted and name == self._name:
            self.acted = True
            self._act()
        super().rename(name, target, dir_fd=dir_fd, target_fd=target_fd)


def test_a_log_that_is_written_while_it_goes_comes_back(place: Home) -> None:
    log = place.session("aaaa0000", saved=["t1.txt"])
    plan = plan_retention(place.path, MONTH)

    def write_into_the_open_file() -> None:
        with open(log, "ab") as late:
            late.write(event("late", time.time()))

    calls = Interfering("aaaa0000.jsonl", write_into_the_open_file)
    applied = apply_retention(plan, calls=calls)
    assert calls.acted
    assert [left.why for left in applied.left] == ["it was written while it went"]
    assert b"late" in log.read_bytes()
    assert (place.project() / "aaaa0000" / "tool-results" / "t1.txt").exists()
    assert not any("aaaa" in path for path in in_trash(place))


@pytest.mark.parametrize("name", ["aaaa0000.jsonl", "aaaa0000"])
def test_what_takes_its_place_at_the_last_moment_is_put_back(place: Home, name: str, tmp_path: Path) -> None:
    place.session("aaaa0000", saved=["t1.txt"])
    plan = plan_retention(place.path, MONTH)
    (tmp_path / "outside").mkdir()

    def swap() -> None:
        (place.project() / name).rename(place.project() / "aside")
        (place.project() / name).symlink_to(tmp_path / "outside")

    applied = apply_retention(plan, calls=Interfering(name, swap))
    assert applied.gone == []
    assert (place.project() / name).is_symlink()
    assert (place.project() / "aaaa0000.jsonl").exists()
    assert not any("aaaa" in path for path in in_trash(place))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (fork_it, "a session came into its project meanwhile, which may refer to it"),
        (pin, "it was pinned meanwhile"),
        (save_more, "its saved outputs changed meanwhile"),
    ],
)
def test_what_changes_after_the_last_look_at_the_home_keeps_a_session(
    place: Home, change: Callable[[Home], None], why: str
) -> None:
    place.session("aaaa0000", saved=["t1.txt"])
    plan = plan_retention(place.path, MONTH)
    calls = Locking(2, lambda: change(place))  # the first lock is taken by the look, the second one for the removal
    applied = apply_retention(plan, calls=calls)
    assert [left.why for left in applied.left] == [why]
    assert (place.project() / "aaaa0000" / "tool-results" / "t1.txt").exists()
    assert (place.project() / "aaaa0000.jsonl").exists()


class Locking(Os):
    """Lets somebody else act right before the n-th lock is taken."""

    def __init__(self, at: int, act: Callable[[], None]) -> None:
        self._left, self._act = at, act

    def try_lock(self, descriptor: int) -> bool:
        self._left -= 1
        if not self._left:
            self._act()
        return super().try_lock(descriptor)


def test_a_session_that_a_writer_holds_stays(place: Home) -> None:
    log = place.session("aaaa0000")
    plan = plan_retention(place.path, MONTH)
    with log.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert apply_retention(plan).gone == []
    assert len(apply_retention(plan).gone) == 1


class Listing(Os):
    """Counts the names that are listed."""

    listed = 0

    def names(self, descriptor: int) -> Iterator[str]:
        for name in super().names(descriptor):
            self.listed += 1
            yield name


def test_a_folder_of_many_sessions_is_not_listed_for_each_of_them(place: Home) -> None:
    listed = []
    for sessions in (100, 200):
        for number in range(sessions):
            place.session(f"{number:08}")
        calls = Listing()
        assert len(apply_retention(plan_retention(place.path, MONTH), calls=calls).gone) == sessions
        listed.append(calls.listed)
        shutil.rmtree(place.trash)
    assert listed[0] < 500
    assert listed[1] < 1_600


def test_who_writes_on_in_a_session_that_went_begins_it_anew(place: Home) -> None:
    log = SessionLog.of(place.path, "/p", "aaaa0000")
    log.append([{"role": "user", "content": "first"}])
    log.place.log.write_bytes(event("first", time.time() - OLD * 86_400))
    aged(log.place.log, OLD)
    log.close()
    aged(log.place.folder, OLD)
    assert len(cleaned(place).gone) == 1
    log.append([{"role": "user", "content": "second"}])
    assert [entry.text for entry in load_transcript(log)] == ["second"]


# Clocks.


@pytest.mark.parametrize("jump", [3_600_000, -3_600_000, 400 * 86_400_000])
def test_a_clock_that_is_set_between_plan_and_application_stops_it(place: Home, jump: int) -> None:
    place.session("aaaa0000")
    plan = plan_retention(place.path, MONTH)
    later = Moment.now()
    applied = apply_retention(plan, now=lambda: Moment(later.wall + jump, later.steady))
    assert (applied.gone, len(applied.held_back)) == ([], 1)
    assert not place.trash.exists()


def test_a_clock_that_only_runs_on_stops_nothing(place: Home) -> None:
    place.session("aaaa0000")
    earlier = Moment.now()
    plan = plan_retention(place.path, MONTH, now=lambda: Moment(earlier.wall - 7_200_000, earlier.steady - 7_200_000))
    assert len(apply_retention(plan).gone) == 1


def test_a_clock_that_ran_ahead_of_the_file_systems_stops_it(place: Home) -> None:
    """A process that is told of next year would find everything old."""
    place.session("aaaa0000", YOUNG)
    now = Moment.now()
    next_year = Moment(now.wall + 365 * 86_400_000, now.steady)
    plan = plan_retention(place.path, MONTH, now=lambda: next_year)
    assert len(plan.going) == 1
    applied = apply_retention(plan, now=lambda: next_year)
    assert applied.gone == []
    assert "clock" in applied.held_back[0]
    assert in_trash(place) == {}


def test_batches_are_named_by_the_moment(place: Home) -> None:
    place.session("aaaa0000")
    first = cleaned(place).batch
    place.session("bbbb0000")
    second = cleaned(place).batch
    assert first is not None
    assert second is not None
    assert first != second
    for batch in (first, second):
        moment = moment_of(batch)
        assert moment is not None
        assert abs(moment / 1000 - time.time()) < 60
    assert [moment_of(name) for name in ("x", "20261399T000000Z", "20260101T000000Z.gonest", ".gone")] == [None] * 4


def test_what_is_written_while_sessions_go_is_never_in_the_trash(place: Home) -> None:
    """The writer comes before, between or behind every step; its event stands in the log that is in place."""
    for number in range(40):
        name = f"{number:08}"
        place.session(name, saved=["t1.txt"])
        plan = plan_retention(place.path, MONTH)
        writer = threading.Thread(target=say, args=(place, name, f"event {number}"))
        calls = Counting(number * 3, writer.start)
        apply_retention(plan, calls=calls)
        if not calls.acted:
            writer.start()
        writer.join()
        assert f"event {number}".encode() in (place.project() / f"{name}.jsonl").read_bytes()
        shutil.rmtree(place.project())
    trashed = [path.read_bytes() for path in place.trash.rglob("*.jsonl")]
    assert not any(b"event" in data for data in trashed)
    assert trashed


def say(place: Home, session_id: str, text: str) -> None:
    SessionLog.of(place.path, "/p", session_id).append([{"role": "user", "content": text}])


class Counting(Os):
    """Lets somebody else act at the n-th look, opening or renaming."""

    def __init__(self, at: int, act: Callable[[], None]) -> None:
        self._left, self._act = at, act
        self.acted = False

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0 and not self.acted:
            self.acted = True
            self._act()

    def open(self, path: str, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
        self._count()
        return super().open(path, flags, mode, dir_fd=dir_fd)

    def look(self, path: str, *, dir_fd: int | None = None) -> os.stat_result:
        self._count()
        return super().look(path, dir_fd=dir_fd)

    def rename(self, name: str, target: str, *, dir_fd: int, target_fd: int) -> None:
        self._count()
        super().rename(name, target, dir_fd=dir_fd, target_fd=target_fd)
