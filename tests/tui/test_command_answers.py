"""What the command answers: shapes for programs, cleaned lines for people, and how an answer goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.contract.checking import AMPLE
from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from tests.running import unspool


def words(text: str) -> set[str]:
    """Return the words of a text."""
    return set(text.split())


SESSION = words(
    """
    ref agent session_id part title project cwd path started_at last_activity entries bytes counts
    reasoning twin replayed abandoned errors unreadable live parent children parts forked_from
    """
)
EVIDENCE = words(
    """
    id entry_range kind tool_part tool call_id peer peers label summary time bytes model_bytes
    lines images files flags native_id
    """
)
HIT = EVIDENCE | {"ref", "matches", "line", "column", "offset", "snippet", "spans"}
OVERVIEW = words(
    """
    id message_seq turn step label excerpt entry_range intervening
    """
)
ANCHOR = words(
    """
    session part source entry_range byte_range pointer native_id evidence_id kind tool_part label
    summary digest pieces state
    """
)
TRUNCATION = words(
    """
    truncated reason shown omitted_items omitted_bytes next
    """
)
STATS = words(
    """
    counts twin replayed abandoned reasoning other_records unreadable tokens models versions worst
    """
)


@pytest.fixture
def ref(home: Path) -> str:
    """A session of both kinds of tool pieces, beside one of Codex."""
    lines = Claude(home, Names(1), session_id="dddd0000")
    lines.user("Look at the fence")
    for number in range(30):
        lines.result(lines.call(f"cat fence{number}"), f"post {number}\nrail {number}\n")
    lines.answer("The fence stands")
    lines.save()
    other = Codex(home, Names(2))
    other.user("Paint the fence")
    other.answer("Painted")
    other.save()
    return "claude:dddd0000"


def test_sessions_have_the_fields_that_are_promised(ref: str) -> None:
    answer = unspool("sessions", "--json")
    assert all(set(row) >= SESSION for row in answer.rows)
    assert set(answer.summary) >= {"total", "next"}
    (full,) = [row for row in unspool("sessions", "--json", "--full").rows if row["ref"] == ref]
    assert full["counts"] == {"user": 1, "assistant": 1, "system": 0, "tool_input": 30, "tool_output": 30}
    assert full["unreadable"] == []


def test_lists_end_with_a_summary(ref: str) -> None:
    for verb, fields in (("overview", OVERVIEW), ("evidence", EVIDENCE)):
        answer = unspool(verb, ref, "--json")
        assert all(set(row) >= fields for row in answer.rows)
        assert set(answer.summary) >= {"total", "next"}
    assert unspool("evidence", ref, "--json").summary["total"] == 62


def test_a_search_has_the_fields_that_are_promised(ref: str) -> None:
    answer = unspool("search", "fence", "--json")
    assert all(set(row) >= HIT for row in answer.rows)
    assert set(answer.summary) >= {"total", "complete", "next", "searched", "hidden"}


def test_read_resolve_inspect_and_stats_have_the_fields_that_are_promised(ref: str) -> None:
    read = unspool("read", f"{ref}/E2.0", "--json").object
    assert set(read) == {"pieces", "truncation"}
    assert set(read["pieces"][0]) >= EVIDENCE | {"text"}
    assert set(read["truncation"]) == TRUNCATION
    assert set(unspool("resolve", f"{ref}/E2.0", "--json").object) >= ANCHOR
    inspect = unspool("inspect", f"{ref}/E2.0", "--json").object
    assert set(inspect) >= {"type", "bytes", "lines", "text", "truncation"}
    assert set(unspool("stats", ref, "--json").object) >= STATS
    assert set(unspool("brief", ref, "--json").object) == {"ref", "text"}


def test_every_json_answer_is_ascii_with_control_characters_escaped(home: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user("\x1b[31m \x7f \x85 \u202e é 語 \U000e0041")
    lines.save()
    for arguments in (["sessions"], ["evidence", "last"], ["read", "last/E0.0"], ["search", "é"], ["stats", "last"]):
        answer = unspool(*arguments, "--json")
        assert answer.out.isascii()
        assert all(line.isprintable() for line in answer.out.split("\n"))
        assert [json.loads(line) for line in answer.out.split("\n") if line]


def test_a_hit_for_people_can_be_pasted_back(ref: str) -> None:
    line = unspool("search", "rail 7").out.split("\n")[0]
    place, text = line.split(": ", 1)
    assert text == "rail 7"
    assert unspool("read", place).out == "rail 7\n"
    assert unspool("inspect", place).out == "rail 7\n"
    assert unspool("resolve", place, "--json").object["evidence_id"] == place.rpartition("/")[2].removesuffix(":2")


def test_the_filters_of_the_command_narrow_the_rows(ref: str) -> None:
    def ids(*options: str) -> list[str]:
        return [row["id"] for row in unspool("evidence", ref, "--json", *options).rows]

    assert len(ids("--kind", "user")) == 1
    assert len(ids("--kind", "user,assistant")) == 2
    assert len(ids("--part", "output")) == 30
    assert len(ids("--tool", "bash")) == 60
    assert ids("--in", "E1-E2") == ["E1.0", "E2.0"]
    assert ids("--errors") == []
    assert unspool("evidence", ref, "--errors").code == 1


@pytest.mark.parametrize("limit", [1, 7, 61, 62, 63])
def test_evidence_read_on_gives_every_row_once(ref: str, limit: int) -> None:
    whole = [row["id"] for row in unspool("evidence", ref, "--all", "--json").rows]
    given: list[str] = []
    after: list[str] = []
    while True:
        answer = unspool("evidence", ref, "--json", "--limit", str(limit), *after)
        given += [row["id"] for row in answer.rows]
        if answer.summary["next"] is None:
            break
        after = ["--after", answer.summary["next"]]
    assert given == whole


@pytest.mark.parametrize("limit", [1, 3, 20, 100])
def test_a_search_over_all_read_on_gives_every_hit_once(ref: str, limit: int) -> None:
    whole = [(row["ref"], row["id"]) for row in unspool("search", "fence", "--json", "--limit", "1000").rows]
    assert len(whole) > 30
    given: list[tuple[str, str]] = []
    after: list[str] = []
    while True:
        answer = unspool("search", "fence", "--json", "--limit", str(limit), *after)
        given += [(row["ref"], row["id"]) for row in answer.rows]
        if answer.summary["next"] is None:
            break
        after = ["--after", answer.summary["next"]]
    assert given == whole


@pytest.mark.parametrize("limit", [1, 2])
def test_the_list_read_on_gives_every_session_once(ref: str, limit: int) -> None:
    whole = [row["ref"] for row in unspool("sessions", "--json").rows]
    given: list[str] = []
    after: list[str] = []
    while True:
        answer = unspool("sessions", "--json", "--limit", str(limit), *after)
        given += [row["ref"] for row in answer.rows]
        if answer.summary["next"] is None:
            break
        after = ["--after", answer.summary["next"]]
    assert given == whole


def test_the_list_goes_on_behind_a_session_as_the_list_itself_writes_it(ref: str) -> None:
    first, second = unspool("sessions").out.rstrip("\n").split("\n")
    shown = next(word for word in first.split() if ":" in word and word[0].isalpha())
    assert unspool("sessions", "--after", shown).out == second + "\n"
    answer = unspool("sessions", "--after", second.split()[2])
    assert (answer.code, answer.out, answer.err) == (1, "", "no session follows: that was the last one\n")
    agents = {shown.partition(":")[0], second.split()[2].partition(":")[0]}
    assert agents == {"claude", "codex"}
    for wrong in ("claude:eeee", "nobody:dddd"):
        answer = unspool("sessions", "--after", wrong)
        assert (answer.code, answer.out) == (2, "")


@pytest.mark.parametrize(
    ("place", "options"),
    [
        ("E2", ["--no-tools"]),
        ("E2.0", ["--no-tools"]),
        ("E1-E2", ["--no-tools"]),
        ("E2", ["--part", "input"]),
        ("E0", ["--part", "output"]),
        ("E1", ["--no-tools", "--part", "input"]),
    ],
)
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_options_that_leave_nothing_of_a_place_are_told(
    ref: str, place: str, options: list[str], form: list[str]
) -> None:
    answer = unspool("read", f"{ref}/{place}", *options, *form)
    assert answer.code == 1
    assert not answer.out or answer.object["pieces"] == []
    assert answer.err.startswith(f"nothing left in {place}: ")
    assert " and ".join(" ".join(options).replace(" --", "|--").split("|")) + " left out " in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize("most", ["4", "5", "11", "4096"])
def test_windows_of_a_read_concatenate_to_the_text(home: Path, most: str) -> None:
    text = "äöü 語の🚀\n" * 3
    lines = Claude(home, Names(1))
    lines.user(text)
    lines.save()
    given, after = "", []
    while True:
        answer = unspool("read", "last/E0.0", "--json", "--max-bytes", most, *after).object
        given += "".join(piece["text"] for piece in answer["pieces"])
        if answer["truncation"]["next"] is None:
            break
        after = ["--after", answer["truncation"]["next"]]
    assert given == text


def test_the_lines_of_a_reference_are_read_alone(ref: str) -> None:
    assert unspool("read", f"{ref}/E2.0#L2-2").out == "rail 0\n"
    whole = unspool("read", f"{ref}/E2.0").out
    assert whole == "post 0\nrail 0\n"


def test_a_quote_that_no_longer_holds_is_told(ref: str) -> None:
    answer = unspool("read", f"{ref}/E2.0@000000000000")
    assert "no longer what was quoted (changed)" in answer.err
    assert answer.code == 0


def test_resolve_says_by_its_exit_code_whether_a_quote_holds(home: Path, ref: str) -> None:
    digest = unspool("resolve", f"{ref}/E2.0", "--json").object["digest"][:12]
    assert unspool("resolve", f"{ref}/E2.0").code == 0
    assert unspool("resolve", f"{ref}/E2.0@{digest}").code == 0
    assert unspool("resolve", f"{ref}/E2.0@{'0' * 12}").code == 1
    assert unspool("resolve", f"{ref}/E99.0").code == 1
    assert unspool("resolve", f"claude:gone/E2.0@{digest}").code == 1
    assert unspool("resolve", ref, "--in", "E1-E4").code == 0


def test_a_range_with_a_digest_is_verified_too(ref: str) -> None:
    digest = unspool("resolve", f"{ref}/E2.0", "--json").object["digest"][:12]
    held = unspool("resolve", f"{ref}/E0-E4@{digest}", "--json")
    assert (held.code, held.object["state"], held.object["evidence_id"]) == (0, "intact", "E2.0")
    other = unspool("resolve", f"{ref}/E0-E4@{'0' * 12}")
    assert other.code == 1
    assert other.out.endswith("state         changed\n")
    assert other.err == "a digest is that of one piece, and no piece of E0-E4 has this one\n"


def test_a_range_that_holds_what_was_quoted_is_read_as_it_is(ref: str) -> None:
    digest = unspool("resolve", f"{ref}/E2.0", "--json").object["digest"][:12]
    answer = unspool("read", f"{ref}/E0-E4@{digest}")
    assert answer.err == unspool("read", f"{ref}/E0-E4").err
    assert answer.out == unspool("read", f"{ref}/E0-E4").out
    moved = unspool("read", f"{ref}/E3-E4@{digest}")
    assert "what was quoted as E3-E4 is now E2.0" in moved.err


def test_what_finds_nothing_ends_with_1_and_says_where_it_looked(ref: str) -> None:
    answer = unspool("search", "nowhere to be found")
    assert (answer.code, answer.out) == (1, "")
    assert "2 sessions" in answer.err
    filtered = unspool("search", "fence", ref, "--kind", "system")
    assert filtered.code == 1
    assert "kind hides" in filtered.err


def test_an_empty_home_lists_nothing_with_1(home: Path) -> None:
    answer = unspool("sessions")
    assert (answer.code, answer.out) == (1, "")
    assert "unspool doctor" in answer.err
    assert unspool("doctor").code == 1


def test_the_list_can_be_narrowed(home: Path, ref: str) -> None:
    def refs(*options: str) -> list[str]:
        return [row["ref"] for row in unspool("sessions", "--json", *options).rows]

    assert refs("--agent", "claude") == [ref]
    project = unspool("sessions", "--json", "--agent", "claude").rows[0]["project"]
    assert ref in refs("--project", project.upper())
    assert refs("--project", "/nowhere") == []
    assert len(refs("--since", "2020-01-01")) == 2
    assert refs("--since", "2999-01-01") == []
    assert len(refs("--live")) == 2
    assert refs("--since", "1h") == []


def test_children_are_indented_under_their_parents(home: Path) -> None:
    lines = Claude(home, Names(1), session_id="eeee0000")
    lines.user("Go")
    lines.save()
    path = lines.path.with_suffix("") / "subagents" / "agent-f1.jsonl"
    child = Claude(home, Names(2), path=path, session_id="eeee0000", isSidechain=True, agentId="f1")
    child.user("Look")
    child.save()
    first, second = unspool("sessions").out.rstrip("\n").split("\n")
    assert "  claude:eeee0000  " in first
    assert "    claude:eeee0000.f1" in second


def run(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    """Start the command as a process of its own."""
    command = [sys.executable, "-m", "unspool_tui", *arguments]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, **options)


def test_a_closed_pipe_is_a_quiet_end(ref: str) -> None:
    process = run("evidence", ref, "--all", stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    _, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (0, b"")


def test_a_terminal_without_unicode_gets_escapes_and_no_error(home: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user("Größe 語")
    lines.save()
    environ = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    process = run("read", "last/E0.0", stdout=subprocess.PIPE, env=environ)
    printed, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (0, b"")
    assert printed.isascii()
    assert b"Gr\\xf6\\xdfe" in printed


def test_help_and_version_are_told(home: Path) -> None:
    told = unspool("--help").out
    for verb in (
        "sessions",
        "overview",
        "evidence",
        "search",
        "read",
        "resolve",
        "inspect",
        "brief",
        "stats",
        "doctor",
    ):
        assert f"unspool {verb}" in told
        assert unspool(verb, "--help").code == 0
    assert unspool("--version").out.startswith("unspool ")


def test_options_may_stand_before_the_verb(home: Path, ref: str, tmp_path: Path) -> None:
    assert unspool("--root", str(home), "--json", "sessions").rows
    assert unspool("--root", str(tmp_path), "sessions").code == 1


def test_nothing_is_ever_written_but_to_the_cache(
    home: Path, ref: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def state() -> dict[Path, tuple[int, int, int]]:
        stats = {path: path.lstat() for path in (home, *home.rglob("*"))}
        return {path: (stat.st_size, stat.st_mtime_ns, stat.st_ino) for path, stat in stats.items()}

    for path in sorted(home.rglob("*"), reverse=True):
        path.chmod(0o500 if path.is_dir() else 0o400)
    before = state()
    for form in ([], ["--json"]):
        for arguments in (
            ["sessions", "--full", "--all"],
            ["overview", ref],
            ["evidence", ref, "--all"],
            ["search", "fence", "--raw"],
            ["read", ref, "--in", "E0-E99", *AMPLE],
            ["resolve", f"{ref}/E1.0"],
            ["inspect", f"{ref}/E2.0", "tail:1"],
            ["brief", ref],
            ["stats", ref],
            ["doctor"],
        ):
            assert unspool(*arguments, *form).code == 0
    assert unspool("open", ref).code == 2
    assert state() == before


def test_a_window_in_which_nothing_is_found_ends_with_1_and_says_why_beside_it(ref: str) -> None:
    for selector, told in (
        ("grep:nowhere", "no line holds 'nowhere'; 2 lines searched"),
        ("lines:9-10", "no line 9"),
        ("bytes:99..100", "no bytes from 99 on"),
    ):
        answer = unspool("inspect", f"{ref}/E2.0", selector)
        assert (answer.code, answer.out) == (1, "")
        assert answer.err.startswith(told)
        assert unspool("inspect", f"{ref}/E2.0", selector, "--json").code == 1
    assert unspool("inspect", f"{ref}/E2.0", "grep:rail").out == "2: rail 0\n"


def test_an_output_that_is_empty_is_no_failure(home: Path) -> None:
    lines = Claude(home, Names(1))
    lines.result(lines.call("true"), "")
    lines.save()
    assert (unspool("inspect", "last/E1.0").code, unspool("read", "last/E1.0").code) == (0, 0)


def test_what_is_found_only_in_broken_lines_is_found(home: Path) -> None:
    lines = Claude(home, Names(1), session_id="dddd1111")
    lines.user("Go")
    lines.bad(b'{"type":"user","message":"the lost gate')
    lines.note("progress", data="the gate again")
    lines.save()
    torn = Claude(home, Names(2), session_id="dddd2222")
    torn.bad(b'{"type":"user","message":"no gate but this')
    torn.save()
    answer = unspool("search", "gate", "--raw")
    assert answer.code == 0
    assert "nothing found" not in answer.err
    assert "3 hits in what is no evidence" in answer.err
    assert len(answer.out.rstrip("\n").split("\n")) == 3
    assert unspool("search", "gate", "--raw", "--json").summary["raw"] == 3
    assert unspool("search", "gate").code == 1
    assert "nothing found" in unspool("search", "fence", "--raw").err


def test_raw_hits_that_are_not_listed_are_said_to_be_there(home: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user("Go")
    for number in range(101):
        lines.note("progress", data=f"gate {number}")
    lines.save()
    assert "100 hits in what is no evidence, 100 a session at most" in unspool("search", "gate", "--raw").err


def test_a_raw_hit_can_be_pasted_back_too(home: Path) -> None:
    lines = Claude(home, Names(1), session_id="dddd1111")
    lines.user("Go")
    lines.note("progress", data="the gate again")
    lines.save()
    line = unspool("search", "gate", "--raw").out
    place, _, rest = line.partition(": ")
    assert place == "claude:dddd1111/E1"
    assert rest.startswith("[other record] ")
    assert "the gate again" in unspool("read", place, "--raw").out


def test_a_record_that_is_no_evidence_is_told_for_what_it_is(home: Path) -> None:
    lines = Claude(home, Names(1), session_id="dddd1111")
    lines.user("Go")
    lines.note("progress", data="ticking")
    lines.bad(b'{"type":"user","message":"the lost gate')
    lines.user("On")
    lines.save()
    for verb in ("read", "inspect"):
        answer = unspool(verb, "last/E1.0")
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.endswith("E1 is a progress record and no evidence; --raw shows it\n")
    answer = unspool("read", "last/E2")
    assert (answer.code, answer.out, answer.err) == (1, "", "line 3 (E2) is unreadable: torn; --raw shows it\n")
    assert "the lost gate" in unspool("read", "last/E2", "--raw").out
    assert "the entries are E0 to E3" in unspool("read", "last/E9").err
    assert "no evidence in E1-E2" in unspool("read", "last/E1-E2").err
    assert "entry" not in unspool("read", "last", "--in", "E1-E2", "--raw").err
