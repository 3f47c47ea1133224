"""Which call an output answers, and what of a range is read: what a person asks first of a failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from tests.running import unspool

BENT = "Error: bent\nat the gate"


@pytest.fixture
def ref(home: Path) -> str:
    """A session with a failed call at E2.0, made by E1.0."""
    lines = Claude(home, Names(1), session_id="eeee0000-0000-4000-8000-000000000001")
    lines.user("Mend the fence")
    lines.result(lines.call("hammer --hard nail"), BENT, is_error=True)
    lines.result(lines.call("saw"), "cut")
    lines.save()
    return "claude:eeee0000"


def test_a_list_of_errors_names_the_commands_that_failed(ref: str) -> None:
    assert "of E1.0 hammer --hard nail" in unspool("evidence", ref, "--errors").out


def test_a_list_that_shows_the_call_does_not_repeat_it(ref: str) -> None:
    assert "of E1.0" not in unspool("evidence", ref).out


def test_reading_several_pieces_heads_an_output_with_its_call(ref: str) -> None:
    heads = [line for line in unspool("read", ref, "--in", "E1-E4").out.split("\n") if line.startswith("── ")]
    assert [" · of E1.0 hammer" in head for head in heads] == [False, True, False, False]


def test_reading_one_failed_output_says_beside_it_what_failed(ref: str) -> None:
    answer = unspool("read", f"{ref}/E2.0")
    assert answer.out == f"{BENT}\n"
    assert answer.err == "output · error · 2 lines · Bash · of E1.0 hammer --hard nail\n"
    assert unspool("read", f"{ref}/E4.0").err == ""


@pytest.fixture
def twins(home: Path) -> str:
    """A session whose messages are logged as two kinds of record, and in which something was thought."""
    lines = Codex(home, Names(3), session_id="019a0000-0000-4000-8000-000000000003")
    lines.user("Mend the fence")
    lines.item("reasoning", summary=[{"type": "summary_text", "text": "A fence has posts"}])
    lines.answer("Mended")
    lines.save()
    return "codex:019a0000"


def test_a_range_is_read_as_lists_show_it_and_says_what_that_leaves_out(twins: str) -> None:
    listed = [row["id"] for row in unspool("evidence", twins, "--json").rows]
    every = [row["id"] for row in unspool("evidence", twins, "--all", "--json").rows]
    answer = unspool("read", twins, "--in", "E0-E99", "--json")
    assert [piece["id"] for piece in answer.object["pieces"]] == listed
    assert "not read, as lists leave them out; --all reads every piece" in answer.err
    whole = unspool("read", twins, "--in", "E0-E99", "--all", "--json")
    assert [piece["id"] for piece in whole.object["pieces"]] == every
    assert whole.err == ""


def test_reasoning_is_read_of_a_range_that_asks_for_it_and_wherever_it_is_named(twins: str) -> None:
    assert "A fence has posts" not in unspool("read", twins, "--in", "E0-E99").out
    assert "A fence has posts" in unspool("read", twins, "--in", "E0-E99", "--reasoning").out
    (thought,) = (row for row in unspool("evidence", twins, "--all", "--json").rows if "reasoning" in row["flags"])
    assert unspool("read", f"{twins}/{thought['id']}").out == "A fence has posts\n"


def test_names_of_tools_are_whole_in_a_pipe(home: Path) -> None:
    lines = Codex(home, Names(4), session_id="019a0000-0000-4000-8000-000000000004")
    lines.user("Mend the fence")
    lines.function("mcp__tools_of_the_garden__mend_every_fence", "{}")
    lines.save()
    assert "→ mcp__tools_of_the_garden__mend_every_fence " in unspool("evidence", "codex:019a0000").out


def test_names_of_projects_are_whole_in_a_pipe(home: Path) -> None:
    lines = Claude(home, Names(5), cwd="/srv/the-fence-of-the-garden-behind-the-house")
    lines.user("Mend the fence")
    lines.save()
    assert "  the-fence-of-the-garden-behind-the-house  " in unspool("sessions").out
