"""A search that is stopped says how far it came and goes on from there; an empty answer says what was hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.views.growing import Growing, called, said
from tests.sessions import CLAUDE_CODE, CODEX, view_of
from unspool.errors import BadQuery
from unspool.ids import EntryRange
from unspool.search.needle import LONGEST_NEEDLE
from unspool.views.bounds import SEARCH_MOST
from unspool.views.filter import Filter
from unspool.views.view import SessionView

LARGE = 40
"""Records of a quarter of a megabyte: ten blocks."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> SessionView:
    lines = [said(number, f"needle {number} " + "x" * 250_000) + b"\n" for number in range(LARGE)]
    return Growing(tmp_path_factory.mktemp("large"), b"".join(lines)).fresh()


def test_a_search_that_is_stopped_at_once_still_moves_on(large: SessionView) -> None:
    found: list[str] = []
    after, rounds, searched = None, 0, 0
    while True:
        result = large.search("needle", limit=1000, after=after, seconds=0)
        found += [str(hit.evidence.id) for hit in result.hits]
        assert result.total == len(found)
        assert searched < result.searched.pieces == len(found)
        searched, after, rounds = result.searched.pieces, result.next, rounds + 1
        assert result.complete == (after is None)
        if after is None:
            break
        assert 0 < result.searched.bytes < large.size
    assert found == [f"E{number}.0" for number in range(LARGE)]
    assert 2 < rounds < 20


def test_a_search_that_is_called_off_ends_between_blocks(large: SessionView) -> None:
    looks = iter([False, False])
    result = large.search("needle", limit=1000, cancelled=lambda: next(looks, True))
    assert 0 < len(result.hits) < LARGE
    assert not result.complete
    rows = list(large.search_rows("needle", cancelled=lambda: True))
    assert 0 < len(rows) < LARGE


def test_a_stopped_search_without_hits_says_nothing_of_what_is_hidden(tmp_path: Path) -> None:
    lines = [said(number, "x" * 250_000) + b"\n" for number in range(12)] + [said(12, "hay", "assistant") + b"\n"]
    view = Growing(tmp_path, b"".join(lines)).fresh()
    result = view.search("hay", kinds={"user"}, seconds=0)
    assert (result.total, result.complete, result.hidden) == (0, False, {})
    assert result.next is not None
    assert result.next.endswith("+0")
    assert view.search("hay", kinds={"user"}).hidden == {"kind": 1}


def test_total_counts_pieces_and_matches_count_in_each() -> None:
    view = view_of([("user", "aXa axa"), ("assistant", "none"), ("output", "AXAXA")])
    result = view.search("axa", limit=1)
    assert (result.total, result.complete, result.next) == (2, True, "E0.0+1")
    assert result.hits[0].matches == 2
    assert view.search("axa", limit=1, after=result.next).hits[0].matches == 1
    assert view.search("axa", limit=2).next is None
    assert (result.searched.pieces, result.searched.bytes) == (3, view.size - 1)


@pytest.mark.parametrize(
    ("query", "case", "found"),
    [
        ("axa", "ignore", 2),
        ("AXA", "ignore", 2),
        ("axa", "exact", 1),
        ("AXA", "exact", 1),
        ("axa", "smart", 2),
        ("Axa", "smart", 0),
        ("AXA", "smart", 1),
    ],
)
def test_case_counts_as_it_is_said(query: str, case: str, found: int) -> None:
    view = view_of([("user", "axa"), ("output", "AXA")])
    assert view.search(query, case=case).total == found  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"query": ""}, "empty query"),
        ({"query": "x" * (LONGEST_NEEDLE + 1)}, "at most"),
        ({"query": "x", "limit": 0}, "limit is 0"),
        ({"query": "x", "limit": SEARCH_MOST + 1}, "limit is 1001"),
        ({"query": "x", "after": "E1.0"}, "continuation"),
        ({"query": "x", "after": "page 2"}, "continuation"),
    ],
)
def test_what_cannot_be_searched_is_refused_in_one_line(arguments: dict[str, object], fault: str) -> None:
    with pytest.raises(BadQuery, match=rf"\A[^\n]*{fault}[^\n]*\Z"):
        view_of([("user", "x")]).search(**arguments)  # type: ignore[arg-type]


def test_an_empty_answer_says_which_filter_hid_how_many() -> None:
    view = view_of([("user", "a needle"), ("reasoning", "a needle"), ("input", {"x": "needle"}), ("output", "none")])
    assert view.search("needle").hidden == {}
    assert view.search("needle", kinds={"system"}).hidden == {"kind": 3}
    assert view.search("needle", entry_range="E3-E9").hidden == {"in": 3}
    assert view.search("needle", errors=True).hidden == {"errors": 3}
    assert view.search("needle", tool="Read").hidden == {"tool": 3}
    assert view.search("needle", Filter(kinds=view_filter("system"))).hidden == {"kind": 2}
    assert view.search("needle", kinds={"user"}, entry_range="E2-E9").hidden == {"kind": 1, "in": 1}
    assert view.search("needle", kinds={"user"}, errors=True, entry_range="E2").hidden == {"filters": 3}
    assert view.search("nowhere", kinds={"system"}).hidden == {}


def test_what_is_hidden_is_found_where_raw_bytes_between_hold_nothing_of_it() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    hay, straw = [{"type": "text", "text": "hay"}], [{"type": "text", "text": "straw"}]
    messages = [hay, [{"type": "text", "text": "see"}, image], straw, hay]
    kinds = ["assistant", "user", "user", "assistant"]
    records = [
        {"type": kind, "uuid": f"u{number}", "message": {"content": content}}
        for number, (kind, content) in enumerate(zip(kinds, messages, strict=True))
    ]
    view = SessionView.of(records, CLAUDE_CODE)
    assert view.search("png 8", kinds={"assistant"}).hidden == {"kind": 1}
    assert view.search("png 9", kinds={"assistant"}).hidden == {}
    assert view.search("straw", kinds={"assistant"}).hidden == {"kind": 1}
    call = {"type": "function_call", "name": "fetch", "namespace": "mcp__shop", "call_id": "c", "arguments": "{}"}
    asked = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hay"}]}
    view = SessionView.of([{"type": "response_item", "payload": each} for each in (asked, call, asked)], CODEX)
    assert view.search("shop__fetch", kinds={"user"}).hidden == {"kind": 1}
    assert view.search("shop_fetch", kinds={"user"}).hidden == {}


def view_filter(line: str) -> frozenset[object]:
    return Filter.parse(f"kind:{line}")[0].kinds  # type: ignore[return-value]


def test_twins_and_replays_are_never_searched_and_retracted_pieces_are() -> None:
    prompt = {"type": "user", "uuid": "u1", "message": {"content": "a needle"}}
    answer = {"type": "assistant", "uuid": "a1", "message": {"id": "m", "content": "another needle"}}
    refusal = {"type": "system", "subtype": "model_refusal_fallback", "uuid": "s", "retractedMessageUuids": ["a1"]}
    view = SessionView.of([prompt, prompt, answer, refusal], CLAUDE_CODE)
    assert (view.counts.replayed, view.counts.abandoned) == (1, 1)
    assert [str(hit.evidence.id) for hit in view.search("needle").hits] == ["E0.0", "E2.0"]
    assert view.search("needle", hidden=False).total == 1
    assert [row for row, _ in view.search_rows("needle")] == [0, 2]


def test_the_name_of_a_tool_is_found_with_its_call() -> None:
    view = view_of([("input", {"command": "ls"}), ("output", "bash"), ("input", {"command": "bash"})])
    hits = view.search("bash").hits
    assert [(str(hit.evidence.id), hit.matches) for hit in hits] == [("E0.0", 1), ("E1.0", 1), ("E2.0", 2)]
    assert (hits[0].line, hits[0].snippet, hits[0].spans) == (None, "Bash · ls", ())


def test_the_name_of_a_tool_is_found_that_its_record_does_not_hold_in_one_piece() -> None:
    call = {"type": "function_call", "name": "fetch", "namespace": "mcp__shop", "call_id": "c", "arguments": "{}"}
    view = SessionView.of([{"type": "response_item", "payload": call}], CODEX)
    assert view.search("shop__fetch").total == 1


def test_only_some_pieces_may_be_searched() -> None:
    view = view_of([("user", "needle")] * 5)
    assert [str(hit.evidence.id) for hit in view.search("needle", ids=["E1.0", "E3.0", "E9.9"]).hits] == [
        "E1.0",
        "E3.0",
    ]
    assert view.search("needle", ids=[]).hidden == {"ids": 5}


def test_a_raw_search_looks_into_what_is_no_evidence_and_only_there(tmp_path: Path) -> None:
    spread = said(1, "a needle\nspread").replace(b"\\n", b"\n")
    glued = b'{"type": "mode", "mode": "a needle"}' + called(4, "needle")
    stub = said(5, "half a needle")[:-3] + said(6, "whole needle")
    torn = said(7, "torn needle")[:-3]
    other = b'{"type": "mode", "mode": "needle"}'
    lines = [said(0, "a needle"), spread, glued, stub, torn, b"", other, b'["needle"]', said(9, "a needle")[:-3]]
    view = Growing(tmp_path, b"\n".join(lines)).fresh()
    assert view.search("needle").raw == ()
    result = view.search("NEEDLE", raw=True)
    assert [str(hit.evidence.id) for hit in result.hits] == ["E0.0", "E1.0", "E3.1", "E4.0"]
    assert [(hit.line, hit.reason) for hit in result.raw] == [
        (5, "torn"),
        (6, "torn"),
        (8, "other record"),
        (9, "other record"),
        (10, "pending"),
    ]
    assert all("needle" in hit.snippet for hit in result.raw)
    assert "whole" not in result.raw[0].snippet
    part = SessionView.open(view.source_path, view.ref, CLAUDE_CODE, entry_range=EntryRange(5, 7))
    assert [hit.line for hit in part.search("needle", raw=True).raw] == [6, 8]
    page = view.search("needle", raw=True, limit=1)
    assert page.raw
    assert view.search("needle", raw=True, limit=1, after=page.next).raw == ()


def test_a_match_in_the_name_of_a_tool_alone_has_no_place() -> None:
    call = {"type": "custom_tool_call", "name": "apply_patch", "call_id": "c", "input": "*** Begin"}
    view = SessionView.of([{"timestamp": "2026-06-01T09:00:00Z", "type": "response_item", "payload": call}], CODEX)
    (hit,) = view.search("pply_").hits
    assert (hit.line, hit.column, hit.offset, hit.spans, hit.matches) == (None, None, None, (), 1)
    assert hit.to_json()["line"] is hit.to_json()["column"] is hit.to_json()["offset"] is None
    assert hit.snippet == hit.evidence.label
    assert hit.place == "E0.0"
    (hit,) = view.search("begin").hits
    assert (hit.line, hit.column, hit.offset, hit.place) == (1, 5, 4, "E0.0:1")


@pytest.mark.parametrize(
    "query", ["café", "a/b", '"q"', "caf\\u00e9", "\U0001f600", "back\\slash", "two\nlines", "end"]
)
@pytest.mark.parametrize("torn", [False, True])
def test_a_raw_search_reads_escapes_too(tmp_path: Path, query: str, torn: bool) -> None:
    other = rb'{"type": "mode", "x": "caf\u00e9 a\/b \"q\" \ud83d\ude00 back\\slash two\nlines end"}'
    view = Growing(tmp_path, said(0, "hi") + b"\n" + (other[:-1] if torn else other) + b"\n").fresh()
    (hit,) = view.search(query, raw=True).raw
    assert hit.line == 2
    assert view.search("lash two\\n", raw=True).raw
    assert not view.search("caf\\x", raw=True).raw


@pytest.mark.parametrize("place", [*range(1048550, 1048580, 3), 1048576 + 13 * 6])
def test_a_raw_search_misses_no_escape_between_two_blocks(tmp_path: Path, place: int) -> None:
    filling = b"\\\\" * (place // 2) + b"x" * (place % 2)
    other = b'{"type": "mode", "x": "' + filling + rb"\u00e9\u00e8\u00e9" + b"y" * 2_000_000 + b'"}'
    view = Growing(tmp_path, said(0, "hi") + b"\n" + other + b"\n").fresh()
    assert len(view.search("éèé", raw=True).raw) == 1
