"""Colour tokens. Rows name a token, never a colour; a theme gives each token its value."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

DARK: Final[Mapping[str, str]] = MappingProxyType(
    {
        # Surfaces: steps of background instead of borders.
        "ground": "#14161b",
        "rail": "#181b21",
        "bar": "#1f232b",
        "raised": "#20242d",
        "line": "#2c313b",
        "thread": "#454c59",
        "cursor": "#2b3354",
        "cursor-dim": "#232832",
        "chip": "#31374a",
        "thumb": "#343a46",
        # Text: what you read, what was said on the way, what names it, what measures it.
        "text": "#d6d9df",
        "soft": "#b3b9c4",
        "muted": "#9aa1ae",
        "faint": "#878e9b",
        "accent": "#a79bf2",
        # Kinds.
        "user": "#e3b76b",
        "assistant": "#86b8e6",
        "system": "#a49aae",
        "input": "#6fc1a9",
        "output": "#a3afbd",
        # States.
        "error": "#f17f85",
        "error-soft": "#c17c81",
        "error-bg": "#33202a",
        "stored": "#d993cb",
        "stored-soft": "#7d5a78",
        "stored-bg": "#3a2639",
        "live": "#86c983",
        "match": "#f5d76e",
        "match-bg": "#453d1c",
        "match-now": "#f5d76e",
        "match-now-text": "#1a1a12",
        # Differences and code.
        "add": "#9bd19a",
        "add-bg": "#182a22",
        "add-word": "#2a5239",
        "del": "#ee9398",
        "del-bg": "#2f1d23",
        "del-word": "#61303a",
        "syn-key": "#b9a5ee",
        "syn-str": "#b5c98b",
        "syn-num": "#e0b080",
        "syn-def": "#8fbfe8",
    }
)

LIGHT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ground": "#fcfbf9",
        "rail": "#f5f3ef",
        "bar": "#eae7e1",
        "raised": "#f0ede8",
        "line": "#d8d3ca",
        "thread": "#bdb8ae",
        "cursor": "#dcdff8",
        "cursor-dim": "#ebe8e2",
        "chip": "#dbd7ea",
        "thumb": "#d3cec5",
        "text": "#24262c",
        "soft": "#43474f",
        "muted": "#5a5d65",
        "faint": "#686763",
        "accent": "#5546c0",
        "user": "#855400",
        "assistant": "#1d5fa5",
        "system": "#695f72",
        "input": "#0e6b54",
        "output": "#4f5b69",
        "error": "#b22937",
        "error-soft": "#a64a54",
        "error-bg": "#fbe3e4",
        "stored": "#963c86",
        "stored-soft": "#cfa3c6",
        "stored-bg": "#f4e0f0",
        "live": "#29712e",
        "match": "#6a4d00",
        "match-bg": "#fbe9a6",
        "match-now": "#8f6a00",
        "match-now-text": "#ffffff",
        "add": "#1d6b2c",
        "add-bg": "#e5f3e4",
        "add-word": "#b7dfb6",
        "del": "#a92a35",
        "del-bg": "#fbe7e7",
        "del-word": "#f1bcc0",
        "syn-key": "#6a3fb5",
        "syn-str": "#4c6b12",
        "syn-num": "#94530a",
        "syn-def": "#1d5fa5",
    }
)

THEMES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({"unspool-dark": DARK, "unspool-light": LIGHT})
DEFAULT_THEME: Final = "unspool-dark"

LOUD: Final = frozenset({"match-bg", "match-now", "stored-bg", "error-bg"})
"""Grounds that say something: without colour the words on them are bold and underlined instead."""
