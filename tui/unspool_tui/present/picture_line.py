"""Images: what is told of them is one line, with their type, their pixels where the record begins with them, and size.

Nothing is decoded but the first bytes of an image, in which PNG, GIF, WebP and most JPEG files say how large they are.
"""

from __future__ import annotations

import binascii
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from unspool.formats.piece import UNKNOWN_TYPE
from unspool.pattern import pattern
from unspool_tui.present import numbers

if TYPE_CHECKING:
    from unspool_tui.present.cells import Row

LOOKED_AT: Final = 65_536
"""Base64 letters of an image that are decoded: a JPEG's size stands behind what its camera wrote, often 30 KB."""

Pixels = tuple[int, int]
"""Width and height."""

_LINE: Final = pattern(r"\[image (\?|[A-Za-z0-9.+/-]{1,100})(?: ([0-9]{1,15}))?\]")
_NO_TYPES: Final = frozenset({UNKNOWN_TYPE, "unknown"})
"""Types that say no more than that it is one."""
_DATA: Final = pattern(r"\"(?:data:[^,\"]{0,200},)?((?:iVBORw0KGgo|/9j/|R0lGOD|UklGR)[A-Za-z0-9+/]*)(=*)(\"?)")
_FRAMES: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""Markers of a JPEG behind which its size stands."""


def pictures_of(record: str) -> Mapping[int | None, Pixels]:
    """Return the pixels of the images in a record, or its beginning, by their bytes; `None` for one that goes on."""
    found: dict[int | None, Pixels] = {}
    for data in _DATA.finditer(record):
        letters = data[1]
        pixels = pixels_of(_decoded(letters[: LOOKED_AT // 4 * 4]))
        if pixels is not None:
            found[len(letters) * 3 // 4 if data[3] else None] = pixels
    return found


def pixels_of(image: bytes) -> Pixels | None:
    """Return the size of an image by its first bytes; `None` for other kinds and for what does not say."""
    if image[:8] == b"\x89PNG\r\n\x1a\n" and len(image) >= 24:
        return int.from_bytes(image[16:20]), int.from_bytes(image[20:24])
    if image[:4] == b"GIF8" and len(image) >= 10:
        return _little(image[6:8]), _little(image[8:10])
    if image[:4] == b"RIFF" and image[8:12] == b"WEBP" and len(image) >= 30:
        return _webp(image)
    return _jpeg(image) if image[:2] == b"\xff\xd8" else None


def picture_cells(text: str, pictures: Mapping[int | None, Pixels]) -> Row | None:
    """Return what is told instead of a line about an image; `None` for other lines."""
    told = _LINE.fullmatch(text)
    if told is None:
        return None
    size = int(told[2]) if told[2] else None
    pixels = pictures.get(size) or (pictures.get(None) if len(pictures) == 1 else None)
    facts = [f"{numbers.full(pixels[0])} × {numbers.full(pixels[1])} pixels"] if pixels else []
    facts += [numbers.size(size)] if size is not None else []
    return ((f" {_name(told[1])} ", "text bold on chip"), (f"  {'   '.join(facts)}" if facts else "", "text"))


def without_sizes(text: str) -> str:
    """Return a text in which images are named by their type alone."""
    return _LINE.sub(lambda told: f"[{_name(told[1])}]", text) if "[image " in text else text


def _name(media_type: str) -> str:
    if media_type in _NO_TYPES:
        return "image"
    kind, _, name = media_type.partition("/")
    return f"{name.partition('+')[0].upper()} image" if kind == "image" and name else media_type


def _decoded(letters: str) -> bytes:
    try:
        return binascii.a2b_base64(letters[: len(letters) // 4 * 4])
    except binascii.Error:
        return b""


def _webp(image: bytes) -> Pixels | None:
    match image[12:16]:
        case b"VP8 ":
            return _little(image[26:28]) & 0x3FFF, _little(image[28:30]) & 0x3FFF
        case b"VP8L":
            bits = _little(image[21:25])
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            return _little(image[24:27]) + 1, _little(image[27:30]) + 1
        case _:
            return None


def _little(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _jpeg(image: bytes) -> Pixels | None:
    """Go from marker to marker up to the one that begins the picture."""
    at = 2
    while at + 9 <= len(image) and image[at] == 0xFF:
        if image[at + 1] in _FRAMES:
            return int.from_bytes(image[at + 7 : at + 9]), int.from_bytes(image[at + 5 : at + 7])
        at += 2 + max(2, int.from_bytes(image[at + 2 : at + 4]))
    return None
