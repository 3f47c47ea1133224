"""Windows that were asked for: one at a time, the newest wish next, old answers dropped."""

from __future__ import annotations

from unspool_tui.present.windows import Request, Where

_READING_ON = (Where.AFTER, Where.BEFORE)


class Requests:
    """One request is out at most. While it is, the newest jump waits; reading on is asked for again by scrolling."""

    def __init__(self) -> None:
        self._generation = 0
        self._out: Request | None = None
        self._waiting: Request | None = None

    def want(self, request: Request) -> int | None:
        """Return the generation to ask with, `None` when the wish has to wait or is dropped."""
        if self._out is None:
            self._generation += 1
            self._out = request
            return self._generation
        if request.where not in _READING_ON:
            self._waiting = request
        return None

    def answered(self, generation: int) -> Request | None:
        """Return the request that an answer belongs to, `None` for a stale one."""
        if generation != self._generation:
            return None
        request, self._out = self._out, None
        return request

    def following(self) -> Request | None:
        """Return the wish that waited, once."""
        request, self._waiting = self._waiting, None
        return request

    def pointless(self, request: Request) -> bool:
        """Say whether the answer to a request is no longer of use, because a person has dragged on."""
        return request.where is Where.BYTE and self._waiting is not None

    def forget(self) -> None:
        """Drop everything that was asked for."""
        self._generation += 1
        self._out = self._waiting = None
