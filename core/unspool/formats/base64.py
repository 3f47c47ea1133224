"""Base64 in structured values: metadata, never text.

Inside arguments and structured outputs a string is base64 only where the value around it says so, and only when it
is: nothing but the letters of one of the two alphabets, padded to a multiple of four or not at all, 64 or more of
them, and written as no words, paths, numbers or digests are. A short value is text whatever its key. It is said

- by itself: the whole string is an address like `data:image/png;base64,…`, of any length;
- by a name beside it: `type`, `encoding` or `format` is `base64`, and the key is `data`, `content`, …;
- by a media type beside it (`media_type`, `mimeType`, a `type` that is one, …) that is not one of text, and the key is
  `data`, `bytes`, …; under `blob`, as MCP writes a resource, by any media type;
- by a bare `type` or `format` beside it (`image`, `png`, `wav`, …) when the key is one of these;
- by its key: a media type, as in a notebook's `{"image/png": …}`, or a name with `base64` or `b64` in it.

Everything else is text as written: a string that only looks like base64, one with such an address somewhere in it, and
whatever stands in no structured value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from unspool.dataclass import dataclass
from unspool.formats.piece import UNKNOWN_TYPE, ImagePart, Pointer, image_line
from unspool.pattern import pattern
from unspool.sources.json_value import Clipped, Number

LONG: Final = 64
"""Letters and padding from which a value is taken for data: names, branches, most paths and digests are shorter."""

_HEAD_LETTERS: Final = 1024
"""How many letters are looked at for whether they are written like data."""

_COMMON: Final = 4
"""One in so many letters and digits of data at least is a capital or a digit (36 of 62 on average); of words fewer."""

_ADDRESS: Final = pattern(r"data:([^,;\s]{0,127})(?:;[^,\s]{0,127})?;base64,", re.IGNORECASE)
_ADDRESS_CHARACTERS: Final = 272
_HEAD: Final = pattern(r"data:[^,]{0,272},", re.IGNORECASE)
_LETTERS: Final = pattern(r"((?:[\r\n]*+[A-Za-z0-9+/_-]++)*+)[\r\n]*+((?:=[=\r\n]*+)?)")
_MEDIA_TYPE: Final = pattern(r"(?:application|audio|font|image|model|text|video)/[\w.+-]{1,100}", re.IGNORECASE)
_OF_TEXT: Final = pattern(r"text/|application/(?:json|javascript|sql|toml|xml|(?:x-)?yaml)\b|.*\+json\b", re.I)
_HEX: Final = pattern(r"[0-9a-f]+")
_NAMES_TYPE: Final = ("mediatype", "mimetype", "mime", "contenttype", "type", "format")
_NAMES_ENCODING: Final = ("type", "encoding", "format")
_DATA: Final = frozenset({"audiodata", "blob", "bytes", "data", "filedata", "imagedata"})
_ENCODED: Final = _DATA | {"body", "content", "image", "payload", "source", "value"}
_BARE: Final = {
    "audio": UNKNOWN_TYPE,
    "flac": "audio/flac",
    "gif": "image/gif",
    "image": UNKNOWN_TYPE,
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "pdf": "application/pdf",
    "png": "image/png",
    "video": UNKNOWN_TYPE,
    "wav": "audio/wav",
    "webp": "image/webp",
}

Chunks = Callable[[str], Iterable[str]]
"""Gives the whole of a string, also of a clipped one, piece by piece."""


def described(value: Any, chunks: Chunks = lambda text: (text,)) -> tuple[Any, int]:
    """Return a structured value with a line like an image's in place of each base64 text, and how many there are.

    The value itself is returned when it has none, else a copy.
    """
    lines: dict[tuple[int, Any], str] = {}
    holder = [value]
    for container, key, media_type in _said(holder):
        if is_base64(chunks(container[key])):
            lines[id(container), key] = image_line(media_type, base64_size(chunks(container[key])))
    return (_replaced(holder, lines)[0], len(lines)) if lines else (value, 0)


def base64_size(chunks: Iterable[str]) -> int:
    """Return how many bytes a base64 text decodes to: the head of its address, padding and line ends do not count."""
    letters = 0
    for number, chunk in enumerate(chunks):
        address = None if number else _HEAD.match(chunk)
        signs = chunk.count("=") + chunk.count("\n") + chunk.count("\r")
        letters += len(chunk) - signs - ((address.end() - address[0].count("=")) if address else 0)
    return max(0, letters) * 3 // 4


def image_part(pointer: Pointer, media_type: str, data: str) -> ImagePart:
    """Return an image given by its base64, or by an address that holds it."""
    if isinstance(data, Clipped):
        return ImagePart(pointer, media_type, None, data)
    return ImagePart(pointer, media_type, base64_size([data]))


def may_be_base64(text: str) -> bool:
    """Say whether a text may be base64 as far as one look tells: no blank in its head, and long, or an address."""
    return (len(text) >= LONG or text[4:5] == ":") and " " not in text[:LONG]


def is_base64(chunks: Iterable[str]) -> bool:
    """Say whether a text is base64: an address that holds some, or long and written as only data is."""
    seen = _Letters()
    return all(seen.take(chunk) for chunk in chunks) and seen.are_data()


@dataclass(slots=True)
class _Letters:
    """What was seen of a text that may be base64; line ends do not count."""

    begun: bool = False
    addressed: bool = False
    count: int = 0
    padding: int = 0
    head: str = ""
    alphabets: int = 0

    def take(self, chunk: str) -> bool:
        """Look at the next chunk; say whether the text can still be base64."""
        address = None if self.begun else _ADDRESS.match(chunk)
        self.begun, self.addressed = True, self.addressed or address is not None
        match = _LETTERS.fullmatch(chunk, address.end() if address else 0)
        if match is None or (self.padding and match[1]):
            return False
        self.count += len(match[1]) - match[1].count("\n") - match[1].count("\r")
        self.padding += match[2].count("=")
        self.alphabets |= ("+" in match[1] or "/" in match[1]) | ("-" in match[1] or "_" in match[1]) << 1
        if len(self.head) < _HEAD_LETTERS:
            self.head = (self.head + match[1].replace("\n", "").replace("\r", ""))[:_HEAD_LETTERS]
        return True

    def are_data(self) -> bool:
        """Say whether all that was seen is base64."""
        if self.addressed:
            return self.count > 0
        whole = (self.count + self.padding) % 4 == 0 if self.padding else self.count % 4 != 1
        long = self.count + self.padding >= LONG
        return long and whole and self.padding <= 2 and self.alphabets < 3 and _is_written_like_data(self.head)


def _is_written_like_data(letters: str) -> bool:
    """Tell data from words, paths, numbers and digests by what capitals and digits it has."""
    alphanumeric = [letter for letter in letters if letter.isalnum()]
    rare = sum(not letter.islower() for letter in alphanumeric)
    return rare * _COMMON >= len(alphanumeric) and _HEX.fullmatch(letters) is None


def _said(holder: list[Any]) -> Iterator[tuple[Any, Any, str]]:
    """Yield (container, key, media type) of each string that is said to be base64."""
    waiting: list[Any] = [holder]
    while waiting:
        container = waiting.pop()
        members: Iterable[tuple[Any, Any]] = container.items() if isinstance(container, dict) else enumerate(container)
        for key, member in members:
            if isinstance(member, str):
                if may_be_base64(member):
                    media_type = _media_type(container, key, member)
                    if media_type is not None:
                        yield container, key, media_type
            elif isinstance(member, (dict, list)):
                waiting.append(member)


def _media_type(container: Any, key: Any, member: str) -> str | None:
    """Return the media type of a string that is said to be base64."""
    if isinstance(member, Number):
        return None
    told = _by_itself(member)
    return _by_its_object(container, key) if told is None and isinstance(container, dict) and _may_hold(key) else told


def _by_itself(text: str) -> str | None:
    """Return the media type of an address that holds its data."""
    address = _ADDRESS.match(text[:_ADDRESS_CHARACTERS]) if text[:5].lower() == "data:" else None
    return None if address is None else address[1] or UNKNOWN_TYPE


def _by_its_object(siblings: dict[str, Any], key: str) -> str | None:
    """Return the media type of a string that its key and what stands beside it say to be base64."""
    name = _plain(key)
    if _MEDIA_TYPE.fullmatch(key):
        return None if _OF_TEXT.match(key) else key
    told = {_plain(other): word for other, word in siblings.items() if isinstance(word, str) and len(word) <= 128}
    media_type = next((told[other] for other in _NAMES_TYPE if _MEDIA_TYPE.match(told.get(other, ""))), None)
    if any(told.get(other, "").lower() == "base64" for other in _NAMES_ENCODING) or _is_named(name):
        return media_type or UNKNOWN_TYPE
    if name not in _DATA:
        return None
    if media_type is not None:
        return None if name != "blob" and _OF_TEXT.match(media_type) else media_type
    bare = (_BARE.get(told.get(other, "").lower().removeprefix("input_")) for other in ("format", "type"))
    return next((known for known in bare if known), None)


@lru_cache(maxsize=4096)
def _may_hold(key: str) -> bool:
    name = _plain(key)
    return name in _ENCODED or _is_named(name) or ("/" in key and _MEDIA_TYPE.fullmatch(key) is not None)


def _is_named(name: str) -> bool:
    return "base64" in name or "b64" in name


def _plain(key: str) -> str:
    return key.replace("_", "").replace("-", "").lower()


def _replaced(holder: list[Any], lines: dict[tuple[int, Any], str]) -> list[Any]:
    """Copy containers with some strings replaced, which are named by (identity of their container, key)."""
    top = holder.copy()
    waiting: list[tuple[Any, Any]] = [(holder, top)]
    while waiting:
        container, twin = waiting.pop()
        for key, member in list(twin.items() if isinstance(twin, dict) else enumerate(twin)):
            if isinstance(member, (dict, list)):
                twin[key] = member.copy()
                waiting.append((member, twin[key]))
            elif (id(container), key) in lines:
                twin[key] = lines[id(container), key]
    return top
