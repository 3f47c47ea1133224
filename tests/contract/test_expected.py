"""Every sample session of yoi gives the figures that were counted when it was made."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.contract.checking import ends_in_half_a_record
from tests.running import unspool
from tests.shared_data import SHARED

_FILE = Path("corpus") / "_expected" / "minicode-yoi.json"
EXPECTED: dict[str, dict[str, Any]] = json.loads((SHARED / _FILE).read_text("utf-8"))["yoi"] if SHARED else {}
every_sample = pytest.mark.parametrize("name", EXPECTED, ids=lambda name: name[-24:])


@cache
def figures(path: Path) -> dict[str, Any]:
    return unspool("stats", path, "--json").object


@every_sample
def test_a_sample_has_the_counts_it_was_made_with(name: str, shared: Path) -> None:
    told, wanted = figures(shared / "corpus" / "yoi" / name), EXPECTED[name]
    counted = {**told["counts"], "reasoning": told["reasoning"]}
    named = {sort.replace(".", "_"): number for sort, number in wanted["pieces"].items()}
    assert {sort: number for sort, number in counted.items() if number} == named
    assert told["replayed"] == sum(wanted["seed"].values())
    assert told["entries"] == wanted["lines"]


@every_sample
def test_a_sample_has_the_faults_it_was_made_with(name: str, shared: Path) -> None:
    told, wanted = figures(shared / "corpus" / "yoi" / name), EXPECTED[name]
    assert [link["line"] for link in told.get("broken_links", [])] == wanted["chain_mismatch_lines"]
    answer = unspool("evidence", shared / "corpus" / "yoi" / name)
    torn = [told["entries"]] if ends_in_half_a_record(answer.err) else []
    assert [line["line"] for line in told["unreadable"]] + torn == wanted["bad"]


@every_sample
def test_a_sample_has_the_records_it_was_made_with(name: str, shared: Path) -> None:
    told, wanted = figures(shared / "corpus" / "yoi" / name), EXPECTED[name]
    silent = {kind: number for kind, number in wanted["kinds"].items() if kind in told["other_records"]}
    assert told["other_records"] == silent
    speaking = sum(wanted["kinds"].values()) - sum(silent.values())
    evidence = unspool("evidence", shared / "corpus" / "yoi" / name, "--all", "--json").rows
    assert len({row["entry_range"][0] for row in evidence}) == speaking


@every_sample
def test_a_sample_names_where_it_comes_from(name: str, shared: Path) -> None:
    path, link = shared / "corpus" / "yoi" / name, EXPECTED[name]["link"]
    origin = next(iter(link.values())).get("session_id") if link else None
    root = ("--root", shared / "corpus" / "yoi")
    rows = {row["path"]: row for row in unspool("sessions", "--json", *root).rows}
    if str(path) in rows:
        assert rows[str(path)]["forked_from"] == (f"yoi:{origin}" if origin else None)
    else:
        assert any(path.stem in part for row in rows.values() for part in row["parts"])


def test_stored_outputs_are_those_that_lie_beside_the_samples(shared: Path) -> None:
    made = json.loads((shared / _FILE).read_text("utf-8"))["yoi_ids"]
    era, session = shared / "corpus" / "yoi" / "era1-llm-worker-persistence", made["era1"][1]
    rows = unspool("evidence", session, "--part", "output", "--json", "--root", era).rows
    stored = [each for each in made["blobs"].values() if isinstance(each, dict)]
    persisted = [row["bytes"] for row in rows if row["flags"] == ["persisted"]]
    assert sorted(persisted) == sorted([*(each["bytes"] for each in stored), 801])
    missing = [row for row in rows if "missing" in row["flags"]]
    assert len(missing) == 2
    assert all("blob not found" in row["label"] for row in missing)
