"""A session of several parts in the command: search, stats and evidence go over all of them, the rest to the newest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.library.test_parts import FIRST, SECOND, SESSION, write_session
from tests.running import Answer, unspool

REF = f"yoi:{SESSION}"


@pytest.fixture
def root(home: Path) -> Path:
    write_session(home / ".local" / "share" / "yoi")
    return home


def asked(root: Path, *arguments: str) -> Answer:
    return unspool(*arguments, "--root", root)


def test_evidence_goes_over_all_parts_and_says_which(root: Path) -> None:
    answer = asked(root, "evidence", REF, "--json")
    assert [(row["part"], row["id"]) for row in answer.rows] == [
        (FIRST, "E1.0"),
        (FIRST, "E2.0"),
        (FIRST, "E3.0"),
        (SECOND, "E1.0"),
        (SECOND, "E2.0"),
    ]
    assert answer.summary["total"] == 5
    assert "part" not in asked(root, "evidence", f"{REF}.{FIRST}", "--json").rows[0]
    people = asked(root, "evidence", REF).out.split("\n")
    assert [line for line in people if line.startswith("──")] == [
        "── yoi:019f9a4a.019f9a4a",
        "── yoi:019f9a4a.019f9a58",
    ]


@pytest.mark.parametrize("limit", ["1", "2", "3", "4"])
@pytest.mark.parametrize("every", [(), ("--all",)])
def test_pages_of_evidence_go_on_over_the_seam_between_parts(root: Path, limit: str, every: tuple[str, ...]) -> None:
    whole = asked(root, "evidence", REF, "--json", "--all" if every else "--reasoning").rows
    found, after = [], None
    while True:
        answer = asked(
            root, "evidence", REF, "--json", "--limit", limit, *every, *(["--after", after] if after else [])
        )
        assert answer.summary["total"] == len(whole)
        found += answer.rows
        after = answer.summary["next"]
        if after is None:
            break
    assert found == whole


def test_a_continuation_of_another_session_is_refused(root: Path) -> None:
    answer = asked(root, "evidence", REF, "--after", "E1.0")
    assert answer.code == 2
    assert "not a continuation" in answer.err


def test_stats_add_up_over_all_parts(root: Path) -> None:
    whole = asked(root, "stats", REF, "--json").object
    parts = [asked(root, "stats", f"{REF}.{part}", "--json").object for part in (FIRST, SECOND)]
    for name in ("entries", "bytes", "replayed", "errors"):
        assert whole[name] == sum(each[name] for each in parts)
    assert whole["counts"] == {
        name: sum(each["counts"][name] for each in parts)
        for name in ("user", "assistant", "system", "tool_input", "tool_output")
    }
    assert whole["tokens"] is None
    assert [(row["part"], row["id"]) for row in whole["worst"]] == [(SECOND, "E2.0")]
    assert f"{SECOND}/E2.0" in asked(root, "stats", REF).out


def test_a_search_in_a_session_finds_what_all_its_parts_hold_and_each_hit_leads_back(root: Path) -> None:
    answer = asked(root, "search", "--json", "i", REF)
    assert [(row["ref"], row["id"]) for row in answer.rows] == [
        (f"{REF}.{FIRST}", "E1.0"),
        (f"{REF}.{FIRST}", "E2.0"),
        (f"{REF}.{SECOND}", "E1.0"),
    ]
    for row in answer.rows:
        read = asked(root, "read", f"{row['ref']}/{row['id']}")
        assert row["snippet"] in read.out
    shown = asked(root, "search", "stands", REF).out.split(":1: ")[0]
    assert asked(root, "read", shown).out == "It stands.\n"


def test_pages_of_a_search_go_on_over_the_seam_between_parts(root: Path) -> None:
    first = asked(root, "search", "--json", "--limit", "2", "i", REF)
    second = asked(root, "search", "--json", "--limit", "2", "i", REF, "--after", first.summary["next"])
    assert [row["id"] for row in (*first.rows, *second.rows)] == ["E1.0", "E2.0", "E1.0"]
    assert second.summary["next"] is None


@pytest.mark.parametrize("verb", ["overview", "brief", "export"])
def test_other_verbs_take_the_newest_part(root: Path, verb: str) -> None:
    assert "Fire it" in asked(root, verb, REF).out
    assert "It stands." in asked(root, verb, f"{REF}.{FIRST}").out


def test_a_list_has_one_row_with_the_parts(root: Path) -> None:
    [row] = asked(root, "sessions", "--json").rows
    assert row["ref"] == REF
    assert row["parts"] == [f"{REF}.{FIRST}", f"{REF}.{SECOND}"]
    assert asked(root, "sessions").out.count("\n") == 1
