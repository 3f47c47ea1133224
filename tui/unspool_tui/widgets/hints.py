"""The key that a hint names: the one that its command has now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unspool_tui.present.key_names import shown_key
from unspool_tui.settings.effective import Settings
from unspool_tui.settings.rebinding import USUAL
from unspool_tui.widgets.signs import draws_twins

if TYPE_CHECKING:
    from textual.app import App


def key_for(app: App[object], name: str) -> str:
    """Return the first key of a command, as it is shown; its usual one in an app without settings."""
    settings = getattr(app, "settings", None)
    own = settings.keys.get(name) if isinstance(settings, Settings) else None
    return shown_key((own or USUAL[name])[0], words=draws_twins(app))
