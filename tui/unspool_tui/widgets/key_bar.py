"""The key bar: the keys that do something here, and at the right what is going on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.reactive import reactive

from unspool_tui.keymap import BARS, PAIRS, rank_of
from unspool_tui.present.bars import key_row
from unspool_tui.present.key_names import shown_key
from unspool_tui.widgets.painting import Painting
from unspool_tui.widgets.signs import draws_twins

if TYPE_CHECKING:
    from textual import events

    from unspool_tui.present.cells import Row

HELP = "app.help"
RUNS = {"facet.1": ("1", "1-7", "facets"), "ledger.size": ("1", "1-3", "order")}
"""Commands that stand for a run of keys on the bar: the first key as it is by default, the run, and its words."""


class KeyBar(Painting):
    """One row: the commands of one pane, as they are bound now."""

    DEFAULT_CSS = "KeyBar { height: 1; dock: bottom; }"
    ground = "bar"

    pane: reactive[str] = reactive("")
    """The name of the pane in `keymap.BARS`."""
    idle: reactive[frozenset[str]] = reactive(frozenset())
    """Ids of commands that do nothing on what is shown: they answer in words, and are not offered."""
    status: reactive[Row] = reactive(())
    state: reactive[Row] = reactive(())
    """What stands there while there is no status."""
    loud: reactive[bool] = reactive(False)
    """Whether the status is an error, and may push keys out."""
    lasts: reactive[bool] = reactive(False)
    """Whether the status stays until what it tells of is over."""

    def on_mount(self) -> None:
        """Draw again when the bindings in force change."""
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self.refresh())

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the bar."""
        keys = self._keys()
        help_key = next((key for name, key, _ in keys if name == HELP), "")
        listed = [(key, words) for name, key, words in keys if name != HELP]
        loud = self.loud and bool(self.status)
        return [key_row(listed, help_key, self.status or self.state, width, loud=loud, lasts=self.lasts)]

    def on_click(self, event: events.Click) -> None:
        """A click on a key is the key."""
        at = 1
        for name, key, words in self._keys():
            stop = at + len(key) + 1 + len(words)
            if at <= event.x < stop and name not in RUNS:
                binding = next(each for each in self.screen.active_bindings.values() if each.binding.id == name)
                self.app.call_later(self.app.run_action, binding.binding.action, binding.node)
            at = stop + 2

    def _keys(self) -> list[tuple[str, str, str]]:
        """Return id, first key and words of the pane's commands that are bound and enabled, in order of use."""
        bound: dict[str, tuple[str, str]] = {}
        for key, active in self.screen.active_bindings.items():
            name = active.binding.id
            if active.enabled and name and (name not in bound or rank_of(name, key) < rank_of(name, bound[name][0])):
                bound[name] = (key, active.binding.description)
        keys = []
        plain = draws_twins(self.app)
        for wanted in (*BARS.get(self.pane, ()), HELP):
            name, other = wanted if isinstance(wanted, tuple) else (wanted, "")
            if name in bound and name not in self.idle:
                key, words = bound[name]
                first, run, of = RUNS.get(name, ("", "", ""))
                back, both = PAIRS.get(name, ("", ""))
                shown = shown_key(key, words=plain)
                if key == first:
                    keys.append((name, run, of))
                elif back in bound:
                    keys.append((name, f"{shown} {shown_key(bound[back][0], words=plain)}", both))
                else:
                    keys.append((name, shown, other or words))
        return keys
