"""yoi, and llm-worker as it was called first: JSON Lines, one record a line, tagged by `kind`, `ts` in milliseconds.

Four layouts, told apart by what stands in a record: items tagged by `type`; the same in a hash chain; items tagged by
`kind` and input in segments; without hashes, segments of a session in a file each.

| record                                                      | meaning                                              |
|-------------------------------------------------------------|------------------------------------------------------|
| `user_input`                                                | user; of segments one text with references as typed  |
| `assistant_item`, `assistant_items`, `tool_result`,         | by item, one piece each (below)                      |
| `tool_results`                                              |                                                      |
| `hook_injected_items`, `system_item`, `system_items`        | system                                               |
| `session_start`, `segment_start` with a history             | by item; `replayed` when it says where it comes from |
| without one; `turn_end`, `invoke`, `run_outcome`,           | other                                                |
| `run_completed`, `run_errored`, `paused_turn_abandoned`,    |                                                      |
| `cache_locked`, `cache_unlocked`, `config_changed`,         |                                                      |
| `llm_usage`, `extension`, unknown kinds                     |                                                      |

| item                                                        | meaning                                              |
|-------------------------------------------------------------|------------------------------------------------------|
| `message`                                                   | user, assistant or system by its role: all its parts |
| `reasoning` with a text or a summary                        | assistant, `reasoning`                               |
| `tool_call`                                                 | tool, input                                          |
| `tool_result`                                               | tool, output: `output`, or `summary` and `content`   |
| `file_attachment`, `notification`, `task_reminder`, …       | system: its body                                     |
| anything else                                               | nothing                                              |

A session that was compacted begins with the summary: there a compaction is told. A result carries no tool name; the
call with its id does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from unspool.formats import fields
from unspool.formats.decoded import Compaction, Decoded
from unspool.formats.headline import files_of, headline_of
from unspool.formats.piece import Flag
from unspool.formats.yoi_chain import seal_of
from unspool.formats.yoi_fold import YoiFold
from unspool.formats.yoi_items import (
    Contents,
    read_injected,
    read_injected_items,
    read_item,
    read_items,
    read_segments,
    tag_of,
)

if TYPE_CHECKING:
    from unspool.formats.base import Fold

_KIND_CHARACTERS: Final = 64
"""A kind names records in counts; a longer one is cut."""

_EARLIEST: Final = 100_000_000_000
"""March 1973 in milliseconds: a smaller number is a mistake and no time."""

_UNREADABLE_SEGMENT: Final = "[unknown input segment]"
"""What yoi put for a segment that it could not read, as long as it chained its records; later it put nothing."""

Reader = Callable[[Mapping[str, Any]], Contents]


def _user_input(record: Mapping[str, Any]) -> Contents:
    if isinstance(record.get("segments"), list):
        placeholder = _UNREADABLE_SEGMENT if "hash" in record else ""
        return read_segments(record["segments"], ("segments",), placeholder=placeholder)
    return read_item(record.get("item"), ("item",))


def _start(record: Mapping[str, Any]) -> Contents:
    found = read_items(fields.items(record.get("history")), ("history",))
    if not any(record.get(origin) for origin in _ORIGINS):
        return found
    return Contents(tuple(piece._replace(flags=piece.flags | Flag.REPLAYED) for piece in found.pieces), found.known)


def _item(record: Mapping[str, Any]) -> Contents:
    return read_item(record.get("item"), ("item",))


def _items(record: Mapping[str, Any]) -> Contents:
    return read_items(fields.items(record.get("items")), ("items",))


def _injected(record: Mapping[str, Any]) -> Contents:
    return read_injected(record.get("item"), ("item",))


def _injected_items(record: Mapping[str, Any]) -> Contents:
    return read_injected_items(fields.items(record.get("items")), ("items",))


_ORIGINS: Final = ("forked_from", "compacted_from")
_STARTS: Final = ("segment_start", "session_start")

_SPEAKING: Final[Mapping[str, Reader]] = {
    "assistant_item": _item,
    "assistant_items": _items,
    "hook_injected_items": _injected_items,
    "segment_start": _start,
    "session_start": _start,
    "system_item": _injected,
    "system_items": _injected_items,
    "tool_result": _item,
    "tool_results": _items,
    "user_input": _user_input,
}
_SILENT: Final = frozenset({
    "cache_locked", "cache_unlocked", "config_changed", "extension", "invoke", "llm_usage", "paused_turn_abandoned",
    "run_completed", "run_errored", "run_outcome", "turn_end",
})  # fmt: skip


class Yoi:
    """yoi's records, of all versions until August 2026."""

    agent: Final = "yoi"

    def detect(self, head: Sequence[Mapping[str, Any]]) -> bool:
        """Say whether one of the first records is of a kind that yoi writes, with what belongs to that kind."""
        return any(_is_typical(record) for record in head)

    def decode(self, record: Mapping[str, Any]) -> Decoded:
        """Turn one record into pieces."""
        kind = fields.text(record.get("kind")) or ""
        read = _SPEAKING.get(kind)
        found = read(record) if read is not None else Contents(known=kind in _SILENT)
        listed = fields.items(record.get("history" if kind in _STARTS else "items"))
        time = fields.as_int(record.get("ts"))
        return Decoded(
            type=_type(record, kind, found),
            known=found.known,
            pieces=found.pieces,
            time=fields.milliseconds(time) if time is not None and time >= _EARLIEST else None,
            native_id=fields.identity(record.get("hash")),
            empty=not found.pieces and found.known and kind in _SPEAKING and kind not in _STARTS,
            places=max(1, len(listed)),
            compaction=Compaction() if kind in _STARTS and record.get("compacted_from") else None,
            seal=seal_of(record),
        )

    def fold(self) -> Fold:
        """Return a fresh fold state."""
        return YoiFold()

    def headline(self, tool: str, arguments: Any) -> str:
        """Return the command, path or query of a call, or an empty string."""
        return headline_of(tool, arguments)

    def files(self, tool: str, arguments: Any) -> tuple[str, ...]:
        """Return the paths that a call names in its structured arguments."""
        return files_of(tool, arguments)

    def detail(self, record: Mapping[str, Any]) -> Any | None:
        """Return nothing: yoi tells a result in one form."""
        return None


YOI: Final = Yoi()


def _type(record: Mapping[str, Any], kind: str, found: Contents) -> str:
    """Return what the record is counted as: its kind, and behind it that of an item which is not known."""
    named = kind[:_KIND_CHARACTERS] or "(no kind)"
    inside = tag_of(fields.mapping(record.get("item"))) if kind in _SPEAKING and not found.known else ""
    return f"{named}/{inside[:_KIND_CHARACTERS]}" if inside else named


def _is_typical(record: Mapping[str, Any]) -> bool:
    """Say whether a record is yoi's: others have a `kind` and a `ts` too."""
    kind = fields.text(record.get("kind")) or ""
    if fields.as_int(record.get("ts")) is None or (kind not in _SPEAKING and kind not in _SILENT):
        return False
    if kind in _STARTS:
        return isinstance(record.get("history"), list) and "config" in record
    if kind in _SPEAKING:
        return any(isinstance(record.get(key), wanted) for key, wanted in _HELD)
    return "prev_hash" in record or any(key in record for key in _SILENT_KEYS)


_HELD: Final = (("item", dict), ("items", list), ("segments", list))
_SILENT_KEYS: Final = ("trigger", "turn_count", "locked_prefix_len", "history_len", "domain", "interrupted")
"""What the silent kinds hold that can begin a file whose start is torn."""
