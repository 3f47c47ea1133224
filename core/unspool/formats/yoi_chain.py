"""The hash chain of yoi's records in April and May 2026.

A record begins with its own hash and that of the record before it. A hash is the SHA-256 over the 32 bytes of the one
before (zeros for the first) and the record without its two hashes, as compact JSON in the order it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import chain
from typing import Any, Final

from unspool.dataclass import dataclass
from unspool.formats import fields
from unspool.pattern import pattern
from unspool.sources.json_value import BadJson, compact, loads_exact
from unspool.text import utf8

_HASHES: Final = ("hash", "prev_hash")
_HEX: Final = pattern(r"[0-9a-f]{64}\Z", re.IGNORECASE)
_WRITTEN: Final = pattern(rb'\{"hash":"[0-9a-fA-F]{64}","prev_hash":(?:null|"[0-9a-fA-F]{64}"),(?=")')
"""How yoi writes the beginning of a record: what lies behind is hashed as it stands."""

_FRONT: Final = 256
"""Bytes in which both hashes stand."""

_REWRITTEN: Final = 8 << 20
"""Bytes of a record that is decoded to be written again without its hashes; a longer one is taken at its word."""


@dataclass(frozen=True, slots=True)
class YoiSeal:
    """The two hashes of a record, in hex as it writes them."""

    own: str
    before: str | None

    def holds(self, blocks: Iterable[bytes]) -> bool:
        """Say whether the record's bytes have the hash that it says."""
        before = "0" * 64 if self.before is None else self.before
        if not _HEX.match(self.own) or not _HEX.match(before):
            return False
        digest = sha256(bytes.fromhex(before))
        for block in _without_hashes(iter(blocks)):
            if block is None:
                return True
            digest.update(block)
        return digest.hexdigest() == self.own.lower()


def seal_of(record: Mapping[str, Any]) -> YoiSeal | None:
    """Return the seal of a record, `None` when it has none."""
    own = fields.text(record.get("hash"))
    if own is None or "prev_hash" not in record:
        return None
    before = record["prev_hash"]
    return YoiSeal(own, None if before is None else fields.identity(before) or "")


def _without_hashes(blocks: Iterator[bytes]) -> Iterator[bytes | None]:
    """Yield the bytes that are hashed; `None` when they cannot be told."""
    front = b""
    for block in blocks:
        front += block
        if len(front) >= _FRONT:
            break
    written = _WRITTEN.match(front)
    if written is not None:
        yield b"{"
        yield front[written.end() :]
        yield from blocks
        return
    whole = b""
    for block in chain((front,), blocks):
        whole += block
        if len(whole) > _REWRITTEN:
            yield None
            return
    yield _rewritten(whole)


def _rewritten(record: bytes) -> bytes:
    try:
        value = loads_exact(record)
    except BadJson:
        return record
    return utf8(compact({key: each for key, each in fields.mapping(value).items() if key not in _HASHES}))
