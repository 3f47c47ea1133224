"""Why bytes are no JSON value."""

from __future__ import annotations

from typing import Literal

Reason = Literal["torn", "syntax", "encoding", "too_deep", "too_large"]


class BadJson(ValueError):
    """Bytes are no JSON value.

    `reason` is `torn` when the input ended inside the value (then `at_end` holds too), else `syntax`, `encoding`
    (bytes that are no UTF-8 between tokens), `too_deep` or `too_large`; `pos` is the byte at which reading stopped.
    """

    def __init__(self, reason: Reason, pos: int) -> None:
        super().__init__(f"{reason} at byte {pos}")
        self.reason: Reason = reason
        self.pos = pos

    @property
    def at_end(self) -> bool:
        """Whether the input ended inside the value: it is torn, or goes on elsewhere."""
        return self.reason == "torn"
