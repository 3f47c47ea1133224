"""Where sessions are found, and that what is odd in a folder costs nothing but one line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from tests.running import unspool
from unspool.errors import NotFound
from unspool.library import Library, open_library


def claude(home: Path, seed: int = 1) -> Claude:
    """Write a Claude session."""
    lines = Claude(home, Names(seed))
    lines.user("Count the rows")
    lines.answer("Seven")
    lines.save()
    return lines


def codex(home: Path, seed: int = 2) -> Codex:
    """Write a Codex session."""
    lines = Codex(home, Names(seed))
    lines.user("Count the columns")
    lines.answer("Nine")
    lines.save()
    return lines


def listed(library: Library) -> set[str]:
    """Return the paths of all sessions."""
    return {summary.path for summary in library.sessions()}


@pytest.fixture
def both(home: Path) -> tuple[Claude, Codex]:
    """A home with one session of each agent."""
    return claude(home), codex(home)


def test_default_folders_lie_under_home(home: Path, both: tuple[Claude, Codex]) -> None:
    assert listed(open_library()) == {str(lines.path) for lines in both}


def test_the_agents_own_variables_go_before_their_default_folders(
    home: Path, both: tuple[Claude, Codex], tmp_path: Path
) -> None:
    moved = [claude(tmp_path / "c", 3), codex(tmp_path / "x", 4)]
    environ = {"CLAUDE_CONFIG_DIR": str(tmp_path / "c/.claude"), "CODEX_HOME": str(tmp_path / "x/.codex")}
    assert listed(open_library(environ=environ, home=str(home))) == {str(lines.path) for lines in moved}


def test_named_roots_replace_all_others(both: tuple[Claude, Codex], tmp_path: Path) -> None:
    elsewhere = claude(tmp_path, 3)
    environ = {"CODEX_HOME": str(both[1].path.parents[4])}
    assert listed(open_library([str(tmp_path)], environ=environ)) == {str(elsewhere.path)}


def test_any_folder_on_the_way_to_a_session_is_a_root(home: Path, both: tuple[Claude, Codex]) -> None:
    for lines in both:
        for folder in [lines.path, *lines.path.parents]:
            if home in folder.parents:
                assert str(lines.path) in listed(open_library([str(folder)])), folder


def test_loose_files_are_recognised_by_what_they_hold(both: tuple[Claude, Codex], tmp_path: Path) -> None:
    for number, lines in enumerate(both):
        (tmp_path / f"copy{number}.jsonl").write_bytes(lines.path.read_bytes())
    (tmp_path / "other.jsonl").write_text('{"a":1}\n')
    library = open_library([str(tmp_path)])
    assert sorted(summary.agent for summary in library.sessions()) == ["claude", "codex"]
    (unknown,) = [line for line in library.doctor() if line.level == "unread"]
    assert "other.jsonl" in unknown.text


def test_a_folder_of_several_homes_is_searched_below_its_top(tmp_path: Path) -> None:
    files = {str(claude(tmp_path / "a").path), str(codex(tmp_path / "b").path)}
    assert listed(open_library([str(tmp_path)])) == files


def test_a_missing_root_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no such file or folder"):
        open_library([str(tmp_path / "nowhere")])


def test_a_file_that_two_roots_reach_is_listed_once(home: Path) -> None:
    lines = claude(home)
    library = open_library([str(home), str(lines.path.parent), str(lines.path)])
    assert [summary.path for summary in library.sessions()] == [str(lines.path)]


def test_links_pipes_and_broken_links_get_one_line_each_and_cost_nothing(home: Path, tmp_path: Path) -> None:
    lines = claude(home)
    folder = lines.path.parent
    secret = tmp_path / "outside"
    stranger = claude(secret, 9)
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "link.jsonl").symlink_to(stranger.path)
    (folder / "broken.jsonl").symlink_to(folder / "nothing")
    (folder.parent / "linked-folder").symlink_to(stranger.path.parent)
    library = open_library([str(home)])
    assert listed(library) == {str(lines.path)}
    told = [line.text for line in library.doctor() if line.level == "unread"]
    assert len(told) == 4
    for name in ("pipe.jsonl: a named pipe", "link.jsonl: a link", "broken.jsonl: a link", "linked-folder: a link"):
        assert sum(name in text for text in told) == 1, told


def test_a_name_that_is_not_utf8_is_listed_and_told(home: Path) -> None:
    lines = claude(home)
    odd = os.fsencode(lines.path.parent) + b"/caf\xe9.jsonl"
    with open(odd, "wb") as file:
        file.write(lines.path.read_bytes())
    library = open_library([str(home)])
    refs = {str(summary.ref) for summary in library.sessions()}
    assert "claude:caf%E9" in refs
    assert library.view("claude:caf%E9").counts.user == 1
    (told,) = [line.text for line in library.doctor() if "not UTF-8" in line.text]
    assert "claude:caf%E9" in told


def test_a_folder_that_cannot_be_read_costs_only_itself(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines, closed = claude(home), claude(home, 5)
    scandir = os.scandir

    def guarded(path: str) -> os.ScandirIterator[str]:
        if str(path) == str(closed.path.parent):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    library = open_library([str(home)])
    assert listed(library) == {str(lines.path)}
    (told,) = [line for line in library.doctor() if line.level == "unread"]
    assert told.text == f"{closed.path.parent}: Permission denied"
    (report,) = library.scanned()
    assert [error.path for error in report.errors] == [str(closed.path.parent)]


def test_a_binary_file_with_a_sessions_name_costs_only_itself(home: Path) -> None:
    lines = claude(home)
    (lines.path.parent / "image.jsonl").write_bytes(bytes(range(256)) * 400)
    library = open_library([str(home)])
    assert {summary.title for summary in library.sessions()} == {"Count the rows", None}
    (told,) = [line.text for line in library.doctor() if line.level == "unread"]
    assert "image.jsonl" in told


def test_a_home_without_anything_names_where_it_looked(home: Path) -> None:
    library = open_library()
    assert list(library.sessions()) == []
    assert {line.level for line in library.doctor()} == {"missing"}
    assert str(home / ".claude") in {report.path for report in library.scanned()}
    assert not any(report.exists for report in library.scanned())


def test_an_empty_root_is_refused_and_never_the_folder_one_is_in(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(claude(home).path.parent)
    with pytest.raises(NotFound, match="empty name"):
        open_library([""])
    answer = unspool("sessions", "--root", "")
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(("name", "ref"), [(".jsonl", "claude:%2Ejsonl"), ("agent-.jsonl", "claude:s.agent-")])
def test_a_file_with_nothing_but_an_ending_for_a_name_has_a_reference_that_works(
    home: Path, name: str, ref: str
) -> None:
    place = home / ".claude/projects/-srv" / name
    lines = Claude(home, Names(1), path=place, session_id="s", isSidechain="agent" in name)
    lines.user("Count the rows")
    lines.save()
    library = open_library([str(home)])
    assert [str(summary.ref) for summary in library.sessions()] == [ref]
    assert library.view(ref).source_path == str(place)
    assert unspool("overview", ref).code == 0
