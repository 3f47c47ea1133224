"""Numbers that stand for what was said, where much of it is remembered.

They are the same in every process, as those of `hash()` are not: what remembers them can be kept in a file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import stringzilla

_hash: Callable[[str | bytes | memoryview], int] = stringzilla.hash
_NOTHING: Final = 0x6E6F_7468_696E_67

Said = str | bytes | int | None | tuple["Said", ...]
"""What a key is made of: texts and numbers, one within another."""


def text_key(text: str | bytes | memoryview) -> int:
    """Return a number of 64 bits that tells a text from any other."""
    if isinstance(text, str) and not text.isascii():  # stringzilla trusts a string to be one, lone surrogates are none
        try:
            return _hash(text.encode())  # mostly there already, for whoever wrote it as JSON
        except UnicodeEncodeError:
            return _hash(text.encode("utf-8", "surrogatepass"))
    return _hash(text)


def key_of(*said: Said) -> int:
    """Return a number that tells what was said, in this order, from anything else."""
    return hash(tuple([_hash(each) if type(each) is str and each.isascii() else _number(each) for each in said]))


def _number(said: Said) -> int:
    if said is None:
        return _NOTHING
    if isinstance(said, int):
        return int(said)
    return key_of(*said) if isinstance(said, tuple) else text_key(said)
