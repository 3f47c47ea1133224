"""The argument that tells most about a call, and the files that a call names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from unspool.formats import fields
from unspool.pattern import pattern
from unspool.text import elided

_HEADLINE_CHARACTERS: Final = 200
"""A headline is one line of a list; no list is wider."""

_NAMES_CHARACTERS: Final = 160
"""Of the names of files that a patch changes: the counts behind them stay."""

_PATCH: Final = "*** Begin Patch"
_PATCH_FILE = pattern(r"^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\r?$", re.MULTILINE)
_SHELLS = frozenset({"bash", "sh", "zsh", "powershell", "pwsh", "cmd"})
_TELLING = (
    "cmd",
    "command",
    "pattern",
    "path",
    "file_path",
    "query",
    "queries",
    "url",
    "explanation",
    "message",
    "prompt",
    "task_name",
    "objective",
    "title",
    "name",
    "chars",
)
"""Keys in the order in which they tell what a call is about."""

_PATH_KEYS = ("path", "file_path", "paths", "file_paths", "local_path")


def headline_of(tool: str, arguments: Any) -> str:
    """Return the most telling argument on one line, an empty string when none is."""
    text = fields.text(arguments)
    if text is not None:
        return _line(patch_told(text) or text)
    named = fields.mapping(arguments)
    found = (_said(named.get(key)) for key in _TELLING)
    patches = (patch_told(text) for text in map(fields.text, named.values()) if text)
    return _line(next((said for said in (*found, *patches) if said), ""))


def patch_told(text: str) -> str | None:
    """Return the files that a patch in a text changes and how many lines: `a.py, b.py +3 −1`; `None` for no patch."""
    patch = text[begin:] if (begin := text.find(_PATCH)) >= 0 else ""
    names = ", ".join(dict.fromkeys(_patch_files(patch)))
    if not names:
        return None
    added, removed = patch.count("\n+"), patch.count("\n-")
    return f"{elided(' '.join(names.split()), _NAMES_CHARACTERS)} +{added} −{removed}"


def files_of(tool: str, arguments: Any) -> tuple[str, ...]:
    """Return the paths named by patches and by path arguments, in order, without repeats."""
    return tuple(dict.fromkeys(_files(arguments)))


def _files(arguments: Any) -> Iterator[str]:
    text = fields.text(arguments)
    if text is not None:
        yield from _patch_files(text)
        return
    for key, value in fields.mapping(arguments).items():
        for each in (value, *fields.items(value)):
            found = fields.text(each)
            if not found:
                continue
            if key in _PATH_KEYS:
                yield found
            elif _PATCH in found:
                yield from _patch_files(found)


def _patch_files(text: str) -> list[str]:
    return [name.strip() for name in _PATCH_FILE.findall(text)]


def _said(value: Any) -> str:
    """Return a string, or a command given as a list: of `bash -lc SCRIPT` the script."""
    text = fields.text(value)
    if text is not None:
        return patch_told(text) or text
    words = [word for word in fields.items(value) if fields.text(word)]
    shell = words[0].rpartition("/")[2].removesuffix(".exe") if words else ""
    if shell in _SHELLS and len(words) > 2 and words[1].startswith(("-", "/")):
        return _said(words[-1])
    return _said(words[-1]) if len(words) > 1 and _PATCH in words[-1] else " ".join(words)


def _line(text: str) -> str:
    return elided(" ".join(text[: 2 * _HEADLINE_CHARACTERS].split()), _HEADLINE_CHARACTERS)
