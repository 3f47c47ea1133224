"""`unspool clean`: a plan first, and its application when a person says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.retention.aging import OLD, YOUNG, Home, contents
from tests.running import unspool


@pytest.fixture
def place(home: Path) -> Home:
    """One session of each sort."""
    place = Home(home)
    place.session("aaaa0000", saved=["t1.txt"])
    place.session("bbbb0000", YOUNG)
    place.session("cccc0000", saved=["t1.txt"])
    place.session("dddd0000", YOUNG, pointing=["cccc0000"])
    place.outputs("eeee0000", OLD)
    return place


def test_without_yes_the_plan_is_shown_and_nothing_is_touched(place: Home) -> None:
    before = contents(place.path)
    answer = unspool("clean", "--root", place.path, "--older-than", "30d")
    assert answer.code == 0
    assert [line.split()[0] for line in answer.out.split("\n")[:-1]] == ["goes", "goes", "stays"]
    assert "projects/p/cccc0000.jsonl  [referenced: by dddd0000]" in answer.out
    assert "1 session and 1 folder of saved outputs" in answer.err
    assert "--yes does it" in answer.err
    assert "3 stay: 2 too young, 1 referenced" in answer.err
    assert contents(place.path) == before


def test_with_yes_exactly_what_was_shown_goes(place: Home) -> None:
    shown = unspool("clean", "--root", place.path, "--older-than", "30d", "--json")
    wanted = {row["path"] for row in shown.rows if row["action"] == "goes"}
    before = contents(place.path)
    answer = unspool("clean", "--root", place.path, "--older-than", "30d", "--yes", "--json")
    assert (answer.code, answer.err) == (0, "")
    assert {row["path"] for row in answer.rows if row["action"] == "gone"} == wanted
    assert answer.summary["applied"] is True
    assert (answer.summary["gone"], answer.summary["left"], answer.summary["held_back"]) == (2, 0, [])
    assert shown.summary["applied"] is False
    left = {path: told for path, told in contents(place.path).items() if ".unspool-trash" not in path}
    assert left == {path: told for path, told in before.items() if "aaaa0000" not in path and "eeee0000" not in path}
    assert Path(answer.summary["trash"], "projects", "p", "aaaa0000.jsonl").exists()
    assert "went to the trash" not in answer.out


def test_an_empty_plan_is_no_failure(home: Path) -> None:
    place = Home(home)
    for more in ([], ["--yes"]):
        answer = unspool("clean", "--root", place.path, "--older-than", "30d", *more)
        assert (answer.code, answer.out, answer.err) == (0, "", "nothing to remove\n")


def test_a_program_is_told_why_each_stays(place: Home) -> None:
    rows = unspool("clean", "--root", place.path, "--older-than", "30d", "--json").rows
    stays = {row["session_id"]: (row["reason"], row["detail"]) for row in rows if row["action"] == "stays"}
    assert stays == {
        "bbbb0000": ("too young", None),
        "cccc0000": ("referenced", "by dddd0000"),
        "dddd0000": ("too young", None),
    }


@pytest.mark.parametrize("yes", [[], ["--yes"]])
def test_an_incomplete_scan_is_told_and_removes_nothing(place: Home, yes: list[str], tmp_path: Path) -> None:
    place.project("q").symlink_to(tmp_path)
    before = contents(place.path)
    answer = unspool("clean", "--root", place.path, "--older-than", "30d", *yes)
    assert answer.code == 2
    assert "projects/q: a link, which is not followed" in answer.err
    assert answer.err.endswith("nothing is removed\n")
    assert contents(place.path) == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--older-than", "30d"], "name the one home to clean with --root HOME"),
        (["--root", "a", "--root", "b", "--older-than", "30d"], "name the one home"),
        (["--root", "."], "--older-than"),
        (["--root", ".", "--older-than", "0d"], "'0d' is no age above zero"),
        (["--root", ".", "--older-than", "old"], "'old' is no age above zero; write 12h, 30d or 6w"),
        (["--root", "/nowhere", "--older-than", "30d"], "no such folder: /nowhere"),
    ],
)
def test_what_is_not_understood_is_told_with_the_way_out(arguments: list[str], told: str) -> None:
    answer = unspool("clean", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert told in answer.err
    assert answer.err.count("\n") == 1


def test_names_of_sessions_do_nothing_to_a_terminal(home: Path) -> None:
    place = Home(home)
    place.session("aaaa0000", YOUNG)
    place.session("\x1b]0;x\x07\u202e", OLD)
    answer = unspool("clean", "--root", place.path, "--older-than", "30d", "--yes")
    assert "\x1b" not in answer.out + answer.err
    assert "\u202e" not in answer.out + answer.err
    assert answer.code == 0


def test_the_help_names_it(home: Path) -> None:
    assert "unspool clean" in unspool("--help").out
    assert "--older-than" in unspool("clean", "--help").out
