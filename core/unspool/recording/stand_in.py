"""The text that takes the place of a large tool result: what was saved where, and how it begins.

    <persisted-output>
    Output too large (54K chars). Full output saved to: /home/x/.mini-code/projects/p/1a2b3c4d/tool-results/t1.txt

    Preview (first 2K chars):
    …
    ...
    </persisted-output>

The line of three dots stands there when the preview is not the whole. Sizes are UTF-16 code units.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from unspool.dataclass import dataclass
from unspool.pattern import pattern
from unspool.recording.utf16 import beginning, length

OPENING: Final = "<persisted-output>"
CLOSING: Final = "</persisted-output>"
_MORE: Final = "\n..."

_GRAMMAR = pattern(
    r"<persisted-output>\nOutput too large \((?P<size>[0-9.]+[KM]? chars)\)\. Full output saved to: (?P<path>[^\n]+)\n"
    r"\nPreview \(first [0-9.]+[KM]? chars\):\n(?P<preview>.*)\n</persisted-output>\Z",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class StandIn:
    """What such a text says: the path of the file, and the beginning of the result's text."""

    path: str
    preview: str


def write_stand_in(*, path: str, text: str, size: int, preview_units: int) -> str:
    """Return the stand-in for a result's text; `size` is what was saved, in units, and may differ from the text's.

    The preview is at most so many units long, and ends at a line's end where one lies in its second half.
    """
    preview = _preview(text, preview_units)
    more = _MORE if len(preview) < len(text) else ""
    told = f"Output too large ({size_label(size)}). Full output saved to: {path}"
    return f"{OPENING}\n{told}\n\nPreview (first {size_label(length(preview))}):\n{preview}{more}\n{CLOSING}"


def read_stand_in(text: str) -> StandIn | None:
    """Return what a text says that has the whole grammar of a stand-in, `None` for any other."""
    found = _GRAMMAR.match(text) if text.startswith(OPENING) else None
    if found is None:
        return None
    return StandIn(found["path"], found["preview"].removesuffix(_MORE))


def size_label(units: int) -> str:
    """Return a size as the format writes it: `812 chars`, `54K chars`, `1.2M chars`."""
    if units >= 1_000_000:
        millions = Decimal(units / 1_000_000).quantize(Decimal("0.1"), ROUND_HALF_UP)  # as JavaScript's toFixed rounds
        return f"{millions}M chars"
    return f"{(units + 500) // 1_000}K chars" if units >= 1_000 else f"{units} chars"


def _preview(text: str, units: int) -> str:
    head = beginning(text, units)
    if len(head) == len(text):
        return head
    last_line = head.rfind("\n")
    return head[:last_line] if last_line > len(head) // 2 else head
