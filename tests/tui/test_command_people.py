"""What people see of an answer: in a terminal, through a pager, in a file."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from tests.running import unspool
from unspool_tui.cli import main
from unspool_tui.output import Output


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def session(home: Path) -> str:
    """A session of five messages, among them a failed and a long call."""
    lines = Claude(home, Names(1), session_id="eeee0000-0000-4000-8000-000000000001")
    lines.user("Mend the fence")
    lines.result(lines.call("hammer " + "nail " * 60), "Error: bent\nat the gate\nagain", is_error=True)
    lines.result(lines.call("saw"), "cut")
    lines.answer("Mended " + "and painted " * 40)
    lines.save()
    return "claude:eeee0000"


CUT = (
    ("read", ["--in", "E0-E9", "--max-bytes", "9"], "cut by bytes"),
    ("inspect", ["bytes:0..9", "--max-bytes", "4"], "cut by bytes"),
    ("evidence", ["--limit", "2"], "2 of 6 rows shown; --after E1.0 goes on"),
    ("overview", ["--max-items", "1"], "1 of 2 texts shown"),
)


@pytest.mark.parametrize(("verb", "options", "told"), CUT)
def test_what_was_left_out_is_the_last_line_in_a_pipe_too(
    session: str, verb: str, options: list[str], told: str
) -> None:
    target = f"{session}/E2.0" if verb == "inspect" else session
    answer = unspool(verb, target, *options)
    assert told in answer.err
    *_, last, end = answer.out.split("\n")
    assert end == ""
    assert last.startswith("… ")
    assert last[2:] in answer.err


def test_lists_over_all_sessions_say_in_a_pipe_what_they_left_out(session: str, home: Path) -> None:
    other = Claude(home, Names(2))
    other.user("Mend the roof")
    other.save()
    assert "\n… 1 of 2 sessions shown; --after" in unspool("sessions", "--limit", "1").out
    assert "\n… 1 of at least 2 hits shown; --after" in unspool("search", "mend", "--limit", "1").out


def test_a_terminal_is_told_beside_the_answer_and_one_place_once(tmp_path: Path) -> None:
    answers, notices = Terminal(), StringIO()
    Output(json=False, answers=answers, notices=notices).left_out("more")
    assert (answers.getvalue(), notices.getvalue()) == ("", "more\n")
    with (tmp_path / "both").open("w+") as both:
        Output(json=False, answers=both, notices=both).left_out("more")
        both.seek(0)
        assert both.read() == "… more\n"


def test_nothing_is_said_twice_where_answers_and_notices_are_one(session: str) -> None:
    command = [sys.executable, "-m", "unspool_tui", "evidence", session, "--limit", "2"]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=os.environ, check=True
    )
    assert done.stdout.count(b"--after E1.0") == 1
    assert done.stdout.decode().split("\n")[-2].startswith("… 2 of 6 rows shown")


def test_json_has_no_such_line(session: str) -> None:
    assert "…" not in unspool("evidence", session, "--limit", "2", "--json").out
    assert unspool("read", session, "--in", "E0-E9", "--max-bytes", "9", "--json").err == ""


def test_progress_is_told_at_a_terminal_only_and_leaves_nothing() -> None:
    pipe, terminal = StringIO(), Terminal()
    for notices in (pipe, terminal):
        output = Output(json=True, answers=StringIO(), notices=notices)
        output.progress("reading: 1 of 2 sessions")
        output.progress("reading: 2 of \x1b[2J 2 sessions")
        output.progress(None)
    assert pipe.getvalue() == ""
    assert terminal.getvalue().split("\r")[1:] == [
        "reading: 1 of 2 sessions\x1b[K",
        "reading: 2 of  2 sessions\x1b[K",
        "\x1b[K",
    ]


def test_a_doctor_says_what_it_did_not_understand(home: Path) -> None:
    lines = Claude(home, Names(1), session_id="eeee1111")
    lines.user("Go")
    lines.bad(b'{"type":"user","mess')
    lines.note("hologram")
    lines.save()
    told = unspool("doctor")
    assert told.err == ""
    assert "unread   claude:eeee1111: line 2 is unreadable" in told.out
    assert "hologram (1)" in told.out
    assert [line["level"] for line in unspool("doctor", "--json").objects].count("unread") == 2
    assert "unreadable lines were not counted" in unspool("doctor", "--quick").out


def at_a_terminal(monkeypatch: pytest.MonkeyPatch, columns: int, *arguments: str) -> str:
    """Return what a terminal of so many columns shows of an answer."""
    screen = Terminal()
    monkeypatch.setenv("COLUMNS", str(columns))
    with redirect_stdout(screen), redirect_stderr(StringIO()):
        main(list(arguments))
    return screen.getvalue()


def test_a_doctor_is_never_cut_short(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / ".claude/projects/-x").mkdir(parents=True)
    (home / ".claude/projects/-x/notes.jsonl").write_bytes(b"\0\1" * 50)
    told = at_a_terminal(monkeypatch, 40, "doctor", "--root", str(home))
    assert "not a text file of JSON lines" in " ".join(told.split())


def test_sizes_are_written_as_in_the_app(home: Path) -> None:
    lines = Claude(home, Names(1), session_id="eeee2222")
    lines.user("x" * 38_204)
    lines.result(lines.call("cat"), "y" * 5_612_480)
    lines.answer("z" * 999)
    lines.save()
    rows = unspool("evidence", "last").out.split("\n")
    assert [re.findall(r"\d[\d.]* [KM]?B", row)[0] for row in rows[:4]] == ["38 KB", "17 B", "5.6 MB", "999 B"]
    assert "  5.7 MB  " in unspool("sessions").out
    assert "5.6 MB" in unspool("inspect", "last/E2.0").err
    assert "5.6 MB left out" in unspool("read", "last/E2.0").err


def test_a_row_of_the_index_says_nothing_twice(session: str) -> None:
    rows = unspool("evidence", session).out.rstrip("\n").split("\n")
    called, failed, short = rows[1], rows[2], rows[3]
    assert called.endswith("nail na…")
    assert called.count("hammer") == 1
    assert failed.endswith("  output · error · 3 lines  Error: bent")
    assert "[error]" not in "".join(rows)
    assert short.endswith("  saw")


def test_a_flag_that_the_label_does_not_tell_is_told(home: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user("Go")
    lines.result(lines.call("true"), "Exit code 0\nodd", is_error=True)
    lines.call("sleep")
    lines.save()
    rows = unspool("evidence", "last").out.split("\n")
    assert rows[2].endswith("output · exit 0 · 2 lines  odd  [error]")
    assert rows[3].endswith("sleep  [no result yet]")


def test_a_call_without_a_result_still_runs_only_in_a_session_that_lives(home: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user("Go")
    lines.call("sleep")
    path = lines.save().path
    assert "sleep  [no result yet]\n" in unspool("evidence", "last").out
    assert "sleep  [no result yet]\n" in unspool("search", "sleep", "last").out
    hours_ago = time.time() - 10_000
    os.utime(path, (hours_ago, hours_ago))
    assert "sleep  [unanswered]\n" in unspool("evidence", "last").out
    assert "sleep  [unanswered]\n" in unspool("search", "sleep", "last").out


def test_a_call_without_a_result_still_runs_in_a_file_outside_the_roots_too(home: Path, tmp_path: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user("Go")
    lines.call("sleep")
    moved = lines.save().path.rename(tmp_path / "moved.jsonl")
    answer = unspool("evidence", moved)
    assert (answer.code, answer.err) == (0, "")
    assert "sleep  [no result yet]\n" in answer.out


def test_a_brief_says_nothing_twice(session: str) -> None:
    text = unspool("brief", session).out
    assert "\nE3.0 Bash · saw\n" in text
    assert text.count("hammer nail nail") == 1
    assert "(4 pieces follow)" in text
    assert "1 pieces" not in text


def test_an_overview_has_columns_and_says_in_words_what_follows(home: Path) -> None:
    lines = Claude(home, Names(1))
    for _ in range(1_200):
        lines.note("progress")
    for number in range(12):
        lines.user(f"Mend post {number}")
        lines.answer("Looking")
        lines.result(lines.call("ls"), "a")
        lines.answer("and painted " * 40)
    lines.save()
    rows = unspool("overview", "last").out.rstrip("\n").split("\n")
    assert {row.index(word) for row in rows for word in ("Mend post", "Looking", "and painted") if word in row} == {
        len("E1200.0  2026-06-01 09:00  turn 10 · progress 1  ")
    }
    assert rows[1].endswith("Looking   (2 pieces follow)")
    assert rows[2].endswith("…")
    assert len(rows) == 36


def test_at_a_terminal_what_follows_stays_in_view(session: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = at_a_terminal(monkeypatch, 60, "overview", session).split("\n")[0]
    assert len(shown) <= 60
    assert shown.endswith("…   (4 pieces follow)")


@pytest.fixture
def figures(home: Path) -> list[str]:
    """The lines of `stats` of a session with an unheard-of record, a slip of the pen and a rewound prompt."""
    lines = Claude(home, Names(1), session_id="eeee3333")
    lines.user("Mend the fence")
    lines.result(lines.call("cat fence"), "post\n" * 900)
    lines.note("odd_kind_of_record")
    lines.spoke({"type": "tool_use", "id": "t9", "name": "mcp__yard__cut_wood", "input": {"length_cm": 4}})
    lines.spoke({"type": "thinking", "thinking": "how long?"})
    lines.bad(b'{"type":"user","mess')
    lines.answer("Mended")
    lines.save()
    return unspool("stats", "last").out.rstrip("\n").split("\n")


def test_figures_keep_the_names_of_the_json(figures: list[str]) -> None:
    assert "  odd_kind_of_record  1" in figures
    assert any(line.split()[:3] == ["mcp__yard__cut_wood", "1", "call"] for line in figures)
    assert any(line.startswith("  tool_output  ") for line in figures)
    named = {line.split()[0].rstrip(":") for line in figures if not line.startswith(" ")}
    assert named <= set(unspool("stats", "last", "--json").object)


def test_figures_of_a_rare_sort_are_explained_or_left_out(figures: list[str]) -> None:
    (reasoning,) = [line for line in figures if line.startswith("reasoning")]
    assert reasoning.endswith(" 1  what the model thought, as far as it was logged")
    assert not [line for line in figures if line.startswith(("twin", "replayed", "abandoned", "inherited"))]


def test_the_largest_outputs_are_rows_of_the_index(figures: list[str]) -> None:
    (row,) = [line for line in unspool("evidence", "last").out.split("\n") if line.startswith("E2.0")]
    assert f"  {row}" in figures


def test_sizes_among_figures_have_units_and_broken_lines_a_place(figures: list[str]) -> None:
    assert "  tool_output  4.5 KB" in figures
    assert "  line 7: torn, bytes " in "\n".join(figures)
    assert next(line for line in figures if line.startswith("bytes ")).endswith(" KB")


def test_figures_tell_paths_when_they_are_asked_for(home: Path) -> None:
    lines = Claude(home, Names(1), session_id="eeee7777")
    lines.user("Mend @yard/fence.py")
    reading = {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "yard/fence.py"}}
    lines.spoke(reading)
    lines.result("t1", "post\n" * 900)
    lines.save()
    assert "paths" not in unspool("stats", "last").out
    assert "  yard/fence.py   3 pieces     1 call  4.5 KB\n" in unspool("stats", "last", "--paths").out
    found = unspool("stats", "last", "--paths", "--json").object["paths"]
    assert found == {
        "yard/fence.py": {"pieces": 3, "calls": 1, "errors": 0, "outputs": 1, "bytes": 4500, "model_bytes": 4500}
    }


@pytest.fixture
def two(home: Path) -> tuple[str, str]:
    """Two sessions whose ids part behind the tenth character, the first with a subagent."""
    ids = ("eeee4444-1a00-4000-8000-000000000001", "eeee4444-1b00-4000-8000-000000000001")
    for number, session_id in enumerate(ids):
        lines = Claude(home, Names(number), session_id=session_id)
        lines.user(f"Mend gate {number}")
        lines.answer("The gate stands")
        lines.save()
    path = next(home.rglob(f"{ids[0]}.jsonl")).with_suffix("") / "subagents" / "agent-f1.jsonl"
    child = Claude(home, Names(9), path=path, session_id=ids[0], isSidechain=True, agentId="f1")
    child.user("Look at the gate")
    child.save()
    return ids


def test_hits_are_named_as_shortly_as_can_be(two: tuple[str, str]) -> None:
    rows = unspool("search", "gate").out.rstrip("\n").split("\n")
    assert {row.partition("/")[0] for row in rows} == {
        "claude:eeee4444-1a",
        "claude:eeee4444-1b",
        "claude:eeee4444-1a.f1",
    }
    assert all("gate" in unspool("read", row.partition(": ")[0]).out for row in rows)
    assert any(row.endswith("(subagent of claude:eeee4444-1a)") for row in rows)
    assert {row["ref"].partition(".")[0] for row in unspool("search", "gate", "--json").rows} == {
        f"claude:{each}" for each in two
    }
    (one,) = unspool("search", "stands", two[1]).out.rstrip("\n").split("\n")
    assert one.startswith("claude:eeee4444-1b/E1.0:1: ")


def test_hits_in_a_file_outside_the_roots_are_named_by_its_path(tmp_path: Path, two: tuple[str, str]) -> None:
    lines = Claude(tmp_path, Names(5))
    lines.user("Mend the other gate")
    lines.save()
    (row,) = unspool("search", "gate", lines.path).out.rstrip("\n").split("\n")
    place = row.partition(": ")[0]
    assert place == f"{lines.path}/E0.0:1"
    assert unspool("read", place).out == "Mend the other gate\n"


def test_at_a_terminal_the_hits_of_a_session_stand_below_its_title(
    two: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = at_a_terminal(monkeypatch, 100, "search", "gate").split("\n")
    titles = [
        number for number, row in enumerate(shown) if re.match(r"── \d{4}-\d\d-\d\d \d\d:\d\d  Mend gate \d", row)
    ]
    assert len(titles) == 2
    assert all(shown[number + 1].startswith("claude:eeee4444") for number in titles)
    assert "──" not in unspool("search", "gate").out


def test_a_hit_inside_a_long_line_shows_that_there_is_more(home: Path) -> None:
    lines = Claude(home, Names(1), session_id="eeee5555")
    lines.user("a " * 200 + "gate" + " z" * 200)
    lines.user("the gate stands")
    lines.user("gate" + " z" * 200)
    lines.save()
    first, second, third = (
        row.partition(": ")[2] for row in unspool("search", "gate", "last").out.rstrip("\n").split("\n")
    )
    assert re.fullmatch(r"… ?a .* gate z .* z ?…", first)
    assert second == "the gate stands"
    assert re.fullmatch(r"gate z .* z ?…", third)


def test_a_list_marks_what_cannot_be_read(home: Path) -> None:
    lines = Codex(home, Names(1), archived=True, suffix=".jsonl.zst")
    lines.user("Go")
    lines.save()
    answer = unspool("sessions")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.endswith("(no prompt)  [cannot be read · live]\n")
    assert "is no sound zstd archive" in unspool("sessions", "--json").rows[0]["fault"]
    assert "is no sound zstd archive" in unspool("doctor").out


def test_rows_at_a_terminal_have_ascii_marks_where_that_is_set_and_a_pipe_the_usual_ones(
    session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNSPOOL_MARKS", "ascii")
    monkeypatch.setenv("COLUMNS", "60")
    with redirect_stdout(Terminal()) as shown:
        assert main(["evidence", session]) == 0
    assert shown.getvalue().isascii()
    assert "< Bash" in shown.getvalue()
    assert "← Bash" in unspool("evidence", session).out


def test_a_patch_is_told_by_its_files_and_how_many_lines_it_changes(home: Path) -> None:
    lines = Codex(home, Names(1))
    patch = "*** Begin Patch\n*** Update File: yard/fence.py\n@@\n-bent\n+straight\n+painted\n*** End Patch"
    lines.item("custom_tool_call", name="apply_patch", call_id="call_1", input=patch)
    lines.item("custom_tool_call_output", call_id="call_1", output="Success")
    lines.save()
    call, _ = unspool("evidence", "last", "--kind", "tool").out.rstrip("\n").split("\n")
    assert call.endswith("  yard/fence.py +2 −1")
    assert "yard/fence.py +2 −1" in unspool("evidence", "last", "--part", "output").out


def test_at_a_narrow_terminal_the_title_of_a_session_gets_the_room(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = Claude(home, Names(1), session_id="eeee6666", cwd="/work/the-long-name-of-a-project")
    lines.user("Mend the gate, paint it, hang")
    lines.save()
    assert "  Mend the gate, paint it, hang" in at_a_terminal(monkeypatch, 80, "sessions")
    assert re.search(r" \d+ B  Mend the gate", at_a_terminal(monkeypatch, 120, "sessions"))
    assert "the-long-name-of-a-project" in unspool("sessions").out


def test_at_a_narrow_terminal_a_failure_shows_what_failed_and_how(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = Claude(home, Names(1), session_id="eeee7777")
    lines.user("Mend the gate")
    lines.result(lines.call("hammer gate"), "Exit code 2\nError: bent nail", is_error=True)
    lines.save()
    row = at_a_terminal(monkeypatch, 80, "evidence", "last", "--errors")
    assert row == "E2.0  ← Bash          exit 2  Error: bent nail  of E1.0 hammer gate\n"
