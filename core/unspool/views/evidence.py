"""One row of the evidence index, and pages of them."""

from __future__ import annotations

from typing import Any

from unspool.dataclass import dataclass
from unspool.formats.piece import Flag, Kind, ToolPart
from unspool.ids import BlobId, EntryRange, EvidenceId


@dataclass(frozen=True, slots=True)
class Evidence:
    """One piece as the index shows it.

    `time` is in milliseconds since 1970 UTC, `None` when the record has none. `bytes` and `lines` measure the full
    text (also of a persisted output), `model_bytes` what the model saw, `None` when that is the same. `summary` is the
    text's first line that says something, at most 200 characters, uncleaned. `files` are paths that the call names.
    `exit_code` is what a tool output reports, where it does. `blob` is the stored output that holds the full text.
    """

    id: EvidenceId
    row: int
    kind: Kind
    tool_part: ToolPart | None
    tool: str | None
    call_id: str | None
    peer: EvidenceId | None
    peers: tuple[EvidenceId, ...]
    label: str
    summary: str
    time: int | None
    bytes: int
    model_bytes: int | None
    lines: int
    images: int
    files: tuple[str, ...]
    flags: Flag
    native_id: str | None
    exit_code: int | None = None
    blob: BlobId | None = None

    @property
    def is_output(self) -> bool:
        """Whether the piece is what a tool gave back."""
        return self.tool_part is ToolPart.OUTPUT

    @property
    def failed(self) -> bool:
        """Whether this is an output that failed."""
        return self.is_output and (Flag.ERROR in self.flags or self.exit_code not in (None, 0))

    @property
    def entry_range(self) -> EntryRange:
        """The entry that holds the piece, as a range."""
        return EntryRange(self.id.entry, self.id.entry)

    def to_json(self) -> dict[str, Any]:
        """Return the row of the command's JSON."""
        from unspool.views.times import iso

        return {
            "id": str(self.id),
            "entry_range": self.entry_range.to_json(),
            "kind": str(self.kind),
            "tool_part": str(self.tool_part) if self.tool_part is not None else None,
            "tool": self.tool,
            "call_id": self.call_id,
            "peer": str(self.peer) if self.peer else None,
            "peers": [str(peer) for peer in self.peers],
            "label": self.label,
            "summary": self.summary,
            "time": iso(self.time),
            "bytes": self.bytes,
            "model_bytes": self.model_bytes,
            "lines": self.lines,
            "images": self.images,
            "files": list(self.files),
            "flags": list(self.flags.names()),
            "native_id": self.native_id,
        } | ({"blob": str(self.blob)} if self.blob is not None else {})


@dataclass(frozen=True, slots=True)
class EvidencePage:
    """Some rows of the index; `total` counts all that fit the filter, `next` continues, `None` at the end."""

    items: tuple[Evidence, ...]
    total: int
    next: str | None
