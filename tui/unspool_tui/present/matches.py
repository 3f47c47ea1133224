"""Words being looked for, within the text on screen."""

from __future__ import annotations

import re
from typing import Literal

Case = Literal["smart", "ignore", "exact"]


def pattern_of(query: str, case: Case) -> re.Pattern[str] | None:
    """Return the pattern for a literal query; `smart` minds the case when the query has a capital. `None` for none."""
    if not query:
        return None
    minded = case == "exact" or (case == "smart" and query != query.lower())
    return re.compile(re.escape(query), 0 if minded else re.IGNORECASE)
