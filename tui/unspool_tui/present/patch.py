"""What an edit changed, from whichever of three places tells it best.

1. the agent's own record of the edit, with the line numbers it found (`structuredPatch`, `changes`),
2. the call's arguments (old and new text, or the content of a new file),
3. a patch written as text (`*** Begin Patch`), also where a shell hands it to the tool.

Everything here is a stranger's data: each value is looked at before it is used, and what does not fit is no patch.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Final, Literal

from unspool.dataclass import dataclass
from unspool.pattern import pattern
from unspool_tui.present.enclosing import enclosing

Sign = Literal[" ", "+", "-"]

COMPARED: Final = 4_000
"""Lines of old and new text together that are compared; larger ones are shown as all old, then all new."""

AROUND: Final = 3
"""Unchanged lines kept around a change when old and new text are compared."""

_OLD_KEYS: Final = ("old_string", "oldString", "old_str", "oldText", "old_text")
_NEW_KEYS: Final = ("new_string", "newString", "new_str", "newText", "new_text", "new_source")
_SEARCH, _REPLACE = "search", "replace"
"""Other names of the same two; only both together tell of an edit, for much else is searched."""
_EDITS_KEYS: Final = ("edits", "replacements")
_PATH_KEYS: Final = ("file_path", "filePath", "path", "notebook_path", "filename")
_CONTENT_KEYS: Final = ("content", "file_text", "new_source")
_PATCH_KEYS: Final = ("input", "patch", "patchText", "patch_text")
_WHOLE_FILE: Final = 8
"""Arguments that a call which writes a file may have; one with more does something else too."""

_BEGIN: Final = "*** Begin Patch"
_HANDED = pattern(
    r"\s*(?:cd [^\n;&|]+&&\s*)?apply_?patch\s*<<-?\s*(['\"]?)(\w+)\1[ \t]*\n\s*(\*\*\* Begin Patch\n.*)\n\2\s*\Z",
    re.DOTALL,
)
"""A script of a shell that hands a patch to its tool, and does nothing else."""
_UNIFIED = pattern(r"@@ -(\d{1,9})(?:,\d+)? \+(\d{1,9})(?:,\d+)? @@ ?(.*)")
_FILE = pattern(r"\*\*\* (Add|Update|Delete) File: (.*)")


@dataclass(frozen=True, slots=True)
class Hunk:
    """Changed lines and those around them. `old` and `new` number its first line, `None` when nobody says."""

    lines: tuple[tuple[Sign, str], ...]
    old: int | None = None
    new: int | None = None
    heading: str = ""


@dataclass(frozen=True, slots=True)
class FilePatch:
    """The changes of one file; `whole` says that all of a file is given and not a change of it."""

    path: str
    hunks: tuple[Hunk, ...]
    whole: bool = False

    def count(self, sign: Sign) -> int:
        """Return how many lines bear a sign."""
        return sum(each == sign for hunk in self.hunks for each, _ in hunk.lines)


@dataclass(frozen=True, slots=True)
class Patch:
    """The changes of one call; `origin` says in words where they are taken from."""

    files: tuple[FilePatch, ...]
    origin: str

    def count(self, sign: Sign) -> int:
        """Return how many lines bear a sign."""
        return sum(file.count(sign) for file in self.files)

    @property
    def changes(self) -> int:
        """How many separate places are changed."""
        return sum(len(file.hunks) for file in self.files)


def patch_of(arguments: Any, detail: Any, text: str) -> Patch | None:
    """Return what a call changed; `detail` is the agent's record of it, `text` the call as written."""
    for files, origin in (
        (_recorded(detail), "from the recorded patch"),
        (_called(arguments), "from the call"),
        (_written(_patch_text(arguments, text)), "from the call"),
    ):
        found = tuple(file for file in files if file.hunks)
        if found:
            return Patch(found, origin)
    return None


# The agent's own record.


def _recorded(detail: Any) -> Iterator[FilePatch]:
    if not isinstance(detail, Mapping):
        return
    hunks = detail.get("structuredPatch")
    if isinstance(hunks, list) and hunks:
        yield FilePatch(_text(detail, _PATH_KEYS), tuple(_structured(hunks, _text(detail, ("originalFile",)))))
    elif detail.get("type") == "create" and isinstance(detail.get("content"), str):
        yield _new_file(_text(detail, _PATH_KEYS), detail["content"])
    changes = detail.get("changes")
    if isinstance(changes, Mapping):
        for path, change in changes.items():
            yield from _changed(str(path), change)


def _structured(hunks: Iterable[Any], original: str) -> Iterator[Hunk]:
    """Read hunks as they were recorded; the file as it was says what they stand in."""
    for hunk in hunks:
        lines = hunk.get("lines") if isinstance(hunk, Mapping) else None
        if isinstance(lines, list):
            signed = tuple(_signed(line for line in lines if isinstance(line, str)))
            old = _number(hunk.get("oldStart"))
            yield Hunk(signed, old, _number(hunk.get("newStart")), enclosing(original, old or 0))


def _changed(path: str, change: Any) -> Iterator[FilePatch]:
    if not isinstance(change, Mapping):
        return
    if isinstance(change.get("move_path"), str):
        path += f" → {change['move_path']}"
    if isinstance(change.get("unified_diff"), str):
        yield FilePatch(path, tuple(_unified(change["unified_diff"])))
    elif isinstance(change.get("content"), str):
        sign: Sign = "-" if change.get("type") == "delete" else "+"
        yield _new_file(path, change["content"], sign)


# The call's arguments.


def _called(arguments: Any) -> Iterator[FilePatch]:
    if not isinstance(arguments, Mapping):
        return
    path = _text(arguments, _PATH_KEYS)
    edits: list[Any] = next((arguments[key] for key in _EDITS_KEYS if isinstance(arguments.get(key), list)), [])
    edited = tuple(_edited([arguments, *edits]))
    if edited:
        yield FilePatch(path, edited)
    elif path and len(arguments) <= _WHOLE_FILE and (content := _text(arguments, _CONTENT_KEYS)):
        yield _new_file(path, content)


def _edited(edits: Iterable[Any]) -> Iterator[Hunk]:
    for edit in edits:
        if not isinstance(edit, Mapping):
            continue
        if any(isinstance(edit.get(key), str) for key in _OLD_KEYS):
            yield from _compared(_lines(_text(edit, _OLD_KEYS)), _lines(_text(edit, _NEW_KEYS)))
        elif isinstance(edit.get(_SEARCH), str) and isinstance(edit.get(_REPLACE), str):
            yield from _compared(_lines(edit[_SEARCH]), _lines(edit[_REPLACE]))


def _compared(old: Sequence[str], new: Sequence[str]) -> Iterator[Hunk]:
    """Compare old and new text. Where in the file they stand nobody says, so nothing is numbered."""
    if len(old) + len(new) > COMPARED:
        yield Hunk((*(("-", line) for line in old), *(("+", line) for line in new)))
        return
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(AROUND):
        lines: list[tuple[Sign, str]] = []
        for tag, a, b, c, d in group:
            if tag == "equal":
                lines += [(" ", line) for line in old[a:b]]
            else:
                lines += [*(("-", line) for line in old[a:b]), *(("+", line) for line in new[c:d])]
        yield Hunk(tuple(lines))


# A patch written as text.


def _patch_text(arguments: Any, text: str) -> str:
    candidates: list[Any] = [text]
    if isinstance(arguments, Mapping):
        command = arguments.get("command")
        candidates += [arguments.get(key) for key in _PATCH_KEYS]
        candidates += [*(command if isinstance(command, list) else [command]), arguments.get("cmd")]
    texts = (_handed(each) for each in candidates if isinstance(each, str))
    return next((each for each in texts if each.lstrip().startswith(_BEGIN)), "")


def _handed(script: str) -> str:
    """Return the patch that a script hands to its tool, any other text as it is."""
    found = _HANDED.match(script) if _BEGIN in script else None
    return found[3] if found else script


def _written(text: str) -> Iterator[FilePatch]:
    """Read the patch language that Codex writes: files, then hunks without numbers."""
    path, action = "", ""
    lines: list[str] = []
    for line in [*text.split("\n"), "*** End Patch"]:
        head = _FILE.match(line)
        if head or line.startswith("*** End Patch"):
            if path:
                yield _written_file(path, action, lines)
            action, path = (head[1], head[2].strip()) if head else ("", "")
            lines = []
        elif line.startswith("*** Move to: "):
            path += f" → {line[13:].strip()}"
        elif not line.startswith("*** "):
            lines.append(line)


def _written_file(path: str, action: str, lines: list[str]) -> FilePatch:
    if action == "Add":
        return _new_file(path, "\n".join(line[1:] for line in lines if line.startswith("+")))
    if action == "Delete":
        return FilePatch(path, (Hunk((("-", "(the whole file)"),)),), whole=True)
    return FilePatch(path, tuple(_unified("\n".join(lines))))


# What the three share.


def _unified(text: str) -> Iterator[Hunk]:
    """Read hunks that begin with `@@`; the numbers and the heading behind it may be missing."""
    old: int | None = None
    new: int | None = None
    heading = ""
    lines: list[str] = []
    for line in [*_without_names(text.split("\n")), "@@"]:
        if not line.startswith("@@"):
            lines.append(line)
            continue
        if signed := tuple(_signed(lines)):
            yield Hunk(signed, old, new, heading)
        numbers = _UNIFIED.match(line)
        old, new = (int(numbers[1]), int(numbers[2])) if numbers else (None, None)
        heading = numbers[3].strip() if numbers else line[2:].strip(" @")
        lines = []


def _without_names(lines: list[str]) -> list[str]:
    """Leave out the two lines that name the files, where the patch begins with them."""
    names = lines[0].startswith("--- ") and len(lines) > 1 and lines[1].startswith("+++ ")
    return lines[2:] if names else lines


def _signed(lines: Iterable[str]) -> Iterator[tuple[Sign, str]]:
    """Split the sign from each line. An empty one is an unchanged empty line, unless the hunk ends with it."""
    empty = 0
    for line in lines:
        sign: Sign = "+" if line[:1] == "+" else "-" if line[:1] == "-" else " "
        if not line:
            empty += 1
        elif line[0] in "+- ":  # anything else is a remark, such as a missing line end
            for _ in range(empty):
                yield " ", ""
            yield sign, line[1:].removesuffix("\r")
            empty = 0


def _new_file(path: str, content: str, sign: Sign = "+") -> FilePatch:
    lines = tuple((sign, line) for line in _lines(content))
    return FilePatch(path, (Hunk(lines, 1, 1),) if lines else (), whole=True)


def _lines(text: str) -> list[str]:
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []


def _text(values: Mapping[str, Any], keys: Iterable[str]) -> str:
    return next((values[key] for key in keys if isinstance(values.get(key), str)), "")


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
