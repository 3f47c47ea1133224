"""Help: the keys that work on the screen below, made from its bindings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.reactive import reactive

from unspool_tui.keymap import HELP, bindings, keys_of
from unspool_tui.present.help_rows import HelpRow, fitted, help_rows, in_sight
from unspool_tui.present.key_names import shown_key
from unspool_tui.screens.card import CardScreen
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.painting import Painting
from unspool_tui.widgets.signs import draws_twins

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingsMap
    from textual.geometry import Size

    from unspool_tui.present.cells import Cell, Row
    from unspool_tui.screens.panes import PaneScreen

KEYS_SHOWN = 2
"""Commands whose keys are named on one line of help; of more digits the first and the last are."""

KEY_SHOWN = 6
"""Letters that a further key's name may have (`ctrl+c`); `shift+tab` is known from elsewhere."""


class HelpScreen(CardScreen):
    """Names keys, marks and filter words; `edge` is what lies in the scrollbars of the screen."""

    BINDINGS = bindings(
        "move.down", "move.up", "move.page_down", "move.page_up", "move.half_down", "move.half_up", "move.top",
        "move.end",
    )  # fmt: skip

    def __init__(
        self, title: str, groups: Mapping[str, Sequence[HelpRow]], words: Sequence[HelpRow], edge: Sequence[Cell]
    ) -> None:
        super().__init__()
        self._card = HelpCard(title, groups, words, edge)

    def compose(self) -> ComposeResult:
        """Show the card."""
        yield self._card

    def action_move(self, by: int) -> None:
        """Move by rows."""
        self._card.scroll(by)

    def action_page(self, by: int) -> None:
        """Move by screenfuls."""
        self._card.scroll(by * max(1, self._card.size.height - 2))

    def action_half(self, by: int) -> None:
        """Move by half screenfuls."""
        self._card.scroll(by * max(1, self._card.size.height // 2))

    def action_top(self) -> None:
        """Move to the top."""
        self._card.scroll(-len(self._card.all_rows))

    def action_end(self) -> None:
        """Move to the end."""
        self._card.scroll(len(self._card.all_rows))

    def on_mouse_scroll_down(self) -> None:
        """Move on."""
        self._card.scroll(1)

    def on_mouse_scroll_up(self) -> None:
        """Move back."""
        self._card.scroll(-1)


class HelpCard(Painting):
    """The card, with a blank row at its end where there is room for it; where there is not even for it, it scrolls."""

    DEFAULT_CSS = "HelpCard { height: auto; max-height: 100%; }"
    ground = "raised"

    top: reactive[int] = reactive(0)
    """Rows below the way out that are out of sight above."""

    def __init__(
        self, title: str, groups: Mapping[str, Sequence[HelpRow]], words: Sequence[HelpRow], edge: Sequence[Cell]
    ) -> None:
        super().__init__()
        self._told = (title, groups, words, edge)
        self._fitted: tuple[Size, Sequence[Row]] | None = None

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Be as high as the rows."""
        return len(help_rows(*self._told, width)) + 1

    @property
    def all_rows(self) -> Sequence[Row]:
        """The card's rows, without those that a low window has no room for."""
        if self._fitted is None or self._fitted[0] != self.size:
            closes, palette = key_for(self.app, "card.close"), key_for(self.app, "app.palette")
            every = help_rows(*self._told, self.size.width, closes=closes, palette=palette)
            self._fitted = self.size, fitted(every, self.size.height)
        return self._fitted[1]

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the rows in sight."""
        return in_sight(self.all_rows, min(self.top, self._last), height, key_for(self.app, "move.down"))

    def scroll(self, by: int) -> None:
        """Move by rows."""
        self.top = max(0, min(self._last, self.top + by))

    @property
    def _last(self) -> int:
        return max(0, len(self.all_rows) - self.size.height)


def groups_of(screen: PaneScreen, own: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[HelpRow, ...]]:
    """Return what the bindings of the screen, its widgets and the app do, by group, in the order of help.

    `own` are the keys that the person has given to commands.
    """
    bound = {name: own.get(name, keys) for name, keys in keys_of(_maps(screen)).items() if name not in screen.idle}
    words = draws_twins(screen.app)
    groups = {}
    for name, lines in HELP.items():
        rows = []
        for ids, does in lines:
            keys = _shown([bound[each] for each in ids if each in bound], words=words)
            if keys:
                rows.append((keys, does))
        groups[name] = tuple(rows)
    return groups


def _maps(screen: PaneScreen) -> list[BindingsMap]:
    return [node._bindings for node in (*screen.query("*"), screen, screen.app)]


def _shown(keys: list[tuple[str, ...]], *, words: bool) -> str:
    """Name the first keys of one or two commands, two of each where they are single signs; a run of digits as a range.

    Of three commands and more the first two are named.
    """
    firsts = [shown_key(each[0], words=words) for each in keys]
    if len(firsts) > KEYS_SHOWN and all(key.isdigit() for key in firsts):
        return f"{min(firsts)} to {max(firsts)}"
    seconds = [shown_key(each[1], words=words) for each in keys if len(each) > 1]
    signs = len(keys) == len(seconds) == 2 and len("".join(seconds)) == 2
    shown = [*firsts[:2], *(seconds if signs else [])]
    return " ".join(dict.fromkeys(key for at, key in enumerate(shown) if at == 0 or len(key) <= KEY_SHOWN))
