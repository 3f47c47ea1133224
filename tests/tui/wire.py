"""What may go over the wire to a terminal: text, and the few control sequences that the app's own drawing needs.

Whatever does not fit this grammar acts on the terminal by somebody else's will.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tests.tui.hostile_text import FORBIDDEN

MODES: Final = {
    "7": "line wrap", "25": "cursor", "1000": "mouse", "1003": "mouse moves", "1004": "focus", "1006": "mouse as SGR",
    "1015": "mouse as urxvt", "1016": "mouse in pixels", "1049": "alternate screen", "2004": "marked paste",
    "2026": "drawing at once", "2048": "size in band",
}  # fmt: skip
"""The private modes that are switched."""

ON_BY_DEFAULT: Final = frozenset({"7", "25"})
"""Modes that a terminal begins with."""

_STYLE: Final = r"(?:[1349]|[34]8;(?:5;[0-9]{1,3}|2(?:;[0-9]{1,3}){3}))"
"""One attribute: bold, italic, underlined, struck, or a colour."""

GRAMMAR: Final = {
    "style": rf"\x1b\[(?:0|{_STYLE}(?:;{_STYLE})*)?m",
    "cursor": r"\x1b\[[0-9]{1,3};[0-9]{1,3}H",
    "mode": rf"\x1b\[\?(?:{'|'.join(MODES)})[hl]",
    "question": r"\x1b\[\?(?:2026|2048)\$p",
    "keyboard": r"\x1b\[>[0-9]+u|\x1b\[<u",
    "clipboard": r"\x1b\]52;c;[A-Za-z0-9+/]*={0,2}\x07",
    "pointer": r"\x1b\]22;[a-z-]+\x07",
    "row": r"\r?\n",
    "again": r"\r|\x1b\[K",
    "bell": r"\x07",
    "text": "[^\x00-\x1f\x7f-\x9f]+",
}
"""Every sequence that may be written, by name."""

_TOKEN: Final = re.compile("|".join(f"(?P<{name}>{form})" for name, form in GRAMMAR.items()))


@dataclass(frozen=True, slots=True)
class Token:
    """One sequence, or a run of text."""

    name: str
    text: str


class NotAllowed(AssertionError):
    """Something was written that the grammar does not know."""


def tokens(written: str) -> Iterator[Token]:
    """Take apart what was written; raises `NotAllowed` at the first thing that may not be."""
    at = 0
    while at < len(written):
        found = _TOKEN.match(written, at)
        if found is None or found.lastgroup is None:
            raise NotAllowed(f"at {at}: {written[max(0, at - 60) : at]!r} then {written[at : at + 60]!r}")
        yield Token(found.lastgroup, found.group())
        at = found.end()


def check(written: str) -> None:
    """Raise `NotAllowed` for what may not be written: sequences, characters, and what is asked into the clipboard."""
    for token in tokens(written):
        if token.name == "bell":
            raise NotAllowed("it rings though nobody asked for that")
        if token.name == "text" and (bad := FORBIDDEN.search(token.text)):
            raise NotAllowed(f"{bad.group()!r} in {token.text!r}")
        if token.name == "clipboard":
            copied = base64.b64decode(token.text[7:-1]).decode()
            if bad := FORBIDDEN.search(copied.replace("\n", "")):
                raise NotAllowed(f"{bad.group()!r} on the clipboard, in {copied!r}")


def drawn(written: str, size: tuple[int, int]) -> None:
    """Raise `NotAllowed` unless all that was written is drawing inside a screen, and what a person copied."""
    check(written)
    for token in tokens(written):
        if token.name not in ("style", "cursor", "row", "text", "clipboard", "pointer"):
            raise NotAllowed(f"{token} while drawing")
        if token.name == "cursor":
            y, x = map(int, token.text[2:-1].split(";"))
            if x > size[0] or y > size[1]:
                raise NotAllowed(f"{token} on a screen of {size}")


def modes(written: str) -> dict[str, bool]:
    """Return the private modes that are otherwise than a terminal begins with, by the last word on each."""
    last = {number: number in ON_BY_DEFAULT for number in MODES}
    for token in tokens(written):
        if token.name == "mode":
            last[token.text[3:-1]] = token.text[-1] == "h"
    return {number: on for number, on in last.items() if on is not (number in ON_BY_DEFAULT)}


def keyboard_depth(written: str) -> int:
    """Return how many keyboard modes were pushed and not taken off again."""
    asked = [token.text for token in tokens(written) if token.name == "keyboard"]
    return sum(1 if ">" in text else -1 for text in asked)
