"""The marks: one cell each, one meaning each, the same on every screen; colour only repeats what they say.

Each has a twin in ASCII, as wide as itself, for terminals that draw it too wide or not at all. Rows are made of the
marks; which of the two is drawn is decided where rows are drawn, like the colour of a token.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from unspool_tui.present.width import cell_len

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
BELOW: Final = "▼"

ELLIPSIS: Final = "…"
RULE: Final = "─"
RULE_HERE: Final = "━"
SEAM: Final = "╌"
LEFT_OUT: Final = "⋯"
MINUS: Final = "−"
QUOTE: Final = "┃"
BULLET: Final = "∙"

LEGEND: Final = (
    (f"{CALL} {RESULT}", "input", "call, its result"),
    (ERROR, "error", "error, exit not 0"),
    (STORED, "stored", "model saw less"),
    (LIVE, "live", "live, still growing"),
    (WAITING, "user", "waits for a person"),
    (PENDING, "live", "no result yet"),
    (COMPACTED, "system", "compacted here"),
    (REASONING, "muted", "reasoning"),
    (ASIDE, "muted", "copy, or dropped"),
    (ANSWER, "assistant", "answer of a turn"),
    (GAP, "muted", "pieces in between"),
)
"""Mark, token and meaning, in the order in which help lists them."""

TWINS: Final[Mapping[str, str]] = {
    CALL: ">", RESULT: "<", ERROR: "!", STORED: "#", LIVE: "o", PENDING: "_", COMPACTED: "=", ASIDE: "\\", ANSWER: "@",
    STEP: "-", GAP: ":", THREAD: ".", MATCH: "^", BAR: "|", SEEN: "[", CHILD: "`", TRAIL: "/",
    BELOW: "v",
    ELLIPSIS: "*", RULE: "-", RULE_HERE: "=", SEAM: "-", LEFT_OUT: "*", MINUS: "-",
    QUOTE: "|", BULLET: "-", "┌": "+", "┬": "+", "┐": "+", "┼": "+", "┤": "-", "┴": "+", "┘": "'",
    "–": "-", "·": "-", "↔": "/", "×": "x",
}  # fmt: skip
"""Every sign that the app draws of its own, and what stands for it in ASCII; marks that mean something keep apart."""

_TWINS: Final = str.maketrans(dict(TWINS))


def in_ascii(text: str) -> str:
    """Return the text with the twins of all marks; it keeps its width."""
    return text if text.isascii() else text.replace(f" {ELLIPSIS}", "..").translate(_TWINS)


def encodable(text: str, encoding: str) -> str:
    """Return the text with `?` for what an encoding lacks; it keeps its width."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(sign if encodes(sign, encoding) else "?" * cell_len(sign) for sign in text)
    return text


def encodes(sign: str, encoding: str) -> bool:
    """Say whether an encoding has a sign."""
    return bool(sign.encode(encoding, "ignore"))
