"""A screen that lies over another one, which is seen around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style
from textual.screen import ModalScreen, ScreenResultType
from textual.strip import Strip

from unspool_tui.screens.whole import WholeScreen
from unspool_tui.widgets.shade import shaded

if TYPE_CHECKING:
    from textual.geometry import Region, Size
    from textual.screen import Screen


class OverScreen(ModalScreen[ScreenResultType], WholeScreen[ScreenResultType]):
    """Shades what is below it."""

    SHADE = 0.55

    def on_mount(self) -> None:
        """Draw a line around what lies over the screen, where no ground tells the two apart."""
        if self.app.no_color:
            for child in self.children:
                child.styles.border = ("solid", "white")

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the screen below; Textual would mix the colours of each stretch of it anew, which takes longer."""
        below = self._below._compositor.render_strips(self.size)
        strips = shaded(below[crop.y : crop.bottom], self.styles.background)
        strips += [Strip.blank(0)] * (crop.height - len(strips))  # what is below may have had its size for a while only
        ground = Style.from_color(bgcolor=self.styles.background.rich_color)
        return [each.crop(crop.x, crop.right).adjust_cell_length(crop.width, ground) for each in strips]

    def _screen_resized(self, size: Size) -> None:
        """Lay out what is below first: it is seen in the picture that comes next."""
        self._below._screen_resized(size)
        super()._screen_resized(size)

    @property
    def _below(self) -> Screen[object]:
        stack = self.app.screen_stack
        return stack[stack.index(self) - 1]
