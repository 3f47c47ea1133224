"""A folder of blobs, read as a session: each is the output of a call that nothing is known of.

The records are those of `sources.blob_folder`. A piece's text is the blob itself; its record holds only the id.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from unspool.errors import BadReference
from unspool.formats.base import Mark
from unspool.formats.decoded import Decoded
from unspool.formats.facts import Facts
from unspool.formats.fields import text
from unspool.formats.piece import Flag, Kind, Piece, TextPart, ToolPart
from unspool.ids import BlobId


class BlobsFormat:
    """Records that each name a blob."""

    agent = "blobs"

    def detect(self, head: Sequence[Mapping[str, Any]]) -> bool:
        """Refuse: a folder of blobs is known by the names in it, and no file is one."""
        return False

    def decode(self, record: Mapping[str, Any]) -> Decoded:
        """Turn a record into the blob that it names."""
        named = text(record.get("blob"))
        try:
            blob = BlobId.parse(named or "")
        except BadReference:
            return Decoded("(no blob)", known=False)
        piece = Piece(
            0,
            Kind.TOOL,
            (TextPart(("blob",), named or ""),),
            ToolPart.OUTPUT,
            tool=text(record.get("kind")),
            call_id=named,
            native_id=named,
            blob=blob,
        )
        return Decoded("blob", pieces=(piece,), time=blob.made_at, native_id=named)

    def fold(self) -> BlobsFold:
        """Return a fresh state."""
        return BlobsFold()

    def headline(self, tool: str, arguments: Any) -> str:
        """Return nothing: there are no calls."""
        return ""

    def files(self, tool: str, arguments: Any) -> tuple[str, ...]:
        """Return nothing: there are no calls."""
        return ()

    def detail(self, record: Mapping[str, Any]) -> Any | None:
        """Return nothing: a blob is all there is."""
        return None


class BlobsFold:
    """Takes the name of the folder from the first record. That nothing is known of a blob's call is no oddity."""

    def __init__(self) -> None:
        self.facts = Facts()

    def add(self, record: Mapping[str, Any], decoded: Decoded, rows: range) -> Iterator[Mark]:
        """Take the next record."""
        folder = text(record.get("folder"))
        if folder is not None and self.facts.cwd is None:
            self.facts.cwd = folder
            self.facts.generated_title = f"Stored outputs in {folder}"
        return (Mark(row, Flag.ORPHAN, on=False) for row in rows)


BLOBS: Final = BlobsFormat()
