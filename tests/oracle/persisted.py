"""The full text of an output that Claude Code saved beside the session."""

from __future__ import annotations

import re
from pathlib import Path

MARKER = "<persisted-output>"
_SAVED_TO = re.compile(r"Full output saved to: ([^\n]+)")
_FOREIGN = re.compile(r"([^/\\]+)[/\\]tool-results[/\\][^/\\]+$")


def full_output(source: Path, session_id: str, text: str, call_id: str | None, uuids: set[str]) -> str | None:
    """Read what a marker stands for; None when it lies nowhere that belongs to this session.

    The marker's path comes from a stranger: only its base name is looked up, then the call's id, in the
    session's own folder; then the base name beside a session that the path names and that shares a record.
    """
    named = _SAVED_TO.search(text)
    address = named[1].strip() if named else ""
    names = [re.split(r"[/\\]", address)[-1], f"{call_id}.txt" if call_id and not re.search(r"[/\\]", call_id) else ""]
    own = _home(source, session_id) / "tool-results"
    for folder, name in [(own, names[0]), (own, names[1]), (_foreign(source, address, uuids), names[0])]:
        content = read_beside(folder, name)
        if content is not None:
            return content
    return None


def _home(source: Path, session_id: str) -> Path:
    """The folder of a session's side files: named after the file, or two floors above a subagent's file."""
    for parent in source.parents:
        if parent.name == "subagents":
            return parent.parent
    return source.parent / (session_id if source.stem.startswith("agent-") else source.stem)


def _foreign(source: Path, address: str, uuids: set[str]) -> Path | None:
    named = _FOREIGN.search(address)
    for other in source.parent.parent.glob("*/*.jsonl") if named else ():
        if named and other.stem == named[1] and other != source:
            shared = set(re.findall(r'"uuid": ?"([^"]+)"', other.read_text("utf-8", "replace"))) & uuids
            return other.with_suffix("") / "tool-results" if shared else None
    return None


def read_beside(folder: Path | None, name: str) -> str | None:
    """Read a plain file of that name in a folder; None when there is none, or a link stands there or leads there."""
    if folder is None or name in ("", ".", "..") or folder.is_symlink():
        return None
    file = (folder / name).resolve()
    if not file.is_file() or file.parent != folder.resolve():
        return None
    return file.read_bytes().decode("utf-8", "replace")
