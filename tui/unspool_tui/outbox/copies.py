"""Copies: texts for the clipboard."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from unspool_tui.clipboard import hand_over, helpers
from unspool_tui.messages.taking import Copied, TextTaken
from unspool_tui.worker import Cancelled, ask

if TYPE_CHECKING:
    from textual.message import Message
    from textual.widget import Widget

    from unspool.library.summary import SessionSummary
    from unspool.views.view import SessionView
    from unspool_tui.present.cells import Row


def copy(to: Widget, text: str, told: Row) -> None:
    """Hand a text to a program that keeps the clipboard, if there is one: `Copied`, with what to tell a person."""

    def work(_: Cancelled) -> Iterator[Message]:
        yield Copied(text, told, hand_over(text, helpers(os.environ)))

    ask(to, "copy", work)


def take_resume(to: Widget, session: SessionSummary | SessionView) -> None:
    """Look for the command that goes on with a session: `TextTaken`."""

    def work(_: Cancelled) -> Iterator[Message]:
        from unspool.library.resuming import resume_command

        command = resume_command(session)
        yield TextTaken("resume", command, len(command))

    ask(to, "take", work)
