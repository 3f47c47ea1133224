"""Keys in their order, however fast they come: what one commands is done before the next is looked at."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from textual.app import App
from textual.events import Event, Key, Paste
from textual.widgets import Input

from unspool_tui.screens.awaiting import Awaiting

DEALT_WITH_SECONDS: Final = 1.0
"""How long the next key waits at most for what the one before led to in a screen that is there."""


class KeyOrder(App[int]):
    """An app whose keys wait for what those before them lead to."""

    async def on_event(self, event: Event) -> None:
        """Do what a key commands before the next one is looked at, which may be meant for the field that it opens.

        Textual would hand it to the widget with the focus and wait for it to come back, while others follow it there.
        """
        if isinstance(event, Key | Paste) and not event.is_forwarded:
            await self._dealt_with()
            if isinstance(event, Key) and await self._commanded(event):
                return
        await super().on_event(event)

    async def _dealt_with(self) -> None:
        """Wait until what the key before led to is done: a screen is there, a field was left, the focus moved.

        A screen is waited for however long it takes: half of one has neither the field that a letter is meant for nor
        the list that a key moves in.
        """
        end = time.monotonic() + DEALT_WITH_SECONDS
        while not self.screen.is_mounted or (not self._is_quiet() and time.monotonic() < end):  # noqa: ASYNC110
            await asyncio.sleep(0)

    def _is_quiet(self) -> bool:
        """Say whether nothing waits in the screen or in what has the focus; keys wait in the app."""
        nodes = (self.focused or self.screen).ancestors_with_self
        return not any(node.message_queue_size for node in nodes if node is not self)

    async def _commanded(self, event: Key) -> bool:
        """Run the command of a key, unless it is text for a field; say whether there was one."""
        gave_up = isinstance(self.screen, Awaiting) and self.screen.hear_key()
        if not self.app_focus or (isinstance(self.focused, Input) and event.is_printable):
            return False
        if event.key == "escape":
            self.screen.clear_selection()
        bound = self.screen.active_bindings.get(event.key)
        if bound is None or not bound.enabled or bound.binding.priority:
            return False
        if gave_up and bound.binding.id == "app.back":  # it led back to where nothing was waited for
            return True
        return await self.run_action(bound.binding.action, bound.node)
