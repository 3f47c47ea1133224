"""`unspool sessions` tells whose agent waits, and lists those alone when it is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.views.growing import finished, said
from tests.running import unspool


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A home with one session whose agent is done, and one whose agent works."""
    project = tmp_path / ".claude" / "projects" / "-work"
    project.mkdir(parents=True)
    (project / "done.jsonl").write_bytes(said(0, "go") + b"\n" + finished(1, "done") + b"\n")
    (project / "busy.jsonl").write_bytes(said(7, "work") + b"\n")
    return tmp_path


def test_those_that_wait_are_listed_alone_when_they_are_asked_for(root: Path) -> None:
    told = {row["session_id"]: row["waiting"] for row in unspool("sessions", "--json", "--root", root).rows}
    assert told == {"done": "turn", "busy": None}
    assert [row["session_id"] for row in unspool("sessions", "--waiting", "--json", "--root", root).rows] == ["done"]


def test_people_are_told_in_words(root: Path) -> None:
    rows = unspool("sessions", "--root", root).out.split("\n")
    assert sum("[waits for you]" in row for row in rows) == sum("[live]" in row for row in rows) == 1
