"""A screen that lies over another one, which is seen around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.screen import ModalScreen, ScreenResultType

from unspool_tui.screens.whole import WholeScreen
from unspool_tui.widgets.shade import shaded

if TYPE_CHECKING:
    from textual.geometry import Region
    from textual.strip import Strip


class OverScreen(ModalScreen[ScreenResultType], WholeScreen[ScreenResultType]):
    """Shades what is below it."""

    SHADE = 0.55

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the screen below; Textual would mix the colours of each stretch of it anew, which takes longer."""
        stack = self.app.screen_stack
        below = stack[stack.index(self) - 1]._compositor.render_strips(self.size)
        return [each.crop(crop.x, crop.right) for each in shaded(below[crop.y : crop.bottom], self.styles.background)]
