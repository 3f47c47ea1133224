"""Documents inside strings: their long strings are the same as decoded whole, and cost one walk together."""

from __future__ import annotations

import json
from typing import Any

import pytest

from unspool.columns.nested import Nested, raw_string, unfolded
from unspool.columns.piece_text import PieceText
from unspool.columns.segments import text_of
from unspool.formats.decoded import Decoded
from unspool.formats.piece import JsonPart, Kind, Piece
from unspool.sources.json_value import compact, leaves
from unspool.sources.structure import CLIP, Clipped, skeleton


class Counted:
    """A record that counts how many of its bytes are read."""

    def __init__(self, document: Any, *, escaped: bool = False) -> None:
        inner = json.dumps(document, ensure_ascii=escaped)
        self.data = json.dumps({"arguments": inner}, ensure_ascii=escaped).encode()
        self.bytes_read = 0

    def read(self, offset: int, length: int) -> bytes:
        found = self.data[offset : offset + length]
        self.bytes_read += len(found)
        return found

    def piece(self) -> Piece:
        folded = skeleton(self.read, len(self.data))["arguments"]
        assert isinstance(folded, Clipped)
        piece = Piece(0, Kind.TOOL, (JsonPart(("arguments",), folded, encoded=True),))
        return unfolded(Decoded("call", pieces=(piece,)), self.read).pieces[0]


def long(number: int, size: int = CLIP) -> str:
    return f'{number} é🚀 "quoted" back\\slash\n\t' * (size // 24)


@pytest.mark.parametrize("escaped", [True, False])
def test_a_document_in_a_string_has_the_text_of_the_document(escaped: bool) -> None:
    document = {"a": [long(n) for n in range(5)], "b": {"short": "é", "long": long(9, 3 << 20)}, "n": [1, None]}
    record = Counted(document, escaped=escaped)
    piece = record.piece()
    assert text_of(piece, record.read).read(0, 1 << 30).decode() == compact(document)


def test_each_long_string_of_a_document_is_read_alone() -> None:
    document = [long(n) for n in range(40)]
    record = Counted(document)
    (part,) = record.piece().parts
    assert isinstance(part, JsonPart)
    found = [leaf for leaf in leaves(part.value) if isinstance(leaf, Nested)]
    assert [PieceText([raw_string(record.read, leaf)]).read(0, 1 << 30).decode() for leaf in found] == document


def test_twice_as_many_long_strings_cost_twice_as_much_to_read() -> None:
    cost = []
    for number in (24, 48):
        record = Counted([long(n) for n in range(number)])
        piece = record.piece()
        text_of(piece, record.read).read(0, 1 << 30)
        cost.append(record.bytes_read / len(record.data))
    assert cost[1] < cost[0] * 1.1
