"""The app: theme, first screens, and a terminal that is left as it was found."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from textual import on
from textual.driver import Driver
from textual.widgets import Input

from unspool.dataclass import replace
from unspool.text import clean
from unspool_tui.gateway import Gateway
from unspool_tui.key_order import KeyOrder
from unspool_tui.keymap import bindings
from unspool_tui.present import marks
from unspool_tui.present.tokens import DEFAULT_THEME, THEMES
from unspool_tui.present.waits import Attention
from unspool_tui.screen_loop import ScreenLoop
from unspool_tui.screens.clock import Clock
from unspool_tui.screens.copying import SELECTION, Copying
from unspool_tui.screens.curtain import Curtain
from unspool_tui.screens.panes import PaneScreen
from unspool_tui.settings.effective import Settings
from unspool_tui.settings.memory import Memory, keep, recall
from unspool_tui.streams import drawn_on
from unspool_tui.terminal import TerminalDriver
from unspool_tui.themes import themes
from unspool_tui.widgets.signs import Signs
from unspool_tui.widgets.uncoloured import Uncoloured

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.await_complete import AwaitComplete
    from textual.await_remove import AwaitRemove
    from textual.dom import DOMNode
    from textual.filter import LineFilter
    from textual.screen import Screen
    from textual.widget import Widget

    from unspool.ids import SessionRef
    from unspool.library.facade import Library
    from unspool_tui.demo import Stage
    from unspool_tui.first.frame import Begun
    from unspool_tui.held import Held
    from unspool_tui.messages.listing import DemoBegun, SessionsFound, SessionsRelisted
    from unspool_tui.messages.session import SessionGrown, SessionOpened
    from unspool_tui.screens.browse import BrowseScreen
    from unspool_tui.screens.sessions import SessionsScreen

WRONG_USE: Final = 2
SWITCH_SECONDS: Final = 0.001
"""Seconds that a thread which computes may keep that of the screen waiting: the usual five thousandths add up."""
INTERRUPTED: Final = 130
"""Exit code after SIGINT from outside, at which nobody asks the app: a ctrl+c that is typed is a key."""


class UnspoolApp(KeyOrder):
    """Shows the sessions of a library, or one of them first.

    `target` is anything that names a session. `clock` stands in for this machine's, for pictures and tests. Of
    `settings`, the roots are the library's matter. `memory` is what the last run left, and what this one leaves. With
    `follow` the session that is named is shown from its end, and followed. A terminal that is `held`
    shows the first frame already; `begun` is the session in it.
    """

    CSS_PATH = "app.tcss"
    TITLE = "unspool"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = bindings("app.help", "app.palette", "app.stop", "app.suspend", "app.theme")

    def __init__(
        self,
        library: Library,
        target: str | None = None,
        *,
        clock: Clock | None = None,
        settings: Settings | None = None,
        memory: Memory | None = None,
        follow: bool = False,
        held: Held | None = None,
        begun: Begun | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.memory = memory or Memory()
        self._signs = Signs(twins=self.settings.ascii, encoding=self.settings.encoding)
        super().__init__()
        self.gateway = Gateway(library, self.settings.limits)
        self.held = held
        self._target = target
        self._begun = begun
        self._follow = follow
        self._laid = False
        self._attention = Attention()
        self._clock = clock or Clock()
        self.fault: Exception | None = None
        self.stage: Stage | None = None
        for theme in themes():
            self.register_theme(theme)
        self.theme = "unspool-dark" if self.settings.dark else "unspool-light"
        self.set_keymap({name: ",".join(keys) for name, keys in self.settings.keys.items()})

    def refresh_css(self, animate: bool = True) -> None:
        """Apply no rule anew when the theme turns: none names a colour, and what is drawn in them follows by itself."""

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return what every drawn row goes through, last what the terminal can show."""
        own = [self._signs, Uncoloured(enabled=self.no_color)]
        return [*super().get_line_filters(), *(each for each in own if each.enabled)]

    def get_driver_class(self) -> type[Driver]:
        """Return what draws on a terminal, or what the environment asks for in its place."""
        found = super().get_driver_class()
        return TerminalDriver if issubclass(TerminalDriver, found) else found

    def on_load(self) -> None:
        """Leave the terminal well when the process is told to go, before it is touched; let the screen go first."""
        sys.setswitchinterval(SWITCH_SECONDS)
        loop = asyncio.get_running_loop()
        for each in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(each, self.exit, 128 + each)

    def get_default_screen(self) -> Screen[Any]:
        """Return what the app begins with: the sessions, or what was named."""
        return self._poppable(self._sessions() if self._target is None else self._browse(self._target))

    def on_mount(self) -> None:
        """Tell what is wrong, and wait for the first screen to be there."""
        self.call_after_refresh(self._tell_faults)
        if self.held is not None:
            Curtain(self, self.held, self._lay_list).wait()
        else:
            self._lay_list()

    def pop_screen(self) -> AwaitComplete:
        """Go back to the screen below; the one that was begun with lies on the list."""
        self._lay_list()
        return super().pop_screen()

    @property
    def _background_screens(self) -> list[Screen[Any]]:
        """The screens that are seen around the topmost: Textual would have the one below a whole one drawn, unseen."""
        return super()._background_screens if self.screen.styles.background.a < 1 else []

    def _prune(self, *nodes: Widget, parent: DOMNode | None = None) -> AwaitRemove:
        """Take away what goes; below a screen that goes is one that was drawn when it came into sight."""
        return super()._prune(*nodes, parent=None if parent is self else parent)

    def _lay_list(self) -> None:
        """Put the list below the session that was begun with, where it is found by who leaves that."""
        if self._target is not None and not self._laid:
            self._laid = True
            screen = self._sessions()
            self._get_screen(screen)  # begins to live
            self._screen_stack.insert(0, self._poppable(screen))

    def _poppable(self, screen: SessionsScreen | BrowseScreen) -> Screen[Any]:
        """Return a screen that nobody pushes with what Textual looks for when it goes."""
        screen._push_result_callback(self, None)
        return screen

    def _sessions(self) -> SessionsScreen:
        from unspool_tui.screens.sessions import SessionsScreen

        return SessionsScreen(self.gateway, self._clock, lambda: self.memory.session or "")

    def _browse(self, target: str) -> BrowseScreen:
        """Return the screen of what was named; of what the first frame shows it has the beginning."""
        if self._begun is None:
            from unspool_tui.screens.browse import BrowseScreen

            return BrowseScreen(self.gateway, target, clock=self._clock, follow=self._follow)
        from unspool_tui.screens.begun import BegunScreen

        tail, part = self._begun
        self._remember(tail.view.ref)
        return BegunScreen(self.gateway, target, tail, part=part, clock=self._clock)

    def _remember(self, ref: SessionRef) -> None:
        """Remember what is read; what streams in is over when the app begins again."""
        from unspool.library.streamed import ID

        if ref.session_id != ID:
            self.memory = replace(self.memory, session=str(ref))

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        """Draw, unless the first frame stands and there is nothing yet that is more."""
        stands = self.held is not None and not self.held.shown.is_set()
        super()._display(screen, None if stands else renderable)

    def _tell_faults(self) -> None:
        """Say what of the settings cannot be used, where the person looks first."""
        faults, screen = self.settings.faults, self.screen
        if faults and isinstance(screen, PaneScreen):
            more = f"  and {len(faults) - 1} more, see unspool settings" if len(faults) > 1 else ""
            said = clean(f"{faults[0].short}", newline=False)
            screen.say(((f"{marks.ERROR} ", "error bold"), (said, "text"), (more, "muted")), loud=True)

    def on_demo_begun(self, event: DemoBegun) -> None:
        """Show the session of the scripted agent, over the list that it stands in."""
        if self.stage is not None:  # the key was pressed twice
            event.stage.remove()
            return
        from unspool_tui.screens.browse import BrowseScreen
        from unspool_tui.screens.sessions import SessionsScreen

        self.stage = event.stage
        gateway = Gateway(event.library, self.settings.limits)
        self.push_screen(SessionsScreen(gateway, self._clock))
        self.push_screen(BrowseScreen(gateway, str(event.stage.log), clock=self._clock, follow=True))

    def on_session_opened(self, event: SessionOpened) -> None:
        """Remember what is read."""
        self._remember(event.view.ref)
        self._attention.takes(event.view.ref, event.view.facts.waiting)

    def on_session_grown(self, event: SessionGrown) -> None:
        """Call the person when the agent of the open session begins to wait."""
        self._call(self._attention.takes(event.grown.ref, event.grown.facts.waiting))

    def on_sessions_found(self, event: SessionsFound) -> None:
        """Note who waits already."""
        for summary in event.summaries:
            self._attention.takes(summary.ref, summary.waiting)

    def on_sessions_relisted(self, event: SessionsRelisted) -> None:
        """Call the person when the agent of a session in the list begins to wait."""
        begun = [each.ref for each in event.summaries if self._attention.takes(each.ref, each.waiting)]
        self._call(bool(begun))

    @on(Driver.SignalResume)
    def _draw_again(self) -> None:
        """Draw everything: the shell had the terminal meanwhile, and cleared what stood there."""
        self.refresh()

    def _call(self, waits: bool) -> None:
        if waits and self.settings.bell:
            self.bell()

    def _handle_exception(self, error: Exception) -> None:
        """End; `run` raises what went wrong, unless it was the ending that a half made screen stumbled over."""
        if not self._exit:
            self.fault = self.fault or error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """End without a picture of the stack: Textual's shows the values in it, which are a session's text."""
        self._close_messages_no_wait()

    def action_help(self) -> None:
        """Show help for the screen."""
        from unspool_tui.screens.help import HelpScreen, groups_of

        screen = self.screen
        if isinstance(screen, PaneScreen):
            self.push_screen(HelpScreen(screen.NAME, groups_of(screen, self.settings.keys), screen.WORDS, screen.EDGE))

    def action_palette(self) -> None:
        """Offer every command and session by its name."""
        from unspool_tui.commands import commands_of
        from unspool_tui.screens.palette import PaletteScreen

        screen = self.screen
        if isinstance(screen, PaneScreen):
            self.push_screen(PaletteScreen(self.gateway, self._clock, commands_of(screen)))

    def action_search_all(self) -> None:
        """Ask what is to be looked for in all sessions; the way back leads to where one was."""
        from unspool_tui.screens.search import SearchScreen

        self.push_screen(SearchScreen(self.gateway, self._clock))

    def action_copy_or_quit(self) -> None:
        """Copy what is selected; quit when nothing is."""
        focused = self.focused
        selected = focused.selected_text if isinstance(focused, Input) else self.screen.get_selected_text()
        screen = next((each for each in reversed(self.screen_stack) if isinstance(each, Copying)), None)
        if selected and screen is not None:
            screen.begin_copy()
            screen.copy_out(selected, SELECTION)
        else:
            self.exit(0)

    async def action_quit(self) -> None:
        """Quit."""
        self.exit(0)

    def action_turn_theme(self) -> None:
        """Change between dark and light."""
        names = list(THEMES)
        self.theme = names[(names.index(self.theme) + 1) % len(names)] if self.theme in names else DEFAULT_THEME
        self.memory = replace(self.memory, theme="dark" if self.current_theme.dark else "light")


def run(
    library: Library,
    target: str | None = None,
    settings: Settings | None = None,
    state: str = "",
    *,
    follow: bool = False,
    held: Held | None = None,
    begun: Begun | None = None,
) -> int:
    """Run the app until it is left, and return the exit code; without a terminal, say so and return 2.

    `held` and `begun` are what the first frame left. `state` is the file of what is remembered between runs; without
    one nothing is. Raises what went wrong inside.
    """
    if not (sys.__stdin__ and os.isatty(0) and drawn_on() is not None):
        sys.stderr.write("unspool: the app needs a terminal; `unspool sessions` lists sessions without one\n")
        return WRONG_USE
    if not os.environ.get("NO_COLOR"):  # set to nothing it does not count, as no-color.org says
        os.environ.pop("NO_COLOR", None)
    gc.freeze()  # modules stay: collections that leave them out stop the screen half as long
    memory = recall(state) if state else None
    app = UnspoolApp(library, target, settings=settings, memory=memory, follow=follow, held=held, begun=begun)
    try:
        with asyncio.Runner(loop_factory=ScreenLoop) as runner:
            code = app.run(loop=runner.get_loop())
    finally:
        if app.stage is not None:
            app.stage.remove()
    if state:
        keep(state, app.memory)
    if app.fault is not None:
        raise app.fault
    return INTERRUPTED if code is None else code
