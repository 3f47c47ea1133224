from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from unspool.blobs.calls import Os
from unspool.errors import BadEvent, BadReference, NotFound, Unwritable
from unspool.recording import ActiveLog, SessionLog, SessionPlace, load_runtime_state, load_transcript

CWD = "/home/someone/work/lantern"
WHEN = 1_780_000_000.25


@pytest.fixture
def log(tmp_path: Path) -> SessionLog:
    return SessionLog(SessionPlace.of(tmp_path, CWD, "1a2b3c4d"), cwd=CWD, clock=lambda: WHEN)


def user(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, **more}


def assistant(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def call(own_id: str) -> dict[str, Any]:
    return {"role": "assistant_tool_call", "toolUseId": own_id, "toolName": "read_file", "input": {"path": "/a"}}


def result(own_id: str, content: str = "the file", *, is_error: bool = False) -> dict[str, Any]:
    return {
        "role": "tool_result",
        "toolUseId": own_id,
        "toolName": "read_file",
        "content": content,
        "isError": is_error,
    }


def events_in(log: SessionLog) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.place.log.read_bytes().split(b"\n") if line]


def texts(log: SessionLog) -> list[str]:
    return [message["content"] for message in ActiveLog.read(log).messages()]


def test_messages_come_back_as_they_were_given_without_the_system_prompt(log: SessionLog) -> None:
    given = [{"role": "system", "content": "You are …"}, user("hello"), assistant("hi")]
    log.append(given)
    assert [{key: each[key] for key in ("role", "content")} for each in ActiveLog.read(log).messages()] == given[1:]


def test_only_a_system_prompt_makes_no_log(log: SessionLog) -> None:
    assert log.append([{"role": "system", "content": "You are …"}]) == []
    assert not log.place.log.exists()


def test_messages_of_all_roles_come_back(log: SessionLog) -> None:
    given = [
        user("hello"),
        assistant("hi"),
        {"role": "assistant_progress", "content": "looking"},
        {"role": "assistant_thinking", "blocks": [{"type": "thinking", "thinking": "hm", "signature": "s"}]},
        call("c1"),
        result("c1"),
        {"role": "context_summary", "content": "said so far", "compressedCount": 5, "timestamp": 12_345},
    ]
    written = log.append(given)
    kinds = ["user", "assistant", "progress", "thinking", "tool_call", "tool_result", "summary"]
    assert [event["type"] for event in written] == kinds
    assert ActiveLog.read(log).messages() == [
        {**each, "id": event["uuid"]} for each, event in zip(given, written, strict=True)
    ]


def test_an_event_is_exactly(log: SessionLog) -> None:
    log.append([user("hello", id="u1"), {"isError": False, "content": "x", **call("c1"), "id": "u2"}])
    around = (
        '"timestamp":"2026-05-28T20:26:40.250Z","sessionId":"1a2b3c4d","cwd":"/home/someone/work/lantern",'
        '"message":{"role":'
    )
    assert log.place.log.read_text() == (
        f'{{"type":"user","uuid":"u1","parentUuid":null,{around}"user","id":"u1","content":"hello"}}}}\n'
        f'{{"type":"tool_call","uuid":"u2","parentUuid":"u1",{around}"assistant_tool_call","id":"u2","toolUseId":"c1",'
        '"toolName":"read_file","input":{"path":"/a"},"content":"x","isError":false}}\n'
    )


def test_what_was_given_is_not_changed(log: SessionLog) -> None:
    given = user("hello")
    log.append([given])
    assert given == {"role": "user", "content": "hello"}


def test_a_project_is_named_by_its_path(tmp_path: Path) -> None:
    named = {cwd: SessionPlace.of(tmp_path, cwd, "a").project for cwd in (CWD, "C:\\Work\\lantern", "/a/b-c", "/")}
    assert [str(path.relative_to(tmp_path)) for path in named.values()] == [
        "projects/home-someone-work-lantern", "projects/C-Work-lantern", "projects/a-b-c", "projects",
    ]  # fmt: skip


@pytest.mark.parametrize("session_id", ["../..\\nested/session", "..", "", "a/b", "/etc/passwd", "\x00", "é" * 300])
def test_a_session_of_any_id_stays_inside_its_project(session_id: str, tmp_path: Path) -> None:
    log = SessionLog(SessionPlace(tmp_path / "project", session_id), cwd=CWD)
    log.append([user("hello")])
    assert [path.parent for path in tmp_path.rglob("*") if path.is_file()] == [tmp_path / "project"]
    assert log.place.results.parent.parent == log.place.project
    assert texts(log) == ["hello"]


@pytest.mark.parametrize("name", ["my log é", "..", "_a", "1a2b3c4d.2", "-"])
def test_a_log_of_any_name_is_gone_on_with_where_it_lies(name: str, tmp_path: Path) -> None:
    path = tmp_path / "project" / f"{name}.jsonl"
    SessionLog.at(path).append([user("one")])
    fork = SessionLog.at(path).fork()
    assert {each.name for each in path.parent.glob("*.jsonl")} == {path.name, fork.place.log.name}
    assert SessionLog.at(path).place.folder.resolve().parent == path.parent
    assert texts(fork) == texts(SessionLog.at(str(path))) == ["one"]
    assert ActiveLog.read(fork).origins == (name,)


def test_an_append_writes_what_is_new_and_hangs_it_on_the_last_event(log: SessionLog) -> None:
    log.append([user("one"), assistant("two")])
    SessionLog.at(log.place.log).append([user("three"), assistant("four")])
    log.append([user("five")])
    events = events_in(log)
    assert [event["message"]["content"] for event in events] == ["one", "two", "three", "four", "five"]
    assert [event["parentUuid"] for event in events] == [None, *(event["uuid"] for event in events[:-1])]
    assert {event["cwd"] for event in events} == {CWD}


@pytest.mark.parametrize("length", [60_000, 65_536, 300_000])
def test_the_last_event_is_found_however_long_it_is(length: int, log: SessionLog) -> None:
    log.append([user("one")])
    (last,) = log.append([user("x" * length)])
    assert SessionLog.at(log.place.log).append([user("three")])[0]["parentUuid"] == last["uuid"]


def test_a_name_is_taken_and_hung_on_but_hangs_on_nothing(log: SessionLog) -> None:
    log.append([user("hello")])
    named = log.rename("A better name")
    after = log.append([assistant("hi")])
    assert "parentUuid" not in named
    assert after[0]["parentUuid"] == named["uuid"]
    assert ActiveLog.read(log).title == "A better name"


def test_what_is_not_there_cannot_be_named_forked_or_read(log: SessionLog) -> None:
    for verb in (lambda: log.rename("name"), log.fork, log.active_range, lambda: ActiveLog.read(log)):
        with pytest.raises(NotFound, match="no log of the session 1a2b3c4d"):
            verb()
    assert load_runtime_state(log) is None
    assert not log.place.project.exists()


def test_a_compaction_is_a_boundary_a_summary_and_what_is_retained_under_its_old_ids(log: SessionLog) -> None:
    said = log.append([user("one"), assistant("two"), user("three")])
    retained = [event["message"] for event in said[1:]]
    log.append_compact_boundary("All so far.", retained, trigger="manual", pre_tokens=100_000, post_tokens=5_000)
    boundary, summary, *again = events_in(log)[3:]
    assert boundary["compactMetadata"] == {"trigger": "manual", "preTokens": 100_000, "postTokens": 5_000}
    assert (boundary["parentUuid"], boundary["logicalParentUuid"]) == (None, said[-1]["uuid"])
    assert (summary["type"], summary["message"]) == ("user", {"role": "user", "content": "All so far."})
    assert [summary["parentUuid"], again[0]["parentUuid"]] == [boundary["uuid"], summary["uuid"]]
    assert [event["uuid"] for event in again] == [event["uuid"] for event in said[1:]]
    log.append([user("four")])
    assert texts(log) == ["All so far.", "two", "three", "four"]
    assert str(log.active_range()) == "E4-E7"


def test_what_was_snipped_is_gone_and_the_snip_stands_where_it_was(log: SessionLog) -> None:
    said = log.append([user(str(number)) for number in range(8)])
    removed = [event["uuid"] for event in said[2:7]]
    snip = log.append_snip(removed, 2_500, content="[cut]")
    assert texts(log) == ["0", "1", "[cut]", "7"]
    told = {"removedMessageIds": removed, "removedCount": 5, "tokensFreed": 2_500}
    times = dict.fromkeys(("timestamp", "createdAt"), "2026-05-28T20:26:40.250Z")
    assert snip["snipMetadata"] == {"type": "snip_boundary", **told, **times}
    assert snip["uuid"] == f"snip-1780000000250-{removed[0]}" == snip["message"]["id"]
    assert (snip["parentUuid"], snip["logicalParentUuid"]) == (None, said[-1]["uuid"])


def test_a_snip_that_was_retained_by_a_compaction_stays_when_more_is_snipped(log: SessionLog) -> None:
    first, second, third = log.append([user("one"), user("two"), user("three")])
    log.append_snip([first["uuid"]], content="gone: one")
    log.append_compact_boundary("summary", ActiveLog.read(log).messages())
    assert texts(log) == ["summary", "gone: one", "two", "three"]
    log.append_snip([third["uuid"]], content="gone: three")
    assert texts(log) == ["summary", "gone: one", "two", "gone: three"]
    assert second["uuid"] in [message["id"] for message in ActiveLog.read(log).messages()]


def test_half_of_a_pair_never_stays(log: SessionLog) -> None:
    said = log.append([user("one"), call("c1"), call("c2"), result("c1"), result("c2"), call("running")])
    log.append_snip([said[1]["uuid"], said[4]["uuid"]], content="[cut]")
    roles = [message["role"] for message in ActiveLog.read(log).messages()]
    assert roles == ["user", "snip_boundary", "assistant_tool_call"]
    log.append_compact_boundary("All.", [said[1]["message"], said[4]["message"], said[5]["message"]])
    assert [message.get("toolUseId") for message in ActiveLog.read(log).messages()] == [None, "running"]


def test_a_session_is_the_same_after_snip_compaction_and_more(log: SessionLog) -> None:
    said = log.append([user("task"), *(assistant(f"old {number}") for number in range(24)), call("t"), result("t")])
    log.append_snip([event["uuid"] for event in said[1:20]])
    before = ActiveLog.read(log).messages()
    log.append_compact_boundary("Compacted after the snip.", [each for each in before[-4:] if each["role"] != "user"])
    log.append([user("current task")])
    after = ActiveLog.read(log).messages()
    assert [message["id"] for message in after[1:-1]] == [message["id"] for message in before[-4:]]
    assert {message.get("toolUseId") for message in after} == {None, "t"}
    assert not {event["uuid"] for event in said[1:20]} & {message["id"] for message in after}


def test_spans_are_kept_and_change_no_message(log: SessionLog) -> None:
    said = log.append([user("one"), assistant("two"), user("three")])
    before = ActiveLog.read(log).messages()
    ids = [event["uuid"] for event in said[:2]]
    first = log.append_collapse(ids, "The beginning.", tokens_before=4_000, tokens_after=120)
    log.append_collapse(ids, "Not yet.", status="staged")
    log.append_collapse(ids, "At the same moment.", reason="manual")
    active = ActiveLog.read(log)
    assert active.messages() == before
    state = active.collapse_state()
    assert state is not None
    assert state.spans[0] == first["contextCollapseSpan"]
    assert len(state.spans) == 2
    assert [message["content"] for message in state.project(before)] == ["The beginning.", "three"]
    log.append_compact_boundary("All.")
    assert ActiveLog.read(log).collapse_state() is None


def test_a_span_of_nothing_is_refused(log: SessionLog) -> None:
    with pytest.raises(BadEvent, match="at least one message"):
        log.append_collapse([], "nothing")


@pytest.mark.parametrize("given", [user("one"), "one", [["role", "user"]]])
def test_what_is_no_list_of_messages_is_refused(given: Any, log: SessionLog) -> None:
    with pytest.raises(BadEvent, match="of which a list is given"):
        log.append(given)
    assert not log.place.log.exists()


@pytest.mark.parametrize("path", ["home", "home/projects/p/1a2b3c4d", "log.json"])
def test_a_path_by_which_no_log_is_called_is_refused_and_taken_for_no_new_session(path: str, tmp_path: Path) -> None:
    for read in (SessionLog.at, ActiveLog.read, load_runtime_state, load_transcript):
        with pytest.raises(BadReference, match=r"ends with \.jsonl"):
            read(tmp_path / path)


@pytest.mark.parametrize(
    ("given", "why"),
    [({}, "it is empty"), ({"content": "x"}, "content"), ({"role": "wizard"}, "'wizard'"), ({"role": ["user"]}, "user"),
     ({"type": 5}, "type"), ({"role": "user", "content": object()}, "no JSON")],
)  # fmt: skip
def test_what_is_no_message_and_no_event_is_refused_and_nothing_is_written(
    given: dict[str, Any], why: str, log: SessionLog
) -> None:
    log.append([user("one")])
    with pytest.raises(BadEvent, match=why):
        log.append([user("two"), given])
    assert texts(log) == ["one"]


@pytest.mark.parametrize("value", ["half \ud83e", 1 << 70, -(1 << 64), "\u2028\x85\x00\n", [[]] * 3, 1.5, {"": None}])
def test_every_json_value_comes_back_as_it_was(value: Any, log: SessionLog) -> None:
    log.append([{**call("c1"), "input": value}])
    assert ActiveLog.read(log).messages()[0]["input"] == value
    assert log.place.log.read_bytes().count(b"\n") == 1


@pytest.mark.parametrize("depth", [300, 1_000])
def test_deep_values_come_back_as_they_were(depth: int, log: SessionLog) -> None:
    deep: Any = "bottom"
    for _ in range(depth):
        deep = [deep]
    log.append([{**call("c1"), "input": deep}])
    found = ActiveLog.read(log).messages()[0]["input"]
    for _ in range(depth):
        (found,) = found
    assert found == "bottom"


def test_a_torn_tail_never_swallows_the_next_event(log: SessionLog) -> None:
    said = log.append([user("one")])
    with log.place.log.open("ab") as file:
        file.write(b'{"type":"assistant","message":{"role":"assistant","content":"half of \xe2\x80')
    after = log.append([user("two")])
    assert after[0]["parentUuid"] == said[0]["uuid"]
    assert texts(log) == ["one", "two"]
    assert json.loads(log.place.log.read_bytes().split(b"\n")[2]) == after[0], "on a line of its own"


def test_an_end_that_is_whole_but_for_its_line_end_is_an_event(log: SessionLog) -> None:
    log.append([user("one")])
    data = log.place.log.read_bytes()
    log.place.log.write_bytes(data[:-1])
    after = log.append([user("two")])
    assert after[0]["parentUuid"] == json.loads(data)["uuid"]
    assert texts(log) == ["one", "two"]


def test_a_log_that_was_taken_away_is_begun_anew(log: SessionLog) -> None:
    log.append([user("one")])
    shutil.rmtree(log.place.project)
    assert log.append([user("two")])[0]["parentUuid"] is None
    assert texts(log) == ["two"]


def test_a_log_that_was_begun_anew_with_as_many_bytes_is_no_longer_the_one_that_was_known(log: SessionLog) -> None:
    other = SessionLog(log.place, cwd=CWD)
    log.append([user("one")])
    other.clear()
    begun = other.append([user("two")])  # most file systems give the inode of a file that went to the next one
    assert log.append([user("three")])[0]["parentUuid"] == begun[0]["uuid"]


def test_a_log_that_is_moved_while_its_lock_is_waited_for_is_begun_anew(log: SessionLog, tmp_path: Path) -> None:
    log.append([user("one")])

    class Overtaken(Os):
        """Gets the lock when the log was moved away meanwhile."""

        def lock(self, descriptor: int) -> None:
            super().lock(descriptor)
            if not (tmp_path / "moved").exists():
                log.place.log.rename(tmp_path / "moved")

    SessionLog(log.place, cwd=CWD, calls=Overtaken()).append([user("two")])
    assert texts(log) == ["two"]
    assert (tmp_path / "moved").read_bytes().count(b"\n") == 1


def test_a_link_in_the_place_of_a_log_is_not_written_through(log: SessionLog, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine\n")
    log.place.project.mkdir(parents=True)
    log.place.log.symlink_to(outside)
    with pytest.raises(Unwritable):
        log.append([user("one")])
    assert outside.read_text() == "mine\n"


def test_files_and_folders_are_their_owners_alone(log: SessionLog) -> None:
    log.append([user("one")])
    assert log.place.log.stat().st_mode & 0o777 == 0o600
    assert log.place.project.stat().st_mode & 0o777 == 0o700
