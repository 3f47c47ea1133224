"""What comes back about the session that is open: its view, how it grows, its thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.message import Message

from unspool.dataclass import dataclass

if TYPE_CHECKING:
    from unspool.follow.events import Event
    from unspool.follow.tail import Tail
    from unspool.ids import SessionRef
    from unspool.library.summary import SessionSummary
    from unspool.views.evidence import Evidence
    from unspool.views.hits import Hit
    from unspool.views.overview import Overview
    from unspool.views.view import SessionView
    from unspool_tui.present.choosing import Choice
    from unspool_tui.present.overview_rows import Thread


@dataclass
class SessionOpened(Message):
    """A session was opened, at a row when one was named.

    `prompts` are the rows of what people wrote. `absence` says why there is no row for the piece that was named. `tail`
    follows the session.
    """

    view: SessionView
    prompts: Sequence[int]
    row: int | None = None
    line: int | None = None
    absence: str = ""
    tail: Tail | None = None


@dataclass
class EndOpened(Message):
    """The newest lines of a session that is still being read were opened; `None` where they cannot be, or need not."""

    view: SessionView | None


@dataclass
class SessionGrown(Message):
    """Something happened to the session that is open: what was `view` is `grown` now.

    Rows below `kept` are those of before, but for `restored`, whose saved output changed; the others are new. `choice`
    is what the list chose, of the newer view, `None` where it is to be asked for again; `evidence` and `hits` are the
    words of the newest rows. `gone` says that the file is no longer there, `asked` that a person asked.
    """

    view: SessionView
    grown: SessionView
    kept: int
    restored: tuple[int, ...]
    events: tuple[Event, ...]
    prompts: Sequence[int]
    choice: Choice | None
    evidence: tuple[Evidence, ...]
    hits: Mapping[int, Hit]
    gone: bool = False
    asked: bool = False


@dataclass
class PartBegun(Message):
    """The session whose newest part is open goes on in another one."""

    ref: SessionRef
    part: SessionRef


@dataclass
class SessionKnown(Message):
    """The list's row of the session that is open was found."""

    summary: SessionSummary


@dataclass
class OverviewBegun(Message):
    """The beginning of a thread was read."""

    view: SessionView
    overview: Overview


@dataclass
class OverviewRead(Message):
    """The thread of a session was read, which took some `seconds`."""

    view: SessionView
    overview: Overview
    seconds: float = 0.0


@dataclass
class ThreadLaidOut(Message):
    """A long thread was wrapped for a width."""

    overview: Overview
    width: int
    thread: Thread
