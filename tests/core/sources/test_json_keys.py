from __future__ import annotations

import hashlib

import pytest

from tests.oracle import values as oracle
from tests.sessions import CODEX
from unspool.sources.json_value import compact, leaves, loads, loads_exact
from unspool.views.view import SessionView

keyed = [
    r'{"\ud83d":"firstvalue","\udc00":"secondvalue"}',
    r'{"a\ud83d":1,"a\udc00":2,"a\ufffd":3}',
    r'{"\ud83d\ude00":1,"\ude00\ud83d":2,"\ud83d":{"\udc00":3,"\udc01":4}}',
]


@pytest.mark.parametrize("written", keyed)
def test_keys_that_differ_in_lone_surrogates_alone_stay_apart(written: str) -> None:
    value = oracle.decode_whole(written)
    for decoded in (loads(written.encode()), loads_exact(written)):
        assert compact(decoded) == oracle.compact(value)
        assert sorted(leaves(decoded)) == sorted(oracle.leaves(value))


@pytest.mark.parametrize("written", keyed)
def test_a_call_with_such_keys_is_found_shown_and_cited_by_all_its_values(written: str) -> None:
    call = {"type": "function_call", "name": "f", "call_id": "c", "arguments": written}
    view = SessionView.of([{"timestamp": "2026-06-01T09:00:00Z", "type": "response_item", "payload": call}], CODEX)
    text = view.read("E0.0").pieces[0].text
    assert text == oracle.compact(oracle.decode_whole(written))
    assert view.resolve("E0.0").digest == hashlib.sha256(text.encode()).hexdigest()
    for leaf in oracle.leaves(oracle.decode_whole(written)):
        (hit,) = view.search(leaf).hits
        assert hit.offset is not None
        assert text.encode()[hit.offset :].startswith(leaf.encode())
