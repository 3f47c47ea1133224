"""Answering one selector: which bytes or members of an output it means, how many of them fit, and how to go on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from unspool.errors import BadQuery
from unspool.outputs.selector import ByteRange, Elements, Grep, Key, Lines, Selector, Tail
from unspool.search.match import text_matches
from unspool.search.needle import Needle
from unspool.sources.json_value import BadJson, Number, compact
from unspool.text import elided, size, utf8
from unspool.views.bounds import Bounds, Reason, Truncation
from unspool.views.decoding import LONGEST, border, decoded
from unspool.views.inspectable import VALUE_BYTES, Inspectable, Windowed
from unspool.views.inspected_told import KEY_CHARACTERS, counted, first_keys, how_much, names, what_it_is
from unspool.views.inspection import Inspection
from unspool.views.members import value_of
from unspool.views.windows import Room

GREP_LINE: Final = 400
"""Bytes of a matching line that are shown: enough to judge it; `lines:A-B` gives all of it."""

BACKWARDS: Final = 1 << 16
"""Bytes read at once from the end of a text on."""

MORE: Final = "…"
"""Stands where a line goes on that is not shown whole."""


class Inspector:
    """One question about one output."""

    def __init__(self, inspected: Inspectable, bounds: Bounds) -> None:
        self.inspected = inspected
        self.text = inspected.text
        self.value = inspected.value
        self.bounds = bounds
        self.measured = inspected.counted
        """Whether the answer says how many lines there are."""

    def answer(self, selector: Selector | None, position: int) -> Inspection:
        """Answer one selector."""
        match selector:
            case None:
                self.measured = True
                return self._bytes(0, self.text.size)
            case ByteRange(start, stop) | Elements(start, stop) if start == stop:
                return self._nothing(f"{selector} is empty, for the end does not belong to it")
            case ByteRange(start, stop):
                return self._bytes(start, stop)
            case Lines(first, last):
                return self._lines(first, last, position)
            case Tail(count):
                return self._bytes(_tail_start(self.text, count), self.text.size)
            case Grep(text):
                return self._grep(text, position)
            case Elements(start, stop):
                return self._elements(start, stop, position)
            case Key(name):
                return self._key(name, position)

    def _bytes(self, start: int, stop: int) -> Inspection:
        whole = self.text.size
        if start and start >= whole:
            return self._nothing(f"no bytes from {start} on: the text has {counted(whole, 'byte')}")
        stop = min(stop, whole)
        start = min(border(self.text.read, start), stop)
        text, reached, reason = self._window(start, stop)
        if reason is None:
            return self._result(text, None)
        following = str(ByteRange(reached, stop))
        return self._result(text, following, reason=reason, omitted_bytes=stop - reached)

    def _lines(self, first: int, last: int, position: int) -> Inspection:
        if not self.inspected.by_lines:
            raise BadQuery(f"lines fit text; {what_it_is(self.inspected)}")
        start = border(self.text.read, position) if position else self.text.line_start(first)
        if start is None or (start and start >= self.text.size):
            keys = self._value() if self.text.line_count == 1 else None
            other = f"; it is an object, key:NAME takes {names(keys)}" if isinstance(keys, dict) else ""
            return self._nothing(f"no line {first}: the text has {counted(self.text.line_count, 'line')}{other}")
        text, reached, reason = self._window(start, self.text.size)
        ends = _behind_lines(text, last - first + 1)
        if ends is not None or reason is None:
            return self._result(text[:ends], None)
        left = None
        if self.inspected.counted:
            left = (self.text.line_start(last + 1) or self.text.size) - reached
        following = f"{Lines(first + text.count(chr(10)), last)}@b{reached}"
        return self._result(text, following, reason=reason, omitted_bytes=left)

    def _window(self, start: int, stop: int) -> tuple[str, int, Reason | None]:
        """Return the text from a byte on that fits, the byte behind it, and which bound ended it before `stop`."""
        limit, wanted = self._budget(), stop - start
        data = self.text.read(start, start + min(limit, wanted) + LONGEST)
        text, taken, cut_short = decoded(data, limit, wanted)
        fitting, reason = self._fit(text)
        if fitting != text:
            text, taken, cut_short = *decoded(data, size(fitting), wanted)[:2], True
        if cut_short:
            self._refuse_standstill(text)
        return text, start + taken, reason if cut_short else None

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
            return self._nothing(f"no line holds {query!r}; {how_much(self.inspected)} searched")
        return self._result("\n".join(shown), None, shown=len(shown))

    def _matching_lines(self, query: str, position: int) -> Iterator[tuple[int, str]]:
        """Yield (byte behind the line, the line with its number) for every line that holds the query."""
        text = self.text
        for start, stop in text_matches(text, Needle.of(query), border(text.read, position)):
            if start < position:
                continue  # a second match in a line
            number = text.line_at(start)
            begin, behind = text.line_start(number) or 0, text.line_start(number + 1) or text.size
            position = max(behind, stop)
            room = self._budget() - size(f"{number}: {MORE}{MORE}")
            yield position, f"{number}: {self._found(begin, start, stop, behind, min(GREP_LINE, max(room, LONGEST)))}"

    def _found(self, begin: int, start: int, stop: int, behind: int, width: int) -> str:
        """Return the line from `begin` to `behind`; of a longer one than `width` the part with the match."""
        if behind - begin <= width:
            return self._stretch(begin, behind)
        if stop <= begin + width // 2:
            return self._stretch(begin, begin + width) + MORE
        first = max(begin, start - max(0, min(width // 4, width - (stop - start))))
        last = min(behind, first + width)
        return MORE + self._stretch(first, last) + (MORE if last < behind else "")

    def _stretch(self, start: int, stop: int) -> str:
        """Return a short part of one line, without its end."""
        start = border(self.text.read, start)
        data = self.text.read(start, stop + LONGEST)
        return decoded(data, len(data) * LONGEST, stop - start)[0].strip("\n").split("\n")[0].rstrip()

    def _shortened(self, line: str) -> str:
        """Cut a line that does not fit alone; `…` says that it goes on."""
        fitting = self._fit(line)[0]
        return line if fitting == line else self._fit(f"{fitting[: -len(utf8(MORE))]}{MORE}")[0]

    def _elements(self, start: int, stop: int, position: int) -> Inspection:
        value = self._value()
        if not isinstance(value, list):
            raise BadQuery(f"slice fits arrays; {what_it_is(self.inspected)}")
        if start >= len(value):
            return self._nothing(f"no entry {start}: the array has {counted(len(value), 'entry', 'entries')}")
        stop = min(stop, len(value))
        shown: list[str] = []
        used = 0
        for number in range(start, stop):
            text = compact(value[number])
            used += size(text) + 1
            if not shown and (position or used > self._budget()):
                behind = str(Elements(number + 1, stop)) if number + 1 < stop else None
                return self._part(Elements(number, stop), text, position, behind)
            if len(shown) >= self.bounds.max_items or used > self._budget():
                reason = self._reason(len(shown))
                return self._result("\n".join(shown), str(Elements(number, stop)), reason=reason, shown=len(shown))
            shown.append(text)
        return self._result("\n".join(shown), None, shown=len(shown))

    def _key(self, name: str, position: int) -> Inspection:
        value = self._value()
        if not isinstance(value, dict):
            raise BadQuery(f"key fits objects; {what_it_is(self.inspected)}")
        if name not in value:
            raise BadQuery(f"no key {elided(name, KEY_CHARACTERS)!r}; the keys are {names(value)}")
        found = value[name]
        is_text = isinstance(found, str) and not isinstance(found, Number)
        return self._part(Key(name), found if is_text else compact(found), position)

    def _value(self) -> Any:
        """Return the value that the output stands for; of a text the one that it writes, `None` where it is none."""
        if self.value is not None or self.inspected.type != "text" or self.text.size > VALUE_BYTES:
            return self.value
        if self.text.read(0, 1) not in (b"{", b"["):
            return None
        try:
            return value_of(self.text.read(0, self.text.size))
        except BadJson:
            return None

    def _part(self, selector: Selector, text: str, position: int, behind: str | None = None) -> Inspection:
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

    def _size(self) -> int | None:
        """Return how many lines, entries or keys there are, `None` where that is not known."""
        if self.value is not None:
            return len(self.value)
        lines = self.inspected.type in ("text", "json")
        return self.text.line_count if lines and self.measured else None

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
        keys = tuple(first_keys(self.value)) if isinstance(self.value, dict) else ()
        inspected = self.inspected
        return Inspection(inspected.id, inspected.type, self.text.size, self._size(), text, truncation, keys)


def _behind_lines(text: str, count: int) -> int | None:
    """Return the offset behind the `count`-th line end of a text, `None` when it has fewer."""
    if text.count("\n") < count:
        return None
    at = 0
    for _ in range(count):
        at = text.index("\n", at) + 1
    return at


def _tail_start(text: Windowed, count: int) -> int:
    """Return the byte at which the last `count` lines begin, looking from the end on."""
    stop = text.size
    ends = count + 1 if stop and text.read(stop - 1, stop) == b"\n" else count
    while stop > 0:
        start = max(0, stop - BACKWARDS)
        data = text.read(start, stop)
        inside = data.count(b"\n")
        if inside >= ends:
            at = len(data)
            for _ in range(ends):
                at = data.rindex(b"\n", 0, at)
            return start + at + 1
        ends -= inside
        stop = start
    return 0
