"""What comes back from workers: past events that carry their question, so that a stale answer can be dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from textual.message import Message

from unspool.dataclass import dataclass

if TYPE_CHECKING:
    from unspool.export import Exported
    from unspool.follow.events import Event
    from unspool.follow.tail import Tail
    from unspool.ids import EvidenceId, SessionRef
    from unspool.library.facade import Library
    from unspool.library.summary import SessionSummary
    from unspool.views.evidence import Evidence
    from unspool.views.hits import Hit
    from unspool.views.overview import Overview
    from unspool.views.view import SessionView
    from unspool_tui.demo import Stage
    from unspool_tui.pager import Scratch
    from unspool_tui.present.cells import Row
    from unspool_tui.present.choosing import Choice
    from unspool_tui.present.empty_rows import Place
    from unspool_tui.present.opening import OpenedPiece
    from unspool_tui.present.overview_rows import Thread
    from unspool_tui.present.preview_rows import Preview
    from unspool_tui.present.session_row import Details
    from unspool_tui.present.weighing import Touched, Weighed
    from unspool_tui.present.windows import Window


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
class SessionOpened(Message):
    """A session was opened, at a row when one was named.

    `prompts` are the rows of what people wrote, `tools` the names of the tools, most used first. `absence` says why
    there is no row for the piece that was named. `tail` follows the session.
    """

    view: SessionView
    prompts: Sequence[int]
    tools: tuple[str, ...]
    row: int | None = None
    line: int | None = None
    absence: str = ""
    tail: Tail | None = None


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
class SessionLent(Message):
    """A session was read to be taken away, without being opened."""

    summary: SessionSummary
    view: SessionView


@dataclass
class PathsListed(Message):
    """Paths that begin as typed were found."""

    typed: str
    paths: tuple[str, ...]


@dataclass
class SessionKnown(Message):
    """The list's row of the session that is open was found."""

    summary: SessionSummary


@dataclass
class Chosen(Message):
    """A filter line was answered, perhaps in part."""

    generation: int
    choice: Choice


@dataclass
class LedgerWeighed(Message):
    """The outputs that a filter line chooses were weighed, perhaps in part."""

    generation: int
    weighed: Weighed


@dataclass
class PathsTouched(Message):
    """The paths that pieces touch were looked for, perhaps in part."""

    generation: int
    touched: Touched


@dataclass
class RowsRead(Message):
    """The words of rows were read, and their matches when something is searched."""

    view: SessionView
    query: str
    evidence: tuple[Evidence, ...]
    hits: Mapping[int, Hit]


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


@dataclass
class PieceRead(Message):
    """A piece was read for the reader: what it is, and the window it opens with."""

    generation: int
    opened: OpenedPiece


@dataclass
class MatchFound(Message):
    """A walk from match to match came to a piece, `None` when no piece holds one; `wrapped` past an end of the list."""

    generation: int
    words: str
    by: int
    row: int | None
    wrapped: bool


@dataclass
class WindowRead(Message):
    """The reader's wish was answered; `None` when there is no further match."""

    generation: int
    window: Window | None


@dataclass
class TextTaken(Message):
    """Something was read to be copied, uncleaned: of a `piece`, or the command that goes on with the session.

    A text that is longer than a clipboard takes is empty; `bytes` says how long it is.
    """

    what: Literal["reference", "text", "command", "exact", "resume"]
    text: str
    bytes: int
    piece: EvidenceId | None = None


@dataclass
class Copied(Message):
    """A text was handed to the program `by`, `None` when the terminal is to be asked; `told` names it."""

    text: str
    told: Row
    by: str | None


@dataclass
class PieceWritten(Message):
    """A piece was written for a `command` that shows it; the last `left` bytes of it were not."""

    scratch: Scratch
    command: tuple[str, ...]
    left: int


@dataclass
class FolderOffered(Message):
    """A folder was found that files can be written to."""

    folder: str


@dataclass
class PlaceKnown(Message):
    """It was looked where a file is to be written: what is in the way, else whether something is there already."""

    generation: int
    said: str
    taken: bool


@dataclass
class ExportCounted(Message):
    """The pieces of an export were counted, and the secrets in them unless that is `None`.

    `counting` says that the secrets are being counted.
    """

    generation: int
    pieces: int
    bytes: int
    redactions: Mapping[str, int] | None
    counting: bool = False


@dataclass
class ExportMoved(Message):
    """An export of `total` pieces came so far."""

    exported: Exported
    total: int


@dataclass
class ExportEnded(Message):
    """A file was written."""

    exported: Exported
    path: str
    bytes: int


@dataclass
class ExportRefused(Message):
    """No file was written: something of its name is there."""

    path: str


@dataclass
class RecordRead(Message):
    """A record was read as it is stored; `line` counts from 1."""

    line: int
    text: str


@dataclass
class SessionHitsFound(Message):
    """A session holds what was searched over all; `total` counts its matching pieces, `hits` are the first of them."""

    generation: int
    summary: SessionSummary
    hits: tuple[Hit, ...]
    total: int


@dataclass
class SearchEnded(Message):
    """A search over all sessions is through, or was `cut` where there was too much."""

    generation: int
    cut: bool


@dataclass
class Failed(Message):
    """A worker could not do what it was asked; `said` is one line for a person, uncleaned.

    `changed` says that the source is no longer what the view is of.
    """

    question: str
    said: str
    generation: int = 0
    changed: bool = False
