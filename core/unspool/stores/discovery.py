"""Finding sessions below any folder: by an agent's own markers first, then by what the files hold."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from unspool.errors import Unreadable
from unspool.formats import by_agent as format_by_agent
from unspool.formats import detect
from unspool.named_tuple import NamedTuple
from unspool.sources.document import open_log
from unspool.stores import STORES, by_agent
from unspool.stores.base import DEPTH, Fits, ScanError, SourceFile, every
from unspool.stores.blobs import BLOBS_STORE
from unspool.stores.listing import walk
from unspool.stores.minicode import TRASH

if TYPE_CHECKING:
    from unspool.formats.base import Format
    from unspool.sources.jsonl import JsonLines

HEAD_RECORDS: Final = 20
"""Records that are looked at to tell whose a file is: headers and bookkeeping come first, never this many."""
ARCHIVE_BYTES: Final = 4 << 20
"""Bytes of an archive that are decompressed for them."""
_PASSED_BY: Final = frozenset({".git", "node_modules", TRASH})
_TRACE: Final = ".trace.jsonl"
"""What agents write beside a session for their own developers: nothing that one would miss."""
UNKNOWN: Final = "no session that unspool knows"


def why_no_session(path: str) -> str:
    """Say what is wrong with a file that no agent is known to write, and what a session looks like."""
    agents = ", ".join(sorted(store.agent for store in STORES if store is not BLOBS_STORE))
    looks = f"one of {agents} is a .jsonl (or .jsonl.zst) of JSON objects, as the agent wrote them"
    try:
        empty = os.path.isfile(path) and not os.path.getsize(path)
    except OSError:
        empty = False
    what = "an empty file, no session" if empty else "no session of an agent that unspool knows"
    return f"is {what}; {looks}"


def discover(root: str, *, errors: list[ScanError], depth: int = DEPTH, fits: Fits = every) -> Iterator[SourceFile]:
    """List every session file below a root: a HOME, an agent's home or a part of it, any other folder, or one file.

    Agents that recognise the root list it themselves, unread. Elsewhere every file with a session's ending is opened
    and asked whose it is; those that nobody knows are reported, empty ones are passed by. What does not fit is not
    looked at.
    """
    owners = [store for store in STORES if store.recognise(root) is not None]
    for store in owners:
        yield from store.sources(root, errors=errors, depth=depth, fits=fits)
    if not owners:
        yield from _loose(root, errors, depth, fits)


def _loose(root: str, errors: list[ScanError], depth: int, fits: Fits) -> Iterator[SourceFile]:
    root = os.path.realpath(root)
    paths: Iterator[str] = iter((root,))
    yield from BLOBS_STORE.sources(root, errors=errors)
    if os.path.isdir(root):
        paths = (entry.path for entry in walk(root, errors=errors, depth=depth, skip=_PASSED_BY) if fits(entry.path))
    for path in paths:
        candidates = [source for store in STORES if (source := store.source(path)) is not None]
        if candidates and candidates[0].size:
            source = _judged(path, candidates, errors)
            if source is not None:
                yield source


class Beginning(NamedTuple):
    """What the first records of a file tell: whose it is, and how many were looked at."""

    format: Format | None
    records: int


def format_of(path: str) -> Beginning:
    """Look at the first records of a file; raises `Unreadable`."""
    with open_log(path) as lines:
        return _beginning(lines)


def _archived(path: str) -> Beginning:
    """Look at the first records of an archive; of one that tells none, what only Codex writes. Raises `Unreadable`."""
    from unspool.sources.archive import open_beginning

    lines, head = open_beginning(path, ARCHIVE_BYTES)
    with lines:
        found = _beginning(lines)
    return found if found.records or head.whole else Beginning(format_by_agent("codex"), 0)


def _beginning(lines: JsonLines) -> Beginning:
    head = list(islice(_records(lines), HEAD_RECORDS))
    return Beginning(detect(head), len(head))


def _judged(path: str, candidates: list[SourceFile], errors: list[ScanError]) -> SourceFile | None:
    """Return the candidate whose format knows the file's first records."""
    try:
        format = (_archived if candidates[0].compressed else format_of)(path).format
    except Unreadable as error:
        errors.append(ScanError(path, str(error)))
        return None
    store = by_agent(format.agent) if format is not None else None
    found = next((source for source in candidates if store is not None and source.agent == store.agent), None)
    if found is None and not path.endswith(_TRACE):
        errors.append(ScanError(path, UNKNOWN))
    return found


def _records(lines: JsonLines) -> Iterator[Mapping[str, Any]]:
    return (record.value for entry in lines.entries() for record in entry.records)
