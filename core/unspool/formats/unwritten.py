"""What is searched of an agent's records and stands in none of them as it reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from unspool.formats.claude_message import SHELL
from unspool.formats.piece import UNKNOWN_TYPE, image_line
from unspool.named_tuple import NamedTuple


class Unwritten(NamedTuple):
    """Names of `tools` that a format gives, and texts that it puts together.

    One of the `marks` is in each record that has such a text. What is put together with `joint` between the parts
    hides only what holds some of it.
    """

    tools: tuple[str, ...] = ()
    marks: tuple[bytes, ...] = ()
    joint: str = ""


UNWRITTEN: Final[Mapping[str, Unwritten]] = {
    "claude": Unwritten(tools=(SHELL,)),
    "codex": Unwritten(marks=(b'"namespace"', b'"mcp_call"'), joint="_"),  # a tool's name behind that of its server
    "minicode": Unwritten(),
    "yoi": Unwritten(marks=(b'"segments"',)),  # what was typed in pieces is one text
}
"""By agent; of an agent that is not named here nothing is known."""

_OPENING: Final = "[image "
_TYPES: Final = (
    *("application/pdf", "audio/flac", "audio/mpeg", "audio/wav", "file", "image/bmp", "image/gif", "image/jpeg"),
    *("image/png", "image/svg+xml", "image/webp", "unknown", "video/mp4", UNKNOWN_TYPE),
)
"""Media types that are told where a record says less."""


def is_of_image(text: str) -> bool:
    """Say whether a text may stand in the line about an image, but in no record; rather too often than not."""
    text = text.casefold()
    begun = any(text.startswith(_OPENING[at:]) for at in range(len(_OPENING)))
    ended = text.endswith(("]", " ")) or text.rpartition(" ")[2].isdigit()
    return begun or ended or any(text in image_line(each, None) for each in _TYPES)
