"""Text from outside: made safe for display, measured in bytes and lines, cut on character borders.

Everything that a session holds is hostile until `clean()` has seen it: escape sequences, overrides of the writing
direction, characters without width, towers of combining marks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from typing import Final

from unspool.pattern import pattern

TAB_WIDTH: Final = 4
"""Characters between tab stops in display text: code stays narrow in a split screen."""

COMBINING_MARKS: Final = 4
"""Marks kept on one character: no writing system stacks more, and towers of them overflow into other rows."""

SEQUENCE_BODY: Final = 65_536
"""Characters that a control string may hold to be removed whole; a longer body is text, whatever precedes it."""

_ASCII_SPACE: Final = b"\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f "
"""What `str.split` takes for white space."""

_SEQUENCE = pattern(
    # CSI, with its parameters, intermediates and final character.
    r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]"
    # OSC, DCS, SOS, PM and APC up to BEL or ST. Without an end, or across a line, the body is text and stays.
    rf"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x00-\x08\x0a-\x1f\x7f-\x9f]{{0,{SEQUENCE_BODY}}}+(?:\x07|\x1b\\|\x9c)"
    # Two characters, such as a full reset, or a choice of character set. What begins a longer sequence is no end.
    r"|\x1b(?:[ -/]++[0-~]|[0-OQ-WYZ\\`-~])"
)

# Classes of characters, each split at U+FFFF: a class that stays below is a table lookup and ten times faster, and
# what lies above is rare and looked up one by one.
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_LINE_ENDS = "\x85\u2028\u2029"
_DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb"
)
_INVISIBLE_ABOVE = (
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U0001f3fb-\U0001f3ff"  # skin tones: terminals disagree on the width of what they join
    "\U000e0000-\U000e0fff"
)
_ENCLOSING = "\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2"
_ENCLOSING_ABOVE = "\U000110bd\U000110cd"
_NONCHARACTERS = "\ufdd0-\ufdef\ufffe\uffff"
_NONCHARACTERS_ABOVE = "".join(chr(plane << 16 | last) for plane in range(1, 17) for last in (0xFFFE, 0xFFFF))

_BELOW = f"{_CONTROLS}{_LINE_ENDS}{_DIRECTION}{_INVISIBLE}{_ENCLOSING}{_NONCHARACTERS}\ud800-\udfff"

# The blocks that hold combining marks (and, in the scripts of India and their neighbours, letters too).
_MARKED = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05cf\u0610-\u061a\u064b-\u1cff\u1dc0-\u1dff\u20d0-\u20ff\u2cef-\u2cf1\u2d7f"
    "\u2de0-\u2dff\u302a-\u302f\u3099\u309a\ua66f-\ua6f1\ua802-\uabff\ufb1e\ufe20-\ufe2f"
)
_MARKED_ABOVE = "\U000101fd-\U0001efff"
_TOWER = f"{{{COMBINING_MARKS + 1},}}+"

_CALM: Final = (
    0xA1, 0xAD, 0xAE, 0x300,  # Latin
    0x370, 0x374, 0x388, 0x400,  # Greek
    0x400, 0x483,  # Cyrillic
    0x2010, 0x2028, 0x2030, 0x205F,  # dashes, quotation marks, the ellipsis
    0x20A0, 0x20C1, 0x2100, 0x2C00,  # signs, arrows, lines
    0x3001, 0x302A, 0x3041, 0x3097, 0x30A1, 0x3100,  # kana
    0x4E00, 0xA000,  # Chinese characters
    0xAC00, 0xD7A4,  # Hangul
    0xFF01, 0xFF61,  # Latin in full width
)  # fmt: skip
"""Where characters begin and end that display text keeps, however many stand together: not all there are."""
_ASCII: Final = frozenset(map(chr, (0x0A, *range(0x20, 0x7F)))) | {"\t"}
_SHORT: Final = 1_024
"""Characters of a text of which each is looked at: most are shown without what takes a while to compile."""

_SPECIAL = pattern(f"[{_BELOW}]")
_ANY_ABOVE = pattern("[\U00010000-\U0010ffff]")
_NONCHARACTER = pattern(f"[{_NONCHARACTERS}{_NONCHARACTERS_ABOVE}]")
_TOWERS = pattern(f"[{_MARKED}]{_TOWER}")
_TOWERS_ABOVE = pattern(f"[{_MARKED}{_MARKED_ABOVE}]{_TOWER}")
_ANY_MARKED_ABOVE = pattern(f"[{_MARKED_ABOVE}]")
_DROPPED = pattern(f"[{_INVISIBLE}{_INVISIBLE_ABOVE}]")
_NAMED = pattern(f"[{_DIRECTION}{_ENCLOSING}{_ENCLOSING_ABOVE}]")
_SURROGATE = pattern("[\ud800-\udfff]")


def clean(text: str, *, newline: bool = True) -> str:
    """Turn text from outside into display text; the only way that such text reaches a screen.

    Whole control sequences are removed. Other control characters become pictures (`␛`), lone surrogates, C1 controls
    and noncharacters U+FFFD; controls of the writing direction become visible (`⟨202E⟩`); characters without width
    are dropped, flags become letters, so that every character left has a width of its own. CRLF and the Unicode line
    ends become LF, tabs spaces up to the next multiple of `TAB_WIDTH` characters.

    With `newline=False` the text is one line: each line end becomes a space. Cleaning twice changes nothing.
    """
    if text.isascii() and text.isprintable():
        return text
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if not text.isascii() or not text.replace("\n", "").replace("\t", "").isprintable():
        text = _without_specials(text)
    if not newline:
        text = text.replace("\n", " ")
    return text.expandtabs(TAB_WIDTH) if "\t" in text else text


def utf8(text: str) -> bytes:
    """Encode as UTF-8, lone surrogates as U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode()


def unspaced(text: str) -> bytes:
    """Return the UTF-8 of a text without its white space; see `utf8`."""
    if text.isascii():
        return text.encode().translate(None, _ASCII_SPACE)
    most = utf8(text).translate(None, _ASCII_SPACE)  # it takes no time, and leaves little to split
    return "".join(most.decode().split()).encode()


def size(text: str) -> int:
    """Return the length of `utf8(text)` in bytes."""
    return len(text) if text.isascii() else len(utf8(text))


def cut(text: str, max_bytes: int) -> str:
    """Return the longest beginning of the text that takes at most `max_bytes` bytes of UTF-8."""
    if max_bytes <= 0:
        return ""
    head = text[:max_bytes]
    if head.isascii():
        return head
    return head[: len(utf8(head)[:max_bytes].decode(errors="ignore"))]


def elided(line: str, most: int) -> str:
    """Return a line in at most so many characters; `…` says that something is missing."""
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def line_count(text: str) -> int:
    """Count the lines: LF ends a line and nothing else does; a last line without LF counts, an empty one does not."""
    return text.count("\n") + (bool(text) and not text.endswith("\n"))


def _without_specials(text: str) -> str:
    if _is_calm(text):
        return text
    if _SPECIAL.search(text):
        text = _SPECIAL.sub(_shown, _SEQUENCE.sub("", text))
        if text.isascii() or _is_calm(text):
            return text
    if _ANY_ABOVE.search(text):
        text = _ANY_ABOVE.sub(_shown, text)
    towers = _TOWERS_ABOVE if _ANY_MARKED_ABOVE.search(text) else _TOWERS
    return towers.sub(_few_marks, text)


def _is_calm(text: str) -> bool:
    """Say whether a text is known to hold no character that is shown as another, and no tower of marks."""
    return len(text) < _SHORT and all(bisect_right(_CALM, ord(each)) % 2 for each in {*text} - _ASCII)


def _shown(match: re.Match[str]) -> str:
    return _stand_in(match[0])


@lru_cache(maxsize=4096)
def _stand_in(character: str) -> str:
    """Return what stands for a character in display text: for most beyond U+FFFF, itself."""
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if character in _LINE_ENDS:
        return "\n"
    if _DROPPED.match(character):
        return ""
    if _NAMED.match(character):
        return f"⟨{code:04X}⟩"
    if 0x1F1E6 <= code <= 0x1F1FF:
        return chr(ord("A") + code - 0x1F1E6)
    return "\ufffd" if _SPECIAL.match(character) or _NONCHARACTER.match(character) else character


def _few_marks(match: re.Match[str]) -> str:
    """Return the characters without the marks that follow `COMBINING_MARKS` others."""
    import unicodedata

    kept = []
    marks = 0
    for character in match[0]:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks <= COMBINING_MARKS:
            kept.append(character)
    return "".join(kept)
