"""The path lens: every path that a session touches; one of them leads to all evidence that touches it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Vertical

from unspool.views.filter import Filter
from unspool_tui.present import numbers
from unspool_tui.present.filter_words import PATHS_HINT, findable, left_over, with_named
from unspool_tui.present.weighing import Touched
from unspool_tui.screens.lens import Lens, Whose
from unspool_tui.widgets.filter_line import FilterLine
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.key_bar import KeyBar
from unspool_tui.widgets.pane_title import PaneTitle
from unspool_tui.widgets.path_list import PathColumns, PathList
from unspool_tui.widgets.prompt_line import PromptLine
from unspool_tui.widgets.record_list import RecordList
from unspool_tui.widgets.top_bar import TopBar

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from unspool.ids import EvidenceId
    from unspool.views.view import SessionView
    from unspool_tui.gateway import Gateway
    from unspool_tui.messages.chosen import PathsTouched
    from unspool_tui.screens.clock import Clock


class PathsTitle(PaneTitle):
    """The title of the list, on the ground that the list lies on."""

    ground = "ground"


class PathsScreen(Lens):
    """Lists paths, most touched first; the cursor begins at the one that the open piece is about.

    `here` are the paths of that piece. `touched` is what an earlier look found.
    """

    DEFAULT_CSS = """
    PathsScreen { layers: base above; }
    PathsScreen > Vertical { height: 1fr; }
    """
    NAME = "Paths"
    PLACE = "Paths"
    PANES = ("paths",)

    def __init__(
        self, gateway: Gateway, clock: Clock, whose: Whose, view: SessionView | None, *, here: Sequence[str] = (),
        touched: Touched | None = None,
    ) -> None:  # fmt: skip
        super().__init__(gateway, clock, whose, view)
        self._here = here
        self.touched = touched
        self._moved = False

    def compose(self) -> ComposeResult:
        """Put title and filter above the list."""
        yield TopBar()
        with Vertical():
            yield PathsTitle("Paths")
            yield FilterLine(PATHS_HINT, {})
            yield PathColumns()
            yield PathList(id="paths")
        yield PromptLine()
        yield KeyBar()

    def begin(self) -> None:
        """Look for the paths, unless they are known."""
        view = self.view
        assert view is not None  # `begin` is called when there is one
        self._list.zone, self._list.here = self.clock.zone, frozenset(self._here)
        if self.touched is None or not self.touched.complete:
            self.touched = Touched((), 0, len(view.select(Filter())))
            self._look()
        self._show()

    def _look(self) -> None:
        if self.view is not None:
            self.generation += 1
            self.gateway.touch(self, self.view, self.view.select(Filter()), self.generation, touched=True)

    def forget(self) -> None:
        """Look for the paths of another text."""
        self.touched = Touched((), 0, 0)
        self._show()

    def grown(self) -> None:
        """Look for the paths that there are by now."""
        if self.touched is not None and self.touched.complete:
            self._look()

    def wait(self) -> None:
        """Say that the session is still being read."""
        self._list.note = "reading the session …"
        self._list.renew()

    def light(self, *, lit: bool) -> None:
        """Show whether the list has the focus."""
        self.query_one(PaneTitle).lit = lit

    def filtered(self, words: str) -> None:
        """Show the paths that hold the words."""
        self._show()

    def on_paths_touched(self, event: PathsTouched) -> None:
        """Show the paths as far as calls were read."""
        if event.generation == self.generation:
            self.touched = event.touched
            self._show()

    @on(RecordList.Moved)
    def _person_moved(self) -> None:
        self._moved = True

    @on(RecordList.Opened)
    def _opened(self) -> None:
        use = self._list.use
        if use is not None:
            self.dismiss(with_named("", "path", findable(use.path)))

    def reference(self) -> EvidenceId | None:
        """Return the newest piece that touches the path under the cursor."""
        use = self._list.use
        return self.view.id(use.last) if use is not None and self.view is not None else None

    @property
    def _list(self) -> PathList:
        return self.query_one(PathList)

    def _show(self) -> None:
        """Bring list, title and filter line in step; the cursor stays on its path."""
        view, touched = self.view, self.touched
        if view is None or touched is None:
            return
        words = self.query_one(FilterLine).words.strip().casefold()
        uses = touched.uses
        shown = [use for use in uses if words in use.path.casefold()] if words else uses
        kept = self._list.use.path if self._list.use is not None and self._moved else next(iter(self._here), None)
        cursor = next((at for at, use in enumerate(shown) if use.path == kept), 0)
        self._list.note = self._note(touched, words)
        self._list.show(view, shown, cursor)
        title = self.query_one(PaneTitle)
        title.title, title.said = f"Paths {numbers.count(len(uses))}", "most touched first"
        title.refresh()
        self._say(touched, len(shown), len(uses), words)

    def _note(self, touched: Touched, words: str) -> str:
        if not touched.complete:
            return "reading the calls …"
        if words:
            return f"no path holds this   {key_for(self.app, 'app.back')} clears it"
        return "no call names a path, and no prompt mentions one"

    def _say(self, touched: Touched, shown: int, total: int, words: str) -> None:
        if not touched.complete:
            said = f"{numbers.full(touched.done)} of {numbers.full(touched.total)} pieces looked at …"
            self.query_one(FilterLine).say(((said, "muted"),))
        else:
            self.query_one(FilterLine).say(left_over(shown, total, None) if words else ())
