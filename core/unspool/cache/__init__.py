"""What was read of sessions, kept in a folder of its own: disposable, verified, and only ever saves time."""

from __future__ import annotations

from typing import Final

KEPT_FROM: Final = 256 << 10
"""Bytes of a session that is kept: a shorter one is read again at once."""

APART_FROM: Final = 16 << 20
"""Bytes of a session that a process of its own reads, where there is a screen to be kept moving."""
