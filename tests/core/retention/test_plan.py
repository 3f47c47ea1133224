"""What would go from a home, and why the rest stays. Planning touches nothing."""

from __future__ import annotations

import fcntl
import os
import socket
import time
from contextlib import chdir
from datetime import timedelta
from pathlib import Path

import pytest

from tests.core.retention.aging import MONTH, OLD, YOUNG, Home, aged, contents, event, pointer, result
from unspool.errors import BadQuery
from unspool.recording import SessionLog
from unspool.retention import Moment, RetentionPlan, plan_retention


@pytest.fixture
def place(home: Path) -> Home:
    return Home(home)


def going(plan: RetentionPlan) -> list[str]:
    return sorted(item.name for item in plan.going)


def staying(plan: RetentionPlan) -> dict[str, str]:
    return {each.item.name: each.reason for each in plan.staying}


def made(place: Home, age: timedelta = MONTH, **more: object) -> RetentionPlan:
    """Plan, and see that nothing was touched."""
    before = contents(place.path)
    plan = plan_retention(place.path, age, **more)  # type: ignore[arg-type]
    assert contents(place.path) == before
    return plan


def test_what_was_not_written_for_longer_goes_and_the_rest_is_too_young(place: Home) -> None:
    place.session("aaaa0000", 31, saved=["t1.txt", "t2.json"])
    place.session("bbbb0000", 29)
    plan = made(place)
    assert going(plan) == ["aaaa0000"]
    assert staying(plan) == {"bbbb0000": "too young"}
    (item,) = plan.going
    parts = [place.project() / "aaaa0000.jsonl", *(place.project() / "aaaa0000" / "tool-results").iterdir()]
    assert (item.files, item.bytes) == (3, sum(part.stat().st_size for part in parts))
    assert (plan.held_back, plan.emptied) == ((), ())


@pytest.mark.parametrize(("file", "records"), [(OLD, YOUNG), (YOUNG, OLD)])
def test_age_is_that_of_the_newer_of_the_file_and_its_last_record(place: Home, file: float, records: float) -> None:
    place.session("aaaa0000", file, recorded=records)
    assert staying(made(place)) == {"aaaa0000": "too young"}


def test_what_a_fork_points_to_stays_with_its_source_and_the_source_of_that(place: Home) -> None:
    place.session("aaaa0000", saved=["t1.txt"])
    place.session("bbbb0000", saved=["t1.txt"], pointing=["aaaa0000"])
    place.session("cccc0000", YOUNG, pointing=["bbbb0000"])
    place.session("dddd0000", saved=["t1.txt"])
    plan = made(place)
    assert going(plan) == ["dddd0000"]
    assert staying(plan) == {"aaaa0000": "referenced", "bbbb0000": "referenced", "cccc0000": "too young"}
    assert {each.detail for each in plan.staying} == {"by bbbb0000", "by cccc0000", None}


def test_a_fork_that_goes_too_keeps_nothing_and_goes_first(place: Home) -> None:
    place.session("aaaa0000", 90, saved=["t1.txt"])
    place.session("bbbb0000", 80, saved=["t1.txt"], pointing=["aaaa0000"])
    place.session("cccc0000", 70, pointing=["bbbb0000", "aaaa0000"])
    assert [item.name for item in made(place).going] == ["cccc0000", "bbbb0000", "aaaa0000"]


def test_sessions_that_point_to_each_other_go_together_or_stay_together(place: Home) -> None:
    place.session("aaaa0000", saved=["t1.txt"], pointing=["bbbb0000"])
    place.session("bbbb0000", saved=["t1.txt"], pointing=["aaaa0000"])
    assert going(made(place)) == ["aaaa0000", "bbbb0000"]
    (place.project() / "aaaa0000.pinned").touch()
    assert staying(made(place)) == {"aaaa0000": "pinned", "bbbb0000": "referenced"}


@pytest.mark.parametrize(
    "path",
    [
        "C:\\Users\\Else\\.mini-code\\projects\\p\\{}\\tool-results\\t1.txt",
        "/moved/projects/other/{}/tool-results/t1.txt",
        "//x//projects//p//{}//tool-results//t1.txt",
    ],
)
def test_a_pointer_is_known_however_its_path_is_written(place: Home, path: str) -> None:
    place.session("aaaa0000", saved=["t1.txt"])
    text = f"<persisted-output>\nOutput too large (1M chars). Full output saved to: {path.format('AAAA0000')}\n"
    line = result(text, time.time()).replace(b"tool-results", b"\\u0074ool-results")
    place.session("bbbb0000", YOUNG, tail=line)
    assert staying(made(place))["aaaa0000"] == "referenced"


def test_a_pointer_in_a_broken_line_counts_too(place: Home) -> None:
    place.session("aaaa0000", saved=["t1.txt"])
    broken = result(pointer("aaaa0000"), time.time()).replace(b'"isError"', b"isError")
    place.session("bbbb0000", YOUNG, tail=broken)
    plan = made(place)
    assert (staying(plan)["aaaa0000"], plan.held_back) == ("referenced", ())


def test_the_source_of_a_fork_that_this_library_made_stays_with_it(place: Home) -> None:
    source = SessionLog.of(place.path, "/p")
    source.append([{"role": "user", "content": "Hi"}])
    fork = source.fork()
    source.close()
    log = source.place.log
    log.write_bytes(event("Hi", time.time() - OLD * 86_400))
    aged(log, OLD)
    aged(source.place.folder, OLD)
    assert staying(made(place)) == {source.session_id: "referenced", fork.session_id: "live"}


@pytest.mark.parametrize("kind", ["session", "outputs", "run"])
def test_a_file_beside_it_pins_it(place: Home, kind: str) -> None:
    place.session("eeee0000", YOUNG)
    where = {"session": place.session, "outputs": place.outputs, "run": place.run}[kind]("aaaa0000", OLD)
    assert going(made(place)) == ["aaaa0000"]
    (where.parent / "aaaa0000.pinned").touch()
    assert staying(made(place))["aaaa0000"] == "pinned"


def test_what_was_written_just_now_is_live_whatever_age_is_asked_for(place: Home) -> None:
    place.session("aaaa0000", 5 / 1440)
    place.session("bbbb0000", 15 / 1440)
    place.session("cccc0000", OLD)
    place.outputs("cccc0000", 5 / 1440)
    place.outputs("dddd0000", 5 / 1440)
    plan = made(place, timedelta(minutes=1))
    assert going(plan) == ["bbbb0000"]
    assert staying(plan) == {"aaaa0000": "live", "cccc0000": "live", "dddd0000": "live"}


def test_a_log_that_a_writer_holds_is_live_however_old(place: Home) -> None:
    log = place.session("aaaa0000")
    with log.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert staying(made(place)) == {"aaaa0000": "live"}
    assert going(made(place)) == ["aaaa0000"]


def test_outputs_without_a_log_go_when_they_are_old_and_those_of_first_versions_too(place: Home) -> None:
    place.session("eeee0000", YOUNG, pointing=[])
    place.outputs("aaaa0000", OLD)
    place.outputs("ephemeral-1", OLD)
    place.outputs("bbbb0000", YOUNG)
    place.run("run-1", OLD)
    place.run("run-2", YOUNG)
    plan = made(place)
    assert going(plan) == ["aaaa0000", "ephemeral-1", "run-1"]
    assert staying(plan) == {"bbbb0000": "too young", "eeee0000": "too young", "run-2": "too young"}


def test_outputs_whose_log_is_gone_stay_while_a_fork_points_to_them(place: Home) -> None:
    place.outputs("aaaa0000", OLD)
    place.run("run-1", OLD)
    text = pointer("x").replace("projects/p/x/tool-results", "tool-results/run-1")
    place.session("bbbb0000", YOUNG, pointing=["aaaa0000"], tail=result(text, time.time() - 9_000))
    assert staying(made(place)) == {"aaaa0000": "referenced", "run-1": "referenced", "bbbb0000": "too young"}


def test_sessions_of_every_project_and_of_the_root_are_looked_at(place: Home) -> None:
    place.session("aaaa0000", project="p", saved=["t1.txt"])
    place.session("bbbb0000", project="a b.c")
    place.session("cccc0000", project=".", saved=["t1.txt"])
    place.outputs("dddd0000", OLD, project=".")
    assert going(made(place)) == ["aaaa0000", "bbbb0000", "cccc0000", "dddd0000"]


def test_a_folder_that_holds_something_else_stays_with_its_session(place: Home) -> None:
    place.session("aaaa0000", saved=["t1.txt"])
    (place.project() / "aaaa0000" / "notes.md").write_text("mine")
    place.session("bbbb0000", saved=["t1.txt", "deep/t2.txt"])
    place.session("cccc0000", saved=["t1.txt", "photo.png"])
    assert staying(made(place)) == dict.fromkeys(("aaaa0000", "bbbb0000", "cccc0000"), "other files")


def test_what_is_no_session_and_no_saved_output_is_not_even_looked_at(place: Home) -> None:
    place.session("aaaa0000", YOUNG)
    (place.project() / "src" / "deep").mkdir(parents=True)
    (place.project() / "notes.txt").write_text("mine")
    (place.project() / "elsewhere").symlink_to("/")
    (place.path / "settings.json").write_text("{}")
    plan = made(place)
    assert (going(plan), [*staying(plan)], plan.held_back) == ([], ["aaaa0000"], ())


def test_an_empty_home_has_an_empty_plan(place: Home) -> None:
    plan = made(place)
    assert (plan.going, plan.staying, plan.held_back, plan.bytes) == ((), (), (), 0)


@pytest.mark.parametrize("age", [timedelta(0), timedelta(days=-1)])
def test_an_age_of_nothing_is_refused(place: Home, age: timedelta) -> None:
    with pytest.raises(BadQuery):
        plan_retention(place.path, age)


# An incomplete scan deletes nothing: what could not be read may point to anything.


def refused(place: Home, path: str) -> None:
    """One old session beside what cannot be read stays, and so does everything."""
    place.session("ffff0000", saved=["t1.txt"])
    plan = made(place)
    assert plan.going == plan.emptied == ()
    assert staying(plan)["ffff0000"] in ("held back", "referenced")
    (fault,) = plan.held_back
    assert path in fault


def test_an_incomplete_scan_deletes_nothing(place: Home) -> None:
    (place.project() / "aaaa0000.jsonl").mkdir(parents=True)
    refused(place, "aaaa0000.jsonl")


def test_a_log_that_is_a_link_deletes_nothing(place: Home, tmp_path: Path) -> None:
    elsewhere = place.session("bbbb0000", OLD)
    elsewhere.rename(tmp_path / "moved.jsonl")
    elsewhere.symlink_to(tmp_path / "moved.jsonl")
    refused(place, "bbbb0000.jsonl: a link")


def test_a_log_that_is_a_pipe_or_a_socket_deletes_nothing(place: Home) -> None:
    place.project().mkdir()
    os.mkfifo(place.project() / "aaaa0000.jsonl")
    refused(place, "aaaa0000.jsonl")


def test_a_project_that_is_a_link_deletes_nothing(place: Home, tmp_path: Path) -> None:
    place.project("q").symlink_to(tmp_path)
    refused(place, "projects/q: a link")


def test_a_folder_of_outputs_that_is_a_link_deletes_nothing(place: Home, tmp_path: Path) -> None:
    place.session("aaaa0000")
    (place.project() / "aaaa0000").symlink_to(tmp_path)
    refused(place, "projects/p/aaaa0000: no folder, or a link to one")


def test_a_trash_that_is_a_link_or_a_file_deletes_nothing(place: Home, tmp_path: Path) -> None:
    place.trash.symlink_to(tmp_path)
    refused(place, ".unspool-trash")
    place.trash.unlink()
    place.trash.write_text("mine")
    refused(place, ".unspool-trash")


@pytest.mark.parametrize("log", [b"some words\n", b'{"a":1}\n', b"\x00\x01\x02\x03" * 99, b'{"type":"user"'])
def test_a_log_of_another_format_deletes_nothing(place: Home, log: bytes) -> None:
    place.project().mkdir()
    (place.project() / "aaaa0000.jsonl").write_bytes(log)
    aged(place.project() / "aaaa0000.jsonl", OLD)
    refused(place, "aaaa0000.jsonl")


def test_an_empty_log_is_a_session_in_which_nothing_was_said(place: Home) -> None:
    place.project().mkdir()
    aged(place.session("aaaa0000"), OLD).write_bytes(b"")
    aged(place.project() / "aaaa0000.jsonl", OLD)
    assert going(made(place)) == ["aaaa0000"]


WHOLE = result(pointer("ffff0000"), 1_780_000_000.0).rstrip(b"\n")
TELLS = WHOLE.index(b"<persisted-output")
NAMED = WHOLE.index(b"t1.txt\\n")


@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize("cut", [TELLS + 5, TELLS + 12, TELLS + 40, NAMED - 30, NAMED, NAMED + 3])
def test_a_torn_pointer_deletes_nothing(place: Home, cut: int, end: bytes) -> None:
    place.session("bbbb0000", YOUNG, tail=WHOLE[:cut] + end)
    refused(place, "bbbb0000.jsonl: line 2: a pointer to saved outputs is torn")


@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize("cut", [1, 30, TELLS - 1])
def test_a_line_that_is_torn_before_any_pointer_holds_nothing_up(place: Home, cut: int, end: bytes) -> None:
    place.session("bbbb0000", YOUNG, tail=WHOLE[:cut] + end)
    place.session("ffff0000", saved=["t1.txt"])
    plan = made(place)
    assert (going(plan), plan.held_back) == (["ffff0000"], ())


def test_a_tail_that_is_torn_behind_its_pointer_points_all_the_same(place: Home) -> None:
    place.session("bbbb0000", YOUNG, tail=WHOLE[: NAMED + 20])
    place.session("ffff0000", saved=["t1.txt"])
    plan = made(place)
    assert (staying(plan)["ffff0000"], plan.held_back) == ("referenced", ())


# Clocks.


def test_a_clock_before_what_was_written_deletes_nothing(place: Home) -> None:
    place.session("aaaa0000", -2, recorded=OLD)
    refused(place, "aaaa0000.jsonl: written after the present")
    assert staying(made(place))["aaaa0000"] == "clock looks wrong"


def test_a_record_of_the_future_keeps_its_session_alone(place: Home) -> None:
    place.session("aaaa0000", OLD, recorded=-400)
    place.session("bbbb0000", OLD)
    plan = made(place)
    assert (going(plan), staying(plan)) == (["bbbb0000"], {"aaaa0000": "clock looks wrong"})


def test_a_clock_that_went_back_deletes_nothing(place: Home) -> None:
    now = Moment.now()
    place.session("aaaa0000", OLD)
    place.session("bbbb0000", YOUNG)
    plan = made(place, now=lambda: Moment(now.wall - 10 * 86_400_000, now.steady))
    assert plan.going == ()
    assert "clock" in plan.held_back[0]


def test_a_trash_of_the_future_deletes_nothing(place: Home) -> None:
    (place.trash / "20990101T000000Z").mkdir(parents=True)
    refused(place, "20990101T000000Z")


def test_a_socket_or_a_device_among_the_outputs_is_no_saved_output(place: Home) -> None:
    place.session("aaaa0000", saved=["t1.txt"])
    folder = place.project() / "aaaa0000" / "tool-results"
    with socket.socket(socket.AF_UNIX) as listening, chdir(folder):  # a socket's path must be short
        listening.bind("s")
    aged(folder / "s", OLD)
    assert staying(made(place)) == {"aaaa0000": "other files"}
