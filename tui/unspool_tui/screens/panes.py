"""A screen of panes: side by side where there is room, else one at a time; any of them can have it all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from unspool.text import clean
from unspool_tui.keymap import bindings
from unspool_tui.present import marks
from unspool_tui.present.bars import NARROW_BELOW, WIDE_FROM
from unspool_tui.present.cells import Row
from unspool_tui.present.help_rows import FILTER_WORDS, HelpRow
from unspool_tui.present.paths import with_short_paths
from unspool_tui.screens.whole import WholeScreen
from unspool_tui.widgets.key_bar import KeyBar
from unspool_tui.widgets.prompt_line import PromptLine

if TYPE_CHECKING:
    from textual import events
    from textual.timer import Timer
    from textual.widget import Widget

    from unspool_tui.widgets.top_bar import TopBar

SAID_SECONDS: Final = 6.0
"""How long the keys give way to what is said: long enough to read it twice."""

Goal = int | str
"""Where a screen over a session leads when it is left: a row to go to, or words to filter by."""


class PaneScreen(WholeScreen[Goal]):
    """Knows which pane is in use, and shows it when only one can be shown.

    A subclass names its panes in order; the pane `x` is the widget `#x`. What is hidden while only one is shown, it
    hides in `entered`: classes on the screen would style every widget anew with each change of the focus.
    """

    AUTO_FOCUS = ""
    NAME: ClassVar[str] = ""
    WORDS: ClassVar[Sequence[HelpRow]] = FILTER_WORDS
    """The filter words that help names."""
    EDGE: ClassVar[Row] = ()
    """What the scrollbars of its panes say of the whole."""
    PANES: ClassVar[tuple[str, ...]] = ()
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (NARROW_BELOW, "-medium"), (WIDE_FROM, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (30, "-high")]  # noqa: RUF012
    BINDINGS = bindings("pane.next", "pane.previous", "pane.zoom", "app.leave", "app.back")

    def __init__(self) -> None:
        super().__init__()
        width, height = self.app.size
        for size, breakpoints in ((width, self.HORIZONTAL_BREAKPOINTS), (height, self.VERTICAL_BREAKPOINTS)):
            # before anything in it is styled: with its first size everything would be styled anew
            self.add_class(*self._get_breakpoint_classes(size, breakpoints), update=False)
        self.pane = ""
        self.zoomed = False
        self._until: Timer | None = None
        self._stays = False

    @property
    def narrow(self) -> bool:
        """Whether only one pane can be shown."""
        return self.app.size.width < NARROW_BELOW

    @property
    def single(self) -> bool:
        """Whether only one pane is shown."""
        return self.narrow or self.zoomed

    def pane_widget(self, pane: str) -> Widget:
        """Return what takes the focus in a pane."""
        return self.query_one(f"#{pane}")

    def use(self, pane: str) -> None:
        """Show a pane where only one is shown, and give it the focus."""
        self._enter(pane)
        self.set_focus(self.pane_widget(pane))

    def entered(self, pane: str) -> None:
        """Take note that another pane is in use."""

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Follow the focus, however it moved."""
        pane = self.pane_of(event.widget)
        if pane and event.widget is self.focused:  # an older event may come after a newer focus
            self._enter(pane)

    def on_resize(self) -> None:
        """Keep the pane in use in sight when the screen gets narrow."""
        if self.pane:
            self.call_after_refresh(self._show_again)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say whether an action does something here: there must be other panes, and to zoom, room for them."""
        if action in ("pane", "zoom"):
            return len(self.PANES) > 1 and not (action == "zoom" and self.narrow)
        return super().check_action(action, parameters)

    @property
    def idle(self) -> frozenset[str]:
        """The ids of its own commands that do nothing here."""
        own = ((binding.id, binding.action.partition("(")[0]) for _, binding in self._bindings)
        return frozenset(name for name, action in own if name and not self.check_action(action, ()))

    def action_pane(self, by: int) -> None:
        """Go to the next pane."""
        at = self.PANES.index(self.pane) if self.pane in self.PANES else 0
        self.use(self.PANES[(at + by) % len(self.PANES)])

    def action_zoom(self) -> None:
        """Give one pane the whole screen, or take it back."""
        self.zoomed = not self.zoomed
        self.entered(self.pane)

    def on_top_bar_pane_clicked(self, event: TopBar.PaneClicked) -> None:
        """Go to the clicked pane."""
        self.use(event.pane)

    def say(self, row: Row, *, loud: bool = False, stays: bool = False) -> None:
        """Show a status at the right end of the key bar; the next one replaces it.

        The next key takes it away, and unless it is `loud` a few seconds do. One that `stays` tells of what goes on.
        """
        bar = self.query_one(KeyBar)
        bar.loud, bar.lasts, bar.status = loud, stays, row
        self._stays = stays
        if self._until is not None:
            self._until.stop()
        self._until = self.set_timer(SAID_SECONDS, self.hush) if row and not loud and not stays else None

    def complain(self, said: str) -> None:
        """Say what did not work; the paths in it are told by their ends, so that the reason has room."""
        told = with_short_paths(clean(said, newline=False))
        self.say(((f"{marks.ERROR} ", "error bold"), (told, "text")), loud=True)

    def hush(self) -> None:
        """Give the room of what was said to the keys."""
        if not self._stays:
            self.query_one(KeyBar).status = ()

    def ask(self, question: str, hint: str) -> None:
        """Ask at the bottom of the screen."""
        self.query_one(PromptLine).ask(question, hint)

    def _enter(self, pane: str) -> None:
        if pane != self.pane:
            self.pane = pane
        self.entered(pane)

    def pane_of(self, widget: Widget) -> str:
        """Return the pane that a widget lies in, empty for none."""
        names = {node.id for node in widget.ancestors_with_self if node.id}
        return next((pane for pane in self.PANES if pane in names), "")

    def _show_again(self) -> None:
        if self.focused is None and self.pane:
            self.set_focus(self.pane_widget(self.pane))
        self.entered(self.pane)
