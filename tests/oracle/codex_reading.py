"""What one record of a Codex rollout gives, and who wrote the texts in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.blocks import read_content
from tests.oracle.codex_twins import Written
from tests.oracle.session import OraclePiece

_NAMES = """environment_context user_instructions turn_aborted subagent_notification recommended_plugins goal_context
user_action user_shell_command additional_context extension_context collaboration_mode permissions.instructions
codex_internal_context hook_prompt external_\\w+"""
_WHOLE = [
    rf'<({"|".join(_NAMES.split())})( [a-z_]+="[^"]*")?>.*</\1>',
    r"<skill>\s*<name>.*</skill>",
    r"# AGENTS.md instructions( for [^\n]+)?\n+<INSTRUCTIONS>.*</INSTRUCTIONS>",
    r"Warning: apply_patch was requested via \w+\. Use the apply_patch tool instead of \w+\.",
]
"""What the harness writes, from the first character to the last; whatever else begins so a person wrote."""


@dataclass
class Reading:
    """The pieces of one record (None for an other record), and as messages those that may have a twin."""

    pieces: list[OraclePiece] | None = None
    written: list[Written] = field(default_factory=list)

    def add(self, piece: OraclePiece, side: str = "", speaker: str = "", parts: list[set[str]] | None = None) -> None:
        """Add a piece unless it is a message without text; an event without text is an other record.

        A boundary is a piece even without text.
        """
        if not self.pieces and not piece.text and side in ("end", "completed"):
            return
        self.pieces = self.pieces or []
        if piece.text or piece.kind == "tool" or side == "boundary":
            self.pieces.append(piece)
            if parts:
                self.written.append(Written(piece, side, speaker, parts))


def is_injected(text: str) -> bool:
    """Say whether the harness wrote the whole text."""
    return any(re.fullmatch(shape, text.strip(), re.DOTALL | re.IGNORECASE) for shape in _WHOLE)


def own_words(text: str) -> str:
    """Cut what an editor puts before a prompt."""
    if text.startswith("# Context from my IDE setup:"):
        return text.partition("## My request for Codex:")[2]
    return text


def texts_of(content: Any) -> list[str]:
    """The texts of a content that is a string or a list of blocks."""
    return read_content(content).texts


def add_answer(reading: Reading, content: Any, side: str) -> None:
    """Add one piece for each block that the model said."""
    for place, block in enumerate(content if isinstance(content, list) else [content]):
        said = read_content([block])
        piece = OraclePiece(0, place, "assistant", said.text, images=said.images)
        reading.add(piece, side, "assistant", [{text.strip()} for text in said.texts])
