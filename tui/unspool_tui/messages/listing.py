"""What comes back about the list of sessions: which there are, and what a row or a preview of one tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from unspool.dataclass import dataclass

if TYPE_CHECKING:
    from unspool.ids import SessionRef
    from unspool.library.facade import Library
    from unspool.library.summary import SessionSummary
    from unspool_tui.demo import Stage
    from unspool_tui.present.empty_rows import Place
    from unspool_tui.present.preview_rows import Preview
    from unspool_tui.present.session_row import Details


@dataclass
class SessionsFound(Message):
    """Sessions were found; `done` with the last of them, then `places` says where was looked."""

    generation: int
    summaries: tuple[SessionSummary, ...]
    done: bool
    places: tuple[Place, ...] = ()


@dataclass
class SessionsRelisted(Message):
    """The sessions were listed again, all of them, and are not what they were."""

    summaries: tuple[SessionSummary, ...]
    places: tuple[Place, ...]


@dataclass
class RootsPolled(Message):
    """Changes under the roots are found by looking again and again, for a `reason`; or (`None`) no longer."""

    reason: str | None


@dataclass
class DemoBegun(Message):
    """The scripted agent plays, and writes a session that a library of its own has."""

    stage: Stage
    library: Library


@dataclass
class SessionMeasured(Message):
    """A session was read in full for its row."""

    ref: SessionRef
    details: Details


@dataclass
class PreviewRead(Message):
    """A session was read for the preview; `note` says why there is none."""

    ref: SessionRef
    preview: Preview | None
    note: str = ""


@dataclass
class PathsListed(Message):
    """Paths that begin as typed were found."""

    typed: str
    paths: tuple[str, ...]
