"""Hits equal a naive search over the decoded texts and leaves, for every query."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import stringzilla
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sessions import CLAUDE_CODE, CODEX, MINICODE, YOI, Said, records_of, view_of, view_of_lines
from unspool.errors import BadQuery
from unspool.formats.base import Format
from unspool.sources.json_value import leaves
from unspool.views.filter import Filter
from unspool.views.view import SessionView

EVERY = Filter(reasoning=True, hidden=True)
HOSTILE = 'aAbß\u1e9esSkK\u212aéÉıİǅ日\U0001f680"\\/\n\t\r\x00\x1b\x7f{}[]:,0123.-eEtrufalsn ù\ufffd'

texts = st.text(st.sampled_from(HOSTILE), max_size=24)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from([1.5, -0.25, 1e30]) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
said = st.one_of(
    st.tuples(st.sampled_from(["user", "assistant", "reasoning", "output"]), texts),
    st.tuples(st.just("input"), st.dictionaries(texts, values, max_size=3)),
)
sessions = st.lists(said, max_size=8)
formats = st.sampled_from([CLAUDE_CODE, CODEX, YOI, MINICODE])


def folded(text: str) -> bytes:
    return bytes(stringzilla.utf8_uncased_fold(text.encode("utf-8", "replace")))


def contains(text: str, query: str, case: str) -> bool:
    if case == "exact":
        return query in text
    return folded(query) in folded(text)


def searched(view: SessionView, row: int) -> Iterator[str]:
    """Yield what one piece is searched by: its text, or its leaves and the tool's name."""
    arguments = view.arguments(row)
    piece = view.read(view.id(row), bounds=None).pieces[0]
    if arguments is None:
        yield piece.text
    else:
        yield from leaves(arguments)
    if str(view.tool_part(row)) == "input":
        yield view.tool(row) or ""


def naive(view: SessionView, query: str, case: str) -> list[str]:
    rows = view.select(EVERY)
    return [str(view.id(row)) for row in rows if any(contains(text, query, case) for text in searched(view, row))]


@settings(max_examples=400, deadline=None)
@given(sessions, formats, st.data(), st.sampled_from(["ignore", "exact"]))
def test_hits_equal_a_naive_search(spoken: list[Said], format: Format, data: st.DataObject, case: Any) -> None:
    view = view_of(spoken, format)
    known = "".join(text for row in view.select(EVERY) for text in searched(view, row))
    inside = st.integers(0, max(0, len(known) - 1)).flatmap(
        lambda start: st.integers(1, 6).map(lambda size: known[start : start + size])
    )
    query = data.draw(inside | st.text(st.sampled_from(HOSTILE), min_size=1, max_size=4))
    if not query:
        return
    result = view.search(query, case=case, limit=1000)
    assert [str(hit.evidence.id) for hit in result.hits] == naive(view, query, case)
    assert result.complete
    assert result.total == len(result.hits)


@settings(max_examples=150, deadline=None)
@given(sessions, formats, st.text(st.sampled_from('aAß\n \\"/é日k'), min_size=1, max_size=3), st.booleans())
def test_escaped_records_are_found_like_plain_ones(
    tmp_path_factory: pytest.TempPathFactory, spoken: list[Said], format: Format, query: str, solidus: bool
) -> None:
    lines = [json.dumps(record) for record in records_of(spoken, format)]
    if solidus:
        lines = [line.replace("/", "\\/") for line in lines]
    plain, escaped = view_of(spoken, format), view_of_lines(lines, tmp_path_factory.mktemp("lines"), format)
    assert [hit.evidence.id for hit in escaped.search(query, limit=1000).hits] == [
        hit.evidence.id for hit in plain.search(query, limit=1000).hits
    ]


@settings(max_examples=150, deadline=None)
@given(sessions, texts.filter(bool), st.integers(1, 3))
def test_pages_read_on_with_next_are_all_hits_once(spoken: list[Said], query: str, limit: int) -> None:
    view = view_of(spoken)
    whole = [hit.evidence.id for hit in view.search(query, limit=1000).hits]
    paged, after = [], None
    while True:
        page = view.search(query, limit=limit, after=after)
        assert page.total == len(whole)
        paged += [hit.evidence.id for hit in page.hits]
        after = page.next
        if after is None:
            break
    assert paged == whole


@settings(max_examples=200, deadline=None)
@given(sessions, formats, texts.filter(bool))
def test_the_first_match_stands_where_a_hit_says(spoken: list[Said], format: Format, query: str) -> None:
    view = view_of(spoken, format)
    for hit in view.search(query, case="exact", limit=1000).hits:
        text = view.read(hit.evidence.id).pieces[0].text
        if view.arguments(hit.evidence.row) is not None or not hit.spans:
            continue
        data = text.encode("utf-8")
        assert data[hit.offset :].startswith(query.encode("utf-8"))
        assert hit.line == data[: hit.offset].count(b"\n") + 1
        assert hit.column == len(data[: hit.offset].rpartition(b"\n")[2].decode()) + 1
        start, stop = hit.spans[0]
        assert hit.snippet[start:stop] == query


def test_an_empty_query_points_to_the_evidence_list() -> None:
    with pytest.raises(BadQuery, match="evidence"):
        view_of([("user", "hello")]).search("")


def test_base64_of_images_is_never_found() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo" * 9}}
    record = {"type": "user", "uuid": "u", "message": {"content": [{"type": "text", "text": "see"}, image]}}
    view = SessionView.of([record], CLAUDE_CODE)
    assert view.search("iVBORw0KGgo").total == 0
    assert view.search("[image image/png").total == 1
