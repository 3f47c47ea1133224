"""Looking for ids in the bytes of a session's file: far faster than decoding it, and it proves nothing by itself."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final

from unspool.errors import SourceChanged, Unreadable

if TYPE_CHECKING:
    from unspool.sources.jsonl import JsonLines

_BLOCK: Final = 1 << 20
_FEW: Final = 8
"""Ids up to which each is looked for by itself: a scan for one runs about ten times as fast as one for any."""


def mentions(path: str, ids: Collection[str]) -> bool:
    """Say whether a file holds one of the ids, each a whole JSON string; an unreadable file holds none."""
    wanted = {each.encode(errors="replace") for each in ids}
    if not wanted:
        return False
    from unspool.sources.document import open_log

    try:
        with open_log(path) as lines:
            found = blocks(lines, max(map(len, wanted)) + 2)
            if len(wanted) <= _FEW:
                quoted = [b'"%b"' % each for each in wanted]
                return any(block.find(each) >= 0 for block in found for each in quoted)
            strings = _strings(wanted)
            return any(not wanted.isdisjoint(strings.findall(block)) for block in found)
    except (Unreadable, SourceChanged):
        return False


def blocks(lines: JsonLines, longest: int) -> Iterator[bytes]:
    """Yield the file in blocks that overlap by the longest of what is looked for; raises `SourceChanged`."""
    for offset in range(0, lines.size, _BLOCK):
        start = max(0, offset - longest)
        yield lines.read(start, min(offset + _BLOCK, lines.size) - start)


def _strings(wanted: Collection[bytes]) -> re.Pattern[bytes]:
    """Return what finds everything between two quotes that is as long as one of the ids."""
    lengths = [*map(len, wanted)]
    return re.compile(rb'"([^"\\]{%d,%d})(?=")' % (min(lengths), max(lengths)))
