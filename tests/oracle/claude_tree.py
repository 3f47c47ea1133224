"""What Claude Code wrote twice, and what it left behind: by uuids, message ids and the parent chain."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tests.oracle.blocks import as_dict, as_list, as_text, id_of, type_of
from tests.oracle.claude_text import is_aside
from tests.oracle.lines import Record
from tests.oracle.session import OraclePiece

Rows = list[tuple[Record, list[OraclePiece]]]


def mark_replayed(rows: Rows) -> None:
    """Flag pieces that this source holds twice: by uuid, place and content, by call, as blocks of one message.

    Whatever id is used twice: other content is another thing.
    """
    seen: set[tuple[Any, ...]] = set()
    messages: dict[str | None, tuple[list[Any], list[Any]]] = {None: ([], [])}
    for record, pieces in rows:
        uuid, message = id_of(record.value.get("uuid")), as_dict(record.value.get("message"))
        owns = [
            (uuid, piece.piece, piece.kind, piece.tool_part, piece.tool, piece.call_id, piece.text) if uuid else ()
            for piece in pieces
        ]
        name = id_of(message.get("id")) if record.value.get("type") == "assistant" else None
        said, lines = messages.setdefault(name, ([], []))
        calls = [_call(block) for block in said if "input" in block or "tool_use" in type_of(block)]
        blocks = _blocks(message.get("content")) if name else []
        line = [record.value.get("parentUuid"), blocks]
        copied = len(said) if said == blocks[: len(said)] else 0
        copied = len(blocks) if line[0] is not None and line in lines else copied
        for piece, own in zip(pieces, owns, strict=True):
            is_call = piece.tool_part == "input" and piece.call_id is not None
            called = is_call and _call(blocks[piece.block]) in calls
            if own in seen or (name and (called or piece.block < copied)):
                piece.flags.add("replayed")
        if name and seen.isdisjoint(owns):
            said += blocks[copied:]
            lines.append(line)
        seen |= {own for own in owns if own}


def _call(block: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(block.get(key) for key in ("id", "name", "input"))


def _blocks(content: Any) -> list[Any]:
    """The blocks of a content without their signatures, where they say something without one."""
    found = []
    for block in content if isinstance(content, list) else [content]:
        block = {"type": "text", "text": block} if isinstance(block, str) else as_dict(block)
        found.append({key: block[key] for key in block if key != "signature" or not block.get("thinking")})
    return found


def mark_abandoned(rows: Rows) -> None:
    """Flag retracted messages, and the earlier of two prompts on one message with all that hangs on it."""
    by_uuid: dict[str, int] = {}
    for place, (record, _) in enumerate(rows):
        by_uuid.setdefault((id_of(record.value.get("uuid")) or ""), place)
    by_uuid.pop("", None)
    dead = {
        by_uuid[uuid]
        for record, _ in rows
        for uuid in as_list(record.value.get("retractedMessageUuids"))
        if as_text(uuid) in by_uuid
    }
    for earlier, later in _rival_prompts(rows, by_uuid):
        branch = set().union(*(_branch(rows, by_uuid, root) for root in earlier))
        if max(branch) < later:
            dead |= branch
    for place in dead:
        for piece in rows[place][1]:
            piece.flags.add("abandoned")


def _rival_prompts(rows: Rows, by_uuid: dict[str, int]) -> list[tuple[list[int], int]]:
    """Prompts of the person that hang on the same message, by row: those that were sent together, and the next."""
    on: dict[int, list[list[int]]] = {}
    for place, (record, pieces) in enumerate(rows):
        parent = _message_above(rows, by_uuid, place)
        if parent is not None and _is_prompt(record, pieces):
            groups = on.setdefault(parent, [])
            if groups and _sent_together(rows[groups[-1][-1]][0], record):
                groups[-1].append(place)
            else:
                groups.append([place])
    return [(group, after[0]) for groups in on.values() for group, after in pairwise(groups)]


def _sent_together(earlier: Record, later: Record) -> bool:
    """The later one waited in the queue, or both are one prompt."""
    name = id_of(later.value.get("promptId"))
    waited = later.value.get("promptSource") == "queued"
    return waited or (name is not None and name == id_of(earlier.value.get("promptId")))


def _is_prompt(record: Record, pieces: list[OraclePiece]) -> bool:
    """A typed user message of the main chain, written for the first time, that answers no call."""
    main = record.value.get("type") == "user" and not is_aside(record.value)
    only_user = bool(pieces) and all(piece.kind == "user" for piece in pieces)
    return main and only_user and not any("replayed" in piece.flags for piece in pieces)


def _message_above(rows: Rows, by_uuid: dict[str, int], place: int) -> int | None:
    """The row of what is followed: the nearest message above, past what the harness added, else the topmost row."""
    passed = [place]
    while True:
        above = by_uuid.get(id_of(rows[passed[-1]][0].value.get("parentUuid")) or "")
        if above is None or above in passed:
            return passed[-1] if len(passed) > 1 else None
        record, pieces = rows[above]
        said = record.value.get("type") == "user" and any(piece.kind != "system" for piece in pieces)
        if said or record.value.get("type") == "assistant":
            return above
        passed.append(above)


def _branch(rows: Rows, by_uuid: dict[str, int], root: int) -> set[int]:
    """The row and all rows that hang on it, whatever their order."""
    branch, grown = {root}, True
    while grown:
        before = len(branch)
        for place, (record, _) in enumerate(rows):
            if by_uuid.get(id_of(record.value.get("parentUuid")) or "") in branch:
                branch.add(place)
        grown = len(branch) > before
    return branch
