"""Where a piece lies in its source, and whether it is still what was quoted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from unspool.dataclass import dataclass, replace

if TYPE_CHECKING:
    from unspool.formats.piece import Pointer
    from unspool.ids import EntryRange, EvidenceId, SessionRef

State = Literal["intact", "changed", "missing", "source gone", "unverified"]


@dataclass(frozen=True, slots=True)
class SourceAnchor:
    """The place of a piece in its source.

    `byte_range` is the whole record (half open; offsets of the decompressed stream for compressed sources), `pointers`
    lead from the record to the text's parts: decoding the range and following them gives the text. For a range of
    several pieces the fields of one piece are `None` and `pieces` lists the ids.
    """

    session: SessionRef
    source: str
    entry_range: EntryRange
    byte_range: tuple[int, int] | None
    pointers: tuple[Pointer, ...]
    native_id: str | None
    evidence_id: EvidenceId | None
    kind: str | None
    tool_part: str | None
    label: str | None
    summary: str | None
    digest: str | None
    pieces: tuple[EvidenceId, ...]
    state: State

    def without_lines(self) -> SourceAnchor:
        """Return the anchor of a piece that has not the lines that were asked for."""
        return replace(self, state="missing")

    @property
    def part(self) -> str | None:
        """The part or subagent of the session that holds the piece."""
        return self.session.part

    @property
    def pointer(self) -> str | list[str]:
        """The pointers by RFC 6901: one as text, several as a list."""
        written = [json_pointer(pointer) for pointer in self.pointers]
        return written[0] if len(written) == 1 else written

    def to_json(self) -> dict[str, Any]:
        """Return the anchor of the command's JSON; `pointer` is RFC 6901, a list where there are several parts."""
        return {
            "session": str(self.session.session),
            "part": self.part,
            "source": self.source,
            "entry_range": self.entry_range.to_json(),
            "byte_range": list(self.byte_range) if self.byte_range else None,
            "pointer": self.pointer,
            "native_id": self.native_id,
            "evidence_id": str(self.evidence_id) if self.evidence_id else None,
            "kind": self.kind,
            "tool_part": self.tool_part,
            "label": self.label,
            "summary": self.summary,
            "digest": self.digest,
            "pieces": [str(piece) for piece in self.pieces],
            "state": self.state,
        }


def json_pointer(pointer: Pointer) -> str:
    """Write a pointer by RFC 6901."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in pointer)
