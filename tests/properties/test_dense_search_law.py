"""Every search, however much it finds, says of each piece how often a plain decoder finds the words in it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.contract.test_corpus import every_session, ours, plain
from tests.factories import KINDS
from tests.oracle.session import searchable
from tests.properties.test_prefix_law import files, opened
from tests.sessions import CODEX, view_of_lines
from unspool.search.needle import Case, Needle
from unspool.sources.json_value import leaves
from unspool.text import utf8
from unspool.views.filter import Filter
from unspool.views.view import SessionView

EVERY = Filter(reasoning=True, hidden=True, twins=False)
QUERIES = 40
"""For each session."""
BARE = "{}[]:,0123456789truefalsn.-eE "
ESCAPED = 'abcdefnrtu0123456789\\"\n\t/\x1b'
CASES: Sequence[Case] = ("ignore", "exact")

Fields = Mapping[str, Sequence[str]]
"""What is searched of each piece, by its id."""


def fields_of(view: SessionView) -> Fields:
    """What a view itself decodes, for sessions that only it has read."""
    found = {}
    for row in view.select(EVERY):
        text, value = view.text(view.id(row)), view.structure(row)
        fields = [text.read(0, text.size).decode()] if value is None else [*leaves(value)]
        found[str(view.id(row))] = [*fields, view.tool(row) or ""] if str(view.tool_part(row)) == "input" else fields
    return found


def queries(fields: Fields, chance: random.Random) -> Iterator[tuple[str, Case]]:
    """Words that stand there, in their own case or not; what stands between values; what escapes are made of."""
    texts = [text for each in fields.values() for text in each if text]
    for _ in range(QUERIES if texts else 0):
        text = chance.choice(texts)
        start = chance.randrange(len(text))
        words = text[start : start + chance.choice([1, 1, 1, 2, 2, 3, 4, 6, 10, 20])]
        bare = "".join(chance.choices(BARE, k=chance.randint(1, 3)))
        escaped = "".join(chance.choices(ESCAPED, k=chance.randint(1, 2)))
        yield chance.choice([words, words, words, words.upper(), words.swapcase(), bare, escaped]), chance.choice(CASES)


def expected(fields: Fields, needle: Needle) -> dict[str, int]:
    """How often each piece matches, decoded."""
    counts = {piece: sum(1 for text in texts for _ in needle.matches(utf8(text))) for piece, texts in fields.items()}
    return {piece: count for piece, count in counts.items() if count}


def check(view: SessionView, fields: Fields, seed: str) -> None:
    for query, case in queries(fields, random.Random(seed)):
        wanted = expected(fields, Needle.of(query, case))
        found = {str(view.id(row)): count for row, count in view.search_rows(query, EVERY, case=case)}
        assert found == wanted, (query, case)
        assert view.search(query, EVERY, case=case, limit=1).total == len(wanted), (query, case)


@every_session
def test_real_sessions_are_searched_as_a_plain_decoder_does(path: Path, shared: Path) -> None:
    pieces = [piece for piece in plain(path).pieces if not piece.flags & {"twin", "replayed"}]
    check(ours(path), {piece.id: searchable(piece) for piece in pieces}, path.name)


@pytest.mark.parametrize("kind", KINDS)
def test_made_up_sessions_are_searched_as_they_are_decoded(tmp_path: Path, kind: str) -> None:
    for agent, path, _ in files(tmp_path, kind, 1):
        view = opened(agent, path)
        check(view, fields_of(view), path.name)


@pytest.mark.parametrize("seed", range(6))
def test_documents_with_blanks_are_searched_as_they_are_decoded(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    words = ["true false", " null", "1", "a\nb", 'say "hi"', "c:\\n", "{}", ", ", "é", "Ⅷ ſ", ""]

    def value(depth: int) -> Any:
        leaf = chance.choice([*words, 12, -1.5, True, None])
        if depth == 0 or chance.random() < 0.2:
            return leaf
        many = [value(depth - 1) for _ in range(chance.randint(0, 3))]
        return many if chance.random() < 0.4 else {chance.choice(words): each for each in many}

    lines = []
    for number in range(40):
        arguments = json.dumps(
            {"command": value(3), "x": value(2)}, ensure_ascii=False, indent=chance.choice([None, 1])
        )
        call = {"type": "function_call", "name": "shell", "call_id": f"c{number}", "arguments": arguments}
        lines.append(json.dumps({"type": "response_item", "payload": call}, ensure_ascii=chance.random() < 0.2))
    view = view_of_lines(lines, tmp_path, CODEX)
    check(view, fields_of(view), str(seed))
