"""For what a session's agent waits, as its records tell one after the other.

Nothing is guessed from silence: a call that takes long waits for nobody, as far as its log tells. So an agent is missed
now and then, and nobody is called for nothing.
"""

from __future__ import annotations

from typing import Final, Literal

Waiting = Literal["permission", "question", "turn"]
"""An agent asks whether it may do something, asks something else, or has finished its turn."""

_MOST: Final = 64
"""Requests that are remembered as open: nobody is asked as much at once."""


class Standing:
    """Where a conversation stands: what the agent has asked and was not told, and whether it is at rest."""

    def __init__(self) -> None:
        self._asked: dict[str, Waiting] = {}
        self._rested = False

    @property
    def waiting(self) -> Waiting | None:
        """For what the agent waits now, a permission before a question; `None` while it works or nothing tells."""
        if not self._asked and not self._rested:
            return None
        if self._asked:
            return "permission" if "permission" in self._asked.values() else "question"
        return "turn" if self._rested else None

    def asks(self, request: str, what: Waiting) -> None:
        """Take a request by its id."""
        self._rested = False
        if len(self._asked) < _MOST:
            self._asked[request] = what

    def answered(self, request: str | None) -> None:
        """Take an answer to a request, or the result of any other call: the agent goes on."""
        self._rested = False
        if request is not None:
            self._asked.pop(request, None)

    def works(self) -> None:
        """Take what shows that the agent is at work, or was told to stop: whatever it asked is settled."""
        self._asked.clear()
        self._rested = False

    def rests(self) -> None:
        """Take the end of a turn."""
        self._asked.clear()
        self._rested = True
