"""What is wrong gets one line with a way out, and exit code 2."""

from __future__ import annotations

import errno
import os
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.running import Answer, unspool

READERS = ("overview", "evidence", "brief", "stats", "read", "resolve", "inspect", "export", "open")
"""Verbs whose first argument is a target."""


@pytest.fixture
def session(home: Path) -> Claude:
    """One of two sessions whose ids begin alike."""
    names = Names(1)
    for last in ("1", "2"):
        lines = Claude(home, names, session_id=f"bbbb0000-0000-4000-8000-00000000000{last}")
        lines.user("Go")
        lines.result(lines.call("ls"), "a")
        lines.save()
    return lines


def refused(answer: Answer) -> str:
    """Return the one line that a wrong use gets."""
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("unspool: ")
    assert answer.err.endswith("\n")
    line = answer.err.removesuffix("\n")
    assert "\n" not in line
    assert "Traceback" not in line
    return line


def missing(folder: Path) -> str:
    """A path that leads nowhere."""
    return str(folder / "gone" / "x.jsonl")


def binary(folder: Path) -> str:
    """A file with a session's name that is none."""
    (folder / "x.jsonl").write_bytes(bytes(range(256)) * 100)
    return str(folder / "x.jsonl")


def foreign(folder: Path) -> str:
    """A file of JSON lines that no agent writes."""
    (folder / "y.jsonl").write_text('{"a":1}\n' * 30)
    return str(folder / "y.jsonl")


def otherwise_named(folder: Path) -> str:
    """A file that is no session by its name."""
    (folder / "notes.txt").write_text("hello")
    return str(folder / "notes.txt")


def empty_folder(folder: Path) -> str:
    """A folder with nothing in it."""
    return str(folder)


def pipe(folder: Path) -> str:
    """A named pipe, which must not be waited for."""
    os.mkfifo(folder / "z.jsonl")
    return str(folder / "z.jsonl")


WRONG: dict[str, tuple[Callable[[Path], str], str]] = {
    "missing path": (missing, "no such file or folder"),
    "binary file": (binary, "is not a text file of JSON lines"),
    "foreign file": (foreign, "no session of an agent that unspool knows"),
    "file of another name": (otherwise_named, "no session of an agent that unspool knows"),
    "empty folder": (empty_folder, "holds no session that unspool knows"),
    "named pipe": (pipe, "no session"),
    "ambiguous": (lambda _: "claude:bbbb", "fits 2 sessions: claude:bbbb0000-0000-4000-8000-000000000001, claude:bbbb"),
    "unknown id": (lambda _: "claude:cccc", "no session 'claude:cccc'; `unspool sessions` lists"),
    "unknown agent": (lambda _: "nobody:bbbb", "no agent 'nobody'; there are claude, codex"),
    "nothing": (lambda _: "", "no session is named"),
    "standard input": (lambda _: "-", "nothing came on standard input"),
}


@pytest.mark.parametrize("verb", READERS)
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_target_gets_one_line(session: Claude, tmp_path: Path, verb: str, wrong: str) -> None:
    make, told = WRONG[wrong]
    assert told in refused(unspool(verb, make(tmp_path)))


def test_a_folder_that_cannot_be_read_gets_one_line(
    session: Claude, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scandir = os.scandir

    def guarded(path: str) -> os.ScandirIterator[str]:
        if str(path) == str(tmp_path):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    for arguments in (["overview", str(tmp_path)], ["open", str(tmp_path)], ["sessions", "--root", str(tmp_path)]):
        assert "cannot be read: Permission denied" in refused(unspool(*arguments))


@pytest.mark.parametrize("verb", ["sessions", "doctor", "search", "overview"])
def test_a_root_that_is_not_there_gets_one_line(tmp_path: Path, verb: str) -> None:
    words = ["x"] if verb in ("search", "overview") else []
    assert "no such file or folder" in refused(unspool(verb, *words, "--root", tmp_path / "gone"))


@pytest.mark.parametrize("query", [[], [""], ["", "last"]])
def test_an_empty_query_points_to_evidence(session: Claude, query: list[str]) -> None:
    assert "`evidence`" in refused(unspool("search", *query))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["read", "last/E99.0"], "there is no piece E99.0"),
        (["inspect", "last/E99.0"], "E99.0"),
        (["read", "last/toolu_none"], "'toolu_none'"),
        (["read", "last"], "write last/E12.1 or add --in E1-E9"),
        (["read", "last", "E2"], "nothing to read is named: write last/E2\n"),
        (["read", "last", "E2.0", "x", "e1-e2"], "nothing to read is named: write last/E2.0 last/E1-E2\n"),
        (["read", "last", "last"], "write last/E12.1 or add --in E1-E9"),
        (["inspect", "last"], "one piece must be named"),
        (["inspect", "last/E2.0", "lines:3-"], "lines needs A-B"),
        (["inspect", "last/E2.0", "key:a"], "use lines:A-B"),
        (["resolve", "last"], "nothing to resolve is named"),
        (["evidence", "last", "--kind", "robot"], "no kind 'robot'"),
        (["evidence", "last", "--in", "x"], "not an id or range"),
        (["evidence", "last", "--after", "x"], "not an evidence id"),
        (["search", "a", "--after", "x"], "not a continuation"),
        (["read", "last/E0.0", "--max-bytes", "3"], "must be at least 4"),
        (["read", "last/E0.0", "--max-items", "0"], "not a number of at least 1"),
        (["sessions", "--since", "soon"], "no time: 'soon'"),
        (["sessions", "--after", "claude:zz"], "no session 'claude:zz' in this list"),
        (["sessions", "--lmit", "3"], "did you mean --limit?"),
        (["search", "-x"], "goes behind --"),
        (["overview"], "REF"),
    ],
)
def test_a_wrong_use_gets_one_line(session: Claude, arguments: list[str], told: str) -> None:
    assert told in refused(unspool(*arguments)) + "\n"


@pytest.mark.parametrize(("word", "meant"), [("serach", "search"), ("session", "sessions"), ("helpp", "--help")])
def test_a_mistyped_verb_is_told_its_neighbour(word: str, meant: str) -> None:
    assert f"did you mean `unspool {meant}`?" in refused(unspool(word))


@pytest.mark.parametrize("arguments", [[], ["open"], ["last"], ["open", "last/E0.0"], ["--root", "."]])
def test_without_a_terminal_the_app_says_so(session: Claude, arguments: list[str], home: Path) -> None:
    assert "needs a terminal" in refused(unspool(*arguments))


def test_hostile_text_in_a_target_reaches_no_terminal(session: Claude) -> None:
    for target in ("claude:\x1b]0;x\x07\u202e", "/gone/\x1b]0;x\x07\u202e\n.jsonl"):
        line = refused(unspool("overview", target))
        assert not {"\x1b", "\x07", "\u202e"} & set(line)


def test_an_error_that_nobody_foresaw_is_one_line_without_its_text(
    session: Claude, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret of a session")

    monkeypatch.setattr("unspool.library.facade.Library.sessions", broken)
    line = refused(unspool("sessions"))
    assert "unexpected RuntimeError at test_command_targets.py" in line
    assert "secret" not in line


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(errno.EIO, "Input/output error", "/srv/a\x1b[2J"), "unspool: /srv/a: Input/output error\n"),
        (OSError(errno.ENOSPC, "No space left on device"), "unspool: the system says: No space left on device\n"),
        (TimeoutError(), "unspool: the system says: TimeoutError\n"),
    ],
)
def test_a_fault_of_the_system_is_told_in_its_words(
    session: Claude, monkeypatch: pytest.MonkeyPatch, error: OSError, told: str
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("unspool_tui.verbs.overview.run", fail)
    answer = unspool("overview", "last")
    assert (answer.code, answer.out, answer.err) == (2, "", told)


def test_an_interrupt_ends_with_130(session: Claude, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("unspool.library.facade.Library.sessions", interrupted)
    assert unspool("sessions") == Answer(130, "", "")


def test_an_agent_or_project_that_there_is_none_of_is_told_those_there_are(session: Claude, home: Path) -> None:
    project = Path(session.cwd).name
    answer = unspool("sessions", "--agent", "foo")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err == "no session of 'foo'; there are 2 of claude\n"
    answer = unspool("sessions", "--project", "zz")
    assert answer.code == 1
    assert answer.err.startswith("no project holds 'zz'; there are ")
    assert project in answer.err
    assert unspool("sessions", "--project", "/zz").err.startswith("no session has worked in '/zz'; there are ")
    assert unspool("sessions", "--since", "2999-01-01").err == "no session fits; `unspool sessions` lists all 2\n"
    assert unspool("sessions", "--agent", "claude", "--project", project, "--since", "2999-01-01").code == 1


def test_only_some_of_many_projects_are_named(home: Path) -> None:
    for number in range(20):
        lines = Claude(home, Names(number), cwd=f"/srv/place{number}")
        lines.user("Go")
        lines.save()
    told = unspool("sessions", "--project", "zz").err
    assert told.count("place") == 12
    assert told.endswith(" and 8 more\n")


def test_a_query_behind_its_session_is_told_to_go_first(session: Claude) -> None:
    ref = f"claude:{session.session_id}"
    for wrong in ([ref, "Go"], ["last", "Go on"], [str(session.path), "Go"]):
        line = refused(unspool("search", *wrong))
        assert f"the query goes first: unspool search {shlex.quote(wrong[1])} {wrong[0]}" in line
    assert "goes first" not in refused(unspool("search", "Go", "claude:zzzz"))
    assert unspool("search", "Go", ref).code == 0


@pytest.mark.parametrize("words", [["help"], ["--help"], ["-h"], ["--json", "help"]])
def test_help_is_a_verb_too(words: list[str]) -> None:
    answer = unspool(*words)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("unspool: the reading room")


def test_help_with_a_verb_is_the_help_of_the_verb() -> None:
    assert unspool("help", "search") == unspool("search", "--help")
    assert unspool("help", "search").out.startswith("usage: unspool search")
    assert "no verb 'serach'; did you mean `unspool search`?" in refused(unspool("help", "serach"))


def test_the_help_has_examples_exit_codes_and_targets_in_a_screenful() -> None:
    told = unspool("--help").out
    lines = told.rstrip("\n").split("\n")
    assert len(lines) <= 50
    assert max(map(len, lines)) <= 80
    for word in ("last", "claude:7c41e0d2", "E12.1", "0 found", "1 nothing matched", "2 wrong usage", "130"):
        assert word in told


def test_every_example_of_the_help_is_understood(session: Claude) -> None:
    lines = unspool("--help").out.split("\n")
    examples = [line.split("  ")[1] for line in lines if line.startswith("  unspool ") and "  " in line[2:]]
    shown = [shlex.split(example)[1:] for example in examples]
    spelt_out = [words for words in shown if len(words) > 1]
    assert len(spelt_out) >= 6
    for words in spelt_out:
        told = unspool(*words).err
        assert "shows what it takes" not in told, words
        assert "did you mean" not in told, words


@pytest.mark.parametrize("verb", [["overview"], ["evidence"], ["brief"], ["stats"], ["search", "Go"]])
@pytest.mark.parametrize("place", ["E1", "E1.0", "E99", "E1-E3", "unknown"])
def test_a_piece_is_refused_where_a_whole_session_is_answered_for(session: Claude, verb: list[str], place: str) -> None:
    ref = f"claude:{session.session_id}"
    line = refused(unspool(*verb, f"{ref}/{place}"))
    assert "names a piece" in line
    ranged = verb[0] in ("evidence", "search") and place != "unknown"
    assert line.endswith(f"write {ref}{f' --in {place}' if ranged else ''}")


def test_a_word_behind_a_folder_is_a_file_that_is_not_there(session: Claude) -> None:
    folder = session.project
    line = refused(unspool("overview", str(folder / "missing")))
    assert str(folder / "missing") in line
    assert "no such file" in line
