"""The surface below what a widget leaves blank: no rule names a colour, so that turning the theme applies none anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.color import Color

from unspool_tui.present.tokens import DEFAULT_THEME, THEMES

if TYPE_CHECKING:
    from textual.widget import Widget


def lay(surface: str, widget: Widget, *, alpha: float = 1.0) -> None:
    """Lay a surface below a widget, now and whenever the theme turns; all that is in the widget is drawn again then."""

    def take(theme: str) -> None:
        tokens = THEMES.get(theme, THEMES[DEFAULT_THEME])
        widget.styles.background = Color.parse(tokens[surface]).with_alpha(alpha)

    widget.watch(widget.app, "theme", take)
