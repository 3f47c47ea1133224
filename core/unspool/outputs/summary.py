"""Summaries: what stands in a model's context for an output that is stored elsewhere, in at most 400 bytes.

    text | 812 lines | 51234 bytes          then every line, or five at the head and three at the tail
    json_array | 12 entries | 3480 bytes    then the keys and types of the first element, and two elements
    json_object | 3 keys | 958 bytes        then a line for each key with the type of its value
    json | 3.14                             a scalar

Bytes are those of the text in UTF-8, for JSON of its compact form. None of the lines that belong to head and tail is
lost: one that does not fit is cut in its middle, so that its end, which often says what went wrong, stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from unspool.blobs.content import Content, Text, compact
from unspool.pattern import pattern
from unspool.text import cut, line_count, size, utf8

SUMMARY_BYTES: Final = 400
HEAD_LINES: Final = 5
TAIL_LINES: Final = 3
HEAD_ELEMENTS: Final = 2
HEAD_SHARE: Final = 0.6
"""The part of the room that the head may take when the tail needs all that is left."""
SIZED_STRING: Final = 50
"""Bytes above which the type of a string says how long it is."""
KEY_LINE: Final = 120
"""Bytes of a key's line: longer names are cut, so that one of them does not hide the others."""

_PLAIN_KEY = pattern(r"[^\x00-\x1f\x7f\"\\]+\Z")


def summarize(content: Content, *, error: bool = False) -> str:
    """Return the summary of a content: at most `SUMMARY_BYTES` bytes, without a line end at its end.

    With `error` the first line says that the output is that of a failed call. Raises `BlobError` for what is no JSON.
    """
    failed = " | error" if error else ""
    if isinstance(content, Text):
        lines = line_count(content.text)
        return _of_text(f"text | {_counted(lines, 'line')} | {_bytes(content.text)}{failed}", content.text, lines)
    value, written = content.value, compact(content.value)
    match value:
        case list() | tuple():
            header = f"json_array | {_counted(len(value), 'entry', 'entries')} | {_bytes(written)}{failed}"
            return _of_array(header, value)
        case dict():
            return _of_object(f"json_object | {_counted(len(value), 'key')} | {_bytes(written)}{failed}", value)
        case _:
            header = f"json{failed} | "
            return header + _middle_cut(written, SUMMARY_BYTES - size(header))


def type_label(value: Any) -> str:
    """Return a JSON value's type: null, bool, number, string(812), array(12), object(3).

    The size (bytes, entries, keys) is left out for strings of up to 50 bytes and for what is empty.
    """
    match value:
        case None:
            return "null"
        case bool():
            return "bool"
        case str():
            return f"string({size(value)})" if size(value) > SIZED_STRING else "string"
        case list() | tuple():
            return f"array({len(value)})" if value else "array"
        case dict():
            return f"object({len(value)})" if value else "object"
        case _:
            return "number"


def _of_text(header: str, text: str, count: int) -> str:
    if not count:
        return header
    if len(text) < SUMMARY_BYTES:
        whole = "\n".join([header, *_lines(text)])
        if size(whole) <= SUMMARY_BYTES:
            return whole
    head, tail = _ends(text, count)
    titles = ["── head ──", "── tail ──"] if tail else ["── head ──"]
    room = _room([header, *titles], len(head) + len(tail))
    for_head, for_tail = _shared(room, _need(head), _need(tail), HEAD_SHARE)
    shown = [header, titles[0], *_fitted(head, for_head)]
    return "\n".join([*shown, *titles[1:], *_fitted(tail, for_tail)])


def _of_array(header: str, values: Sequence[Any]) -> str:
    if not values:
        return header
    elements = [compact(value) for value in values[:HEAD_ELEMENTS]]
    left = len(values) - len(elements)
    more = [f"… {left} more {'entry' if left == 1 else 'entries'}"] if left else []
    room = _room([header, "── schema ──", "── head ──", *more], len(elements) + 1)
    for_elements, for_schema = _shared(room, _need(elements), size(_schema(values[0], room)), HEAD_SHARE)
    schema = _schema(values[0], for_schema)
    return "\n".join([header, "── schema ──", schema, "── head ──", *_fitted(elements, for_elements), *more])


def _of_object(header: str, value: dict[str, Any]) -> str:
    if not value:
        return header
    room = _room([header, "── keys ──"], 0)
    labels = (_middle_cut(f"{_key(name)}: {type_label(item)}", KEY_LINE) for name, item in value.items())
    return "\n".join([header, "── keys ──", *_as_many(labels, len(value), room, "\n")])


def _schema(value: Any, room: int) -> str:
    """Return keys and types of an element on one line, or its type when it is no object."""
    if not isinstance(value, dict) or not value:
        return type_label(value)
    labels = (_middle_cut(f"{_key(name)}: {type_label(item)}", KEY_LINE) for name, item in value.items())
    return _middle_cut("{" + ", ".join(_as_many(labels, len(value), room - 2, ", ")) + "}", room)


def _as_many(labels: Iterable[str], count: int, room: int, separator: str) -> list[str]:
    """Return as many labels of keys as fit, and how many are left out."""
    shown: list[str] = []
    used = 0
    for number, label in enumerate(labels, 1):
        left = count - number
        more = f"… {left} more {'key' if left == 1 else 'keys'}"
        used += size(label) + len(separator)
        if used + (size(more) if left else -len(separator)) > room:
            return [*shown, f"… {left + 1} more {'keys' if left else 'key'}"]
        shown.append(label)
    return shown


def _lines(text: str) -> list[str]:
    """Return the lines of a text, each without its LF and one CR before it."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def _ends(text: str, count: int) -> tuple[list[str], list[str]]:
    """Return the lines of head and tail, no line twice; `count` is how many lines there are."""
    if count <= HEAD_LINES + TAIL_LINES:
        lines = _lines(text)
        return lines[:HEAD_LINES], lines[HEAD_LINES:]
    head = text.split("\n", HEAD_LINES)[:HEAD_LINES]
    tail = text.removesuffix("\n").rsplit("\n", TAIL_LINES)[-TAIL_LINES:]
    return [line.removesuffix("\r") for line in head], [line.removesuffix("\r") for line in tail]


def _room(fixed: Sequence[str], lines: int) -> int:
    """Return the bytes that are left for `lines` more lines beside fixed ones, each on a line of its own."""
    return SUMMARY_BYTES - _need(fixed) - (len(fixed) + lines - 1)


def _shared(room: int, first: int, second: int, share: float) -> tuple[int, int]:
    """Divide the room between two that need so much; what one does not need is the other's."""
    for_first = min(first, max(int(room * share), room - second))
    return for_first, room - for_first


def _fitted(lines: Sequence[str], room: int) -> list[str]:
    """Cut the longest lines so that all take at most `room` bytes; short ones leave their share to the others."""
    fitted = list(lines)
    by_size = sorted(range(len(lines)), key=lambda place: size(lines[place]))
    for done, place in enumerate(by_size):
        fitted[place] = _middle_cut(lines[place], room // (len(lines) - done))
        room -= size(fitted[place])
    return fitted


def _middle_cut(line: str, room: int) -> str:
    """Return a line in at most `room` bytes: its beginning, `…`, its end."""
    if size(line) <= room:
        return line
    left = max(0, room - size("…"))
    return f"{cut(line, left - left // 2)}…{_end(line, left // 2)}"


def _end(line: str, room: int) -> str:
    """Return the longest end of a line that takes at most `room` bytes."""
    tail = utf8(line[-room:])[-room:] if room else b""
    return tail.decode(errors="ignore")


def _key(name: str) -> str:
    return name if _PLAIN_KEY.match(name) else compact(name)


def _need(lines: Iterable[str]) -> int:
    return sum(map(size, lines))


def _bytes(text: str) -> str:
    return _counted(size(text), "byte")


def _counted(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one}" if number == 1 else f"{number} {many or one + 's'}"
