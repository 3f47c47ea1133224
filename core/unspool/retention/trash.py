"""The trash of a home: what went lies in it for some days, a folder for each run, laid out as the home itself is.

    <home>/.unspool-trash/20260301T100000Z/projects/<project>/<session>.jsonl
    <home>/.unspool-trash/20260301T100000Z/projects/<project>/<session>/tool-results/<name>.txt

To have a session back, move both to where they lay. A batch that is being emptied ends in `.gone`: nothing in it can be
had back. Whatever has another name is not ours, and is left alone.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from typing import Final

from unspool.pattern import pattern
from unspool.retention.folder import Folder, is_folder
from unspool.stores.minicode import TRASH

__all__ = ["GONE", "KEPT_MS", "TRASH", "batches_in", "empty", "leftovers_in", "moment_of", "new_batch"]

GONE: Final = ".gone"
KEPT_MS: Final = 7 * 24 * 3_600_000
"""Milliseconds for which what went can be had back: a week, in which people notice what they miss."""

_FORM: Final = "%Y%m%dT%H%M%SZ"
_BATCH: Final = pattern(r"(?P<stamp>[0-9]{8}T[0-9]{6}Z)(?:-[0-9]{1,4})?(?P<gone>\.gone)?\Z")
_MOST: Final = 1_000
"""Batches of one second: more of them are nobody's work."""
_LIFTED: Final = ".lifted-"


def batches_in(trash: Folder) -> list[str]:
    """Return the names of the batches that can be had back, the oldest first; raises `OSError`."""
    return [name for name in trash.names() if moment_of(name) is not None and not name.endswith(GONE)]


def leftovers_in(trash: Folder) -> list[str]:
    """Return the names of the batches whose emptying was interrupted; raises `OSError`."""
    return [name for name in trash.names() if moment_of(name) is not None and name.endswith(GONE)]


def moment_of(batch: str) -> int | None:
    """Return when a batch was begun, in milliseconds; `None` for what is no batch."""
    found = _BATCH.match(batch)
    try:
        moment = datetime.strptime(found["stamp"], _FORM).replace(tzinfo=UTC) if found else None
    except ValueError:
        return None
    return int(moment.timestamp() * 1000) if moment is not None else None


def new_batch(trash: Folder, moment: int) -> str:
    """Make a batch, and return its name; raises `OSError`."""
    stamp = datetime.fromtimestamp(moment / 1000, UTC).strftime(_FORM)
    for number in range(_MOST):
        name = f"{stamp}-{number}" if number else stamp
        if trash.look(name + GONE) is not None:
            continue
        with suppress(FileExistsError):
            trash.calls.mkdir(name, dir_fd=trash.descriptor)
            return name
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), stamp)


def empty(trash: Folder, batch: str) -> None:
    """Remove a batch for ever; raises `OSError`, and whoever calls it again goes on where it stopped.

    First it gets a name under which nothing is looked for any more: half of it is never taken for all of it.
    """
    if not batch.endswith(GONE):
        trash.calls.rename(batch, batch + GONE, dir_fd=trash.descriptor, target_fd=trash.descriptor)
        batch += GONE
    with trash.below(batch) as folder:
        _clear(folder)
    trash.calls.rmdir(batch, dir_fd=trash.descriptor)


def _clear(top: Folder) -> None:
    """Remove what lies in a folder, however deep.

    A folder in it is renamed before it is entered, and the folders of that one are lifted up beside it. So no depth is
    too deep, and nothing that is mounted there is ever entered: the system renames no place where something is mounted.
    """
    numbers = count()
    while names := top.names():
        for name in names:
            state = top.look(name)
            if state is None:
                continue
            if not is_folder(state):
                top.calls.unlink(name, dir_fd=top.descriptor)
                continue
            lifted = _lift(top, name, top, numbers)
            with top.below(lifted) as folder:
                _clear_shallow(folder, top, numbers)
            top.calls.rmdir(lifted, dir_fd=top.descriptor)


def _clear_shallow(folder: Folder, top: Folder, numbers: count[int]) -> None:
    """Remove the files of a folder, and lift its folders up."""
    for name in folder.names():
        state = folder.look(name)
        if state is not None and is_folder(state):
            _lift(folder, name, top, numbers)
        elif state is not None:
            folder.calls.unlink(name, dir_fd=folder.descriptor)


def _lift(folder: Folder, name: str, top: Folder, numbers: count[int]) -> str:
    """Give a folder a name of its own in the top one, and return it."""
    lifted = next(each for number in numbers if top.look(each := f"{_LIFTED}{number}") is None)
    folder.calls.rename(name, lifted, dir_fd=folder.descriptor, target_fd=top.descriptor)
    return lifted
