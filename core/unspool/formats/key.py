"""Numbers that stand for what was said, where much of it is remembered.

They are the same in every process, as those of `hash()` are not: what remembers them can be kept in a file.
"""

from __future__ import annotations

from typing import Final

import stringzilla

_NOTHING: Final = 0x6E6F_7468_696E_67

Said = str | bytes | int | None | tuple["Said", ...]
"""What a key is made of: texts and numbers, one within another."""


def text_key(text: str | bytes) -> int:
    """Return a number of 64 bits that tells a text from any other."""
    return int(stringzilla.hash(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")))


def key_of(*said: Said) -> int:
    """Return a number that tells what was said, in this order, from anything else."""
    return hash(tuple([_number(each) for each in said]))


def _number(said: Said) -> int:
    if isinstance(said, (str, bytes)):
        return text_key(said)
    if isinstance(said, tuple):
        return key_of(*said)
    return _NOTHING if said is None else int(said)
