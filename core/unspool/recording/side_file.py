"""Names of the files that hold large tool results: always inside their folder, never one name for two ids."""

from __future__ import annotations

import hashlib
import re
from typing import Final, Literal

from unspool.pattern import pattern

Ending = Literal[".txt", ".json"]
ENDINGS: Final[tuple[Ending, ...]] = (".txt", ".json")

_UNSAFE = pattern(r"[^a-zA-Z0-9._-]")
_LEADING_DOTS = pattern(r"^\.+")
_NAMED: Final = "tool-result"
"""What stands for an id of which nothing is left."""
_LONGEST: Final = 180
"""Characters of a name before its ending: file systems take 255 bytes, and digests come behind it."""
_DIGITS: Final = 8


def plain_name(tool_use_id: str) -> str:
    """Return the name that MiniCode gives to an id: unsafe characters become `_`, so that two ids may share it."""
    name = _UNSAFE.sub("_", tool_use_id.strip())
    return _LEADING_DOTS.sub(lambda dots: "_" * len(dots[0]), name) or _NAMED


def safe_name(tool_use_id: str) -> str:
    """Return the name of an id's file, without its ending.

    It is the id itself where that is safe, and otherwise carries a digest of the id, so that it is that id's alone.
    """
    name = plain_name(tool_use_id)
    if name == tool_use_id and len(name) <= _LONGEST:
        return name
    return f"{name[:_LONGEST]}-{_digest(tool_use_id)}"


def second_name(tool_use_id: str, content: str) -> str:
    """Return the name for another content of an id whose file is there already, as when an agent uses an id again.

    No id's first name holds a `~`, so that this one is nobody else's.
    """
    return f"{safe_name(tool_use_id)}~{_digest(content)}"


def is_name_of(name: str, tool_use_id: str) -> bool:
    """Say whether a file's name (without its ending) is one that an id's result may have."""
    if name in (safe_name(tool_use_id), plain_name(tool_use_id)):
        return True
    stem, _, digest = name.rpartition("~")
    return stem == safe_name(tool_use_id) and re.fullmatch(rf"[0-9a-f]{{{_DIGITS}}}", digest) is not None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:_DIGITS]
