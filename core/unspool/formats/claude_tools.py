"""The one argument of a Claude Code call that tells most about it, and the paths that it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from unspool.formats.fields import items, mapping, text
from unspool.text import elided

HEADLINE_CHARACTERS: Final = 200
"""A headline is one line of a list; no list is wider."""

_TELLING: Final[Mapping[str, tuple[str, ...]]] = {
    "agent": ("description", "prompt"),
    "askuserquestion": ("questions",),
    "bashoutput": ("bash_id", "shell_id"),
    "exitplanmode": ("plan",),
    "glob": ("pattern",),
    "grep": ("pattern",),
    "killshell": ("shell_id",),
    "notebookedit": ("notebook_path",),
    "notebookread": ("notebook_path",),
    "sendmessage": ("summary", "message"),
    "skill": ("skill", "command"),
    "task": ("description", "prompt"),
    "taskcreate": ("subject", "description"),
    "taskoutput": ("task_id",),
    "taskstop": ("task_id",),
    "taskupdate": ("subject", "status", "taskId"),
    "todowrite": ("todos",),
}
"""By tool, in lower case: the arguments to show before those that usually tell, the first that is there."""
_USUALLY_TELLING: Final = (
    "command", "cmd", "file_path", "path", "pattern", "query", "url", "description", "title", "name", "prompt", "text",
)  # fmt: skip
_INSIDE: Final = ("question", "activeForm", "content", "subject", "text", "title", "name")
"""What to show of an argument that is a list of objects."""
_PATH_KEYS: Final = ("file_path", "notebook_path", "path", "filePath", "filename", "file")
_PATH_LISTS: Final = ("paths", "files", "file_paths", "edits")


def headline(tool: str, arguments: Any) -> str:
    """Return the telling argument on one line, at most `HEADLINE_CHARACTERS` long; empty when there is none."""
    if text(arguments) is not None:
        return _line(arguments)
    named = mapping(arguments)
    for key in (*_TELLING.get(tool.lower(), ()), *_USUALLY_TELLING):
        line = _line(_told(named.get(key)))
        if line:
            return line
    return next((line for value in named.values() if (line := _line(value))), "")


def files(arguments: Any) -> tuple[str, ...]:
    """Return the paths that a call names in its structured arguments, in order, without repeats."""
    return tuple(dict.fromkeys(_paths(mapping(arguments))))


def _paths(arguments: Mapping[str, Any]) -> Iterator[str]:
    for key, value in arguments.items():
        if key in _PATH_KEYS and text(value):
            yield value
        elif key in _PATH_LISTS:
            for item in items(value):
                if text(item):
                    yield item
                else:
                    yield from (item[name] for name in _PATH_KEYS if text(mapping(item).get(name)))


def _told(value: Any) -> Any:
    """Return what an argument says: itself, or the item of a list that is under way, else its first."""
    listed = [mapping(item) for item in items(value)]
    if not listed:
        return value
    item = next((item for item in listed if item.get("status") == "in_progress"), listed[0])
    return next((item[key] for key in _INSIDE if text(item.get(key))), "")


def _line(value: Any) -> str:
    """Return a string on one line, cut; an empty string for everything else."""
    string = text(value)
    return elided(" ".join(string[: HEADLINE_CHARACTERS * 4].split()), HEADLINE_CHARACTERS) if string else ""
