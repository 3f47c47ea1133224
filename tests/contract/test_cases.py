"""The sample cases of both agents, asked through the command: counts, unreadable lines, finds, titles, notices."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FOLDERS
from tests.contract.checking import (
    counts,
    everything,
    found,
    lines_unreadable,
    ref_of,
    rows,
    sessions,
    stats,
)
from tests.running import unspool
from tests.shared_data import SHARED

AGENTS = ("claude", "codex")
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""What never reaches a terminal."""


def all_cases() -> dict[str, dict[str, Any]]:
    """Return the cases of the agents that are read, by id."""
    if SHARED is None:
        return {}
    cases = json.loads((SHARED / "cases" / "expected.json").read_text("utf-8"))
    return {case["id"]: case for case in cases if case["agent"] in AGENTS}


CASES = all_cases()


@pytest.fixture
def case(request: pytest.FixtureRequest, shared: Path, home: Path) -> dict[str, Any]:
    """Copy a case, so that times can be set and links laid; its folder becomes HOME."""
    chosen = dict(CASES[request.param])
    shutil.copytree(shared / "cases" / chosen["id"], home, dirs_exist_ok=True, symlinks=True)
    chosen["home"] = home
    chosen["main"] = home / Path(chosen["main"]).relative_to(chosen["id"])
    return chosen


def every_case() -> pytest.MarkDecorator:
    """Run a test once for each case."""
    return pytest.mark.parametrize("case", sorted(CASES), indirect=True)


def one_case(beginning: str) -> pytest.MarkDecorator:
    """Run a test for the case whose id begins so; without sample sessions for none."""
    return pytest.mark.parametrize("case", [id for id in CASES if id.startswith(beginning)], indirect=True)


def wanted_counts(expected: dict[str, int]) -> dict[str, int]:
    """Return the counts of a case under the names of the command; those not named are 0."""
    names = {"tool.input": "tool_input", "tool.output": "tool_output", "thinking": "reasoning"}
    every = dict.fromkeys(("user", "assistant", "system", "tool_input", "tool_output", "reasoning"), 0)
    return every | {names.get(name, name): count for name, count in expected.items()}


def check(home: Path, main: Path, expected: dict[str, Any]) -> None:
    """Hold one file's figures against what is expected of it."""
    ref = ref_of(home, main)
    figures = stats(home, ref)
    wanted = wanted_counts(expected["counts"])
    assert {name: count for name, count in counts(figures).items() if name in wanted} == wanted
    assert lines_unreadable(figures) == expected["bad"]
    assert {needle: found(home, needle, ref) for needle in expected["find"]} == expected["find"]
    assert len(rows(home, ref, "--all")) == sum(counts(figures).values())


def test_there_are_cases_of_both_agents(shared: Path) -> None:
    assert {case["agent"] for case in CASES.values()} == set(AGENTS)
    assert len(CASES) >= 20


@every_case()
def test_a_case_shows_what_it_must(case: dict[str, Any]) -> None:
    check(case["home"], case["main"], case)


@every_case()
def test_a_case_has_its_title(case: dict[str, Any]) -> None:
    row = sessions(case["home"])[str(case["main"])]
    assert row["title"] == case.get("title", row["title"])
    assert "\n" not in (row["title"] or "")


@every_case()
def test_other_files_of_a_case_show_what_they_must(case: dict[str, Any]) -> None:
    for extra in case.get("extra", ()):
        check(case["home"], case["home"] / Path(extra["main"]).relative_to(case["id"]), extra)


@every_case()
def test_nothing_of_a_case_acts_on_a_terminal_or_breaks_the_command(case: dict[str, Any]) -> None:
    for answer in everything(case["home"]):
        assert answer.code in (0, 1), answer.err
        printed = answer.out + answer.err
        assert not UNSAFE.search(printed), ascii(printed)
        assert "Traceback" not in printed
        assert "corrupt" not in printed


@every_case()
def test_what_is_printed_for_programs_is_ascii(case: dict[str, Any]) -> None:
    ref = ref_of(case["home"], case["main"])
    for verb in ("overview", "evidence", "stats", "brief"):
        assert unspool(verb, ref, "--json", "--root", case["home"]).out.isascii()


@one_case("01-")
def test_torn_lines_are_told_quietly_and_can_be_seen(case: dict[str, Any]) -> None:
    ref = ref_of(case["home"], case["main"])
    answer = unspool("overview", ref, "--root", case["home"])
    assert "2 unreadable lines (lines 4, 8)" in answer.err
    assert "unreadable" not in answer.out
    raw = unspool("read", ref, "--in", "E3", "--raw", "--root", case["home"])
    assert raw.out.strip()


@one_case("06-")
def test_half_a_surrogate_pair_is_a_replacement_character(case: dict[str, Any]) -> None:
    ref = ref_of(case["home"], case["main"])
    answer = unspool("read", ref, "--in", "E0-E99", "--root", case["home"])
    assert "\ufffd" in answer.out
    assert "🚀" in answer.out


@one_case("08-")
def test_a_record_nested_too_deep_is_named_and_shown_raw(case: dict[str, Any]) -> None:
    ref = ref_of(case["home"], case["main"])
    (line,) = stats(case["home"], ref)["unreadable"]
    assert (line["line"], line["reason"]) == (2, "too_deep")
    assert "{" in unspool("read", ref, "--in", "E1", "--raw", "--root", case["home"]).out


@one_case("10-")
def test_a_byte_order_mark_is_no_part_of_the_title(case: dict[str, Any]) -> None:
    row = sessions(case["home"])[str(case["main"])]
    assert row["title"] == "First prompt marker-first-after-bom"
    assert "unreadable" not in unspool("overview", row["ref"], "--root", case["home"]).err


@one_case("11-")
def test_empty_sessions_are_hidden_and_their_number_said(case: dict[str, Any]) -> None:
    people = unspool("sessions", "--root", case["home"])
    assert people.out.count("\n") == 1
    assert "3 empty sessions not shown" in people.err
    answer = unspool("sessions", "--json", "--root", case["home"])
    assert [row["path"] for row in answer.rows] == [str(case["main"])]
    assert answer.summary["empty"] == 3


@one_case("13-")
def test_records_of_unknown_type_are_counted_and_reachable(case: dict[str, Any]) -> None:
    ref = ref_of(case["home"], case["main"])
    assert sum(stats(case["home"], ref)["other_records"].values()) >= 10
    assert unspool("search", "marker-invented-type", ref, "--root", case["home"]).code == 1
    assert "marker-invented-type" in unspool("search", "marker-invented-type", ref, "--raw", "--root", case["home"]).out


@one_case("14-")
def test_failed_results_and_images_are_told(case: dict[str, Any]) -> None:
    ref = ref_of(case["home"], case["main"])
    assert len(rows(case["home"], ref, "--errors")) == 1
    printed = unspool("read", ref, "--in", "E0-E99", "--root", case["home"]).out
    assert "[image image/png" in printed
    assert not re.search("[A-Za-z0-9+/]{200}", printed)


@one_case("15-")
def test_a_saved_output_is_read_whole_and_nothing_outside_is_opened(case: dict[str, Any]) -> None:
    home, main = case["home"], case["main"]
    ref = ref_of(home, main)
    folder = main.with_suffix("") / "tool-results"
    (folder / "toolu_1504.txt").unlink()
    (folder / "toolu_1504.txt").symlink_to(os.path.relpath(home / "secret.txt", folder))
    answer = unspool("search", case["blob"]["needle"], ref, "--json", "--root", home)
    (hit,) = answer.rows
    assert (hit["line"], hit["lines"], hit["bytes"]) == (1001, 1200, 52794)
    assert "full output not found" in unspool("read", f"{ref}/toolu_1502", "--root", home).err
    assert all("SENTINEL" not in answer.out for answer in everything(home))
    line = unspool("inspect", f"{ref}/{hit['id']}", "lines:1001-1001", "--root", home)
    assert case["blob"]["needle"] in line.out


@one_case("16-")
def test_what_is_encrypted_is_never_shown(case: dict[str, Any]) -> None:
    assert all("b3BhcXVl" not in answer.out for answer in everything(case["home"]))


@one_case("18-")
def test_injected_context_is_no_title(case: dict[str, Any]) -> None:
    listed = unspool("sessions", "--root", case["home"]).out
    assert "Fix the flaky retry test in the queue module" in listed
    assert "AGENTS.md" not in listed
    assert "environment_context" not in listed


@one_case("19-")
def test_open_calls_and_orphaned_results_are_marked(case: dict[str, Any]) -> None:
    ref = ref_of(case["home"], case["main"])
    flags = {row["call_id"]: row["flags"] for row in rows(case["home"], ref, "--kind", "tool", "--part", "input")}
    assert "unanswered" in flags["c7"]
    assert any("orphan" in row["flags"] for row in rows(case["home"], ref, "--part", "output"))


@one_case("27-")
def test_a_copied_piece_is_found_once(case: dict[str, Any]) -> None:
    home = case["home"]
    assert found(home, "marker-copied") == 1
    assert found(home, "marker-only-in-b") == 1
    listed = sessions(home)
    origin = next(row for path, row in listed.items() if path != str(case["main"]))
    assert listed[str(case["main"])]["forked_from"] == origin["ref"]
    assert origin["forked_from"] is None


@one_case("28-")
def test_tokens_count_once_a_message(case: dict[str, Any]) -> None:
    assert stats(case["home"], ref_of(case["home"], case["main"]))["tokens"]["output"] == case["tokens"]


@one_case("30-")
def test_subagents_stand_under_those_who_started_them(case: dict[str, Any]) -> None:
    home = case["home"]
    listed = {row["part"]: row for row in sessions(home).values()}
    top = listed[None]
    assert [row["part"] for row in listed.values() if row["parent"] is None] == [None]
    assert listed["0ld0ld"]["parent"] == listed["a1b2c3"]["parent"] == top["ref"]
    assert listed["d4e5f6"]["parent"] == listed["a1b2c3"]["ref"]
    assert sorted(top["children"]) == sorted([listed["0ld0ld"]["ref"], listed["a1b2c3"]["ref"]])
    for needle in ("marker-only-in-subagent", "marker-nested-subagent", "marker-old-layout"):
        (hit,) = unspool("search", needle, "--json", "--root", home).rows
        assert hit["parent"] in (top["ref"], listed["a1b2c3"]["ref"])


@one_case("32-")
def test_noise_is_no_title_and_reachable_as_system(case: dict[str, Any]) -> None:
    home = case["home"]
    listed = unspool("sessions", "--all", "--root", home).out
    assert "Caveat:" not in listed
    assert "<command-name>" not in listed
    assert len(rows(home, ref_of(home, case["main"]), "--kind", "system")) == 5


@one_case("34-")
def test_the_order_is_that_of_the_records_and_no_time_is_touched(case: dict[str, Any]) -> None:
    home, (newer, older) = case["home"], [case["home"] / Path(file).relative_to(case["id"]) for file in case["files"]]
    os.utime(newer, (1781085600, 1781085600))
    os.utime(older, (1781949600, 1781949600))
    before = [path.stat().st_mtime_ns for path in (newer, older)]
    answer = unspool("sessions", "--json", "--root", home)
    assert [row["path"] for row in answer.rows] == [str(newer), str(older)]
    assert [row["title"] for row in answer.rows] == ["Newest real work marker-newest", "Old work, titled later"]
    assert [row["last_activity"][:10] for row in answer.rows] == ["2026-06-10", "2026-06-01"]
    everything(home)
    assert [path.stat().st_mtime_ns for path in (newer, older)] == before


@one_case("35-")
def test_hostile_text_is_all_there_and_does_nothing(case: dict[str, Any]) -> None:
    ref = ref_of(case["home"], case["main"])
    printed = unspool("read", ref, "--in", "E0-E99", "--root", case["home"]).out
    for word in ("red-text", "link-text", "C1-csi", "SPOOF", "marker-tail", "marker-bidi"):
        assert word in printed


@one_case("37-")
def test_wide_titles_leave_the_columns_aligned(case: dict[str, Any]) -> None:
    ref = ref_of(case["home"], case["main"])
    assert unspool("overview", ref, "--root", case["home"]).code == 0


@one_case("41-")
def test_results_belong_to_calls_by_id(case: dict[str, Any]) -> None:
    home = case["home"]
    ref = ref_of(home, case["main"])
    calls = {row["id"]: row for row in rows(home, ref, "--part", "input")}
    texts: dict[str, list[str]] = {}
    for row in rows(home, ref, "--part", "output"):
        texts.setdefault(row["peer"], []).append(row["summary"])
    by_command = {row["label"]: texts.get(id, []) for id, row in calls.items()}
    assert by_command == {
        "Bash · echo A": ["OUT-A", "OUT-A again"],
        "Bash · echo B": ["OUT-B"],
        "Bash · sleep 1000": [],
    }
    assert texts[None] == ["orphan OUT-Z"]  # type: ignore[index]
    assert [row["flags"] for row in calls.values()] == [[], [], ["unanswered"]]


@one_case("43-")
def test_nothing_is_written_beside_the_sessions(case: dict[str, Any], home: Path) -> None:
    def written() -> list[Path]:
        found = sorted(path.relative_to(home) for path in home.rglob("*"))
        return [path for path in found if path.parts[0] != FOLDERS["XDG_CACHE_HOME"]]

    before = written()
    everything(home)
    assert written() == before
