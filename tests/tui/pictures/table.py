"""All walks: every state that has a picture."""

from __future__ import annotations

from typing import Final

from tests.tui.pictures import at_browse, at_reading, at_sessions
from tests.tui.pictures.walk import Walk

WALKS: Final[tuple[Walk, ...]] = (*at_sessions.WALKS, *at_browse.WALKS, *at_reading.WALKS)
