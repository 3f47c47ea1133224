"""Whether a file can be JSON lines at all, judged by its first bytes."""

from __future__ import annotations

from typing import Final

from unspool.errors import Unreadable
from unspool.pattern import pattern

HEAD: Final = 65_536
"""Bytes looked at: records begin within them, or the file is no session."""

FOREIGN_SHARE: Final = 0.05
"""Share of bytes that text never holds above which a file without any record at its head is binary."""

_RECORD_BEGINS = pattern(rb'(?:\A\xef\xbb\xbf|\A|\n)[ \t\r\0]*+\{[ \t\r\n]*+"')
_FOREIGN = pattern(rb"[\x01-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]")


def refuse_binary(head: bytes, path: str) -> None:
    """Raise `Unreadable` when the first bytes of a file are no text. NUL padding, however long, is none of them."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable(f"{path} is UTF-16 text; sessions are UTF-8", path=path)
    if head.startswith(b'{"') or _RECORD_BEGINS.search(head):
        return
    written = head.replace(b"\0", b"")
    foreign = len(_FOREIGN.findall(written)) + written.decode(errors="replace").count("\ufffd")
    if foreign > FOREIGN_SHARE * len(written):
        raise Unreadable(f"{path} is not a text file of JSON lines", path=path)
