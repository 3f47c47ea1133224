"""Whose folder a path lies in: nothing of ours is ever written among an agent's own files."""

from __future__ import annotations

import os
from collections.abc import Mapping

from unspool.named_tuple import NamedTuple
from unspool.stores import STORES


class Owner(NamedTuple):
    """An agent, and the folder of its own."""

    agent: str
    folder: str


def owner_of(path: str, environ: Mapping[str, str]) -> Owner | None:
    """Return whose folder a file of that path would lie in, `None` for nobody's; links are followed.

    `environ` tells where agents keep their files.
    """
    folder = os.path.realpath(os.path.dirname(os.path.abspath(path)))
    home = environ.get("HOME") or os.path.expanduser("~")
    for store in STORES:
        recognised = store.recognise(folder)
        for own in (*store.default_roots(environ, home), *([recognised] if recognised else [])):
            own = os.path.realpath(own)
            if folder == own or folder.startswith(own.rstrip(os.sep) + os.sep):
                return Owner(store.agent, own)
    return None
