"""Looks at the whole session from other sides, and the ways back: the ledger, and the path lens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from unspool_tui.keymap import bindings
from unspool_tui.screens.room import Room
from unspool_tui.widgets.top_bar import TopBar

if TYPE_CHECKING:
    from unspool.views.view import SessionView
    from unspool_tui.present.weighing import Touched
    from unspool_tui.screens.ledger import Left
    from unspool_tui.screens.lens import Lens, Whose
    from unspool_tui.screens.panes import Goal


class Lenses(Room):
    """Opens the ledger and the path lens, keeps how they were left, and goes where they lead."""

    BINDINGS = bindings("show.ledger", "show.paths")

    _lens: Lens | None = None
    _left: Left | None = None
    _touched: tuple[SessionView, Touched] | None = None

    def action_ledger(self) -> None:
        """Weigh the outputs."""
        from unspool_tui.screens.ledger import LedgerScreen

        tools = self.filter_line.values.get("tool:", ())
        whose = self._whose()
        self._look(LedgerScreen(self.gateway, self.clock, whose, self.view, tools=tools, left=self._left))

    def action_paths(self) -> None:
        """Choose among the paths that the session touches."""
        from unspool_tui.screens.paths import PathsScreen

        known = self._touched[1] if self._touched is not None and self._touched[0] is self.view else None
        whose = self._whose()
        self._look(PathsScreen(self.gateway, self.clock, whose, self.view, here=self._paths_here(), touched=known))

    def tell_lens(self, view: SessionView) -> None:
        """Give the session to the lens that waits for it."""
        if self._lens is not None:
            self._lens.take(view)

    def grow_lens(self, view: SessionView) -> None:
        """Let the lens that is open show what has come."""
        if self._lens is not None:
            self._lens.grow(view)

    def _look(self, lens: Lens) -> None:
        self._lens = lens
        self.app.push_screen(lens, self._come_back)

    def _come_back(self, goal: Goal | None) -> None:
        """Remember how the lens was left, and go where it leads."""
        from unspool_tui.screens.ledger import LedgerScreen
        from unspool_tui.screens.paths import PathsScreen

        lens, self._lens = self._lens, None
        if isinstance(lens, LedgerScreen):
            self._left = lens.left
        elif isinstance(lens, PathsScreen) and lens.view is not None and lens.touched is not None:
            self._touched = (lens.view, lens.touched)
        if isinstance(goal, int):
            self.go(goal)
            self.use("reader")
        elif goal is not None:
            self.rewrite(goal)
            self.use("evidence")

    def _paths_here(self) -> Sequence[str]:
        """Return the paths that the piece in the reader is about, as they are told."""
        from unspool.views.path_uses import told_path

        subject = self.reader.subject
        if subject is None or self.view is None or subject.evidence.row != self.row:
            return ()
        files = (subject.call or subject.evidence).files
        return tuple(told_path(path, self.view.facts.cwd) for path in files)

    def _whose(self) -> Whose:
        from unspool_tui.screens.lens import Whose

        top = self.query_one(TopBar).top
        return Whose(top.trail[0] if top.trail else "", top.facts)
