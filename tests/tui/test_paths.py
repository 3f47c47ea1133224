"""Paths are told by their ends: the name of the file tells more than the folders above it."""

from __future__ import annotations

import pytest

from unspool_tui.present.bars import key_row
from unspool_tui.present.cells import GAP, width_of
from unspool_tui.present.paths import below, is_path, path_end, with_short_paths

LONG = "/home/mira/.claude/projects/-home-mira-src-hay/0f1e2d3c.jsonl"


@pytest.mark.parametrize(
    ("path", "width", "told"),
    [
        ("src/a.py", 20, "src/a.py"),
        ("/home/mira/src/hay/cli/main.py", 20, "…/hay/cli/main.py"),
        ("D:\\work\\.claude\\worktrees\\tale\\main.go", 20, "…\\tale\\main.go"),
        ("/a/a_name_that_is_longer_than_all_the_room.py", 12, "…the_room.py"),
    ],
)
def test_a_long_path_keeps_the_names_that_fit_from_its_end_on(path: str, width: int, told: str) -> None:
    assert path_end(path, width) == told


@pytest.mark.parametrize(("said", "path"), [("D:\\a b\\c.go", True), ("src\\c.go", True), ("a\\b c", False)])
def test_paths_of_windows_are_paths(said: str, path: bool) -> None:
    assert is_path(said) is path


def test_paths_below_a_folder_are_told_from_there() -> None:
    assert below("D:\\work\\src\\a.go", "D:\\work") == "src\\a.go"
    assert below("/srv/a.go", "") == "/srv/a.go"


def test_the_reason_of_a_complaint_is_not_pushed_out_by_a_path() -> None:
    assert with_short_paths(f"{LONG} is not a text file") == "…/0f1e2d3c.jsonl is not a text file"
    assert with_short_paths("cannot read /tmp/a: no such file") == "cannot read /tmp/a: no such file"


def test_of_what_is_said_whole_facts_give_way_and_none_is_cut() -> None:
    status = (("copied the reference of E0.0", "text"), GAP, ("61 B", "text"), GAP, ("through the terminal", "faint"))
    told = ["".join(text for text, _ in key_row([("q", "back")], "?", status, width)) for width in (160, 60, 45)]
    assert told[0].endswith(" copied the reference of E0.0  61 B  through the terminal ")
    assert told[1].endswith(" copied the reference of E0.0  61 B ")
    assert told[2].endswith(" copied the reference of E0.0 ")
    assert width_of(key_row([("q", "back")], "?", status, 45)) == 45
