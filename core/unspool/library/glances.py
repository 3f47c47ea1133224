"""The glances taken so far; a file that has not changed is not looked at again, by whichever run."""

from __future__ import annotations

import os
from binascii import a2b_base64, b2a_base64
from typing import TYPE_CHECKING, Any, Final

from unspool.formats import by_agent
from unspool.library.remembered import Remembered, same

if TYPE_CHECKING:
    from unspool.library.glance import Glance
    from unspool.stores.base import SourceFile

NAME: Final = "glances"
"""Of the file in the cache folder."""


class Glances:
    """Takes glances, and remembers them in a folder where there is one for that."""

    def __init__(self, folder: str | None = None) -> None:
        self._taken: dict[str, tuple[SourceFile, Glance]] = {}
        self._folder = folder
        self._remembered = Remembered(folder, NAME)

    def of(self, source: SourceFile) -> Glance:
        """Look at a file; what cannot be read has a `fault`."""
        taken = self._taken.get(source.path)
        if taken is None or not same(taken[0], source):
            taken = self._taken[source.path] = source, self._look(source)
        return taken[1]

    def keep(self, now: int) -> None:
        """Remember what was taken; `now` is in milliseconds since 1970."""
        self._remembered.keep(now)

    def forget_gone(self) -> None:
        """Let go of all that is kept of sessions whose files are gone: what was said in them is not kept any longer."""
        gone = self._remembered.gone()
        if gone and self._folder is not None:
            from unspool.cache.sessions import forget
            from unspool.library.lacks import Lacks
            from unspool.library.reader import COLUMNS

            forget(os.path.join(self._folder, COLUMNS), gone)
            Lacks(self._folder).clear()

    def _look(self, source: SourceFile) -> Glance:
        from unspool.library import glance

        told = self._remembered.find(source)
        if told is not None:
            *seen, ids = told
            return glance.Glance._make([*seen, a2b_base64(ids)])
        format = by_agent(source.agent)
        assert format is not None, source.agent
        taken = glance.take_glance(source, format)
        if taken.fault is None:
            self._remembered.note(source, written(taken))
        return taken


def written(glance: Glance) -> list[Any]:
    """Return a glance as JSON can say it."""
    *seen, ids = glance
    return [*seen, b2a_base64(ids, newline=False).decode()]
