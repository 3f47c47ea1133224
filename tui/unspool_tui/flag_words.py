"""What the flags of a piece say to people."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from unspool.formats.piece import Flag

RUNS: Final = "no result yet"


def flag_words(flags: Flag, lives: Callable[[], bool], without: frozenset[str] = frozenset()) -> str:
    """Return the names of the flags in brackets, but for those in `without`; empty for none.

    A call that nothing answers still runs where its session `lives`, which is looked up for such calls alone.
    """
    names = [name for name in flags.names() if name not in without]
    told = [RUNS if name == "unanswered" and lives() else name for name in names]
    return f"[{' '.join(told)}]" if told else ""
