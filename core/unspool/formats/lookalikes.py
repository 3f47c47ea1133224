"""Agents that took over the layout of another: what in their records tells that they are not that agent's.

    iFlow     Claude Code's layout; sessions are named `session-<uuid>`, and each state of a streamed message is a
              record of its own beside the last one
    TRAE CLI  Codex's layout; its header names `trae` as the model's provider

Read as what they look like, they would give wrong evidence under a wrong name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from unspool.formats.fields import mapping, text
from unspool.pattern import pattern

_IFLOW_SESSION: Final = pattern(r"session-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE)
_TRAE: Final = "trae"


def is_lookalike(record: Mapping[str, Any]) -> bool:
    """Say whether a record is of an agent that only looks like one of those that are read."""
    session = text(record.get("sessionId"))
    if session is not None and session[:8].lower() == "session-" and _IFLOW_SESSION.match(session):
        return True
    return record.get("type") == "session_meta" and mapping(record.get("payload")).get("model_provider") == _TRAE
