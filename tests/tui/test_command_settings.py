from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.running import unspool
from tests.shared_data import PROJECT
from tests.tui.test_settings import write
from unspool.cache import KEPT_FROM
from unspool_tui.keymap import COMMANDS


def a_session(home: Path, session_id: str = "cccc0000") -> None:
    lines = Claude(home, Names(1), session_id=session_id)
    lines.user("Count")
    lines.result(lines.call("wc"), "one\ntwo\nthree")
    lines.save()


def test_every_setting_is_shown_with_who_set_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(home, '\ntheme = "light"\n[keys]\n"error.next" = "f7"\n')
    monkeypatch.setenv("UNSPOOL_MARKS", "unicode")
    monkeypatch.setenv("CODEX_HOME", "/codex")
    answer = unspool("settings", "--show", "--theme", "dark")
    assert (answer.code, answer.err) == (0, "")
    lines = {line.partition(" = ")[0]: line for line in answer.out.split("\n")}
    assert lines[f"# {path}"]
    assert lines["theme"] == 'theme = "dark"                                # --theme'
    assert lines["marks"] == 'marks = "unicode"                             # $UNSPOOL_MARKS'
    assert '"/codex"' in lines["# roots"]
    assert lines["# roots"].endswith("]  # $CODEX_HOME")
    said = "# default; of the app's search over all sessions"
    assert lines["hits"] == f"hits = 1000                                   {said}"
    assert (
        lines['"error.next"'] == '"error.next" = "f7"                           # settings.toml:4; Go to the next error'
    )
    assert all(f'"{name}"' in lines for name in COMMANDS)


def test_what_is_shown_is_a_settings_file_that_sets_the_same(home: Path) -> None:
    text = f'roots = ["{home}"]\nmarks = "ascii"\nlimits.hits = 5\nkeys.error.next = ["f7", ","]\nkeys.move.down = "↓"'
    write(home, text)
    shown = unspool("settings").out
    first = [{**each, "where": None, "line": None} for each in unspool("settings", "--json").rows]
    assert tomllib.loads(shown)["keys"]["error.next"] == ["f7", ","]
    write(home, shown)
    again = [{**each, "where": None, "line": None} for each in unspool("settings", "--json").rows]
    assert [{**each, "source": None} for each in again] == [{**each, "source": None} for each in first]
    assert unspool("settings").err == ""


def test_no_color_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "NO_COLOR" not in unspool("settings").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "# NO_COLOR is set: there are no colours\n" in unspool("settings").out


def test_a_program_gets_an_object_for_each(home: Path) -> None:
    path = write(home, 'theme = "light"\nteme = 1')
    answer = unspool("settings", "--json", "--root", home)
    by_name = {each["setting"]: each for each in answer.rows}
    assert by_name["theme"] == {
        "setting": "theme", "value": "light", "source": "file", "where": str(path), "line": 1,
    }  # fmt: skip
    assert by_name["roots"]["value"] == [str(home)]
    assert by_name["keys.error.next"] == {
        "setting": "keys.error.next", "value": ["e"], "source": "default", "where": None, "line": None,
    }  # fmt: skip
    assert answer.summary["file"] == str(path)
    assert answer.summary["total"] == len(by_name)
    (fault,) = answer.summary["faults"]
    assert (fault["where"], fault["line"]) == (str(path), 2)


def test_a_fault_is_told_beside_the_answer_and_settings_ends_with_2(home: Path) -> None:
    path = write(home, "theme = 5")
    answer = unspool("settings")
    assert answer.code == 2
    assert answer.err == f"{path}:1: theme: 5 is not one of auto, dark, light\n"
    assert 'theme = "auto"' in answer.out


def test_other_verbs_say_a_fault_and_answer(home: Path) -> None:
    a_session(home)
    path = write(home, "theme = 5")
    for arguments in (["sessions"], ["sessions", "--json"], ["read", "last/E0"], ["search", "Count"]):
        answer = unspool(*arguments)
        assert answer.code == 0
        assert answer.err == f"{path}:1: theme: 5 is not one of auto, dark, light\n"
        assert answer.out


def test_what_a_fault_quotes_cannot_act_on_a_terminal(home: Path) -> None:
    write(home, 'theme = "\\u001b]52;c;eA==\\u0007\\u202e"\n"a\\u009b31m" = 1')
    said = unspool("settings").err
    assert said.count("\n") == 2
    assert not set(said) & set("\x1b\x07\x9b\u202e")


def test_roots_of_the_file_are_looked_at_unless_others_are_named(home: Path, tmp_path: Path) -> None:
    a_session(home, "aaaa0000")
    a_session(tmp_path, "bbbb0000")
    assert "aaaa0000" in unspool("sessions").out
    write(home, f'roots = ["{tmp_path}"]')
    assert "bbbb0000" in unspool("sessions").out
    assert "aaaa0000" not in unspool("sessions").out
    assert "aaaa0000" in unspool("sessions", "--root", home).out


def test_limits_of_the_file_bound_what_is_read_unless_more_is_asked_for(home: Path) -> None:
    a_session(home)
    whole = unspool("read", "last/E2").out
    write(home, "limits.read_bytes = 5")
    assert "three" in whole
    assert "three" not in unspool("read", "last/E2").out
    assert unspool("read", "last/E2", "--max-bytes", "5000").out == whole


def test_the_example_of_the_readme_can_be_used_as_it_stands(home: Path) -> None:
    readme = (PROJECT / "README.md").read_text("utf-8")
    _, _, section = readme.partition("## Settings")
    example = section.partition("For example:\n\n")[2].partition("\nWhat is wrong")[0]
    (home / ".claude").mkdir()
    write(home, example.replace("    ", "").replace("/mnt/old", "/").replace("/srv/agent/blobs", "/"))
    answer = unspool("settings", "--json")
    assert (answer.code, answer.err) == (0, "")
    assert sum(each["source"] == "file" for each in answer.rows) == 8


@pytest.mark.parametrize(("text", "kept"), [("", True), ("cache = true", True), ("cache = false", False)])
def test_what_was_read_of_sessions_is_kept_unless_a_person_says_no(home: Path, text: str, kept: bool) -> None:
    lines = Claude(home, Names(1), session_id="cccc0000")
    lines.user("word " * KEPT_FROM)
    lines.save()
    write(home, text)
    assert unspool("stats", "cccc0000").code == 0
    assert (home / ".cache" / "unspool" / "columns").exists() == kept
