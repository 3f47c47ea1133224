"""One item on its way into the trash: a session as a whole, or back where it lay.

Of a session the log goes first and its saved outputs after it. Only names are moved, between folders that are open.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from unspool.retention.folder import Folder, Identity, identity_of
from unspool.retention.log_facts import LogState
from unspool.stores.minicode import ENDING

if TYPE_CHECKING:
    from unspool.retention.item import Item


class Changed(Exception):
    """Something is not what it was; the message says what."""


def move(source: Folder, target: Folder, item: Item, log: int | None) -> None:
    """Move an item from one open folder to another; `log` is its open log, `None` of outputs without one.

    Raises `Changed` and `OSError`, and then a session is back where it lay, or its log is in the trash.
    """
    if item.log is None or log is None:
        _move_outputs(source, target, item)
        return
    _move_one(source, target, item.name + ENDING, item.log.identity)
    try:
        if item.outputs is not None:  # flushed in between, they are never in the trash without their log
            target.calls.fsync(target.descriptor)
            source.calls.fsync(source.descriptor)
            _move_outputs(source, target, item)
        if LogState.of(source.calls.stat(log)) != item.log:
            raise Changed("it was written while it went")
    except BaseException:
        _undo(source, target, item)
        raise


def _undo(source: Folder, target: Folder, item: Item) -> None:
    """Put a session back, its log only when its outputs are not in the trash: there it is whole then."""
    if item.outputs is None or _is_out(source, target, item.name, item.outputs.identity):
        _put_back(source, target, item.name + ENDING)


def _is_out(source: Folder, target: Folder, name: str, wanted: Identity) -> bool:
    """Put a folder back if it went; say whether it is sure not to be in the trash."""
    _put_back(source, target, name)
    with suppress(OSError):
        found = target.look(name)
        return found is None or identity_of(found) != wanted
    return False


def _move_outputs(source: Folder, target: Folder, item: Item) -> None:
    assert item.outputs is not None
    _move_one(source, target, item.name, item.outputs.identity)


def _move_one(source: Folder, target: Folder, name: str, wanted: Identity) -> None:
    """Move a name, and put back what turns out to be another thing than was looked at."""
    if target.look(name) is not None:
        raise Changed("something of its name lies in the trash already")
    source.calls.rename(name, name, dir_fd=source.descriptor, target_fd=target.descriptor)
    moved = target.look(name)
    if moved is not None and identity_of(moved) != wanted:
        _put_back(source, target, name)
        raise Changed("something else took its place")


def _put_back(source: Folder, target: Folder, name: str) -> None:
    """Move a name back unless another thing stands there by now; then it has to be had back from the trash."""
    with suppress(OSError):
        if target.look(name) is not None and source.look(name) is None:
            source.calls.rename(name, name, dir_fd=target.descriptor, target_fd=source.descriptor)
