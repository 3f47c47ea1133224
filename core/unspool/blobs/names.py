"""What the files of blobs are called: `<id>.txt` for a text, `<id>.json` for a JSON value, in one flat folder."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Final

from unspool.blobs.digests import NAME as DIGESTS
from unspool.errors import BadReference
from unspool.ids import BlobId

if TYPE_CHECKING:
    from unspool.blobs.content import Kind

ENDINGS: Final[Mapping[Kind, str]] = {"text": ".txt", "json": ".json"}
"""The ending of each kind, in the order in which they are tried: where both are there, the text is the blob."""

LOOKED_AT: Final = 1_000
"""Names that are looked at to tell a folder of blobs from any other: in one there is hardly anything else."""


def blob_id_of(name: str) -> BlobId | None:
    """Return the id that a file's name stands for; only canonical names stand for one."""
    stem, dot, ending = name.partition(".")
    if dot + ending not in ENDINGS.values():
        return None
    try:
        blob_id = BlobId.parse(stem)
    except BadReference:
        return None
    return blob_id if str(blob_id) == stem else None


def listing(folder: str | os.PathLike[str]) -> list[tuple[BlobId, Kind]]:
    """Return the blobs of a folder, oldest first, with what each is by its name; raises `OSError`."""
    names = set(os.listdir(folder))
    kinds = {blob_id: kind for kind in reversed(tuple(ENDINGS)) for blob_id in _ids(names, ENDINGS[kind])}
    return sorted(kinds.items())


def total_bytes(folder: str | os.PathLike[str], blobs: Iterable[tuple[BlobId, Kind]]) -> int:
    """Return the bytes of some blobs of a folder together, those that are gone left out; raises `OSError`."""
    total = 0
    for blob_id, kind in blobs:
        with contextlib.suppress(FileNotFoundError):
            name = os.path.join(folder, f"{blob_id}{ENDINGS[kind]}")
            total += os.stat(name, follow_symlinks=False).st_size
    return total


def holds_blobs(folder: str | os.PathLike[str]) -> bool:
    """Say whether a folder is one of blobs, by the names in it; what cannot be listed is none."""
    try:
        with os.scandir(folder) as entries:
            return any(entry.name == DIGESTS or blob_id_of(entry.name) for entry in islice(entries, LOOKED_AT))
    except OSError:
        return False


def _ids(names: Iterable[str], ending: str) -> Iterator[BlobId]:
    return (blob_id for name in names if name.endswith(ending) and (blob_id := blob_id_of(name)) is not None)
