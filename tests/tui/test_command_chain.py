"""A broken chain of records is told beside every list of pieces, and by the figures why."""

from __future__ import annotations

from pathlib import Path

from tests.factories.names import Names
from tests.factories.yoi_lines import Yoi
from tests.running import unspool


def write(home: Path, *, changed: bool) -> str:
    lines = Yoi(home, Names(7), era="logged")
    lines.user("Go")
    lines.answer("Gone")
    if changed:
        lines.patch(b"Gone", b"Went")
    lines.answer("Home")
    lines.save()
    return f"yoi:{lines.session_id}"


def test_a_broken_chain_is_told_beside_the_index(home: Path) -> None:
    answer = unspool("evidence", write(home, changed=True))
    assert answer.code == 0
    assert "line 3 does not fit into the chain of its records" in answer.err
    assert "Went" in answer.out


def test_figures_say_which_records_and_why(home: Path) -> None:
    ref = write(home, changed=True)
    [link] = unspool("stats", ref, "--json").object["broken_links"]
    assert (link["line"], link["reason"]) == (3, "content")
    assert "line 3: content, bytes " in unspool("stats", ref).out


def test_a_whole_chain_says_so_in_the_figures_alone(home: Path) -> None:
    ref = write(home, changed=False)
    assert unspool("stats", ref, "--json").object["broken_links"] == []
    assert unspool("evidence", ref).err == ""
