"""What comes back of what a person takes away: copies, files for a pager, exports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from textual.message import Message

from unspool.dataclass import dataclass

if TYPE_CHECKING:
    from unspool.export import Exported
    from unspool.ids import EvidenceId
    from unspool.library.summary import SessionSummary
    from unspool.views.view import SessionView
    from unspool_tui.pager import Scratch
    from unspool_tui.present.cells import Row


@dataclass
class SessionLent(Message):
    """A session was read to be taken away, without being opened."""

    summary: SessionSummary
    view: SessionView


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
