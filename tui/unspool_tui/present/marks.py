"""The marks: one cell each, one meaning each, the same on every screen; colour only repeats what they say."""

from __future__ import annotations

from typing import Final

CALL: Final = "→"
RESULT: Final = "←"
ERROR: Final = "✗"
STORED: Final = "▣"
LIVE: Final = "●"
PENDING: Final = "◌"
COMPACTED: Final = "≡"
ASIDE: Final = "⌁"
WAITING: Final = "?"
REASONING: Final = "~"
PROMPT: Final = "●"
ANSWER: Final = "◆"
STEP: Final = "├"
GAP: Final = "┊"
THREAD: Final = "│"
MATCH: Final = "•"
BAR: Final = "▌"
SEEN: Final = "▎"
CHILD: Final = "└"
TRAIL: Final = "\u203a"

LEGEND: Final = (
    (f"{CALL} {RESULT}", "input", "call, its result"),
    (ERROR, "error", "error, exit not 0"),
    (STORED, "stored", "model saw less"),
    (LIVE, "live", "live, still growing"),
    (WAITING, "user", "waits for a person"),
    (PENDING, "live", "no result yet"),
    (COMPACTED, "system", "compacted here"),
    (REASONING, "muted", "reasoning"),
    (ASIDE, "muted", "set aside"),
    (ANSWER, "assistant", "answer of a turn"),
    (GAP, "muted", "pieces in between"),
)
"""Mark, token and meaning, in the order in which help lists them."""
