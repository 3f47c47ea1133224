"""What following says: whether the session lives, whether the list follows it, and what came since one looked."""

from __future__ import annotations

from typing import Final

from unspool.dataclass import dataclass
from unspool_tui.present import marks, numbers
from unspool_tui.present.cells import GAP, Row

IDLE_FROM: Final = 5
"""Seconds without a change from which on it is said how many they are: agents think that long between two records."""

LIVE_SECONDS: Final = 120
"""Seconds after a change for which a session counts as live, as in the list."""

FOLLOWING: Final = "following"
STAYING: Final = "not following, "


@dataclass(frozen=True, slots=True)
class Pulse:
    """How it goes with the file of a session.

    `waiting` says that the records end where a person is to go on, which somebody waits for while the session lives.
    `idle` are the seconds since it changed, `None` while it has not changed since it was opened. `said` is what
    happened to it last, other than growing. `pending` are the bytes of a line that is being written. `gone` says that
    the file is no longer there, `polling` that its folders are looked at again and again.
    """

    live: bool = False
    waiting: bool = False
    idle: int | None = None
    said: str = ""
    pending: int = 0
    gone: bool = False
    polling: bool = False


def pulse_row(pulse: Pulse) -> Row:
    """Return the words at the right end of the top bar."""
    if pulse.gone:
        return ((f"  {marks.ERROR} source gone", "error bold"),)
    live = pulse.live if pulse.idle is None else pulse.idle < LIVE_SECONDS
    row: Row = ()
    if pulse.waiting and (live or pulse.live):
        row = ((f"  {marks.WAITING} waits for you", "user bold"),)
    elif live:
        row = ((f"  {marks.LIVE} live", "live bold"),)
    facts = [pulse.said] if pulse.said else []
    facts += [f"{numbers.size(pulse.pending)} pending"] if pulse.pending else []
    facts += [f"idle {_duration(pulse.idle)}"] if pulse.idle is not None and pulse.idle >= IDLE_FROM else []
    facts += ["polling"] if pulse.polling else []
    for fact in facts:
        row = (*row, GAP, (fact, "muted"))
    return row


def follow_row(key: str, *, following: bool) -> Row:
    """Return what the key bar says of the list: that it follows, or which key lets it."""
    if following:
        return ((FOLLOWING, "live"),)
    return ((STAYING, "muted"), (key, "text bold"), (" follows", "muted"))


def new_row(new: int, key: str) -> Row:
    """Return the chip over the last row of a list that something came behind."""
    return ((f" {marks.BELOW} {numbers.count(new)} new ", "live bold on chip"), (f"{key} ", "text bold on chip"))


def seen_row(width: int) -> Row:
    """Return the line between what was seen and what came since."""
    said = " new since you looked "
    return (("  ", "text"), (marks.SEAM * 6, "faint"), (said, "live"), (marks.SEAM * max(0, width - 30), "faint"))


def _duration(seconds: int | None) -> str:
    return numbers.duration((seconds or 0) * 1000)
