r"""How raw JSON may hide a fragment of a text that stands in it: by `\uXXXX`, and a `/` by a backslash before it."""

from __future__ import annotations

from typing import Final

import stringzilla

from unspool.pattern import pattern

ESCAPE_BYTES: Final = 6
"""Bytes of an escape."""

_ESCAPE: Final = pattern(rb"\\u(?!00[01])[0-9A-Fa-f]{4}")
"""An escape of a character that a fragment may hold: no control."""


def find_escape(raw: bytes | memoryview, start: int) -> int:
    """Return the next escape that may stand for a character of a fragment, -1 for none.

    Nearly all escapes are those of controls, such as colours begin with: to count them is quicker than to look at each.
    """
    if not start:
        left = _count(raw, b"\\u")
        for control in (b"\\u001", b"\\u000"):
            left -= _count(raw, control) if left else 0
        if not left:
            return -1
    found = _ESCAPE.search(raw, start)
    return -1 if found is None else found.start()


def find_solidus(raw: bytes | memoryview, start: int) -> int:
    """Return the next `/` behind a backslash, -1 for none."""
    return int(stringzilla.find(raw, b"\\/", start))


def _count(raw: bytes | memoryview, mark: bytes) -> int:
    return int(stringzilla.count(raw, mark))
