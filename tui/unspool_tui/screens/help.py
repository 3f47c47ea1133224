"""Help: the keys that work on the screen below, made from its bindings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from unspool_tui.keymap import HELP, keys_of
from unspool_tui.present.help_rows import HelpRow, fitted, help_rows
from unspool_tui.present.key_names import shown_key
from unspool_tui.screens.card import CardScreen
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.painting import Painting
from unspool_tui.widgets.signs import draws_twins

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingsMap

    from unspool_tui.present.cells import Row
    from unspool_tui.screens.panes import PaneScreen

KEYS_SHOWN = 2
"""Commands whose keys are named on one line of help; of more digits the first and the last are."""

KEY_SHOWN = 6
"""Letters that a further key's name may have (`ctrl+c`); `shift+tab` is known from elsewhere."""


class HelpScreen(CardScreen):
    """Names keys, marks and filter words."""

    def __init__(self, title: str, groups: Mapping[str, Sequence[HelpRow]], words: Sequence[HelpRow]) -> None:
        super().__init__()
        self._card = HelpCard(title, groups, words)

    def compose(self) -> ComposeResult:
        """Show the card."""
        yield self._card


class HelpCard(Painting):
    """The card, with a blank row at its end where there is room for it."""

    DEFAULT_CSS = "HelpCard { max-height: 100%; }"
    ground = "raised"

    def __init__(self, title: str, groups: Mapping[str, Sequence[HelpRow]], words: Sequence[HelpRow]) -> None:
        super().__init__()
        self._told = (title, groups, words)
        self.styles.height = len(help_rows(*self._told, 104)) + 1

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the card's rows."""
        closes, palette = key_for(self.app, "card.close"), key_for(self.app, "app.palette")
        return fitted(help_rows(*self._told, width, closes=closes, palette=palette), height)


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
