"""Containers that their children cover: no line of them is seen, and none need be made as a line of its own."""

from __future__ import annotations

from textual.containers import Horizontal, Vertical


class CoveredRow(Horizontal):
    """Children side by side."""

    BLANK = True


class CoveredColumn(Vertical):
    """Children one below the other."""

    BLANK = True
