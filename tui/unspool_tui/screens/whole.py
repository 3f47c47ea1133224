"""A screen that does nothing before all of it is there, and nothing at all when it is taken away before that."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar, Final, Self

from textual._compositor import LayoutUpdate
from textual.events import Event, ScreenResume, ScreenSuspend, Unmount
from textual.screen import Screen, ScreenResultType

from unspool_tui.widgets.surface import lay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from textual.geometry import Region, Size
    from textual.strip import Strip
    from textual.widget import Widget

    from unspool_tui.held import Held
    from unspool_tui.widgets.record_list import RecordList

WRITING: Final = 0.0005
"""Seconds for the thread that writes to the terminal: Python would let it wait for what is done after a picture."""


class WholeScreen(Screen[ScreenResultType]):
    """Hears what happens only while it stays.

    Of a screen that is taken away while it is composed, the children that are still to come never do: Textual mounts
    it all the same, and what looks for a child then would find none.
    """

    SHADE: ClassVar[float] = 1.0
    """How much of what is below it a screen hides."""

    _stands = False
    """Whether all of it was drawn since it came into sight."""

    _is_due = False
    """Whether the picture that takes the place of the first frame is being put together."""

    _until_seen: tuple[Callable[[], object], ...] = ()
    """What waits until it is seen."""

    def on_mount(self) -> None:
        """Lie on the ground of the theme."""
        lay("ground", self, alpha=self.SHADE)

    @property
    def drawn(self) -> bool:
        """Whether it shows what it is about."""
        return self.is_mounted

    async def on_event(self, event: Event) -> None:
        """Let go what happens to a screen on its way out, but the end; what comes into sight is styled already.

        What was laid out as it came into sight is drawn, and Textual would draw it again, as it would what goes.
        """
        if isinstance(event, ScreenResume):
            event.refresh_styles = False
            self._stands = False
        if self.display or isinstance(event, Unmount):
            await super().on_event(event)
        if isinstance(event, ScreenSuspend) or (isinstance(event, ScreenResume) and self._stands):
            self._let_stand((self,))

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:  # fmt: skip
        """Draw all of it anew; one that is laid out draws what lies elsewhere then, and that alone."""
        return super().refresh(*regions, repaint=repaint and not layout, layout=layout, recompose=recompose)

    def draw_now(self, records: RecordList) -> None:
        """Draw the lines of a list at once, and not with all else when Textual's clock ticks next.

        They are written as they are, which takes a fifth of what it takes to put a picture together of all that lies
        there. So whatever lies over them leaves them to the next picture.
        """
        if self._layout_required or self._is_behind_frame or self.app._batch_count or not self._is_on_top(records):
            return
        lines: list[Iterable[Strip]] = [[line] for line in records.lines()]
        self.app._display(self, LayoutUpdate(lines, records.scrollable_content_region))
        records._exchange_repaint_regions()
        time.sleep(WRITING)

    def _is_on_top(self, widget: Widget) -> bool:
        """Say whether all of a widget is seen."""
        places = self._compositor.visible_widgets
        if widget not in places or not self.is_active:
            return False
        region, below = widget.scrollable_content_region, {*widget.ancestors_with_self}
        shown = (place.intersection(clip) for other, (place, clip) in places.items() if other not in below)
        return places[widget][1].contains_region(region) and not any(map(region.overlaps, shown))

    def when_seen(self, act: Callable[[], object]) -> None:
        """Do something at once, but while the first frame stands only after the screen has taken its place.

        Until then the processor belongs to what is seen and to keys.
        """
        if self._is_behind_frame or self._is_due:
            self._until_seen = (*self._until_seen, act)
        else:
            act()

    def be_seen(self) -> None:
        """Take the place of the first frame."""
        self._is_due = True
        self.refresh()
        self.call_after_refresh(self.seen)

    def seen(self) -> None:
        """Do what waited for the screen to be seen."""
        self._is_due = False
        waiting, self._until_seen = self._until_seen, ()
        for act in waiting:
            act()

    @property
    def _is_behind_frame(self) -> bool:
        held: Held | None = getattr(self.app, "held", None)
        return held is not None and not held.shown.is_set()

    def _screen_resized(self, size: Size) -> None:
        """Lay out for a size, unless that is done: Textual tells a screen its size once more when it is."""
        if size != self.outer_size:
            super()._screen_resized(size)

    def _compositor_refresh(self) -> None:
        """Put a picture together, unless the first frame stands, which nobody would see it behind."""
        if self._is_behind_frame:
            return
        whole = self.is_current and self.size.region in self._compositor._dirty_regions
        super()._compositor_refresh()
        if whole:
            self._stands = True
            self._let_stand(self._compositor.visible_widgets)

    def _let_stand(self, widgets: Iterable[Widget]) -> None:
        """Forget what was to be drawn of these: the picture has it."""
        self._repaint_required = False
        for widget in widgets:
            widget._exchange_repaint_regions()
