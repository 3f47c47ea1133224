"""The tokens that a message of Claude Code says it took."""

from __future__ import annotations

from operator import itemgetter
from typing import Any, Final

from unspool.formats.fields import MOST, as_int, count_of, mapping

_COUNTS: Final = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
_used: Final = itemgetter(*_COUNTS)
_NAMES: Final = {*_COUNTS}
_INTEGERS: Final = {int}


def counts_of(value: Any) -> list[int]:
    """Return tokens in the order of `Usage`; what went into the cache may be told by how long it stays there only."""
    used = mapping(value)
    if used.keys() >= _NAMES:
        told = _used(used)
        if set(map(type, told)) == _INTEGERS and min(told) >= 0 and max(told) <= MOST:
            return [*told]
    counts = [count_of(used.get(name)) for name in _COUNTS]
    if "cache_creation_input_tokens" not in used:
        kept = [count_of(number) for number in mapping(used.get("cache_creation")).values()]
        counts[-1] = as_int(sum(kept)) or 0
    return counts
