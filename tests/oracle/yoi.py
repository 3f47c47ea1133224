"""Sessions of yoi, one file each, read plainly; the table of records is in `yoi_records`.

Chain: a record with two hashes must have the SHA-256 of the one before (32 zero bytes at first) and of itself without
them; it must name the one that stands before it. An output that begins with `[blob:<id>] ` is the blob of that name in
the folder `blobs` beside `sessions`: `.txt` before `.json`. Tokens: the sum over `llm_usage`, of which input is the
whole prompt. The title is the first line of the first prompt that is no copy, else of the first one.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.oracle.blocks import as_text
from tests.oracle.lines import Record, read_lines
from tests.oracle.session import OraclePiece, OracleSession, count_pictures, link
from tests.oracle.values import compact, integer
from tests.oracle.yoi_records import places_of, read_record

_EARLIEST = 10**11
_BLOB = re.compile(r"\[blob:([^\]\r\n]*)\] ")
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def read_yoi(path: Path) -> OracleSession:
    """Decode a whole file: a flat session, or one segment of a session."""
    lines = read_lines(path.read_bytes())
    session = OracleSession(path.stem, entries=lines.entries, unreadable=lines.unreadable, pending=lines.pending)
    taken, tokens, before = (-1, 0), dict.fromkeys(_TOKENS, 0), None
    for record in lines.records:
        base = taken[1] if taken[0] == record.entry else 0
        if not isinstance(record.value, dict):
            session.other_records["no record"] += 1
            continue
        taken = (record.entry, base + places_of(record.value))
        _read_record(session, record, base)
        before = _check_link(session, record, before)
        for name in _TOKENS if record.value.get("kind") == "llm_usage" else ():
            tokens[name] += max(0, integer(record.value.get(name)))
    _mark_replays(session.pieces)
    link(session.pieces)
    count_pictures(session.pieces)
    _open_blobs(path, session.pieces)
    _finish(session, tokens)
    return session


_TOKENS = ("input_total_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")


def _read_record(session: OracleSession, record: Record, base: int) -> None:
    value = record.value
    time = value.get("ts")
    if integer(time) >= _EARLIEST:
        session.stamp(_iso(integer(time)))
    session.session_id = as_text(value.get("session_id")) or session.session_id
    pieces = read_record(value, session.unknown)
    if pieces is None:
        session.other_records[as_text(value.get("kind"))] += 1
    elif not pieces:
        session.without_text += 1
    for piece in pieces or ():
        piece.entry, piece.piece = record.entry, piece.piece + base
        piece.flags |= record.flags
    session.pieces += pieces or []


def _iso(milliseconds: int) -> str:
    moment = datetime.fromtimestamp(milliseconds // 1000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03d}Z"


def _check_link(session: OracleSession, record: Record, before: str | None) -> str | None:
    value = record.value
    if not isinstance(value.get("hash"), str) or "prev_hash" not in value:
        return before
    bare = compact({key: one for key, one in value.items() if key not in ("hash", "prev_hash")})
    named = value["prev_hash"] if value["prev_hash"] is not None else "0" * 64
    own = sha256(_bytes(named) + bare.encode()).hexdigest()
    if own != value["hash"] or value["prev_hash"] != before:
        session.broken_links.append(record.entry + 1)
    return str(value["hash"])


def _bytes(named: Any) -> bytes:
    try:
        return bytes.fromhex(named)
    except (TypeError, ValueError):
        return b"no hash"


def _mark_replays(pieces: list[OraclePiece]) -> None:
    seen: set[tuple[Any, ...]] = set()
    for piece in pieces:
        key = (piece.native_id, piece.piece, piece.kind, piece.tool_part)
        if piece.native_id is not None and key in seen:
            piece.flags.add("replayed")
        seen.add(key)


def _open_blobs(path: Path, pieces: list[OraclePiece]) -> None:
    home = next((above.parent for above in path.parents[:2] if above.name == "sessions"), None)
    for piece in pieces:
        named = _BLOB.match(piece.text) if piece.tool_part == "output" and home else None
        if named and home:
            full = _blob(home / "blobs", named[1].lower())
            piece.flags |= {"persisted"} if full is not None else {"persisted", "missing"}
            piece.text = piece.text if full is None else full


def _blob(folder: Path, name: str) -> str | None:
    for file in (folder / f"{name}.txt", folder / f"{name}.json") if _ID.fullmatch(name) else ():
        if file.is_file() and not file.is_symlink() and not folder.is_symlink():
            return file.read_bytes().decode("utf-8", "replace")
    return None


def _finish(session: OracleSession, tokens: dict[str, int]) -> None:
    read, written = tokens["cache_read_tokens"], tokens["cache_write_tokens"]
    if any(tokens.values()):
        rest = tokens["input_total_tokens"] - read - written
        session.tokens = {"input": rest, "output": tokens["output_tokens"], "cache_read": read, "cache_write": written}
    prompts = [piece for piece in session.pieces if piece.kind == "user"]
    prompts.sort(key=lambda piece: "replayed" in piece.flags)
    session.title = next((" ".join(piece.spoken.split()) for piece in prompts if piece.spoken.strip()), None)
