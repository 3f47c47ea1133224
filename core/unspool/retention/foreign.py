"""Folders that retention keeps away from: those of other agents, and whatever is no home of ours to begin with."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from unspool.errors import Unreadable, Unwritable
from unspool.retention.trash import TRASH
from unspool.stores import STORES
from unspool.stores.homes import HomeStore
from unspool.stores.listing import entries
from unspool.stores.minicode import MINICODE_STORE, PROJECTS

if TYPE_CHECKING:
    from unspool.stores.base import Store

_OWN_WAYS: Final[Mapping[str, str]] = {
    "claude": "Claude Code removes its sessions itself, by `cleanupPeriodDays` in its settings.json",
    "codex": "Codex keeps its sessions until you archive or delete them there; its `history.max_bytes` is for prompts",
    "yoi": "yoi removes its sessions with its own cleanup, by `--older-than`",
}
_LOOKED_AT: Final = 256
"""Folders inside one that are asked whose they are: a home has a handful."""
_NO_WAY_KNOWN: Final = "it is that agent's to clean"


def home_named(root: str, environ: Mapping[str, str]) -> str:
    """Return the home that a person names, links resolved.

    Raises `Unwritable` for a folder that is another agent's, lies in one or holds one, and `Unreadable` for one that is
    no home of this format. `environ` tells where agents keep their files.
    """
    path = os.path.abspath(root)
    home = os.path.realpath(path)
    if not os.path.isdir(home):
        raise Unreadable(f"no such folder: {path}", path=path)
    for store in STORES:
        if store.agent != MINICODE_STORE.agent:
            _refuse_foreign(store, path, home, environ)
    if not _is_home(home):
        inside = MINICODE_STORE.recognise(home)
        way_out = f"name the home itself: {inside}" if inside else "name the folder that holds its `projects`"
        raise Unreadable(f"{path} is no home of sessions that this library records; {way_out}", path=path)
    return home


def _refuse_foreign(store: Store, path: str, home: str, environ: Mapping[str, str]) -> None:
    for own in _folders_of(store, path, home, environ):
        if _lies_in(home, own) or _lies_in(own, home):
            way = _OWN_WAYS.get(store.agent, _NO_WAY_KNOWN)
            raise Unwritable(f"{path}: {own} belongs to {store.agent}, nothing is removed there; {way}", path=path)


def _folders_of(store: Store, path: str, home: str, environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the folders of an agent that there are: its usual ones, and those that a path is, holds or lies in."""
    person = environ.get("HOME") or os.path.expanduser("~")
    usual = (own for own in store.default_roots(environ, person) if os.path.isdir(own))
    recognised = (own for each in (path, home) if (own := store.recognise(each)) is not None)
    around = (
        folder for folder in (*_above(home), *_inside(home)) if isinstance(store, HomeStore) and store.is_home(folder)
    )
    yield from map(os.path.realpath, (*recognised, *usual, *around))


def _above(folder: str) -> Iterator[str]:
    while (above := os.path.dirname(folder)) != folder:
        yield above
        folder = above


def _inside(folder: str) -> Iterator[str]:
    """Yield the folders right inside: a copy of an agent's home may have any name."""
    for entry in entries(folder, errors=[])[:_LOOKED_AT]:
        if entry.is_dir(follow_symlinks=False):
            yield entry.path


def _lies_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _is_home(folder: str) -> bool:
    """Say whether a folder is a home of ours: an agent's that records as we do, or one that was cleaned before."""
    if MINICODE_STORE.is_home(folder):
        return True
    return all(_is_plain_folder(os.path.join(folder, name)) for name in (TRASH, PROJECTS))


def _is_plain_folder(path: str) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)
