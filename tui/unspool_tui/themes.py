"""The themes as Textual knows them; what is drawn takes its colours from `present.tokens` by itself."""

from __future__ import annotations

from textual.theme import Theme

from unspool_tui.present.tokens import DEFAULT_THEME, THEMES


def themes() -> tuple[Theme, ...]:
    """Return them, each named as its tokens are."""
    return tuple(
        Theme(
            name=name,
            dark=name == DEFAULT_THEME,
            primary=tokens["accent"],
            foreground=tokens["text"],
            background=tokens["ground"],
        )
        for name, tokens in THEMES.items()
    )
