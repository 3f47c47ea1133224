"""The session list: order, titles, times, liveness, families; and what it must not read."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from backports import zstd

from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from tests.factories.yoi_lines import Yoi
from unspool.formats.base import Format
from unspool.ids import SessionRef
from unspool.library import SessionSummary, open_library
from unspool.library import glance as glance_module
from unspool.library.glance import BLOCK, HEAD_BYTES
from unspool.stores.base import SourceFile


def summaries(home: Path, **options: Any) -> list[SessionSummary]:
    """List a home."""
    return list(open_library([str(home)], **options).sessions())


def only(home: Path, **options: Any) -> SessionSummary:
    """Return the only session of a home."""
    (summary,) = summaries(home, **options)
    return summary


def test_the_newest_record_goes_first_whatever_the_file_times_say(home: Path) -> None:
    names = Names(1)
    older, newer = Claude(home, names), Claude(home, names)
    for lines in (older, newer):
        lines.user("Go")
        lines.answer("Gone")
        lines.save()
    os.utime(older.path, (2_000_000_000, 2_000_000_000))
    os.utime(newer.path, (1_000_000_000, 1_000_000_000))
    assert [summary.path for summary in summaries(home)] == [str(newer.path), str(older.path)]


def test_the_title_is_the_name_given_last_wherever_it_stands(home: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user("The first prompt")
    lines.note("custom-title", customTitle="A first name")
    for _ in range(300):
        lines.answer("x" * 1_000)
    lines.note("custom-title", customTitle="The last name")
    lines.note("mode", mode="plan")
    lines.save()
    assert only(home).title == "The last name"


def test_a_generated_title_goes_before_the_prompt_and_behind_a_given_one(home: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user("The first prompt")
    lines.note("ai-title", aiTitle="Made up")
    lines.save()
    assert only(home).title == "Made up"
    lines.note("custom-title", customTitle="Given")
    lines.save()
    assert only(home).title == "Given"


@pytest.mark.parametrize("before", [0, 3 * BLOCK, HEAD_BYTES // 2])
def test_the_first_prompt_is_found_however_deep(home: Path, before: int) -> None:
    lines = Codex(home, Names(1))
    for _ in range(before // 50_000 + 1):
        rules = f"<INSTRUCTIONS>\n{'rule ' * 10_000}\n</INSTRUCTIONS>"
        lines.message("user", f"# AGENTS.md instructions for /srv\n\n{rules}")
    lines.user("Mend the fence")
    lines.answer("Done")
    for _ in range(200):
        lines.answer("more" * 200)
    lines.save()
    assert only(home).title == "Mend the fence"


def test_a_title_is_one_line_of_bounded_length(home: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user("Mend\n\n  the\tfence " + "and the gate " * 100)
    lines.save()
    title = only(home).title
    assert title is not None
    assert title.startswith("Mend the fence and the gate")
    assert len(title) <= 300


def test_the_project_is_the_last_name_of_the_first_folder_in_the_records(home: Path) -> None:
    for number, (cwd, project) in enumerate([("/srv/shop.d/", "shop.d"), ("C:\\Users\\x\\barn", "barn"), ("/", "/")]):
        place = home / str(number)
        lines = Claude(place, Names(number), cwd=cwd)
        lines.user("Go")
        lines.cwd = "/elsewhere"
        lines.user("On")
        lines.save()
        assert only(place).project == project


def test_times_are_those_of_the_first_and_the_last_record(home: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user("Go")
    first = lines.last_activity
    for _ in range(400):
        lines.answer("x" * 500)
    for _ in range(40):
        lines.note("file-history-snapshot", snapshot={"filler": "y" * 3_000})
    lines.save()
    row = only(home).to_json()
    assert (row["started_at"], row["last_activity"]) == (first, lines.last_activity)


def test_the_last_time_is_found_behind_a_giant_record_without_one(home: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user("Go")
    for _ in range(100):
        lines.answer("x" * 2_000)
    last = lines.last_activity
    lines.note("file-history-snapshot", snapshot={"filler": "y" * 700_000})
    lines.save()
    assert only(home).to_json()["last_activity"] == last


@pytest.mark.parametrize("agent", [Claude, Yoi])
def test_a_list_reads_only_head_and_tail_of_a_long_file(
    agent: type[Claude] | type[Yoi], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = agent(home, Names(1))
    lines.user("Go")
    lines.answer("Here")
    for _ in range(600):
        lines.answer("x" * 20_000)
    lines.save()
    looked_at = 0
    decode = glance_module._Looking._take

    def counted(looking: Any, record: Any) -> None:
        nonlocal looked_at
        looked_at += 1
        decode(looking, record)

    monkeypatch.setattr(glance_module._Looking, "_take", counted)
    summary = only(home)
    assert summary.to_json()["last_activity"] == lines.last_activity
    assert (summary.counts, summary.entries, summary.errors, summary.unreadable) == (None, None, None, None)
    assert looked_at < 15


def test_the_title_stands_behind_a_long_history_that_was_taken_over(home: Path) -> None:
    names = Names(1)
    history = [{"kind": "message", "role": "user", "content": [{"kind": "text", "text": "old " * 200_000}]}]
    lines = Yoi(home, names, era="logged", history=history, compacted_from={"session_id": names.uuid()})
    lines.user("Mend the fence")
    lines.save()
    assert only(home).title == "Mend the fence"


def test_a_full_list_knows_all_counts(home: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user("Go")
    lines.result(lines.call("ls"), "no such thing", is_error=True)
    lines.bad(b'{"type":"user"')
    lines.answer("Done")
    lines.save()
    (summary,) = open_library([str(home)]).sessions(full=True)
    assert summary.counts is not None
    assert summary.counts.to_json() == {"user": 1, "assistant": 1, "system": 0, "tool_input": 1, "tool_output": 1}
    assert (summary.entries, summary.errors, summary.unreadable) == (5, 1, 1)
    assert summary.to_json()["unreadable"][0]["reason"] == "torn"


def test_a_file_that_did_not_change_is_not_looked_at_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = Claude(home, Names(1))
    lines.user("Go")
    lines.save()
    library = open_library([str(home)])
    assert [summary.title for summary in library.sessions()] == ["Go"]
    monkeypatch.setattr(glance_module, "take_glance", lambda *_: pytest.fail("looked at again"))
    assert [summary.title for summary in library.sessions()] == ["Go"]
    monkeypatch.undo()
    lines.note("custom-title", customTitle="Named")
    lines.save()
    assert [summary.title for summary in library.sessions()] == ["Named"]


def test_a_session_is_live_for_two_minutes_after_its_last_write(home: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user("Go")
    lines.save()
    os.utime(lines.path, (1_800_000_000, 1_800_000_000))
    for later, live in ((0, True), (119_999, True), (120_000, False), (-1, False)):
        assert only(home, now=lambda later=later: 1_800_000_000_000 + later).live is live


def registered(home: Path, lines: Claude, status: str | None) -> dict[str, Any]:
    """Put a session in the registry of running ones; return what says that its process runs."""
    registry = home / ".claude/sessions"
    registry.mkdir()
    entry = {"pid": 4321, "sessionId": lines.session_id, "status": status}
    (registry / "4321.json").write_text(json.dumps(entry))
    return {"alive": lambda pid: pid == 4321}


@pytest.mark.parametrize(("status", "waiting"), [("idle", "turn"), ("busy", None), (None, None)])
def test_a_registered_session_is_live_while_its_process_runs(
    home: Path, status: str | None, waiting: str | None
) -> None:
    lines = Claude(home, Names(1))
    lines.user("Go")
    lines.save()
    os.utime(lines.path, (1, 1))
    running = only(home, **registered(home, lines, status))
    assert (running.live, running.waiting) == (True, waiting)
    gone = only(home, alive=lambda pid: False)
    assert (gone.live, gone.waiting) == (False, None)


def finished(home: Path, *, long: bool) -> Claude:
    """A session whose agent has finished its turn, written long ago."""
    lines = Claude(home, Names(1))
    lines.user("Go")
    for _ in range(300 if long else 1):
        lines.answer("x" * 1_000)
    record = lines.answer_record("Done")
    record["message"]["stop_reason"] = "end_turn"
    lines.add(record)
    return lines


@pytest.mark.parametrize("long", [False, True])
def test_only_a_live_session_waits_and_what_it_waits_for_stands_at_its_end(home: Path, long: bool) -> None:
    lines = finished(home, long=long)
    lines.save()
    os.utime(lines.path, (1_800_000_000, 1_800_000_000))
    assert only(home, now=lambda: 1_800_000_000_000 + 119_999).waiting == "turn"
    assert only(home, now=lambda: 1_800_000_000_000 + 120_000).waiting is None
    lines.user("And again")
    lines.save()
    os.utime(lines.path, (1_800_000_000, 1_800_000_000))
    assert only(home, now=lambda: 1_800_000_000_000).waiting is None


@pytest.mark.parametrize(("tool", "expected"), [("AskUserQuestion", "question"), ("Bash", None)])
def test_a_question_goes_before_what_the_registry_says_and_the_registry_before_an_old_turn(
    home: Path, tool: str, expected: str | None
) -> None:
    lines = finished(home, long=False)
    lines.spoke({"type": "tool_use", "id": "toolu_1", "name": tool, "input": {}})
    lines.save()
    assert only(home, **registered(home, lines, "busy")).waiting == expected


def test_a_subagent_that_is_done_waits_for_nobody(home: Path) -> None:
    lines = finished(home, long=False)
    lines.save()
    beside = lines.path.with_suffix("") / "subagents" / "agent-a1.jsonl"
    beside.parent.mkdir(parents=True)
    told = [json.loads(line) for line in lines.path.read_bytes().split(b"\n") if line]
    beside.write_text("".join(json.dumps({**each, "isSidechain": False}) + "\n" for each in told))
    now = int(lines.path.stat().st_mtime * 1_000) + 1_000
    assert {each.ref.part: each.waiting for each in summaries(home, now=lambda: now)} == {None: "turn", "a1": None}


def test_children_follow_their_parent_whatever_their_times(home: Path) -> None:
    parent, other = Claude(home, Names(1)), Claude(home, Names(2))
    for lines in (parent, other):
        lines.user("Go")
        lines.save()
    for part in ("b", "a"):
        path = parent.path.with_suffix("") / "subagents" / f"agent-{part}.jsonl"
        child = Claude(home, Names(ord(part)), path=path, session_id=parent.session_id, isSidechain=True, agentId=part)
        child.user("Look")
        child.save()
    rows = summaries(home)
    at = next(number for number, summary in enumerate(rows) if summary.path == str(parent.path))
    assert [summary.ref.part for summary in rows[at + 1 : at + 3]] in (["a", "b"], ["b", "a"])
    assert all(summary.parent == rows[at].ref for summary in rows[at + 1 : at + 3])
    assert set(rows[at].children) == {summary.ref for summary in rows[at + 1 : at + 3]}


def test_a_subagent_in_which_nothing_was_said_does_not_make_its_session_newer(home: Path) -> None:
    older, newer = Claude(home, Names(1)), Claude(home, Names(2))
    for lines, time in ((older, "2026-05-01T10:00:00Z"), (newer, "2026-05-02T10:00:00Z")):
        lines.add(lines.chained("user", message={"role": "user", "content": "Go"}, timestamp=time))
        lines.save()
    path = older.path.with_suffix("") / "subagents" / "agent-a.jsonl"
    child = Claude(home, Names(3), path=path, session_id=older.session_id, isSidechain=True, agentId="a")
    child.add(child.chained("mode", timestamp="2026-05-03T10:00:00Z"))
    child.save()
    assert [(each.session_id, each.empty) for each in summaries(home)] == [
        (newer.session_id, False), (older.session_id, False), (older.session_id, True),
    ]  # fmt: skip


def test_sessions_that_call_each_other_parent_are_still_listed(home: Path) -> None:
    ids = [Names(seed).uuid() for seed in (1, 2)]
    for own, other, seed in ((ids[0], ids[1], 1), (ids[1], ids[0], 2)):
        lines = Codex(home, Names(seed), session_id=own, parent_thread_id=other, thread_source="subagent")
        lines.user("Go")
        lines.save()
    assert {summary.session_id for summary in summaries(home)} == set(ids)


def test_a_chain_of_a_thousand_parents_is_listed(home: Path) -> None:
    names = Names(1)
    above = None
    for _ in range(1_100):
        own = names.uuid()
        lines = Codex(home, names, session_id=own, bare=True)
        lines.header(id=own, **({"parent_thread_id": above} if above else {}))
        lines.user("Go")
        lines.save()
        above = own
    assert len(summaries(home)) == 1_100


def test_a_subagent_whose_session_is_gone_stands_alone(home: Path) -> None:
    path = home / ".claude/projects/-srv-x" / Names(1).uuid() / "subagents" / "agent-a1.jsonl"
    lines = Claude(home, Names(1), path=path, session_id="lost", isSidechain=True, agentId="a1")
    lines.user("Look")
    lines.save()
    summary = only(home)
    assert (summary.parent, summary.part) == (None, "a1")


def test_a_subagent_whose_session_is_gone_waits_for_nobody_either(home: Path) -> None:
    path = home / ".claude/projects/-srv-x" / Names(1).uuid() / "subagents" / "agent-a1.jsonl"
    lines = Claude(home, Names(1), path=path, session_id="lost", agentId="a1")
    lines.user("Look")
    record = lines.answer_record("Done")
    record["message"]["stop_reason"] = "end_turn"
    lines.add(record)
    lines.save()
    summary = only(home, now=lambda: int(path.stat().st_mtime * 1_000) + 1_000)
    assert (summary.parent, summary.live, summary.waiting) == (None, True, None)


def test_the_same_id_twice_gives_two_references_plain_and_new_first(home: Path, tmp_path: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user("Go")
    lines.save()
    copy = tmp_path / ".claude/projects/-a" / lines.path.name
    copy.parent.mkdir(parents=True)
    copy.write_bytes(lines.path.read_bytes())
    os.utime(lines.path, (1_000, 1_000))
    library = open_library([str(home), str(tmp_path)])
    refs = {summary.path: summary.ref for summary in library.sessions()}
    assert refs[str(copy)] == SessionRef("claude", lines.session_id)
    assert str(refs[str(lines.path)]) == f"claude:{lines.session_id}~2"
    assert library.view(f"claude:{lines.session_id}~2").source_path == str(lines.path)
    assert library.view(f"claude:{lines.session_id}").source_path == str(copy)
    (told,) = [line.text for line in library.doctor() if "has the id of" in line.text]
    assert "~2" in told


def test_a_rollout_that_is_compressed_after_it_was_listed_is_still_read(home: Path) -> None:
    lines = Codex(home, Names(1))
    lines.user("Go")
    lines.save()
    library = open_library([str(home)])
    (summary,) = library.sessions()
    packed = lines.path.with_name(lines.path.name + ".zst")
    packed.write_bytes(zstd.compress(lines.path.read_bytes()))
    lines.path.unlink()
    assert library.view(summary.ref).source_path == str(packed)
    (summary,) = library.sessions()
    assert (summary.title, summary.compressed) == ("Go", True)


def test_a_file_that_vanishes_while_it_is_listed_is_not_shown(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = Names(1)
    stays, goes = Claude(home, names), Claude(home, names)
    for lines in (stays, goes):
        lines.user("Go")
        lines.save()
    take = glance_module.take_glance

    def late(source: Any, format: Any) -> Any:
        if source.path == str(goes.path):
            goes.path.unlink()
        return take(source, format)

    monkeypatch.setattr(glance_module, "take_glance", late)
    assert only(home).path == str(stays.path)


def test_empty_sessions_say_so(home: Path) -> None:
    lines = Claude(home, Names(1))
    lines.note("mode", mode="plan")
    lines.save()
    assert only(home).empty
    lines.user("Go")
    lines.save()
    assert not only(home).empty


def test_nothing_in_a_home_is_written_or_touched(home: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user("Go")
    lines.save()
    before = {path: path.lstat().st_mtime_ns for path in home.rglob("*")}
    library = open_library([str(home)])
    list(library.sessions(full=True))
    library.doctor()
    list(library.search("go"))
    assert {path: path.lstat().st_mtime_ns for path in home.rglob("*")} == before


@pytest.mark.parametrize("agent_id", [{}, {"agentId": "a1b2c3d4"}])
@pytest.mark.parametrize("padding", [10, 3_000, 40_000])
def test_what_a_subagent_was_told_is_no_title_of_the_session(
    home: Path, agent_id: dict[str, str], padding: int
) -> None:
    lines = Claude(home, Names(1))
    lines.extra = {"isSidechain": True, **agent_id}
    lines.user("The task of a subagent")
    for _ in range(30):
        lines.answer("x" * padding)
    lines.extra = {}
    lines.user("The real prompt")
    for _ in range(30):
        lines.answer("x" * padding)
    lines.save()
    assert [(each.title, each.parent) for each in summaries(home)] == [("The real prompt", None)]
    assert [each.title for each in open_library([str(home)]).sessions(full=True)] == ["The real prompt"]


def test_a_session_in_which_only_subagents_were_spoken_to_has_no_title(home: Path) -> None:
    lines = Claude(home, Names(1), isSidechain=True)
    lines.user("The task of a subagent")
    lines.save()
    assert only(home).title is None
    assert [each.title for each in open_library([str(home)]).sessions(full=True)] == [None]


@pytest.mark.parametrize("stamp", [1_780_304_400_000_000, "9999-12-31T23:59:59Z", "soon", -1, {"$date": 0}])
@pytest.mark.parametrize("place", [0, 5, -1])
def test_a_bad_stamp_says_nothing_and_the_good_ones_count(home: Path, stamp: Any, place: int) -> None:
    lines = Claude(home, Names(1))
    for number in range(10):
        lines.user(f"Prompt {number}")
    times = [json.loads(line)["timestamp"] for line in lines._lines]
    record = json.loads(lines._lines[place])
    record["timestamp"] = stamp
    lines._lines[place] = json.dumps(record).encode()
    lines.save()
    del times[place]
    for full in (False, True):
        (summary,) = open_library([str(home)]).sessions(full=full)
        row = summary.to_json()
        assert (row["started_at"], row["last_activity"]) == (times[0], times[-1])


def test_the_sessions_that_were_written_last_are_listed_without_a_look_into_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(12):
        path = _written(tmp_path, f"s{number:02}", number)
        os.utime(path, (1_000 + number, 1_000 + number))
    looked: list[str] = []
    take = glance_module.take_glance

    def noted(source: SourceFile, format: Format) -> glance_module.Glance:
        looked.append(source.session_id)
        return take(source, format)

    monkeypatch.setattr(glance_module, "take_glance", noted)
    library = open_library(environ={}, home=str(tmp_path))
    newest = library.newest(3)
    assert [summary.session_id for summary in newest] == ["s11", "s10", "s09"]
    assert sorted(looked) == ["s09", "s10", "s11"]
    assert list(library.sessions())[:3] == newest
    assert sorted(looked) == [f"s{number:02}" for number in range(12)]


def test_those_that_were_listed_for_the_first_frame_are_not_looked_for_again_until_all_are(tmp_path: Path) -> None:
    def newest(*, again: bool = True) -> list[str]:
        return [summary.session_id for summary in library.newest(2, again=again)]

    for number in range(3):
        _written(tmp_path, f"s{number:02}", number)
    library = open_library(environ={}, home=str(tmp_path))
    assert newest(again=False) == ["s02", "s01"]
    _written(tmp_path, "s03", 3)
    assert newest(again=False) == ["s02", "s01"]
    assert [summary.session_id for summary in library.newest(1, again=False)] == ["s03"]
    assert newest() == ["s03", "s02"]
    _written(tmp_path, "s04", 4)
    assert len(list(library.sessions())) == 5
    assert newest(again=False) == ["s04", "s03"]


def test_whether_all_is_as_it_was_listed_is_told_without_listing(tmp_path: Path) -> None:
    for number in range(3):
        _written(tmp_path, f"s{number:02}", number)
    library = open_library(environ={}, home=str(tmp_path))
    assert not library.is_listed()
    listed = list(library.sessions())
    assert library.is_listed()
    added = _written(tmp_path, "s03", 3)
    assert not library.is_listed()
    added.unlink()
    assert library.is_listed()
    with open(listed[0].path, "a", encoding="utf-8") as file:
        file.write("\n")
    assert not library.is_listed()
    list(library.sessions())
    assert library.is_listed()
    os.unlink(listed[0].path)
    assert not library.is_listed()


def _written(home: Path, session: str, number: int) -> Path:
    """Write a session of one prompt; the higher its number, the newer it is."""
    path = home / ".claude" / "projects" / "-srv-shop" / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    record = {
        "type": "user", "uuid": session, "sessionId": session, "userType": "external", "cwd": "/srv/shop",
        "timestamp": f"2026-03-01T10:{number:02}:00.000Z", "message": {"role": "user", "content": f"Prompt {number}"},
    }  # fmt: skip
    path.write_text(json.dumps(record) + "\n")
    return path
