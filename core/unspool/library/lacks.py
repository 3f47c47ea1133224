"""What sessions' files were found to lack of what hides a text from a look at their bytes, kept from run to run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unspool.library.remembered import Remembered, same

if TYPE_CHECKING:
    from unspool.stores.base import SourceFile

NAME: Final = "lacks"
"""Of the file in the cache folder."""


class Lacks:
    """Knows which doubts no byte of a file raises, so that the next search does not look for them again."""

    def __init__(self, folder: str | None) -> None:
        self._remembered = Remembered(folder, NAME)
        self._known: dict[str, tuple[SourceFile, frozenset[str]]] = {}

    def of(self, source: SourceFile) -> frozenset[str]:
        """Return the doubts that a file does not raise, as far as that is known."""
        known = self._known.get(source.path)
        if known is None or not same(known[0], source):
            known = self._known[source.path] = source, frozenset(self._remembered.find(source) or ())
        return known[1]

    def learn(self, source: SourceFile, names: frozenset[str]) -> None:
        """Note the doubts that a file does not raise."""
        if names != self.of(source):
            self._known[source.path] = source, names
            self._remembered.note(source, sorted(names))

    def keep(self, now: int) -> None:
        """Keep what was learned; `now` is in milliseconds since 1970."""
        self._remembered.keep(now)

    def clear(self) -> None:
        """Keep nothing any longer of files that are gone."""
        self._remembered.clear()
