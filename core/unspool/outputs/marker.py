"""Markers that stand in a log where a long output lies elsewhere.

    <persisted-output>
    Output too large (51.7KB). Full output saved to: /home/x/.claude/projects/p/<session>/tool-results/toolu_1.txt

    Preview (first 2KB):
    …
    </persisted-output>

Claude Code writes sizes as `51.7KB`, MiniCode as `54K chars`. The path is text from a stranger, usually from another
machine: it is never opened, only its last component is a name to look up in the session's own folder.

    [blob:019d6f3e-52d0-7c4a-9f11-2b8d3c5e7a90] text | 60 lines
    ── head ──
    …

is how yoi, and agents that store outputs with this library, name a blob before its summary. The summaries differ; what
is looked up is the id alone.
"""

from __future__ import annotations

import re
from typing import Final

from unspool.dataclass import dataclass
from unspool.errors import BadReference
from unspool.ids import BlobId
from unspool.pattern import pattern

OPENING: Final = "<persisted-output>"

BLOB_OPENING: Final = "[blob:"

_BLOB = pattern(r"\[blob:([^\]\r\n]{0,100})\] ")
_SAVED = pattern(r"Full output saved to:[ \t]*([^\r\n]+)")
_SHOWN = pattern(r"\n\nPreview \(first [0-9.]+[KM]? chars\):\n")
_BEHIND = pattern(r"(?:\n\.\.\.)?\n</persisted-output>|[\ud800-\udfff\ufffd]")
"""Where what is shown ends, or where it may differ from what was saved: a half character is saved as another."""
_BEGINNING: Final = 64
"""Characters that tell two outputs apart."""
_HEAD_CHARACTERS: Final = 8_192
"""The path stands in the first lines; paths are at most 4,096 bytes on the systems agents run on."""


@dataclass(frozen=True, slots=True)
class Marker:
    """What a marker names: `name` is the saved file's base name, `None` when the path is not to be followed.

    `session_id` is the component that holds a session's id in Claude Code's layout (two above the file), for forks.
    `leaves` says that the path climbs (`..`), so that nothing of it is used. `folders` are the two components above
    the file: first versions of MiniCode had a folder for each of its runs there.
    """

    name: str | None
    session_id: str | None
    leaves: bool
    folders: tuple[str, ...] = ()
    beginning: str = ""
    """How the saved text begins, as far as the marker shows just that; an empty string when it does not."""

    def is_of(self, call_id: str | None) -> bool:
        """Say whether the file has the name of a call: a forged path then leads to no other call's output."""
        return call_id is not None and self.name is not None and self.name.rpartition(".")[0] == call_id


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
    session_id = components[-3] if len(components) >= 3 else None
    return Marker(name, session_id, False, tuple(components[-3:-1]), _beginning(text, saved.end()))


def _beginning(text: str, start: int) -> str:
    shown = _SHOWN.match(text, start)
    if shown is None:
        return ""
    behind = _BEHIND.search(text, shown.end(), shown.end() + 2 * _BEGINNING)
    return text[shown.end() : behind.start() if behind is not None else shown.end() + _BEGINNING][:_BEGINNING]


@dataclass(frozen=True, slots=True)
class BlobMarker:
    """The id that a marker names, `None` for what is no id: then there is no such blob."""

    id: BlobId | None


def blob_marker(blob_id: BlobId) -> str:
    """Return what stands before the summary of a blob."""
    return f"{BLOB_OPENING}{blob_id}] "


def parse_blob_marker(text: str) -> BlobMarker | None:
    """Return the marker of a blob that a tool output's text begins with, `None` for any other text."""
    found = _BLOB.match(text)
    if found is None:
        return None
    try:
        return BlobMarker(BlobId.parse(found[1]))
    except BadReference:
        return BlobMarker(None)
