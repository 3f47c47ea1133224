"""What people read of calls and of wrapped outputs: their members, in which line ends end lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from tests.running import unspool

SCRIPT = "cd fence\nmend --all"
PRINTED = "first post\nsecond post\nthird post\n"


@pytest.fixture
def wrapped(home: Path) -> str:
    """The place of an output that a harness wrapped in JSON."""
    lines = Codex(home, Names(1), session_id="019a0000-0000-4000-8000-000000000001")
    lines.user("Mend the fence")
    call = lines.call("mend")
    line = lines.result(call, json.dumps({"output": PRINTED, "metadata": {"exit_code": 2}}))
    lines.save()
    return f"codex:019a0000/E{line - 1}.0"


@pytest.fixture
def call(home: Path) -> str:
    """The place of a call of two lines."""
    lines = Claude(home, Names(2), session_id="eeee0000-0000-4000-8000-000000000001")
    lines.user("Mend the fence")
    lines.result(lines.call(SCRIPT), "mended")
    lines.save()
    return "claude:eeee0000/E1.0"


def test_a_wrapped_output_is_read_line_by_line_and_kept_as_it_is_for_programs(wrapped: str) -> None:
    answer = unspool("read", wrapped)
    assert answer.out == 'output:\n  first post\n  second post\n  third post\nmetadata: {"exit_code":2}\n'
    stored = json.dumps({"output": PRINTED, "metadata": {"exit_code": 2}})
    assert unspool("read", wrapped, "--json").object["pieces"][0]["text"] == stored
    assert unspool("read", wrapped, "--detail", "full").out == f"{stored}\n"
    assert unspool("read", wrapped, "--json", "--detail", "readable").object["pieces"][0]["text"] + "\n" == answer.out


@pytest.mark.parametrize("words", ["second post", "exit_code"])
def test_a_hit_in_a_wrapped_output_names_the_line_that_people_read(wrapped: str, words: str) -> None:
    whole = unspool("read", wrapped).out.split("\n")
    place, _, snippet = unspool("search", words, "--part", "output").out.rstrip("\n").partition(": ")
    line = next(number for number, each in enumerate(whole, 1) if words in each)
    assert place == f"{wrapped}:{line}"
    assert snippet.removesuffix("  [error]") == whole[line - 1].strip()
    assert unspool("read", place).out == whole[line - 1] + "\n"
    assert "has no line 6 in" in unspool("read", f"{wrapped}:6").err
    assert "the text has 5 lines" in unspool("read", f"{wrapped}:6").err


def test_a_program_gets_the_lines_of_the_text_itself(wrapped: str) -> None:
    (hit,) = unspool("search", "second post", "--part", "output", "--json").rows
    assert (hit["line"], hit["lines"]) == (1, 1)
    piece = unspool("read", f"{wrapped}:1", "--json").object["pieces"][0]
    assert piece["text"] == json.dumps({"output": PRINTED, "metadata": {"exit_code": 2}})


def test_a_hit_in_a_call_names_the_line_that_people_read(call: str) -> None:
    place, _, snippet = unspool("search", "mend --all").out.rstrip("\n").partition(": ")
    assert (place, snippet) == (f"{call}:3", "mend --all")
    assert unspool("read", place).out == "  mend --all\n"


@pytest.mark.parametrize("words", ["second post", "mend --all"])
def test_a_hit_that_is_pasted_back_is_resolved(wrapped: str, call: str, words: str) -> None:
    place, _, _ = unspool("search", words).out.partition(": ")
    assert int(place.rpartition(":")[2]) > 1
    assert unspool("resolve", place).code == 0
    missing = unspool("resolve", place.rpartition(":")[0] + ":99")
    assert (missing.code, missing.err.endswith("is there, and has no such lines\n")) == (1, True)


def test_a_hit_that_only_json_shows_names_the_piece_and_what_it_is(home: Path) -> None:
    lines = Claude(home, Names(3), session_id="eeee0000-0000-4000-8000-000000000003")
    lines.user("Mend the fence")
    lines.result(lines.call("say 1\nsaw 2"), "done")
    lines.save()
    assert unspool("search", "1\nsaw").out == "claude:eeee0000/E1.0: say 1 saw 2\n"


def test_a_list_counts_the_lines_that_people_read(wrapped: str) -> None:
    assert "output · exit 2 · 5 lines" in unspool("evidence", wrapped.partition("/")[0]).out


def test_windows_of_what_is_told_join_to_the_whole(wrapped: str) -> None:
    whole, joined, after = unspool("read", wrapped, "--json", "--detail", "readable"), "", []
    while True:
        part = unspool("read", wrapped, "--json", "--detail", "readable", "--max-bytes", "9", *after).object
        joined += "".join(piece["text"] for piece in part["pieces"])
        if part["truncation"]["next"] is None:
            break
        assert part["truncation"]["omitted_bytes"] == len(whole.object["pieces"][0]["text"]) - len(joined)
        after = ["--after", part["truncation"]["next"]]
    assert joined == whole.object["pieces"][0]["text"]


def test_a_call_is_read_by_its_arguments_in_reading_and_export_alike(call: str) -> None:
    read = unspool("read", call).out
    assert "command:\n  cd fence\n  mend --all\n" in read
    assert read in unspool("export", call, "-o", "-").out


def test_an_export_tells_a_wrapped_output_line_by_line(wrapped: str) -> None:
    assert unspool("read", wrapped).out in unspool("export", wrapped, "-o", "-").out


def test_lists_show_what_a_wrapped_output_says(wrapped: str) -> None:
    rows = unspool("evidence", wrapped.partition("/")[0], "--part", "output").out
    assert "first post" in rows
    assert '{"output"' not in rows


def test_a_wrapped_output_is_inspected_by_its_keys(wrapped: str) -> None:
    assert unspool("inspect", wrapped, "key:output").out == PRINTED
    none = unspool("inspect", wrapped, "lines:3-5")
    assert (none.code, none.out) == (1, "")
    assert none.err == "no line 3: the text has 1 line; it is an object, key:NAME takes output, metadata\n"
