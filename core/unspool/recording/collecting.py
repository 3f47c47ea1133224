"""The search for garbage, paused while much is made that stays.

Else all of it is walked through again and again, which takes as long as reading it.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def no_collecting() -> Iterator[None]:
    """Look for no garbage meanwhile, unless nobody does anyway."""
    paused = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if paused:
            gc.enable()
