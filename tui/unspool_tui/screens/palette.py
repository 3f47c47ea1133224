"""The palette: every command and every session by its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Vertical
from textual.reactive import reactive
from textual.widgets import Input

from unspool.text import clean
from unspool_tui.keymap import bindings
from unspool_tui.present import marks, numbers
from unspool_tui.present.cells import BLANK, Cell, Row, spread
from unspool_tui.present.offers import Offer, fitting
from unspool_tui.present.titles import title_of_view
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.card import CardScreen
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.offer_list import OfferList
from unspool_tui.widgets.painting import Painting
from unspool_tui.widgets.record_list import RecordList
from unspool_tui.widgets.word_input import WordInput

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from unspool.library.summary import SessionSummary
    from unspool_tui.gateway import Gateway
    from unspool_tui.messages.failed import Failed
    from unspool_tui.messages.listing import SessionsFound
    from unspool_tui.screens.clock import Clock

HINT = "a command, or a session: title, project, id"


class PaletteScreen(CardScreen):
    """Offers commands, and the sessions as they are found; what is chosen is done when the palette is gone."""

    DEFAULT_CSS = """
    PaletteScreen > Vertical { height: 20; max-height: 100%; }
    PaletteScreen PaletteField.-textual-compact { padding: 0 3; margin: 1 0; }
    PaletteScreen PaletteFoot { height: 2; }
    """
    AUTO_FOCUS = ""

    def __init__(self, gateway: Gateway, clock: Clock, commands: Sequence[Offer]) -> None:
        super().__init__()
        self._gateway = gateway
        self._clock = clock
        self._commands = tuple(commands)
        self._sessions: list[Offer] = []
        self._done = False

    def compose(self) -> ComposeResult:
        """Put the words above what fits them."""
        with Vertical():
            yield PaletteField(HINT, ground="raised")
            yield OfferList()
            yield PaletteFoot()

    def on_mount(self) -> None:
        """Show the commands, and look for sessions."""
        self.set_focus(self.query_one(PaletteField))  # at once: the next key is meant for it
        self._show(from_top=True)
        self._gateway.list_sessions(self, 0)

    def on_sessions_found(self, event: SessionsFound) -> None:
        """Offer more sessions."""
        self._sessions += [self._offer(summary) for summary in event.summaries if not summary.empty]
        self._done = event.done
        self._show(from_top=False)

    def on_failed(self, event: Failed) -> None:
        """Say that there are only commands."""
        self._done = True
        self.query_one(PaletteFoot).said = clean(event.said, newline=False)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._show(from_top=True)

    @on(WordInput.Left)
    def _left(self, event: WordInput.Left) -> None:
        if event.kept:
            self._choose()
        else:
            self.action_close()

    @on(RecordList.Opened)
    def _clicked(self) -> None:
        self._choose()

    def _choose(self) -> None:
        """Do what the cursor is on, when this screen is gone."""
        offer = self.query_one(OfferList).offer
        if offer is not None:
            self.app.call_later(offer.choose)
            self.dismiss()

    def _show(self, *, from_top: bool) -> None:
        found = fitting((*self._commands, *self._sessions), self.query_one(PaletteField).value)
        self.query_one(OfferList).show(found, from_top=from_top)
        more = f"{numbers.full(found.more)} more; another word narrows them" if found.more else ""
        self.query_one(PaletteFoot).said = more or ("" if self._done else "looking for sessions …")

    def _offer(self, summary: SessionSummary) -> Offer:
        project = clean(summary.project or "", newline=False)
        age = numbers.age(summary.last_activity, self._clock.now(), self._clock.zone)
        ref = clean(str(summary.ref), newline=False)
        mark: Cell = (marks.LIVE, "live") if summary.live else (marks.CHILD, "faint") if summary.parent else BLANK
        return Offer(
            title_of_view(None, summary) or ref,
            lambda: self._open(summary),
            about="  ".join(fact for fact in (summary.agent, project, age) if fact),
            hidden=ref,
            mark=mark,
        )

    def _open(self, summary: SessionSummary) -> None:
        self.app.push_screen(BrowseScreen(self._gateway, str(summary.ref), summary, clock=self._clock))


class PaletteField(WordInput):
    """The words; arrows move in the list below."""

    BINDINGS = bindings("palette.down", "palette.up", "palette.page_down", "palette.page_up")

    def action_offer(self, by: int) -> None:
        """Move by offers."""
        self.screen.query_one(OfferList).action_move(by)

    def action_offers(self, by: int) -> None:
        """Move by screenfuls."""
        self.screen.query_one(OfferList).action_page(by)


class PaletteFoot(Painting):
    """What is left out or still looked for, and the way out."""

    ground = "raised"
    said: reactive[str] = reactive("")

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the words and the way out, a blank row above."""
        closes: Row = ((key_for(self.app, "card.close"), "text bold"), (" closes   ", "muted"))
        return [(), spread([("   ", "text"), (self.said, "faint")], closes, width)]
