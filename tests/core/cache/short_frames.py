"""Frames of few items, so that what is kept of a short session is in several of them."""

from __future__ import annotations

import pytest

from unspool.cache import frames, kept_columns, kept_texts, packing


def shorten_frames(monkeypatch: pytest.MonkeyPatch, items: int = 3) -> None:
    """Let a frame have so many items, or texts."""
    for module in (frames, kept_columns, packing):
        monkeypatch.setattr(module, "ITEMS", items)
    for other in (frames, kept_texts, packing):
        monkeypatch.setattr(other, "TEXTS", items)
