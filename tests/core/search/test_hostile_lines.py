"""Hits equal a naive search also where bytes are broken, records odd and lines glued; nothing makes a view fail."""

from __future__ import annotations

import json
from typing import Any

import pytest
import stringzilla
from hypothesis import given
from hypothesis import strategies as st

from tests.core.views.growing import Growing, called, portrait, said, texts
from tests.properties.laws import law, short_law
from tests.sessions import CLAUDE_CODE, CODEX
from unspool.formats.base import Format
from unspool.sources.json_value import leaves
from unspool.views.filter import Filter
from unspool.views.view import SessionView

EVERY = Filter(reasoning=True, hidden=True)
BROKEN = [b"\xe9", b"\xff", b"\xc3", b"\xf0\x9f", b"\xe6\x97", b"\x80", b"\xed\xa0\xbd"]
WORDS = ["needle", "Straße", "é", "🚀", "日本", "ſ", "İ", " ", '\\"', "\\\\", "\\n", "\\u00e9", "\\ud83d", "\\/"]
PIECES = st.lists(st.sampled_from([word.encode() for word in WORDS] + BROKEN), max_size=8).map(b"".join)
QUERIES = st.sampled_from(
    ["needle", "STRASSE", "É", "🚀", "本", "s", "i\u0307", '"', "\\", "\n", "\ufffd", "/", "le\ufffd"]
)


def folded(text: str) -> bytes:
    return bytes(stringzilla.utf8_uncased_fold(text.encode()))


def naive(view: SessionView, query: str, exact: bool) -> list[str]:
    """The ids of the pieces that hold a query in what is searched of them."""
    found = []
    for evidence_id, text in texts(view).items():
        row = view.row(evidence_id)
        arguments = view.arguments(row)
        fields = [text] if arguments is None else [*leaves(arguments)]
        fields += [view.tool(row) or ""] if str(view.tool_part(row)) == "input" else []
        if any(query in field if exact else folded(query) in folded(field) for field in fields):
            found.append(evidence_id)
    return found


def line(number: int, text: bytes, kind: int) -> bytes:
    """A record that holds these raw bytes inside a string of its own."""
    if kind == 0:
        return said(number, "HERE").replace(b"HERE", text)
    if kind == 1:
        return called(number, "HERE").replace(b"HERE", text)
    if kind == 2:
        return said(number, "HERE").replace(b"HERE", b"first\n" + text + b"\nlast")
    return b'{"type": "mode"}' + said(number, "HERE", "assistant").replace(b"HERE", text) + said(-number - 1, "glued")


@law
@given(st.lists(st.tuples(PIECES, st.integers(0, 3)), max_size=5), QUERIES, st.booleans())
def test_broken_bytes_hide_nothing_and_show_nothing(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[tuple[bytes, int]], query: str, exact: bool
) -> None:
    lines = [line(number, text, kind) + b"\n" for number, (text, kind) in enumerate(pieces)]
    view = Growing(tmp_path_factory.mktemp("broken"), b"".join(lines)).fresh()
    result = view.search(query, limit=1000, case="exact" if exact else "ignore")
    assert [str(hit.evidence.id) for hit in result.hits] == naive(view, query, exact)
    for hit in result.hits:
        if hit.spans and view.arguments(hit.evidence.row) is None:
            assert folded(query) in folded(hit.snippet)


NAMES = st.sampled_from(
    ["type", "message", "content", "payload", "uuid", "id", "role", "text", "input", "output", "call_id", "item", "x"]
)
SPEAKERS = st.sampled_from(["user", "assistant", "system", "attachment", "response_item", "event_msg", "compacted"])
BLOCKS = st.sampled_from(["tool_use", "tool_result", "text", "thinking", "image", "document", "message", "reasoning"])
ITEMS = st.sampled_from(["function_call", "function_call_output", "web_search_end", "image_generation_call"])
EVENTS = st.sampled_from(["user_message", "item_completed", "session_meta", "turn_context", "task_complete"])
TYPES = SPEAKERS | BLOCKS | ITEMS | EVENTS
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2**70) | st.sampled_from([1.5, "", "a", "<persisted-output>"]) | TYPES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=14,
)
RECORDS = st.lists(
    st.builds(lambda kind, rest: rest | {"type": kind}, TYPES, st.dictionaries(NAMES, VALUES)), max_size=6
)


@short_law
@given(RECORDS, st.sampled_from([CLAUDE_CODE, CODEX]))
def test_records_of_any_shape_are_read_without_a_fault(
    tmp_path_factory: pytest.TempPathFactory, records: list[dict[str, Any]], format: Format
) -> None:
    lines = [json.dumps(record).encode() + b"\n" for record in records]
    view = Growing(tmp_path_factory.mktemp("odd"), b"".join(lines), format).fresh()
    assert portrait(view)["counts"].total == view.rows
    ids = [view.id(row) for row in range(view.rows)]
    assert ids == sorted(set(ids))
    for row in range(view.rows):
        assert view.resolve(view.reference(view.id(row))).state == "intact"
        assert view.bytes(row) == view.slice(view.id(row)).total_bytes
    assert view.brief()
    assert view.stats().to_json()
