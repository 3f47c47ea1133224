"""What a person sees of a text, with the way back: nothing that is not seen may hide what is."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from unspool.dataclass import dataclass
from unspool.pattern import pattern

_SIGNS: Final = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
)
_SIGNS_ABOVE: Final = (
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U0001f3fb-\U0001f3ff\U000e0000-\U000e0fff"
)

_SIGN: Final = pattern(f"[{_SIGNS}]")
_SIGN_ABOVE: Final = pattern(f"[{_SIGNS_ABOVE}]")
_UNSEEN: Final = pattern(
    r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]"  # CSI
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x00-\x08\x0a-\x1f\x7f-\x9f]{0,4096}+(?:\x07|\x1b\\|\x9c)"  # OSC, DCS
    r"|\x1b(?:[ -/]++[0-~]|[0-OQ-WYZ\\`-~])"
    f"|[{_SIGNS}{_SIGNS_ABOVE}]"
)


def hides(text: str) -> bool:
    """Say whether a text holds anything that is not seen."""
    return _SIGN.search(text) is not None or (not text.isascii() and _SIGN_ABOVE.search(text) is not None)


@dataclass(frozen=True, slots=True)
class Seen:
    """The characters of a text that are seen: stretches from `places` of `text` on, and from `raws` of the raw one."""

    text: str
    places: list[int]
    raws: list[int]
    length: int

    @classmethod
    def of(cls, raw: str) -> Seen:
        """Leave out what is not seen."""
        kept: list[str] = []
        places, raws, length, done = [0], [0], 0, 0
        for match in _UNSEEN.finditer(raw):
            kept.append(raw[done : match.start()])
            length += match.start() - done
            done = match.end()
            places.append(length)
            raws.append(done)
        kept.append(raw[done:])
        return cls("".join(kept), places, raws, len(raw))

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Return where a stretch stands in the raw text, with what is not seen at the very end."""
        return self._raw(start), self.length if stop == len(self.text) else self._raw(stop - 1) + 1

    def _raw(self, place: int) -> int:
        at = bisect_right(self.places, place) - 1
        return self.raws[at] + place - self.places[at]
