"""Text that means harm, or is only strange: made by hypothesis, and what no screen may ever get."""

from __future__ import annotations

import re
from typing import Final

from hypothesis import strategies as st

FORBIDDEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff\U000e0000-\U000e0fff]"
)
"""Characters that act on a terminal, turn its writing direction, or have no width that terminals agree on."""

SEQUENCES: Final = (
    "\x1b[31m", "\x1b[0m", "\x1b[1;38;5;208m", "\x1b[48;2;1;2;3m", "\x1b[2J", "\x1b]52;c;QUJD\x07",
    "\x1b]8;;http://x\x1b\\", "\x1bP$qm\x1b\\", "\x9b31m", "\x9d0;t\x9c", "\x1b[", "\x1b", "\x9b", "\u202e",
    "\u2066", "\u200d", "\ufe0f", "\u200b",
    "\U000e0041", "\u2028", "\x85", "\r", "\x00", "\x7f", "\t", "e\u0301", "\u0301\u0301\u0301\u0301\u0301\u0301",
    "日本", "한", "👩\u200d👧", "🇩🇪", "👍🏽", "[red]", "[/", "\\", " ", "    ", "=" * 30, "word",
)  # fmt: skip

lines = st.lists(st.one_of(st.sampled_from(SEQUENCES), st.text(max_size=6)), max_size=24).map(
    lambda parts: "".join(parts).replace("\n", "")
)
"""One line of hostile text."""

texts = st.lists(lines, max_size=8).map("\n".join)
"""Some lines of it."""
