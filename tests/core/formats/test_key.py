"""Numbers that stand for what was said: the same in every process, and others for anything else."""

from __future__ import annotations

import os
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from unspool.formats.fingerprint import fingerprint
from unspool.formats.key import Said, key_of, text_key
from unspool.formats.piece import JsonPart, Kind, Piece, TextPart, ToolPart
from unspool.sources.json_value import Clipped

SAID: st.SearchStrategy[Said] = st.recursive(
    st.one_of(st.none(), st.integers(0, 1 << 60), st.text(), st.binary()),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=8,
)

PRINT = """
from tests.core.formats.test_key import pieces
from unspool.columns.records import check_of
from unspool.formats.fingerprint import fingerprint
print([fingerprint(piece) for piece in pieces()], [check_of(piece.text()) for piece in pieces()])
"""


def pieces() -> list[Piece]:
    """A call, a result, and texts that are hard to write down."""
    long = Clipped.of("head", (10, 5_000))
    return [
        Piece(0, Kind.TOOL, (JsonPart((), {"command": "ls", "long": long}),), ToolPart.INPUT, "Bash", "c1"),
        Piece(0, Kind.TOOL, (TextPart((), "a\0b"), TextPart((), "")), ToolPart.OUTPUT, None, "c1"),
        Piece(1, Kind.USER, (TextPart((), "half \ud83d, ключ, 鍵"),)),
    ]


def test_a_fingerprint_is_the_same_in_every_process() -> None:
    def told(seed: str) -> str:
        environ = {**os.environ, "PYTHONHASHSEED": seed}
        return subprocess.run(
            [sys.executable, "-c", PRINT], env=environ, capture_output=True, check=True
        ).stdout.decode()

    assert told("1") == told("2") != ""


def test_every_piece_has_a_fingerprint_of_its_own() -> None:
    assert len({fingerprint(piece) for piece in pieces()}) == len(pieces())


@given(SAID, SAID)
def test_keys_tell_apart_what_differs(one: Said, other: Said) -> None:
    assert (key_of(one) == key_of(other)) == (one == other)


def test_a_key_stands_for_the_order_too() -> None:
    assert len({key_of("a", "b"), key_of("b", "a"), key_of("ab"), key_of(("a", "b")), key_of("a", None, "b")}) == 5
    assert text_key("") != text_key("\0")
