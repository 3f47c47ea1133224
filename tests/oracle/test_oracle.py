"""The oracle is right: on every kind of case, on the shared cases, and on files that were counted by hand."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.factories import KINDS, Expected
from tests.oracle import OracleSession, counts, naive_search, read_claude, read_codex, read_minicode, read_yoi
from tests.shared_data import SHARED

HAND_COUNTS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("hand_counts.json").read_text("utf-8"))
UNKNOWN_SHARE = 0.01


def read(agent: str, path: Path) -> OracleSession:
    readers = {"claude": read_claude, "codex": read_codex, "yoi": read_yoi, "minicode": read_minicode}
    return readers[agent](path)


def shared_cases() -> list[dict[str, Any]]:
    """The cases of the two agents, and the further files that a case speaks of; none without sample sessions."""
    if SHARED is None:
        return []
    cases = json.loads((SHARED / "cases" / "expected.json").read_text("utf-8"))
    parts = [{"id": case["id"]} | part for case in cases for part in [case, *case.get("extra", [])]]
    return [part for part in parts if part["agent"] in ("claude", "codex")]


def corpus(shared: Path, agent: str) -> list[Path]:
    """Every session file of one agent, compressed ones too."""
    folders = [shared / "corpus" / name for name in (agent, f"{agent}-zst")]
    return sorted(file for folder in folders for file in folder.rglob("*.jsonl*") if ".trace." not in file.name)


def check(expected: Expected) -> None:
    session = read(expected.agent, expected.path)
    flags = Counter(flag for piece in session.pieces for flag in piece.flags)
    assert counts(session) == expected.counts
    assert [line for line, _ in session.unreadable] == expected.unreadable
    assert {needle: len(naive_search(session, needle)) for needle in expected.find} == expected.find
    assert {flag: flags[flag] for flag in expected.flags} == expected.flags
    for needle, text in expected.texts.items():
        assert [piece.text for piece in naive_search(session, needle)] == [text]
    assert (session.pending is not None) == expected.pending
    if expected.agent != "claude" or "agent-" not in expected.path.name:
        assert session.session_id == expected.session_id
    for given, found in [
        (expected.title, session.title),
        (expected.cwd, session.cwd),
        (expected.output_tokens, session.tokens.get("output")),
        (expected.other_records, sum(session.other_records.values())),
        (expected.last_activity, session.last_time),
        (expected.broken_links, session.broken_links),
    ]:
        assert given is None or found == given


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", KINDS)
def test_the_oracle_reads_every_kind_as_it_was_written(kind: str, seed: int, tmp_path: Path) -> None:
    for expected in KINDS[kind](tmp_path, seed).files():
        check(expected)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_the_same_for_the_same_seed_and_another_for_another(kind: str, tmp_path: Path) -> None:
    homes = [tmp_path / name for name in ("once", "again", "other")]
    for home, seed in zip(homes, (4, 4, 6), strict=True):
        KINDS[kind](home, seed)
    once, again, other = (
        {
            str(file.relative_to(home)): file.read_bytes()
            for file in sorted(home.rglob("*"))
            if file.is_file() and not file.is_symlink()
        }
        for home in homes
    )
    assert once == again
    assert once != other


@pytest.mark.parametrize("case", shared_cases(), ids=lambda case: f"{case['id']}-{Path(case['main']).name[:16]}")
def test_the_oracle_agrees_with_the_shared_case(case: dict[str, Any], shared: Path) -> None:
    session = read(case["agent"], shared / "cases" / case["main"])
    names = {"tool.input": "tool_input", "tool.output": "tool_output", "thinking": "reasoning"}
    wanted = {names.get(name, name): number for name, number in case["counts"].items()}
    found = {name: number for name, number in counts(session).items() if number and name != "twin"}
    assert found == wanted
    assert [line for line, _ in session.unreadable] == case["bad"]
    assert {needle: len(naive_search(session, needle)) for needle in case["find"]} == case["find"]
    assert case.get("title") in (None, session.title)
    assert case.get("tokens") in (None, session.tokens.get("output"))


@pytest.mark.parametrize("hand", HAND_COUNTS, ids=lambda hand: Path(hand["file"]).name[:30])
def test_the_oracle_agrees_with_the_count_by_hand(hand: dict[str, Any], shared: Path) -> None:
    session = read(hand["agent"], shared / "corpus" / hand["file"])
    flags = Counter(flag for piece in session.pieces for flag in piece.flags)
    assert session.entries == hand["entries"]
    assert {name: number for name, number in counts(session).items() if number} == hand["counts"]
    assert sum(session.other_records.values()) == hand["other_records"]
    assert session.without_text == hand["without_text"]
    assert (flags["error"], flags["unanswered"]) == (hand["errors"], hand["unanswered"])
    assert session.tokens["output"] == hand["output_tokens"]
    assert (session.title or "").startswith(hand["title"])
    assert {needle: len(naive_search(session, needle)) for needle in hand["find"]} == hand["find"]


@pytest.mark.parametrize("agent", ["claude", "codex", "yoi", "minicode"])
def test_nearly_every_record_of_the_corpus_is_of_a_known_type(agent: str, shared: Path) -> None:
    sessions = [read(agent, file) for file in corpus(shared, agent)]
    unknown = sum((session.unknown for session in sessions), Counter[str]())
    records = sum(session.entries for session in sessions)
    print(f"{agent}: {unknown.total()} of {records} records of unknown type {dict(unknown)}")
    assert sessions
    assert unknown.total() < UNKNOWN_SHARE * records


@pytest.mark.parametrize("agent", ["claude", "codex", "yoi"])
def test_every_record_of_the_corpus_is_counted_once(agent: str, shared: Path) -> None:
    for file in corpus(shared, agent):
        session = read(agent, file)
        with_pieces = {piece.entry for piece in session.pieces}
        torn = session.pending is not None
        assert len(with_pieces) + sum(session.other_records.values()) + session.without_text + torn == session.entries
        assert sum(counts(session).values()) == len(session.pieces)
        assert len({piece.id for piece in session.pieces}) == len(session.pieces)
