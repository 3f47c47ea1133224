"""Every sample session of MiniCode gives the figures that were counted when it was made."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.contract.checking import ends_in_half_a_record
from tests.running import unspool
from tests.shared_data import SHARED

_FILE = Path("corpus") / "_expected" / "minicode-yoi.json"
EXPECTED: dict[str, dict[str, Any]] = json.loads((SHARED / _FILE).read_text("utf-8"))["minicode"] if SHARED else {}
every_sample = pytest.mark.parametrize("name", EXPECTED, ids=lambda name: name[-14:])


def path_of(shared: Path, name: str) -> Path:
    return shared / "corpus" / "minicode" / name


@cache
def figures(path: Path) -> dict[str, Any]:
    return unspool("stats", path, "--json").object


def every_piece(path: Path) -> list[dict[str, Any]]:
    return unspool("evidence", path, "--all", "--json").rows


@every_sample
def test_a_sample_has_the_counts_it_was_made_with(name: str, shared: Path) -> None:
    told, wanted = figures(path_of(shared, name)), EXPECTED[name]
    counted = {**told["counts"], "reasoning": told["reasoning"]}
    named = {sort.replace(".", "_"): number for sort, number in wanted["pieces_unique_uuid"].items()}
    assert {sort: number for sort, number in counted.items() if number} == named
    again = Counter(wanted["pieces_all_lines"]) - Counter(wanted["pieces_unique_uuid"])
    salvaged = [row for row in every_piece(path_of(shared, name)) if "salvaged" in row["flags"]]
    assert told["replayed"] == again.total() + len(salvaged), "what is salvaged was written once more later"
    assert told["entries"] == wanted["lines"]


@every_sample
def test_a_sample_has_the_faults_it_was_made_with(name: str, shared: Path) -> None:
    told, wanted = figures(path_of(shared, name)), EXPECTED[name]
    answer = unspool("evidence", path_of(shared, name))
    torn = [told["entries"]] if ends_in_half_a_record(answer.err) else []
    assert sorted({line["line"] for line in told["unreadable"]} | {*torn}) == [line for line, _ in wanted["bad"]]


@every_sample
def test_a_sample_has_the_events_it_was_made_with(name: str, shared: Path) -> None:
    told, wanted = figures(path_of(shared, name)), EXPECTED[name]
    silent = Counter({kind: wanted["types"].get(kind, 0) for kind in ("context_collapse", "rename")})
    silent["(no object)"] = len(wanted["notobj"])
    assert told["other_records"] == {kind: number for kind, number in silent.items() if number}
    assert not told.get("unknown_records")


@every_sample
def test_a_sample_has_the_name_and_the_folder_it_was_made_with(name: str, shared: Path) -> None:
    rows = unspool("sessions", "--json", "--all", "--root", shared / "corpus" / "minicode").rows
    (row,) = (row for row in rows if row["path"] == str(path_of(shared, name)))
    wanted = EXPECTED[name]
    assert " ".join(row["title"].split()).startswith(" ".join(wanted["title"].removesuffix("...").split()))
    assert [row["cwd"]] == wanted["cwds"]
    assert [row["session_id"]] == wanted["sessionIds"]


@every_sample
def test_saved_outputs_of_a_sample_are_read_whole(name: str, shared: Path) -> None:
    ref = f"minicode:{Path(name).stem}"
    root = ("--root", shared / "corpus" / "minicode")
    rows = unspool("evidence", ref, "--part", "output", "--all", "--json", *root).rows
    found = {row["entry_range"][0] + 1: row for row in rows if "persisted" in row["flags"]}
    assert sorted(found) == [marker[0] for marker in EXPECTED[name]["markers"]]
    for line, call, tool, _, _, sizes, *_ in EXPECTED[name]["markers"]:
        assert (found[line]["call_id"], found[line]["tool"]) == (call, tool)
        assert ("missing" in found[line]["flags"]) == (sizes is None)
        if sizes is not None:
            assert found[line]["bytes"] == sizes[1]


def test_forks_name_the_session_that_they_were_made_from(shared: Path) -> None:
    rows = unspool("sessions", "--json", "--all", "--root", shared / "corpus" / "minicode").rows
    labels = {row["ref"]: EXPECTED[str(Path(row["path"]).relative_to(shared / "corpus" / "minicode"))]["label"]
              for row in rows}  # fmt: skip
    forks = {labels[row["ref"]]: labels[row["forked_from"]] for row in rows if row["forked_from"]}
    assert forks == {"D": "A", "H3": "H1", "H4": "H1"}
