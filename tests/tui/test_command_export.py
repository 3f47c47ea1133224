"""`unspool export`: where the file goes, what is told beside it, and what it refuses."""

from __future__ import annotations

import io
import json
import os
import stat
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.running import unspool
from unspool_tui.cli import main

TOKEN = "ghp_" + "aB3" * 12


class Terminal(io.StringIO):
    """Standard output that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def ref(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A session with a secret in it; the working folder is an empty one."""
    lines = Claude(home, Names(1), session_id="dddd0000-1111-4222-8333-444444444444")
    lines.user("Print the token")
    lines.result(lines.call("printenv TOKEN"), f"{TOKEN}\n")
    lines.answer("There it is")
    lines.save()
    monkeypatch.chdir(tmp_path)
    return "claude:dddd0000"


def test_in_a_pipe_it_goes_to_standard_output(ref: str, tmp_path: Path) -> None:
    answer = unspool("export", ref)
    assert answer.code == 0
    assert answer.out.startswith("# Print the token\n")
    assert TOKEN not in answer.out
    assert answer.err == "4 pieces; 1 secret redacted (1 github-token)\n"
    assert list(tmp_path.iterdir()) == []


def test_on_a_terminal_it_goes_into_a_file_named_after_the_session(ref: str, tmp_path: Path) -> None:
    for format in ("md", "html", "json"):
        with redirect_stdout(Terminal()) as out, redirect_stderr(io.StringIO()) as err:
            assert main(["export", ref, "--format", format]) == 0
        path = tmp_path / f"claude-dddd0000.{format}"
        assert out.getvalue() == ""
        assert err.getvalue().startswith(f"{path.name}: 4 pieces; 1 secret redacted")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_dash_means_standard_output_on_a_terminal_too(ref: str, tmp_path: Path) -> None:
    with redirect_stdout(Terminal()) as out, redirect_stderr(io.StringIO()):
        assert main(["export", ref, "-o", "-"]) == 0
    assert out.getvalue().startswith("# Print the token\n")
    assert list(tmp_path.iterdir()) == []


def test_the_file_tells_the_format_unless_one_is_named(ref: str) -> None:
    assert unspool("export", ref, "-o", "a.html").code == 0
    assert Path("a.html").read_text().startswith("<!doctype html>")
    assert unspool("export", ref, "-o", "b", "--format", "json").code == 0
    assert json.loads(Path("b").read_text())["session"]["ref"].startswith("claude:dddd0000")


def test_a_file_is_replaced_only_by_force(ref: str) -> None:
    Path("a.md").write_text("mine")
    refused = unspool("export", ref, "-o", "a.md")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == "unspool: a.md is there already; --force replaces it\n"
    assert Path("a.md").read_text() == "mine"
    assert unspool("export", ref, "-o", "a.md", "--force").code == 0
    assert Path("a.md").read_text().startswith("# Print the token")


def test_an_agents_folder_is_refused(ref: str, home: Path) -> None:
    answer = unspool("export", ref, "-o", home / ".claude" / "a.md")
    assert answer.code == 2
    assert "belongs to claude; write somewhere else" in answer.err
    assert not (home / ".claude" / "a.md").exists()


def test_redaction_can_be_turned_off_and_that_is_told(ref: str) -> None:
    answer = unspool("export", ref, "--no-redact")
    assert TOKEN in answer.out
    assert answer.err == "4 pieces; secrets were not looked for\n"


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ((), ["E0.0", "E1.0", "E2.0", "E3.0"]),
        (("--in", "E1-E2"), ["E1.0", "E2.0"]),
        (("--kind", "user,assistant"), ["E0.0", "E3.0"]),
        (("--part", "input"), ["E1.0"]),
        (("--tool", "bash", "--in", "E2-E9"), ["E2.0"]),
    ],
)
def test_words_choose_the_pieces(ref: str, options: tuple[str, ...], ids: list[str]) -> None:
    answer = unspool("export", ref, "--format", "json", *options)
    assert [piece["id"] for piece in json.loads(answer.out)["pieces"]] == ids


def test_a_target_may_name_a_piece_or_a_range(ref: str) -> None:
    for target, ids in ((f"{ref}/E3.0", ["E3.0"]), (f"{ref}/E1-E2", ["E1.0", "E2.0"])):
        pieces = json.loads(unspool("export", target, "--format", "json").out)["pieces"]
        assert [piece["id"] for piece in pieces] == ids


def test_nothing_to_export_makes_no_file(ref: str) -> None:
    answer = unspool("export", ref, "-o", "a.md", "--kind", "system")
    assert answer.code == 1
    assert answer.err == "no piece fits; 4 pieces in all, --all takes every one\n"
    assert not Path("a.md").exists()


def test_a_program_gets_an_object_about_the_file(ref: str) -> None:
    answer = unspool("export", ref, "-o", "a.html", "--json")
    assert answer.object == {
        "path": "a.html",
        "format": "html",
        "pieces": 4,
        "cut": 0,
        "redactions": {"github-token": 1},
    }
    assert answer.err == ""


def test_json_in_a_pipe_is_the_session_as_json(ref: str) -> None:
    assert json.loads(unspool("export", ref, "--json").out)["summary"]["pieces"] == 4


def test_a_cut_text_is_told_and_full_cuts_none(home: Path, ref: str) -> None:
    lines = Claude(home, Names(2), session_id="eeee0000")
    lines.user("Go")
    lines.result(lines.call("seq"), "line of text\n" * 20_000)
    lines.save()
    answer = unspool("export", "claude:eeee0000")
    assert "1 text cut, --full cuts none" in answer.err
    assert "unspool read claude:eeee0000/E2.0 --after E2.0+" in answer.out
    full = unspool("export", "claude:eeee0000", "--full")
    assert "cut" not in full.err
    assert full.out.count("line of text\n") == 20_000


def test_what_could_not_be_read_is_told(home: Path, ref: str) -> None:
    lines = Claude(home, Names(3), session_id="ffff0000")
    lines.user("Go")
    path = lines.save().path
    with open(path, "ab") as file:
        file.write(b'{"torn": \n')
    answer = unspool("export", "claude:ffff0000")
    assert "1 unreadable line" in answer.err
    assert "`1 line of the log unreadable`" in answer.out


def test_a_missing_folder_is_told_in_one_line(ref: str) -> None:
    answer = unspool("export", ref, "-o", "gone/a.md")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "unspool: gone/a.md cannot be written: No such file or directory\n"
    assert unspool("export", ref, "-o", "").code == 2


def test_a_reader_that_goes_away_ends_it_quietly(home: Path, ref: str) -> None:
    lines = Claude(home, Names(4), session_id="aaaa0000")
    for number in range(3_000):
        lines.user(f"prompt {number} " + "word " * 50)
    lines.save()
    command = [sys.executable, "-m", "unspool_tui", "export", "claude:aaaa0000"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "HOME": str(home)}
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() == 0
