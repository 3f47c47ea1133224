"""Markers that stand in a log where a long output was saved elsewhere.

    <persisted-output>
    Output too large (51.7KB). Full output saved to: /home/x/.claude/projects/p/<session>/tool-results/toolu_1.txt

    Preview (first 2KB):
    …
    </persisted-output>

Claude Code writes sizes as `51.7KB`, MiniCode as `54K chars`. The path is text from a stranger, usually from another
machine: it is never opened, only its last component is a name to look up in the session's own folder.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

OPENING: Final = "<persisted-output>"

_SAVED = re.compile(r"Full output saved to:[ \t]*([^\r\n]+)")
_HEAD_CHARACTERS: Final = 8_192
"""The path stands in the first lines; paths are at most 4,096 bytes on the systems agents run on."""


@dataclass(frozen=True, slots=True)
class Marker:
    """What a marker names: `name` is the saved file's base name, `None` when the path is not to be followed.

    `session_id` is the component that holds a session's id in Claude Code's layout (two above the file), for forks.
    `leaves` says that the path climbs (`..`), so that nothing of it is used.
    """

    name: str | None
    session_id: str | None
    leaves: bool


def parse_marker(text: str) -> Marker | None:
    """Return the marker that a tool output's text begins with, `None` for any other text."""
    if not text.startswith(OPENING):
        return None
    saved = _SAVED.search(text, 0, _HEAD_CHARACTERS)
    if saved is None:
        return Marker(None, None, False)
    components = [part for part in re.split(r"[/\\]", saved[1].strip()) if part not in ("", ".")]
    if ".." in components:
        return Marker(None, None, True)
    name = components[-1] if components else None
    if name is not None and "\0" in name:
        name = None
    return Marker(name, components[-3] if len(components) >= 3 else None, False)
