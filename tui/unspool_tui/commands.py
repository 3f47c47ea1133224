"""What the palette offers: the commands of a screen, each as it is bound now."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from textual.widget import Widget
from textual.widgets import Input

from unspool_tui.keymap import BARS, COMMANDS
from unspool_tui.present.offers import Offer
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.key_bar import KeyBar

if TYPE_CHECKING:
    from textual.binding import Binding
    from textual.dom import DOMNode

    from unspool_tui.screens.panes import PaneScreen

LAST: Final = "move"
"""The commands that nobody looks for in a palette come last."""


def commands_of(screen: PaneScreen) -> list[Offer]:
    """Return the commands of a screen and of all its panes: those of the key bar first, moves last."""
    bound: dict[str, tuple[DOMNode, Binding]] = {}
    for node in _nodes(screen):
        for _, binding in node._bindings:
            if binding.id and binding.id in COMMANDS and binding.id not in {"app.palette", *screen.idle}:
                bound.setdefault(binding.id, (node, binding))
    names = sorted(bound, key=partial(_place, screen))
    return [_offer(screen, name, *bound[name]) for name in names]


def _nodes(screen: PaneScreen) -> Iterator[DOMNode]:
    """Yield what has bindings: outwards from the focus, then the other panes; fields have keys for typing only."""
    focused = screen.focused
    nearest = [focused, *focused.ancestors] if focused is not None else []
    for node in (*nearest, *screen.query("*"), screen, screen.app):
        if not isinstance(node, Input):
            yield node


def _place(screen: PaneScreen, name: str) -> tuple[bool, int]:
    """Return where a command stands: as the key bar has it, else as the table of all does."""
    bar = [each if isinstance(each, str) else each[0] for each in BARS.get(screen.query_one(KeyBar).pane, ())]
    order = [*bar, *COMMANDS]
    return name.partition(".")[0] == LAST, order.index(name)


def _offer(screen: PaneScreen, name: str, node: DOMNode, binding: Binding) -> Offer:
    return Offer(
        COMMANDS[name].does,
        partial(_run, screen, node, binding.action),
        key=key_for(screen.app, name),
        hidden=f"{COMMANDS[name].words} {binding.description}",
    )


def _run(screen: PaneScreen, node: DOMNode, action: str) -> None:
    """Do what a key would do, in the pane that it belongs to."""
    pane = screen.pane_of(node) if isinstance(node, Widget) else ""
    if pane and pane != screen.pane:
        screen.use(pane)
    screen.app.call_later(screen.app.run_action, action, node)
