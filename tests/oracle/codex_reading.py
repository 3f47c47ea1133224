"""What one record of a Codex rollout gives, and who wrote the texts in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.oracle.blocks import read_content
from tests.oracle.codex_twins import Written
from tests.oracle.session import OraclePiece

_INJECTED = (
    "<environment_context>",
    "# AGENTS.md instructions for",
    "<user_instructions>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<skill>",
    "<turn_aborted>",
    "<subagent_notification>",
    "<codex_internal_context",
    "<recommended_plugins>",
)


@dataclass
class Reading:
    """The pieces of one record (None for an other record), and as messages those that may have a twin."""

    pieces: list[OraclePiece] | None = None
    written: list[Written] = field(default_factory=list)

    def add(self, piece: OraclePiece, side: str = "", speaker: str = "", parts: list[set[str]] | None = None) -> None:
        """Add a piece unless it is a message without text; an event without text is an other record."""
        if not self.pieces and not piece.text and side in ("end", "completed"):
            return
        self.pieces = self.pieces or []
        if piece.text or piece.kind == "tool":
            self.pieces.append(piece)
            if parts:
                self.written.append(Written(piece, side, speaker, parts))


def is_injected(texts: list[str]) -> bool:
    """Judge a user message by its text blocks: the harness wrote every one."""
    return bool(texts) and all(text.lstrip().startswith(_INJECTED) for text in texts)


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
