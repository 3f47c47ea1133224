"""What comes back instead of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from unspool.dataclass import dataclass

if TYPE_CHECKING:
    pass


@dataclass
class Failed(Message):
    """A worker could not do what it was asked; `said` is one line for a person, uncleaned.

    `changed` says that the source is no longer what the view is of.
    """

    question: str
    said: str
    generation: int = 0
    changed: bool = False
