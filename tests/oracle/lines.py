"""Where records start and end in a JSON Lines file that may be torn, padded, glued or spread.

| physical line                                              | reading                                          |
|------------------------------------------------------------|--------------------------------------------------|
| one object, blanks, NULs, a BOM or a CR around it          | a record                                         |
| nothing, blanks, NULs                                      | an entry without pieces, never listed            |
| any other JSON value                                       | no record: counted with the other records        |
| deeper than 1024                                           | unreadable `too_deep`, nothing salvaged          |
| ends early, and later lines complete the object            | one record of the first line; the rest are bare  |
| ends early, and no later line can complete it, or a line   | unreadable `torn`; the later lines stand alone   |
|   begins with an object's first key before it is complete  |                                                  |
| ends early, still open at the end of the file              | unreadable `torn`; the lines it covers are bare  |
| breaks, and behind the break objects run to the line's end | `torn` and records of this entry, `salvaged`     |
| objects back to back                                       | records of this entry, nothing is unreadable     |
| breaks, nothing behind it                                  | `encoding` if it holds bytes that are no UTF-8,  |
|                                                            | else `syntax`                                    |
| the last one, without LF: one object                       | a record, `unterminated`                         |
| the last one, without LF: anything else but padding        | pending                                          |
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.values import TooDeep, decode_first, decode_whole

_PADDING = "\0 \t\r\n\ufeff"
_OPENING = re.compile(r'\{[ \t]{0,16}"')
_FIRST_KEY = re.compile(rb'\0*\{[ \t]*"(?:[^"\\]|\\.){0,256}"[ \t]*:')
_CUT_SHORT = re.compile(r"[eE.][+-]?|-|\\?u[0-9a-fA-F]{0,3}")
_LITERALS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")


@dataclass
class Record:
    """A JSON value of one entry; `nth` counts the records of that physical line from 0."""

    entry: int
    value: Any
    flags: set[str] = field(default_factory=set)
    nth: int = 0


@dataclass
class Lines:
    """All that a file's lines hold; line numbers in `unreadable` are 1-based."""

    records: list[Record] = field(default_factory=list)
    unreadable: list[tuple[int, str]] = field(default_factory=list)
    pending: bytes | None = None
    entries: int = 0

    def bad(self, entry: int, reason: str) -> None:
        """List a line as unreadable."""
        self.unreadable.append((entry + 1, reason))


def read_lines(data: bytes) -> Lines:
    """Split a whole file by LF alone and decode what stands on its lines."""
    *whole, tail = data.split(b"\n")
    found = Lines(entries=len(whole) + bool(tail))
    entry = 0
    while entry < len(whole):
        entry += _read_entry(found, whole, tail, entry)
    if entry == len(whole) and _text(tail):
        _read_tail(found, tail, entry)
    return found


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").strip(_PADDING)


def _read_tail(found: Lines, tail: bytes, entry: int) -> None:
    value = _object_or_none(_text(tail))
    if value is None:
        found.pending = tail
    else:
        found.records.append(Record(entry, value, {"unterminated"}))


def _object_or_none(text: str) -> dict[str, Any] | None:
    try:
        value = decode_whole(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _read_entry(found: Lines, whole: list[bytes], tail: bytes, entry: int) -> int:
    """Read the record that starts on this line; return how many lines it takes."""
    text = _text(whole[entry])
    if not text:
        return 1
    try:
        found.records.append(Record(entry, decode_whole(text)))
    except TooDeep:
        found.bad(entry, "too_deep")
    except ValueError as error:
        if _ran_out(text, error):
            return _read_spread(found, whole, tail, entry)
        _read_broken(found, whole[entry], entry)
    return 1


def _ends_in_string(error: ValueError) -> bool:
    return isinstance(error, json.JSONDecodeError) and error.msg.startswith("Unterminated string")


def _read_spread(found: Lines, whole: list[bytes], tail: bytes, entry: int) -> int:
    """Add lines while the object stays open: it closes, or it breaks, or the file ends before."""
    lines = [*whole, tail]
    for last in range(entry + 1, len(lines)):
        if _FIRST_KEY.match(lines[last]):
            found.bad(entry, "torn")
            return 1
        if b"}" not in lines[last] and last + 1 < len(lines):
            continue  # no object ends here
        text = _text(b"\n".join(lines[entry : last + 1]))
        try:
            value, end = decode_first(text)
        except ValueError as error:
            if _ran_out(text, error):
                continue
            found.bad(entry, "torn")
            return 1
        if not isinstance(value, dict):
            break
        found.records.append(Record(entry, value, {"unterminated"} if last == len(whole) else set()))
        _read_broken(found, text[end:].encode(errors="replace"), last)
        return last - entry + 1
    found.bad(entry, "torn")
    found.pending = tail if _text(tail) else None
    return len(lines) - entry


def _read_broken(found: Lines, raw: bytes, entry: int) -> None:
    """Read a line that is no JSON value: objects in a row, behind a stub, before a stub."""
    text, place, nth, flags = _text(raw), 0, 0, set[str]()
    while place < len(text):
        try:
            value, place = decode_first(text, place)
        except TooDeep:
            found.bad(entry, "too_deep")
            return
        except ValueError as error:
            behind = _glued_behind(text, place, error)
            found.bad(entry, "torn" if behind or _ran_out(text, error) else _reason(raw))
            if not behind:
                return
            place, flags = behind, {"salvaged"}
            continue
        found.records.append(Record(entry, value, set(flags), nth))
        nth += 1
        place += len(text[place:]) - len(text[place:].lstrip(_PADDING))


def _glued_behind(text: str, place: int, error: ValueError) -> int:
    """Find the next object that ends with the line or is followed by another one; 0 when there is none.

    Nothing is looked for in a line that merely stops early: an object in it may be a part of what is lost.
    """
    if _ran_out(text, error):
        return 0
    for opening in _OPENING.finditer(text, place + 1):
        try:
            _, end = decode_first(text, opening.start())
        except ValueError:
            continue
        if text[end:].strip(_PADDING)[:1] in ("", "{"):
            return opening.start()
    return 0


def _ran_out(text: str, error: ValueError) -> bool:
    if not isinstance(error, json.JSONDecodeError):
        return False
    rest = text[error.pos :]
    cut = any(literal.startswith(rest) for literal in _LITERALS) or _CUT_SHORT.fullmatch(rest) is not None
    return _ends_in_string(error) or cut


def _reason(raw: bytes) -> str:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return "encoding"
    return "syntax"
