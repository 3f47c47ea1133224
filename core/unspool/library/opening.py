"""Opening a library: where to look, as arguments and the surroundings of the process tell."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from unspool.library.blob_stores import BlobStores
from unspool.library.facade import Library
from unspool.stores.base import Alive, runs
from unspool.stores.ownership import owner_of

if TYPE_CHECKING:
    from unspool.library.streamed import Stream


def open_library(
    roots: Sequence[str] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    home: str | None = None,
    now: Callable[[], int] | None = None,
    alive: Alive = runs,
    folder: str | None = None,
    blobs: str | None = None,
    spare_blobs: str | None = None,
    absent: bool = False,
    stream: Stream | None = None,
    cache: str | None = None,
    apart: bool = False,
) -> Library:
    """Open the sessions under some roots: files, project folders, agents' homes or a HOME.

    Without `roots` the agents' own folders are taken, as `environ` (default: of this process) and `home` tell. `now`
    gives milliseconds since 1970, `alive` says whether a process runs, `folder` is where `.` is looked up (default:
    the working folder). `blobs` is where the blobs of every session lie, `spare_blobs` where those of sessions lie that
    have no such folder of their own. Raises `NotFound` for a root that is not there, unless `absent` says that it may
    come later. `stream` collects what `-` names. `cache` is a folder in which what was read of sessions is kept, so
    that they are listed and opened at once the next time; it is made when it is missing (0700), and may be removed at
    any time. Without one, or with one among an agent's own files, nothing is kept. With `apart` a process of its own
    reads what is long and keeps it there, so that all threads of this one can run meanwhile.
    """
    environ = os.environ if environ is None else environ
    home = home or environ.get("HOME") or os.path.expanduser("~")
    stores = BlobStores(blobs, spare_blobs)
    if cache is not None and owner_of(os.path.join(cache, "-"), environ) is not None:
        cache = None
    return Library(
        roots,
        environ=environ,
        home=home,
        now=now or _now,
        alive=alive,
        folder=folder,
        blobs=stores,
        absent=absent,
        stream=stream,
        cache=cache,
        apart=apart,
    )


def _now() -> int:
    return time.time_ns() // 1_000_000
