"""The clock that screens tell ages by."""

from __future__ import annotations

import time
from datetime import tzinfo

from unspool.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Clock:
    """A time zone, `None` for this machine's own, and perhaps a fixed moment in milliseconds since 1970."""

    zone: tzinfo | None = None
    fixed: int | None = None

    def now(self) -> int:
        """Return the moment, in milliseconds since 1970."""
        return self.fixed if self.fixed is not None else time.time_ns() // 1_000_000
