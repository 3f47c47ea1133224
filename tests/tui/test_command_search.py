"""`unspool search` over all sessions, page by page: every hit once, and an end, whatever cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from backports import zstd

from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from tests.running import unspool


def session(home: Path, seed: int, *said: str) -> Claude:
    """Write a session that says these things; a higher seed is newer."""
    names = Names(seed)
    names.now = names.now.replace(year=2026, month=1, day=seed)
    lines = Claude(home, names)
    for each in said:
        lines.user(each)
    lines.save()
    return lines


def torn(home: Path, seed: int) -> Codex:
    """Write a rollout whose archive breaks off behind its head."""
    names = Names(seed)
    names.now = names.now.replace(year=2026, month=1, day=seed)
    lines = Codex(home, names)
    lines.user("needle in a torn archive")
    lines.save()
    lines.path.with_name(lines.path.name + ".zst").write_bytes(zstd.compress(lines.path.read_bytes())[:-9])
    lines.path.unlink()
    return lines


def walked(*arguments: str) -> tuple[list[str], int, bool]:
    """Return the pieces found in all pages, how many pages there were, and what the last one says of `complete`."""
    found: list[str] = []
    after: list[str] = []
    for page in range(1, 50):
        answer = unspool("search", "needle", "--json", *arguments, *after)
        found += [f"{row['ref']}/{row['id']}" for row in answer.rows]
        if answer.summary["next"] is None:
            return found, page, answer.summary["complete"]
        assert after != ["--after", answer.summary["next"]]
        after = ["--after", answer.summary["next"]]
    raise AssertionError("the walk never ends")


@pytest.mark.parametrize("broken", [(), (1,), (3,), (5,), (1, 2, 4, 5), (2, 3)])
@pytest.mark.parametrize("limit", [1, 2, 3, 20])
def test_a_walk_through_all_sessions_gives_every_hit_once_and_ends(
    home: Path, broken: tuple[int, ...], limit: int
) -> None:
    expected = []
    for seed in range(5, 0, -1):
        if seed in broken:
            torn(home, seed)
        else:
            lines = session(home, seed, "needle one", "other", "needle two")
            expected += [f"claude:{lines.session_id}/E0.0", f"claude:{lines.session_id}/E2.0"]
    session(home, 6, "nothing in the newest")
    found, pages, complete = walked("--limit", str(limit))
    assert found == expected
    assert pages <= len(expected) // limit + 1
    assert complete


def test_a_walk_goes_on_behind_a_session_that_broke_meanwhile(home: Path) -> None:
    older, newer = session(home, 1, "needle"), session(home, 2, "needle one", "needle two")
    first = unspool("search", "needle", "--json", "--limit", "1").summary
    newer.path.write_bytes(b"\x7fELF" + b"\0" * 99)
    rest = unspool("search", "needle", "--json", "--after", first["next"])
    assert [row["ref"] for row in rest.rows] == [f"claude:{older.session_id}"]
    assert (rest.summary["next"], rest.summary["complete"], rest.summary["unreadable"]) == (None, True, 1)


def test_a_walk_goes_on_behind_a_session_that_went_away_meanwhile(home: Path) -> None:
    oldest, older, newer = (session(home, seed, "needle one", "needle two") for seed in (1, 2, 3))
    first = unspool("search", "needle", "--json", "--limit", "3").summary
    older.path.unlink()
    rest = unspool("search", "needle", "--json", "--after", first["next"])
    assert [row["ref"] for row in rest.rows] == [f"claude:{oldest.session_id}"] * 2
    assert rest.summary["next"] is None
    assert newer.path.exists()


def test_a_walk_goes_on_in_a_session_that_was_worked_in_meanwhile(home: Path) -> None:
    oldest, older, _ = (session(home, seed, "needle one", "needle two") for seed in (1, 2, 3))
    first = unspool("search", "needle", "--json", "--limit", "3").summary
    older.names.now = older.names.now.replace(day=9)
    older.user("needle three")
    older.save()
    rest = unspool("search", "needle", "--json", "--after", first["next"])
    expected = [f"claude:{older.session_id}"] * 2 + [f"claude:{oldest.session_id}"] * 2
    assert [row["ref"] for row in rest.rows] == expected


def test_sessions_that_cannot_be_read_are_named_and_counted(home: Path) -> None:
    session(home, 1, "needle")
    lines = torn(home, 2)
    answer = unspool("search", "needle", "--json")
    assert answer.code == 0
    assert answer.summary["unreadable"] == 1
    assert lines.session_id in answer.err


def test_a_named_session_that_cannot_be_read_is_an_error(home: Path) -> None:
    session(home, 1, "needle")
    lines = torn(home, 2)
    answer = unspool("search", "needle", f"codex:{lines.session_id}")
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)


def test_copies_that_were_left_out_are_told_and_filter_nothing(home: Path) -> None:
    origin = session(home, 1, "needle")
    copy = Claude(home, Names(9))
    copy._lines = [line.replace(origin.session_id.encode(), copy.session_id.encode()) for line in origin._lines]
    copy.user("more")
    copy.save()
    answer = unspool("search", "needle", "--json")
    assert [row["ref"] for row in answer.rows] == [f"claude:{origin.session_id}"]
    assert (answer.summary["total"], answer.summary["copies"], answer.summary["hidden"]) == (1, 1, {})
    assert "1 copy left out" in unspool("search", "needle").err


@pytest.mark.parametrize(
    ("choice", "found"),
    [
        (["--agent", "codex"], ["codex"]),
        (["--agent", "claude,codex"], ["claude", "codex"]),
        (["--project", "orchard"], ["claude"]),
        (["--project", "/work/yard"], ["codex"]),
        (["--since", "2026-04-20"], ["claude"]),
        (["last", "--project", "orchard"], ["claude"]),
    ],
)
def test_a_search_is_over_the_sessions_that_are_chosen(home: Path, choice: list[str], found: list[str]) -> None:
    two_projects(home)
    rows = unspool("search", "gate", *choice).out.rstrip("\n").split("\n")
    assert sorted(row.partition(":")[0] for row in rows) == found
    answer = unspool("search", "gate", *choice, "--json")
    assert answer.summary["searched"]["sessions"] == len(found)


def test_a_search_says_why_no_session_is_chosen(home: Path) -> None:
    two_projects(home)
    answer = unspool("search", "gate", "--project", "meadow")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err == "no project holds 'meadow'; there are orchard, yard\n"
    assert unspool("search", "gate", "--agent", "yoi", "--json").summary["total"] == 0


def two_projects(home: Path) -> None:
    """Write a session of Claude Code in one project, and an older one of Codex in another."""
    newer, older = Names(1), Names(2)
    newer.now, older.now = newer.now.replace(month=5), newer.now.replace(month=3)
    claude = Claude(home, newer, cwd="/work/orchard")
    claude.user("Mend the gate")
    claude.save()
    codex = Codex(home, older, cwd="/work/yard")
    codex.user("Paint the gate")
    codex.save()
