"""What Codex recorded of the edits that a call made: events beside the call and its output.

An edit is told when it begins, when it ends, and in newer versions as a completed item; each may name the `changes`, by
path. What is told last counts. An edit that failed changed nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from unspool.formats import fields
from unspool.sources.json_value import Clipped

EDITS: Final = frozenset({"patch_apply_begin", "patch_apply_updated", "patch_apply_end"})
_FAILED: Final = frozenset({"declined", "failed"})
_TEXTS: Final = {"unified_diff": "unified_diff", "diff": "unified_diff", "content": "content"}
"""Where the text of a change stands, and its name in what is answered."""


def changed_by(event: Mapping[str, Any]) -> str | None:
    """Return the id of the call whose changes an event tells, or of which it says that it failed; else `None`."""
    told, call_id = _told(event)
    if not told:
        return None
    changes = told.get("changes")
    return call_id if fields.mapping(changes) or fields.items(changes) or _has_failed(told) else None


def changes_of(event: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return `{"changes": {path: change}}` of an edit that did not fail, `None` where there are none to show.

    A change has a `type` (`add`, `delete`, `update`), a `unified_diff` or the `content` of the whole file, and a
    `move_path` if the file was moved.
    """
    told, _ = _told(event)
    changes = {} if _has_failed(told) else dict(_changes(told.get("changes")))
    return {"changes": changes} if changes and None not in changes.values() else None


def _told(event: Mapping[str, Any]) -> tuple[Mapping[str, Any], str | None]:
    if fields.text(event.get("type")) in EDITS:
        return event, fields.text(event.get("call_id"))
    item = fields.mapping(event.get("item"))
    if event.get("type") == "item_completed" and item.get("type") == "FileChange":
        return item, fields.text(item.get("id"))
    return {}, None


def _has_failed(told: Mapping[str, Any]) -> bool:
    return told.get("success") is False or fields.text(told.get("status")) in _FAILED


def _changes(told: Any) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """Yield path and change, from an object by path or a list of changes that name theirs."""
    listed = ((fields.mapping(change).get("path"), change) for change in fields.items(told))
    for path, change in (*fields.mapping(told).items(), *listed):
        if fields.text(path) is not None:
            yield str(path), _change(fields.mapping(change))


def _change(told: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return one change; `None` for one without a text, or with one too long to be held.

    Older versions wrote `{"update": {…}}` for `{"type": "update", …}`.
    """
    if len(told) == 1:
        [(older, inner)] = told.items()
        told = {"type": older, **fields.mapping(inner)}
    kind = fields.text(told.get("type")) or fields.text(fields.mapping(told.get("kind")).get("type"))
    key = next((name for name in _TEXTS if fields.text(told.get(name)) is not None), None)
    if key is None or isinstance(told[key], Clipped):
        return None
    moved = fields.text(told.get("move_path"))
    return {"type": kind, _TEXTS[key]: told[key], **({"move_path": moved} if moved else {})}
