"""Keys that waited are taken apart as they were typed."""

from __future__ import annotations

import pytest

from unspool_tui.held import typed_apart


@pytest.mark.parametrize(
    ("typed", "apart"),
    [
        (b"", []),
        (b"jjk", [b"jjk"]),
        (b"\x1bk", [b"\x1b", b"k"]),
        (b"j\x1b", [b"j", b"\x1b"]),
        (b"\x1b\x1b", [b"\x1b", b"\x1b"]),
        (b"\x1b[Aj", [b"\x1b[Aj"]),
        (b"x\x1b[A\x1bk\x1bOB", [b"x", b"\x1b[A", b"\x1b", b"k", b"\x1bOB"]),
    ],
)
def test_an_escape_that_waited_is_a_key_of_its_own_unless_it_begins_a_sequence(
    typed: bytes, apart: list[bytes]
) -> None:
    assert list(typed_apart(typed)) == apart
