"""Every kind of hard session, written anew by the tests' own factories and asked through the command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.contract.checking import counts, everything, found, lines_unreadable, read, rows, sessions, stats
from tests.factories import KINDS, Expected, seeds_of
from tests.running import unspool

EVERY = [(name, seed) for name in KINDS for seed in seeds_of(name)]


@pytest.fixture(params=EVERY, ids=lambda param: f"{param[0]}-{param[1]}")
def expected(request: pytest.FixtureRequest, home: Path) -> Expected:
    """Write one kind into HOME."""
    name, seed = request.param
    return KINDS[name](home, seed)


def listed_row(home: Path, session: Expected) -> dict[str, Any]:
    """Return a session's row of the list."""
    return sessions(home)[str(session.path)]


def check(home: Path, session: Expected) -> None:
    """Hold one session's figures against what is expected of it."""
    row = listed_row(home, session)
    ref, figures = row["ref"], stats(home, row["ref"])
    assert counts(figures) == session.counts
    assert lines_unreadable(figures) == session.unreadable
    assert {needle: found(home, needle, ref) for needle in session.find} == session.find
    every = rows(home, ref, "--all")
    assert len(every) == sum(session.counts.values())
    assert {flag: sum(flag in each["flags"] for each in every) for flag in session.flags} == session.flags
    if session.broken_links is not None:
        assert [link["line"] for link in figures["broken_links"]] == session.broken_links
    if session.other_records is not None:
        assert sum(figures["other_records"].values()) == session.other_records
    if session.output_tokens is not None:
        assert figures["tokens"]["output"] == session.output_tokens
    for needle, text in session.texts.items():
        (hit,) = unspool("search", "--json", "--root", home, "--", needle, ref).rows
        assert read(home, f"{hit['ref']}/{hit['id']}") == text


def check_row(home: Path, session: Expected) -> None:
    """Hold one session's row of the list against what is expected of it."""
    row = listed_row(home, session)
    if session.title is not None:
        assert row["title"] == session.title
    if session.cwd is not None:
        assert row["cwd"] == session.cwd
    if session.last_activity is not None:
        assert row["last_activity"] == session.last_activity
    if session.parent is not None:
        assert row["parent"] == sessions(home)[str(session.parent)]["ref"]
    assert row["empty"] == session.empty
    assert row["parts"] == [f"{row['ref']}.{part.path.stem}" for part in session.parts]


def test_a_kind_shows_what_it_must(home: Path, expected: Expected) -> None:
    for session in expected.sessions():
        check(home, session)
    assert {needle: found(home, needle) for needle in expected.everywhere} == expected.everywhere


def test_a_kind_is_listed_as_it_must_be(home: Path, expected: Expected) -> None:
    for session in expected.sessions():
        check_row(home, session)


def test_what_must_not_appear_never_does(home: Path, expected: Expected) -> None:
    if expected.must_not:
        for answer in everything(home):
            assert not [text for text in expected.must_not if text in answer.out + answer.err]
