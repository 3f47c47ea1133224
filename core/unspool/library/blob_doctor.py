"""What a folder of stored outputs holds: whether each is what was stored, and which no session refers to."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from unspool.errors import SourceChanged, Unreadable
from unspool.library.doctor import DoctorLine
from unspool.library.mentions import blocks
from unspool.outputs.marker import BLOB_OPENING
from unspool.pattern import pattern
from unspool.sources.document import open_log

if TYPE_CHECKING:
    from unspool.blobs.files import FileBlobStore
    from unspool.blobs.store import State
    from unspool.ids import BlobId
    from unspool.library.misread import Progress

NAMED: Final = 200
"""Blobs of one sort that are named: whoever has more has one cause."""

_MARK: Final = BLOB_OPENING.encode()
_ID = pattern(rb"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_ID_BYTES: Final = 36

_SAID: Final[dict[State, str]] = {
    "bad": "is not what was stored: its bytes changed",
    "missing": "was stored, and is gone without having been deleted",
}


def examine_blobs(store: FileBlobStore, paths: Iterable[str], progress: Progress | None) -> Iterator[DoctorLine]:
    """Yield the findings of one folder; `paths` are the sessions in which blobs may be named.

    Nothing is repaired or removed. Raises `BlobError` when the folder cannot be read.
    """
    states = {check.id: check.state for check in store.verify()}
    root = str(store.root)
    if not states:
        yield DoctorLine("missing", f"{root}: no stored output in it", root)
        return
    counts = {state: list(states.values()).count(state) for state in ("good", "bad", "unknown", "missing")}
    there = len(states) - counts["missing"]
    told = ", ".join(f"{count} {state}" for state, count in counts.items())
    yield DoctorLine("found", f"{root}: {there} stored {'output' if there == 1 else 'outputs'} ({told})", root)
    for state, said in _SAID.items():
        yield from _named([blob for blob, found in states.items() if found == state], root, said)
    if counts["unknown"]:
        what = "no digest was noted when they were stored: whether they are whole is not known"
        yield DoctorLine("note", f"{root}: {counts['unknown']} unknown; {what}", root)
    yield from _unreferred([blob for blob, state in states.items() if state != "missing"], root, paths, progress)


def _named(blobs: list[BlobId], root: str, said: str) -> Iterator[DoctorLine]:
    for blob in blobs[:NAMED]:
        yield DoctorLine("unread", f"{blob}: {said}", root)
    if len(blobs) > NAMED:
        yield DoctorLine("unread", f"{root}: {len(blobs) - NAMED} more like these", root)


def _unreferred(
    blobs: list[BlobId], root: str, paths: Iterable[str], progress: Progress | None
) -> Iterator[DoctorLine]:
    """Yield the blobs that no session names; where none names any of them, that they are not known to be in use."""
    referred = referred_to(paths, progress)
    unreferred = [blob for blob in blobs if str(blob) not in referred]
    if len(unreferred) == len(blobs):
        yield DoctorLine("note", f"{root}: no session at hand refers to any of these; --root DIR names others", root)
        return
    for blob in unreferred[:NAMED]:
        yield DoctorLine("note", f"{blob}: no session at hand refers to it", root)
    if len(unreferred) > NAMED:
        yield DoctorLine("note", f"{root}: {len(unreferred) - NAMED} more to which no session refers", root)


def referred_to(paths: Iterable[str], progress: Progress | None = None) -> set[str]:
    """Return the ids that session files name, of those files that hold a marker of a blob; unreadable ones name none.

    An id counts wherever it stands: it is better to keep a blob too long than to call one unused that is read.
    """
    every = list(paths)
    found: set[str] = set()
    for number, path in enumerate(every, 1):
        with contextlib.suppress(Unreadable, SourceChanged), open_log(path) as lines:
            if any(_MARK in block for block in blocks(lines, len(_MARK))):
                ids = (_ID.findall(block) for block in blocks(lines, _ID_BYTES))
                found.update(each.decode().lower() for some in ids for each in some)
        if progress is not None:
            progress(number, len(every))
    return found
