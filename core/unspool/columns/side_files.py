"""Where the full text of a persisted output lies: looked up in the session's own folder, or among its blobs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from unspool.columns.stored_blob import StoredBlob
from unspool.dataclass import dataclass, field
from unspool.errors import BlobError, BlobNotFound, SourceChanged
from unspool.formats.piece import TextPart, ToolPart
from unspool.outputs.marker import BLOB_OPENING, OPENING, BlobMarker, parse_blob_marker, parse_marker
from unspool.stores.artifacts import ArtifactFolder, RefusedArtifact, SideFile, changed_at
from unspool.text import utf8

if TYPE_CHECKING:
    from unspool.blobs.store import BlobStore
    from unspool.formats.piece import Piece
    from unspool.outputs.marker import Marker

_TEXT: Final = ".txt"

OPENINGS: Final = (OPENING, BLOB_OPENING)
"""How every text begins that stands in the place of a longer one."""

NOT_FOUND = "full output not found"
BEING_WRITTEN = "full output not found: the saved file was being written when it was looked at"
BLOB_NOT_FOUND = "blob not found"
OTHERWISE = "the saved output does not begin as the log shows it: it may be that of another call"
LEAVES = "full output not found: the saved path leaves the session's folder and is not opened"


@dataclass(frozen=True, slots=True)
class Located:
    """The result of a look-up: a file or blob, or a notice that says why there is none (or whose it is)."""

    file: SideFile | StoredBlob | None
    notice: str | None


@dataclass(frozen=True, slots=True)
class SideFiles:
    """Looks up side files of one session.

    `folder` is the session's own; `shares` says whether another session of the same project (by id) holds the given
    call, as a fork's origin does. `blobs` is where the session's blobs lie; without one, no text names any.
    `looked_into` are the folders in which files were looked for so far.
    """

    folder: ArtifactFolder | None
    shares: Callable[[str, str], bool] = lambda session_id, call_id: False
    blobs: BlobStore | None = None
    looked_into: set[ArtifactFolder] = field(default_factory=set)

    def locate_piece(self, piece: Piece, owns: Callable[[str], bool] = lambda name: False) -> Located | None:
        """Find the file or blob of a persisted output; `None` for every other piece."""
        if piece.blob is not None:
            return self.locate_blob(BlobMarker(piece.blob))
        if piece.tool_part != ToolPart.OUTPUT or not piece.parts or not isinstance(piece.parts[0], TextPart):
            return None
        head = piece.parts[0].value
        if head.startswith(OPENING) and (marker := parse_marker(head)) is not None:
            return self.locate(marker, piece.call_id, owns)
        blob = parse_blob_marker(head) if head.startswith(BLOB_OPENING) and len(piece.parts) == 1 else None
        return self.locate_blob(blob) if blob is not None else None

    def locate(self, marker: Marker, call_id: str | None, owns: Callable[[str], bool]) -> Located:
        """Find the file of a marker: by its name, by the call's id, then in the session or run that the path names.

        `owns` says whether a text is the id of another call of this session.
        """
        if self.folder is None:
            return Located(None, LEAVES if marker.leaves else NOT_FOUND)
        refused = LEAVES if marker.leaves else None
        for folder in self._folders(marker, call_id):
            for name in _names(marker, call_id):
                try:
                    file = folder.find(name)
                except RefusedArtifact as error:
                    refused = refused or f"{NOT_FOUND}: {error}"
                    continue
                if file is not None:
                    return Located(file, _owner(name, call_id, owns) or _otherwise(file, marker))
        return Located(None, refused or NOT_FOUND)

    def locate_blob(self, marker: BlobMarker) -> Located | None:
        """Find the blob of a marker, `None` for sessions that have no blobs; nothing but blobs is ever opened."""
        if self.blobs is None:
            return None
        if marker.id is None:
            return Located(None, BLOB_NOT_FOUND)
        try:
            return Located(StoredBlob.find(self.blobs, marker.id), None)
        except BlobNotFound:
            return Located(None, BLOB_NOT_FOUND)
        except BlobError as error:
            return Located(None, f"{BLOB_NOT_FOUND}: {error}")

    def is_other(self, located: Located, *, missing: bool) -> bool:
        """Say whether a look-up may give something else now; of what was `missing` only the caller knows."""
        file = located.file
        if not isinstance(file, SideFile):
            in_the_way = located.notice not in (NOT_FOUND, LEAVES, BLOB_NOT_FOUND)  # it may go without a trace
            return file is None and (missing or in_the_way)
        try:
            return file.folder.find(file.name) != file
        except RefusedArtifact:
            return True

    @property
    def paths(self) -> frozenset[str]:
        """The session's folder, others that were looked into, and that of its blobs, existing or not."""
        own = [self.folder] if self.folder is not None else []
        blobs = getattr(self.blobs, "root", None)  # a store may also be in memory
        folders = (folder.path for folder in (*own, *self.looked_into))
        return frozenset(folders if blobs is None else (*folders, str(blobs)))

    def changed_at(self) -> Mapping[str, int | None]:
        """Return when a file was last added to each of these folders, in nanoseconds; `None` while it is not there."""
        return {path: changed_at(path) for path in self.paths}

    def _folders(self, marker: Marker, call_id: str | None) -> list[ArtifactFolder]:
        """Return the folders to look into; those of others only for a call that is theirs too, as a copy's is."""
        if self.folder is None:
            return []
        others: list[ArtifactFolder | None] = []
        other = marker.session_id
        if other and call_id and other not in self.folder.steps and self._is_shared(marker, other, call_id):
            others.append(self.folder.sibling(other))
        if marker.is_of(call_id):
            others.append(self.folder.run(marker.folders))
        folders = [self.folder, *(each for each in others if each is not None)]
        self.looked_into.update(folders)
        return folders

    def _is_shared(self, marker: Marker, session_id: str, call_id: str) -> bool:
        if self.shares(session_id, call_id):
            return True
        return self.folder is not None and marker.is_of(call_id) and self.folder.is_bereft(session_id)


def _names(marker: Marker, call_id: str | None) -> list[str]:
    names = [marker.name] if marker.name else []
    if call_id:
        names += [f"{call_id}{ending}" for ending in (_TEXT, ".json")]
    return list(dict.fromkeys(names))


def _otherwise(file: SideFile, marker: Marker) -> str | None:
    """Return a notice when a saved text does not begin as the log shows it: two calls may have had one name."""
    shown = utf8(marker.beginning)
    if not shown or not file.name.endswith(_TEXT):
        return None
    try:
        return None if file.read(0, len(shown)) == shown else OTHERWISE
    except SourceChanged:
        return None


def _owner(name: str, call_id: str | None, owns: Callable[[str], bool]) -> str | None:
    stem = name.rpartition(".")[0] or name
    return f"this is the saved output of call {stem}" if stem != call_id and owns(stem) else None
