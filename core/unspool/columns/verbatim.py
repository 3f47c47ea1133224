"""Where the texts of pieces stand in their source just as JSON writes them: there raw bytes prove what they hold."""

from __future__ import annotations

from _thread import allocate_lock
from array import array
from collections.abc import Iterable
from typing import Final

from unspool.formats.parts import decode_document
from unspool.formats.piece import JsonPart, Piece, TextPart
from unspool.pattern import pattern
from unspool.sources import codec
from unspool.sources.json_value import Clipped, leaves
from unspool.text import utf8

UNKNOWN: Final = 0
"""The form of a row whose record was not looked at."""
NOWHERE: Final = 1
"""The form of a text that its record does not hold as it is: it is composed, or written with unusual escapes."""
TEXT: Final = 2
"""The form of a text inside a JSON string, without the quotes."""
VALUE: Final = 3
"""The form of a structured value as compact JSON."""
DOCUMENT: Final = 4
"""The form of a structured value as compact JSON inside a JSON string, without the quotes."""
SPACED: Final = 5
"""The form of such a document with blanks between its tokens."""
LONG: Final = 6
"""The form of a text inside a JSON string of a record that is not held: how much of it is escaped was not looked at."""

_STRING = pattern(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"')
_TOKEN = pattern(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[^ \t\n\r"]+')

_OPENING: Final = 64
"""Bytes of a text that are looked for; the rest is compared."""
_TRIES: Final = 4
"""Places at which a text is compared: many may begin alike."""
_NEAR: Final = 1 << 18
"""Bytes behind the text before in which a text begins: so pieces of one record cost what their texts do."""
_SPREAD: Final = 4
"""How many times as long as its text a document is compared with it."""

_LONGEST: Final = 0xFFFF_FFFF
"""Bytes of a range at the most."""

_SHORT: Final = 4_096
"""Characters up to which a text that stands nowhere is kept: so records with images are not read for what they say."""
_SPARE: Final = 4 << 20
"""Bytes of such texts that are kept of one source."""

_MAKING_ROOM: Final = allocate_lock()
"""Held by who makes room: rows are noted by readers while the session is gone on with."""


class Verbatim:
    """For each row a range of bytes of its record that says what its text says, escaped as little as JSON allows.

    A text of a record that is not held may be escaped more than that. Which of several such ranges it is makes no
    difference: equal bytes say the same. The ranges of a record do not overlap, and ascend. Rows are noted as their
    records are decoded, in any order and by any thread.
    """

    __slots__ = ("forms", "lengths", "spare", "starts", "texts")

    def __init__(self) -> None:
        self.starts = array("Q")
        """Bytes from the beginning of the source."""
        self.lengths = array("I")
        self.forms = array("B")
        self.texts: dict[int, bytes] = {}
        """Short texts that stand nowhere, by row."""
        self.spare = _SPARE

    def reach(self, rows: int) -> None:
        """Make sure that there is a place for so many rows."""
        if rows > len(self.forms):
            with _MAKING_ROOM:
                missing = max(0, rows - len(self.forms))
                for column in (self.starts, self.lengths, self.forms):
                    column.frombytes(bytes(column.itemsize * missing))

    def note(self, row: int, piece: Piece, text: str, raw: bytes, offset: int) -> None:
        """Note where the text of a row stands in the bytes of its record, which begin at an offset of the source."""
        start, parts = self._start(row, offset), piece.parts
        form = TEXT if text and len(parts) == 1 and type(parts[0]) is TextPart else _form(piece, text)
        if form == DOCUMENT:
            self._note_document(row, text, raw, offset, start)
            return
        written = _written(text, form) if form != NOWHERE else None
        at = _find(raw, written, start) if written is not None else -1
        if written is None or at < 0:
            self.forms[row] = NOWHERE
            self._note_unwritten(row, piece, text, offset)
        else:
            self._place(row, form, offset + at, len(written))

    def note_written(self, row: int, written: bytes, text: str | None, raw: bytes, offset: int) -> None:
        """Note the next row, whose text JSON writes so; one that is no value is kept where it stands nowhere."""
        starts, lengths, forms = self.starts, self.lengths, self.forms
        if row == len(forms):
            self._make_room(row)
        else:
            self.reach(row + 1)
        start = starts[row - 1] + lengths[row - 1] - offset if row else 0
        if start < 0:
            start = 0
        at = raw.find(written[:_OPENING], start, start + _NEAR)
        if at >= 0 and not raw.startswith(written, at):  # one that only begins alike
            at = _find(raw, written, start)
        if at < 0:
            forms[row] = NOWHERE
            if text is not None:
                self._keep(row, text)
        elif text is None:
            starts[row], lengths[row], forms[row] = offset + at, len(written), VALUE
        else:
            starts[row], lengths[row], forms[row] = offset + at + 1, len(written) - 2, TEXT

    def note_document(self, row: int, text: str, raw: bytes, offset: int) -> None:
        """Note the next row, whose text is a value that its record holds as a document inside a string."""
        self._note_document(row, text, raw, offset, self._start(row, offset))

    def _note_document(self, row: int, text: str, raw: bytes, offset: int, start: int) -> None:
        written = _written(text, DOCUMENT)
        at = _find(raw, written, start) if written is not None else -1
        if written is not None and at >= 0:
            self._place(row, DOCUMENT, offset + at, len(written))
        elif (found := _find_spaced(raw, text, start)) is not None:
            self._place(row, SPACED, offset + found[0], found[1])
        else:
            self.forms[row] = NOWHERE

    def _start(self, row: int, offset: int) -> int:
        """Make the place of a row; return where in its record its text is looked for."""
        if row == len(self.forms):
            self._make_room(row)
        elif row > len(self.forms):
            self.reach(row + 1)
        start = self.starts[row - 1] + self.lengths[row - 1] - offset if row else 0
        return start if start > 0 else 0

    def _place(self, row: int, form: int, start: int, length: int) -> None:
        quote = form != VALUE
        self.starts[row] = start + quote
        self.lengths[row] = length - 2 * quote
        self.forms[row] = form

    def _keep(self, row: int, text: str) -> None:
        """Keep a text that stands nowhere, if it is short."""
        if text and len(text) <= min(_SHORT, self.spare):
            self.texts[row] = utf8(text)
            self.spare -= len(self.texts[row])

    def _note_unwritten(self, row: int, piece: Piece, text: str, offset: int) -> None:
        """Note the string of a text that is not at hand, or keep the text, if it is short."""
        span = _clipped(piece)
        if span is not None:
            self.starts[row] = offset + span.start
            self.lengths[row] = len(span)
            self.forms[row] = LONG
        elif not any(isinstance(part, JsonPart) for part in piece.parts):
            self._keep(row, text)

    def _make_room(self, row: int) -> None:
        """Make the place of one more row, unless somebody has made it."""
        with _MAKING_ROOM:
            if row == len(self.forms):
                self.starts.append(0)
                self.lengths.append(0)
                self.forms.append(UNKNOWN)


def searched(written: bytes, form: int) -> Iterable[str]:
    """Return what is searched of a text, from its bytes in the source: the text, or the leaves of the value."""
    text = written.decode() if form == VALUE else codec.loads(b'"%b"' % written)
    return (text,) if form == TEXT else leaves(decode_document(text))


def _form(piece: Piece, text: str) -> int:
    """Return the form that the text of a piece may have in its record."""
    part = piece.parts[0] if len(piece.parts) == 1 else None
    if text and isinstance(part, TextPart):
        return TEXT
    if isinstance(part, JsonPart) and text[:1] in ("{", "["):
        return DOCUMENT if part.encoded else VALUE
    return NOWHERE


def _clipped(piece: Piece) -> range | None:
    """Return where in a record that is not held the string stands that is all of a piece."""
    part = piece.parts[0] if len(piece.parts) == 1 else None
    if not isinstance(part, TextPart) or type(part.value) is not Clipped:  # one inside a document is escaped twice
        return None
    span = range(*part.value.span)
    return span if len(span) <= _LONGEST else None


def _written(text: str, form: int) -> bytes | None:
    """Return a text as JSON writes it, `None` for one with lone surrogates."""
    try:
        return text.encode() if form == VALUE else codec.dumps(text)
    except (TypeError, UnicodeEncodeError):
        return None


def _find(raw: bytes, written: bytes, start: int) -> int:
    """Return the offset at which something stands; -1 where it is not found soon."""
    opening, stop = written[:_OPENING], start + _NEAR
    at = raw.find(opening, start, stop)
    for _ in range(_TRIES - 1):
        if at < 0 or raw.startswith(written, at):
            return at
        at = raw.find(opening, at + 1, stop)
    return at if at >= 0 and raw.startswith(written, at) else -1


def _find_spaced(raw: bytes, text: str, start: int) -> tuple[int, int] | None:
    """Return where a string holds a document that is, without the blanks between its tokens, a text; and its length."""
    opening = _written(text[: text.find(":") + 1], DOCUMENT)
    at = raw.find(opening[:-1], start, start + _NEAR) if opening is not None and ":" in text else -1
    string = _STRING.match(raw, at, at + _SPREAD * (len(text) + _OPENING)) if at >= 0 else None
    if string is None:
        return None
    document = codec.loads(string[0])
    same = "".join(_TOKEN.findall(document)) == text and _written(document, DOCUMENT) == string[0]
    return (at, len(string[0])) if same else None
