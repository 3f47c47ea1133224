"""Columns that grow for hours, in mappings of their own, where the C library can be told so."""

from __future__ import annotations

import sys
from typing import Final

MMAP_THRESHOLD: Final = -3
"""The parameter of glibc's `mallopt(3)`: the least bytes of a block that gets a mapping of its own."""

LEAST: Final = 256 << 10
"""Bytes of such a block: more than is read at once of a session that is followed."""


def map_what_grows() -> None:
    """Have large blocks lie in mappings of their own, which grow where they are; where that cannot be had, nothing.

    By itself glibc raises the limit to the largest block that was ever freed, up to 32 MB. What grows below it is
    copied from place to place, and leaves holes: an eighth of what a followed session of half a million pieces takes.
    """
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    set_parameter = getattr(ctypes.CDLL(None), "mallopt", None)  # other C libraries have none
    if set_parameter is not None:
        set_parameter(MMAP_THRESHOLD, LEAST)
