"""Base64 inside structured values, which is metadata and never text.

| a string is base64 when                                             | its type                                |
|---------------------------------------------------------------------|-----------------------------------------|
| all of it is `data:<type>;base64,<letters>`, of any length          | the one in the address                  |
| beside it `type`, `encoding` or `format` is `base64`; its key is in | a media type beside it, else `?`        |
|   the first or second row of keys below                             |                                         |
| beside it is a media type that is not one of text; its key is in    | that                                    |
|   the first row (`blob`: any media type)                            |                                         |
| beside it `format` or `type` is a bare name; key of the first row   | by the name                             |
| its key is a media type that is not one of text                     | the key                                 |
| its key has `base64` or `b64` in it                                 | a media type beside it, else `?`        |

and in each row it has letters of base64, line ends and padding only. In all but the first row it must also decode: one
alphabet, not both; padding to a multiple of four, or none and no lone letter at the end. It has 64 letters or more, its
padding counted; of the letters and digits among its first 1024 at least a quarter are capitals or digits; and these
1024 are not all lower-case hexadecimal. Keys: audio_data, blob, bytes, data, file_data,
image_data; and body, content, image, payload, source, value. Case, `_` and `-` in keys do not count.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

_FIRST_ROW = ("audiodata", "blob", "bytes", "data", "filedata", "imagedata")
_SECOND_ROW = ("body", "content", "image", "payload", "source", "value")
_TYPE = r"(?:application|audio|font|image|model|text|video)/[\w.+-]+"
_TEXTUAL = r"text/.*|application/(?:json|javascript|sql|toml|xml|yaml|x-yaml)\b.*|.*\+json\b.*"
_BARE = {
    "?": ("audio", "image", "video", "input_audio", "input_image", "input_video"),
    "image/png": ("png",),
    "image/jpeg": ("jpg", "jpeg"),
    "image/gif": ("gif",),
    "image/webp": ("webp",),
    "audio/wav": ("wav",),
    "audio/mpeg": ("mp3",),
    "audio/flac": ("flac",),
    "video/mp4": ("mp4",),
    "application/pdf": ("pdf",),
}


def without_base64(value: Any) -> tuple[Any, int]:
    """Copy a value with a line for each base64 text in it; also count them."""
    if isinstance(value, list):
        return _members(enumerate(value), [None] * len(value), {})
    if isinstance(value, dict):
        return _members(value.items(), {}, value)
    line = _line(value, "", {}) if isinstance(value, str) else None
    return (value, 0) if line is None else (line, 1)


def _members(members: Any, made: Any, beside: dict[str, Any]) -> tuple[Any, int]:
    count = 0
    for key, member in members:
        line = _line(member, key if beside else "", beside) if isinstance(member, str) else None
        made[key], found = without_base64(member) if line is None else (line, 1)
        count += found
    return made, count


def _line(text: str, key: str, beside: dict[str, Any]) -> str | None:
    address = re.match(r"(?is)data:([^,;\s]*)(?:;[^,\s]*)?;base64,(.*)", text)
    data, media_type = (address[2], address[1] or "?") if address else (text, _type(key, beside))
    signs = re.sub(r"[\r\n]", "", data)
    letters = signs.rstrip("=")
    if media_type is None or not re.fullmatch(r"[A-Za-z0-9+/_-]+", letters):
        return None
    if not address and not _decodes(signs):
        return None
    return f"[image {media_type} {len(letters) * 3 // 4}]"


def _decodes(signs: str) -> bool:
    letters = signs.rstrip("=")
    first = letters[:1024]
    one = re.fullmatch("[^+/]*|[^-_]*", letters)
    padded = letters + "=" * (-len(letters) % 4)
    try:
        base64.b64decode(padded.replace("-", "+").replace("_", "/"), validate=True)
    except binascii.Error:
        return False
    told = len(re.findall("[A-Z0-9]", first)), len(re.findall("[A-Za-z0-9]", first))
    if one is None or signs not in (letters, padded):
        return False
    return len(signs) >= 64 and 4 * told[0] >= told[1] and not re.fullmatch("[0-9a-f]*", first)


def _type(key: str, beside: dict[str, Any]) -> str | None:
    told = {_name(other): word for other, word in beside.items() if isinstance(word, str) and len(word) < 129}
    names = ("mediatype", "mimetype", "mime", "contenttype", "type", "format")
    types = [told[name] for name in names if re.match(_TYPE, told.get(name, ""), re.I)]
    encoded = "base64" in [told.get(name, "").lower() for name in ("type", "encoding", "format")]
    if re.fullmatch(_TYPE, key, re.I):
        return None if re.match(_TEXTUAL, key, re.I) else key
    if encoded and _name(key) in _FIRST_ROW + _SECOND_ROW:
        return types[0] if types else "?"
    if re.search("base64|b64", _name(key)):
        return types[0] if types else "?"
    if types and _name(key) in _FIRST_ROW:
        return types[0] if _name(key) == "blob" or not re.match(_TEXTUAL, types[0], re.I) else None
    bare = [made for name in ("format", "type") for made, words in _BARE.items() if told.get(name, "").lower() in words]
    return bare[0] if bare and _name(key) in _FIRST_ROW else None


def _name(key: str) -> str:
    return key.lower().replace("_", "").replace("-", "")
