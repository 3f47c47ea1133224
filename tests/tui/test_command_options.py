"""Options stand anywhere, and what a person bounds is bounded by that alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.running import Answer, unspool


@pytest.fixture
def session(home: Path) -> str:
    """A session with two short outputs."""
    lines = Claude(home, Names(1), session_id="cccc0000")
    lines.user("Count -x and -5")
    lines.result(lines.call("wc"), "one\ntwo\nthree")
    lines.save()
    return "claude:cccc0000"


ARGUMENTS = (
    ("search", ["Count", "REF"], ["--limit", "5"]),
    ("search", ["Count", "REF", "last"], ["--limit=5"]),
    ("search", ["-x", "REF"], ["--kind", "user"]),
    ("search", ["-x and", "REF"], []),
    ("search", ["-5", "REF"], ["--no-reasoning"]),
    ("inspect", ["REF/E2.0", "tail:1"], ["--max-bytes", "100"]),
    ("read", ["REF/E2.0"], ["--max-bytes", "100", "--no-tools"]),
    ("evidence", ["REF"], ["--kind", "user", "--limit", "1"]),
    ("overview", ["REF"], ["--max-items", "1"]),
    ("resolve", ["REF"], ["--in", "E0-E1"]),
    ("brief", ["REF"], ["--max-bytes", "90"]),
)


@pytest.mark.parametrize(("verb", "words", "options"), ARGUMENTS)
def test_options_may_stand_before_between_and_behind(
    session: str, verb: str, words: list[str], options: list[str]
) -> None:
    words = [word.replace("REF", session) for word in words]
    ends = ["--"] if words[0].startswith("-") else []
    behind = unspool(verb, *options, "--json", *ends, *words)
    assert behind.out
    if not ends:
        assert unspool(verb, *words, "--json", *options) == behind
        assert unspool("--json", verb, words[0], *options, *words[1:]) == behind
        assert unspool(verb, words[0], *options, "--json", "--", *words[1:]) == behind


@pytest.mark.parametrize("words", [["-5", "last"], ["-x and", "last"], ["a", "--", "-"], ["-"]])
def test_what_begins_with_a_dash_and_is_no_option_is_a_word(session: str, words: list[str]) -> None:
    answer = unspool("search", *words)
    assert answer.code in (0, 1) or "standard input" in answer.err


def told(answer: Answer) -> str:
    """Return why a use was wrong."""
    assert answer.code == 2
    return answer.err


def test_a_wrong_option_is_still_told(session: str) -> None:
    assert "did you mean --limit" in told(unspool("search", "a", "--limt", "5", "last"))
    assert "expected one argument" in told(unspool("search", "a", "last", "--limit"))
    assert "goes behind --" in told(unspool("search", "last", "-x"))
    assert "unrecognized arguments: more" in told(unspool("sessions", "more"))
    assert "unrecognized arguments: more" in told(unspool("stats", "last", "--json", "more"))
