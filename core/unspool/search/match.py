"""Whether and where one piece matches: the law of the search, by decoding.

A piece made of texts is searched as one text, its parts joined by LF. A structured value is searched by its leaves, so
that a query never spans JSON punctuation. The name of a tool belongs to the call's input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from json.encoder import encode_basestring

from unspool.columns.piece_text import PieceText, RawString, border_after
from unspool.columns.records import Records, text_of
from unspool.errors import SourceChanged
from unspool.formats.base import JsonPart, Piece, ToolPart
from unspool.search.needle import Needle
from unspool.sources.json_value import Clipped, leaves
from unspool.text import utf8

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s{}\[\],:"]+', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Match:
    """How often a piece matches, and where first: half-open bytes of the piece's text.

    `start` is `None` when only the tool's name matches.
    """

    count: int
    start: int | None
    stop: int | None


def match_row(records: Records, row: int, needle: Needle, *, counted: bool = True) -> Match | None:
    """Match one row; with `counted=False` the count stops at 1.

    Of an output whose side file is gone meanwhile, what the log holds is matched.
    """
    located = records.stored.get(row)
    if located is not None and located.file is not None:
        try:
            return match_text(records.text(row), needle, counted=counted)
        except SourceChanged:
            pass
    piece = records.piece(row)
    found = _match_piece(piece, records, row, needle, counted)
    named = piece.tool_part == ToolPart.INPUT and piece.tool is not None and needle.count(utf8(piece.tool))
    if not named:
        return found
    return Match(found.count + named, found.start, found.stop) if found else Match(int(named), None, None)


def match_text(text: PieceText, needle: Needle, *, start: int = 0, counted: bool = True) -> Match | None:
    """Match a text of any size from byte `start` on, window by window."""
    count, first = 0, None
    for begin, end in _text_matches(text, needle, start):
        count += 1
        first = first or (begin, end)
        if not counted:
            break
    return Match(count, *first) if first else None


def _text_matches(text: PieceText, needle: Needle, start: int) -> Iterator[tuple[int, int]]:
    """Yield the matches of a text as bytes, the same whatever the size of its blocks.

    A match that begins in the last stretch of a window, as long as any match can be, is left to the next window.
    """
    window, offset = b"", start
    blocks = text.blocks(start)
    pending = next(blocks, None)
    while pending is not None:
        following = next(blocks, None)
        window += pending[1][max(0, start - pending[0]) :]
        settled = len(window) if following is None else max(0, len(window) - needle.overlap)
        taken = 0
        for begin, end in needle.matches(window):
            if begin >= settled:
                break
            yield offset + begin, offset + end
            taken = end
        keep = border_after(window, max(settled, taken))
        window, offset, pending = window[keep:], offset + keep, following


def _match_piece(piece: Piece, records: Records, row: int, needle: Needle, counted: bool) -> Match | None:
    structured = [part for part in piece.parts if isinstance(part, JsonPart)]
    if not structured:
        return match_text(text_of(piece, records.reader(row)), needle, counted=counted)
    return _match_leaves(piece, records, row, needle)


def _match_leaves(piece: Piece, records: Records, row: int, needle: Needle) -> Match | None:
    count, first, before = 0, None, 0
    for part in piece.parts:
        text = part.text()
        tokens = _TOKEN.finditer(text) if isinstance(part, JsonPart) else iter([None])
        for token, leaf in zip(tokens, leaves(part.value) if isinstance(part, JsonPart) else [text], strict=False):
            if isinstance(leaf, Clipped):
                long = match_text(PieceText([RawString(records.reader(row), leaf.span)]), needle)
                count += long.count if long else 0
                continue
            found = list(needle.matches(utf8(leaf)))
            count += len(found)
            if found and first is None:
                first = _in_text(text, token, leaf, found[0], before)
        before += len(utf8(text)) + 1
    if count and first is None:
        return match_text(text_of(piece, records.reader(row)), needle) or Match(count, 0, 0)
    return Match(count, *first) if first else None


def _in_text(text: str, token: re.Match[str] | None, leaf: str, found: tuple[int, int], before: int) -> tuple[int, int]:
    """Turn a byte range of a leaf into the byte range of the part's text that shows it."""
    if token is None:
        return before + found[0], before + found[1]
    start = before + len(utf8(text[: token.start()]))
    if not token[0].startswith('"'):
        return start + found[0], start + found[1]
    data = utf8(leaf)
    ends = [len(utf8(encode_basestring(data[:end].decode(errors="replace")))) - 1 for end in found]
    return start + ends[0], start + ends[1]
