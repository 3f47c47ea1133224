"""A screen that does nothing before all of it is there, and nothing at all when it is taken away before that."""

from __future__ import annotations

from textual.events import Event, Unmount
from textual.screen import Screen, ScreenResultType


class WholeScreen(Screen[ScreenResultType]):
    """Hears what happens only while it stays.

    Of a screen that is taken away while it is composed, the children that are still to come never do: Textual mounts
    it all the same, and what looks for a child then would find none.
    """

    @property
    def drawn(self) -> bool:
        """Whether it shows what it is about."""
        return self.is_mounted

    async def on_event(self, event: Event) -> None:
        """Let go what happens to a screen on its way out, but the end."""
        if self.display or isinstance(event, Unmount):
            await super().on_event(event)
