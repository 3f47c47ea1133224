"""A bounded window of one piece, chosen by a selector: what `inspect` answers.

Every answer says what the whole is (its type and size) and how to go on: `truncation.next` is a selector or a position
that `after=` takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal

from unspool.errors import BadQuery, NotFound
from unspool.formats.base import ToolPart
from unspool.ids import EvidenceId
from unspool.outputs.selector import ByteRange, Elements, Grep, Key, Lines, Selector, Tail, parse_selector
from unspool.sources.json_value import compact
from unspool.text import elided, size, utf8
from unspool.views.bounds import Bounds, Reason, Truncation
from unspool.views.windows import Room

if TYPE_CHECKING:
    from unspool.views.view import SessionView

GREP_LINE: Final = 400
"""Bytes of a matching line that are shown: enough to judge it; `lines:A-B` gives all of it."""

NAMED_KEYS: Final = 12
"""Keys that an error names: more would no longer be one line."""

KEY_CHARACTERS: Final = 60
"""Characters of a key that an error names."""

MORE: Final = "…"
"""Stands where a line goes on that is not shown whole."""

Shape = Literal["text", "json_array", "json_object"]
_SIZE_NAMES: Final = {"text": "lines", "json_array": "entries", "json_object": "keys"}
_GOING_ON = re.compile(r"(.*)@b([0-9]{1,18})\Z", re.DOTALL)
"""A continuation: the selector that is left, and the byte behind what was given of its answer."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """A window of one piece. `bytes` and `size` measure the whole: `size` counts lines, entries or keys by `type`."""

    id: EvidenceId
    type: Shape
    bytes: int
    size: int
    text: str
    truncation: Truncation

    @property
    def size_name(self) -> str:
        """What `size` counts: `lines`, `entries` or `keys`."""
        return _SIZE_NAMES[self.type]

    def to_json(self) -> dict[str, Any]:
        """Return the object of the command's JSON."""
        return {
            "id": str(self.id),
            "type": self.type,
            "bytes": self.bytes,
            self.size_name: self.size,
            "text": self.text,
            "truncation": self.truncation.to_json(),
        }


def inspect(
    target: str | EvidenceId,
    selector: str | None = None,
    *,
    view: SessionView,
    bounds: Bounds | None = None,
    after: str | None = None,
    model_view: bool = False,
) -> Inspection:
    """Return a window of one piece of a view.

    Without a selector: as much of the beginning as the bounds allow. In a text a window is one item; elements of an
    array and lines found by `grep:` are items. Raises `BadReference` and `NotFound` for the target, `BadQuery` for a
    selector that does not fit.
    """
    evidence_id = EvidenceId.parse(target) if isinstance(target, str) else target
    row = view.row_of(evidence_id)
    if row is None:
        raise NotFound(f"{view.ref}: {view.absence(evidence_id)}")
    wanted, position = _wanted(selector, after)
    inspector = _Inspector(view, evidence_id, row, bounds or Bounds(), model_view)
    return inspector.answer(wanted, position)


def _wanted(selector: str | None, after: str | None) -> tuple[Selector | None, int]:
    """Return what is asked for, and the byte of it to go on from; a continuation stands for itself."""
    if after is None:
        return (parse_selector(selector) if selector is not None else None), 0
    going_on = _GOING_ON.match(after)
    try:
        return (parse_selector(going_on[1]), int(going_on[2])) if going_on else (parse_selector(after), 0)
    except BadQuery:
        raise BadQuery(f"not a continuation: {after!r}; pass the `next` of the answer before") from None


class _Inspector:
    """One question about one piece."""

    def __init__(self, view: SessionView, target: EvidenceId, row: int, bounds: Bounds, model_view: bool) -> None:
        self.view = view
        self.target = target
        self.bounds = bounds
        self.model_view = model_view
        head = view.slice(target, bytes=(0, 0), model_view=model_view)
        self.total_bytes = head.total_bytes
        self.total_lines = head.total_lines
        self.value = view.structure(row)
        self.too_long = self.value is None and view.tool_part(row) == ToolPart.INPUT and self._looks_structured()
        self.type: Shape = "text"
        self.size = self.total_lines
        if isinstance(self.value, (dict, list)):
            self.type = "json_object" if isinstance(self.value, dict) else "json_array"
            self.size = len(self.value)

    def _looks_structured(self) -> bool:
        """Say whether the text is that of a structured value, as far as its first character tells."""
        return self.view.slice(self.target, bytes=(0, 1), model_view=self.model_view).text in ("{", "[")

    def answer(self, selector: Selector | None, position: int) -> Inspection:
        """Answer one selector."""
        match selector:
            case None:
                return self._bytes(0, self.total_bytes)
            case ByteRange(start, stop) | Elements(start, stop) if start == stop:
                return self._nothing(f"{selector} is empty, for the end does not belong to it")
            case ByteRange(start, stop):
                return self._bytes(start, stop)
            case Lines(first, last):
                return self._lines(first, last)
            case Tail(count):
                return self._lines(max(1, self.total_lines - count + 1), max(1, self.total_lines))
            case Grep(text):
                return self._grep(text, position)
            case Elements(start, stop):
                return self._elements(start, stop, position)
            case Key(name):
                return self._key(name, position)

    def _bytes(self, start: int, stop: int) -> Inspection:
        if start and start >= self.total_bytes:
            return self._nothing(f"no bytes from {start} on: the text has {_count(self.total_bytes, 'byte')}")
        stop = min(stop, self.total_bytes)
        start = min(self.view.slice(self.target, bytes=(start, start), model_view=self.model_view).start, stop)
        budget = min(stop - start, self._budget())
        window = self.view.slice(
            self.target, bytes=(start, start + budget), max_bytes=max(budget, 4), model_view=self.model_view
        )
        text, reason = self._fit(window.text)
        reached = window.start + size(text)
        if reached >= stop or (not window.text and budget == stop - start):
            return self._result(text, None)
        self._refuse_standstill(text)
        return self._result(text, str(ByteRange(reached, stop)), reason=reason, omitted_bytes=stop - reached)

    def _lines(self, first: int, last: int) -> Inspection:
        if first > self.total_lines:
            return self._nothing(f"no line {first}: the text has {_count(self.total_lines, 'line')}")
        start = self._line(first).start
        stop = self._line(last + 1).start if last < self.total_lines else self.total_bytes
        return self._bytes(start, stop)

    def _line(self, line: int) -> Any:
        return self.view.slice(self.target, lines=(line, line), max_bytes=GREP_LINE, model_view=self.model_view)

    def _grep(self, query: str, position: int) -> Inspection:
        shown: list[str] = []
        used = 0
        for behind, line in self._matching_lines(query, position):
            addition = size(line) + 1
            if len(shown) >= self.bounds.max_items or (shown and used + addition > self._budget()):
                reason = self._reason(len(shown))
                return self._result("\n".join(shown), f"{Grep(query)}@b{position}", reason=reason, shown=len(shown))
            shown.append(self._shortened(line))
            used += addition
            position = behind
        if not shown:
            return self._nothing(f"no line holds {query!r}; {_count(self.total_lines, 'line')} searched")
        return self._result("\n".join(shown), None, shown=len(shown))

    def _matching_lines(self, query: str, position: int) -> Iterator[tuple[int, str]]:
        """Yield (byte behind the line, the line with its number) for every line that holds the query."""
        while (found := self.view.find(self.target, query, start=position, model_view=self.model_view)) is not None:
            offset, length = found
            number = self.view.slice(
                self.target, bytes=(offset, offset + length), model_view=self.model_view
            ).first_line
            line = self._line(number)
            behind = self._line(number + 1).start if number < self.total_lines else self.total_bytes
            position = max(behind, offset + length)
            text = line.text.split("\n", 1)[0]
            if offset + length > line.start + GREP_LINE // 2:
                text = self._around(offset, behind)
            elif behind - line.start > GREP_LINE:
                text += MORE
            yield position, f"{number}: {text.rstrip()}"

    def _around(self, offset: int, behind: int) -> str:
        """Return the part of a long line around a match."""
        start = max(0, offset - GREP_LINE // 4)
        stop = min(behind, start + GREP_LINE)
        text: str = self.view.slice(self.target, bytes=(start, stop), model_view=self.model_view).text
        return MORE + text.strip("\n") + (MORE if stop < behind else "")

    def _shortened(self, line: str) -> str:
        """Cut a line that does not fit alone; `…` says that it goes on."""
        fitting = self._fit(line)[0]
        return line if fitting == line else self._fit(f"{fitting[: -len(utf8(MORE))]}{MORE}")[0]

    def _elements(self, start: int, stop: int, position: int) -> Inspection:
        if not isinstance(self.value, list):
            raise BadQuery(f"slice fits arrays; {self._this_is()}")
        if start >= len(self.value):
            return self._nothing(f"no entry {start}: the array has {_count(len(self.value), 'entry', 'entries')}")
        stop = min(stop, len(self.value))
        shown: list[str] = []
        used = 0
        for number in range(start, stop):
            text = compact(self.value[number])
            used += size(text) + 1
            if not shown and (position or used > self._budget()):
                behind = str(Elements(number + 1, stop)) if number + 1 < stop else None
                return self._window(Elements(number, stop), text, position, behind)
            if len(shown) >= self.bounds.max_items or used > self._budget():
                reason = self._reason(len(shown))
                return self._result("\n".join(shown), str(Elements(number, stop)), reason=reason, shown=len(shown))
            shown.append(text)
        return self._result("\n".join(shown), None, shown=len(shown))

    def _key(self, name: str, position: int) -> Inspection:
        if not isinstance(self.value, dict):
            raise BadQuery(f"key fits objects; {self._this_is()}")
        if name not in self.value:
            raise BadQuery(f"no key {name!r}; the keys are {_names(self.value)}")
        found = self.value[name]
        return self._window(Key(name), found if isinstance(found, str) else compact(found), position)

    def _window(self, selector: Selector, text: str, position: int, behind: str | None = None) -> Inspection:
        """Return a window of a text in memory from a byte position on; `behind` goes on when it ends here."""
        rest = utf8(text)[position:].decode(errors="ignore")
        shown, reason = self._fit(rest)
        if len(shown) == len(rest):
            return self._result(shown, behind, reason=self._reason(1))
        self._refuse_standstill(shown)
        left = size(rest) - size(shown)
        following = f"{selector}@b{position + size(shown)}"
        return self._result(shown, following, reason=reason, omitted_bytes=left)

    def _refuse_standstill(self, shown: str) -> None:
        if not shown:
            raise BadQuery("max_tokens is too small for one character of this text; raise it")

    def _this_is(self) -> str:
        if self.type == "text" and self.too_long:
            return f"this call of {_count(self.total_bytes, 'byte')} is too long to be taken apart: use bytes:A..B"
        if self.type == "text":
            return f"this is text of {_count(self.total_lines, 'line')}: use lines:A-B"
        if self.type == "json_array":
            return f"this is an array of {_count(self.size, 'entry', 'entries')}: use slice:A..B"
        return f"this is an object with the keys {_names(dict(self.value or {}))}: use key:NAME"

    def _budget(self) -> int:
        """Return how many bytes the answer may take."""
        return Room.of(self.bounds).limit

    def _fit(self, text: str) -> tuple[str, Reason]:
        """Cut a text to the bounds; also return which bound cuts it, or would."""
        data, reason = Room.of(self.bounds).fit(utf8(text))
        return data.decode(), reason

    def _reason(self, shown: int) -> Reason:
        """Return which bound ends an answer behind so many items."""
        return "items" if shown >= self.bounds.max_items else self._fit("")[1]

    def _nothing(self, why: str) -> Inspection:
        return self._result(f"({why})", None, shown=0)

    def _result(
        self,
        text: str,
        next: str | None,
        *,
        reason: Reason | None = None,
        shown: int = 1,
        omitted_bytes: int | None = None,
    ) -> Inspection:
        truncation = Truncation(
            truncated=next is not None,
            shown=shown,
            reason=reason if next is not None else None,
            omitted_bytes=omitted_bytes if next is not None else 0,
            next=next,
        )
        return Inspection(self.target, self.type, self.total_bytes, self.size, text, truncation)


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _names(mapping: dict[str, Any]) -> str:
    """Return the first keys of an object, as many as one line bears."""
    names = ", ".join(elided(key, KEY_CHARACTERS) for key in islice(mapping, NAMED_KEYS)) or "none"
    more = len(mapping) - NAMED_KEYS
    return f"{names} and {more} more" if more > 0 else names
