"""The parts of pieces, from values of a record that may be anything."""

from __future__ import annotations

from typing import Any, Final

from unspool.formats import fields
from unspool.formats.base64 import image_part
from unspool.formats.piece import UNKNOWN_TYPE, ImagePart, JsonPart, Part, Pointer, TextPart
from unspool.sources.json_value import BadJson, Clipped, inexact, loads, loads_exact

_ADDRESS_HEAD: Final = 256
"""Characters looked at for the media type of a `data:` address; everything behind is base64."""

_MEDIA_TYPES: Final = {
    "bmp": "image/bmp",
    "gif": "image/gif",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webp": "image/webp",
}


def text_parts(value: Any, at: Pointer) -> tuple[Part, ...]:
    """Return a string as one part, nothing for an empty one or for anything else."""
    text = fields.text(value)
    return (TextPart(at, text),) if text else ()


def json_parts(value: Any, at: Pointer) -> tuple[Part, ...]:
    """Return a structured value as one part, nothing for null."""
    return () if value is None else (JsonPart(at, value),)


def text_or_json_parts(value: Any, at: Pointer) -> tuple[Part, ...]:
    """Return a string as it is, anything else as a structured value."""
    return json_parts(value, at) if fields.text(value) is None else text_parts(value, at)


def encoded_parts(value: Any, at: Pointer) -> tuple[Part, ...]:
    """Return a JSON document inside a string, decoded; as the string it is when it is no JSON.

    A clipped one is left as it is for whoever can read on and tell.
    """
    text = fields.text(value)
    if text is None:
        return text_or_json_parts(value, at)
    if isinstance(text, Clipped):
        return (JsonPart(at, text, encoded=True),)
    try:
        return (JsonPart(at, decode_document(text), encoded=True),)
    except BadJson:
        return text_parts(text, at)


def decode_document(text: str) -> Any:
    """Decode a JSON document, number texts kept; raises `BadJson`."""
    raw = text.encode(errors="replace")
    value = loads(raw)
    return loads_exact(raw) if inexact(value, raw) else value


def image_parts(value: Any, at: Pointer) -> tuple[Part, ...]:
    """Return an image given by its address (or by `{"url": …}`), by a file id or by a path; nothing without one."""
    if isinstance(value, dict):
        return image_parts(value.get("url"), (*at, "url")) if isinstance(value.get("url"), str) else ()
    address = fields.text(value)
    if not address:
        return ()
    if not address.startswith("data:"):
        extension = address[-8:].rpartition(".")[2].lower()
        return (ImagePart(at, _MEDIA_TYPES.get(extension, UNKNOWN_TYPE), None),)
    comma = address.find(",", 0, _ADDRESS_HEAD)
    media_type = address[5 : max(comma, 5)].partition(";")[0] or UNKNOWN_TYPE
    return (image_part(at, media_type, address) if comma > 0 else ImagePart(at, media_type, None),)


def base64_parts(value: Any, at: Pointer, media_type: str) -> tuple[Part, ...]:
    """Return an image given by its base64 alone; nothing without any."""
    data = fields.text(value)
    return (image_part(at, media_type, data),) if data else ()
