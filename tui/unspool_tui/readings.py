"""Printing what was read: window after window, each piece as one text, however many windows it takes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import chain, groupby
from typing import TYPE_CHECKING

from unspool.dataclass import replace
from unspool.text import size as size_of
from unspool.views.bounds import BYTES_PER_TOKEN, MIN_BYTES, Bounds
from unspool_tui.output import Output, ascii_json, counted
from unspool_tui.present import numbers

if TYPE_CHECKING:
    from unspool.views.bounds import Truncation
    from unspool.views.evidence import Evidence
    from unspool.views.reading import RawPiece, Reading, ReadPiece


class Readings:
    """What `ask` gives behind a continuation, and with `to_the_end` all that follows it, printed once as one answer.

    The first question is asked at once: what is wrong with it is raised before anything is printed. `pieces` counts
    what was printed. `call` names the call that an output answers. `ref` is the session where one answer among several
    must name it.
    """

    def __init__(
        self,
        ask: Callable[[str | None], Reading],
        after: str | None,
        *,
        to_the_end: bool,
        call: Callable[[Evidence], str] = lambda row: "",
        ref: str | None = None,
    ) -> None:
        self.pieces = 0
        self._bytes = self._tokens = 0
        self._ref = ref
        self._ask = ask
        self._to_the_end = to_the_end
        self._reading = ask(after)
        self._call = call
        self._several = ref is not None

    def left(self, bounds: Bounds) -> Bounds | None:
        """Return the bounds for what is read behind this, `None` where this has reached them."""
        items, size = bounds.max_items - self.pieces, bounds.max_bytes - self._bytes
        tokens = bounds.max_tokens - self._tokens
        if self._reading.truncation.truncated or items < 1 or size < MIN_BYTES or tokens < 1:
            return None
        return Bounds(items, size, tokens)

    def print(self, output: Output) -> None:
        """Print everything; raises what asking raises."""
        if output.json:
            output.stretches(self._json())
        else:
            self._print(output)

    def _print(self, output: Output) -> None:
        for first, texts in self._texts():
            if self._several:
                output.row(_heading(first, self._call, self._ref))
            elif (told := _failure(first, self._call)) is not None:
                output.note(told)
            output.windows(texts)
            notice = getattr(first, "notice", None)
            if notice:
                output.note(f"full text: {notice}")
        if self._reading.truncation.truncated:
            output.left_out(cut_short(self._reading.truncation))

    def _json(self) -> Iterator[str]:
        yield f'{{"ref":{ascii_json(self._ref)},"pieces":[' if self._ref is not None else '{"pieces":['
        for first, texts in self._texts():
            fields = first.to_json()
            del fields["text"]
            yield ("," if self.pieces > 1 else "") + ascii_json(fields)[:-1] + ',"text":"'
            for text in texts:
                yield ascii_json(text)[1:-1]
            yield '"}'
        truncation = replace(self._reading.truncation, shown=self.pieces).to_json()
        yield f'],"truncation":{ascii_json(truncation)}}}'

    def _texts(self) -> Iterator[tuple[ReadPiece | RawPiece, Iterator[str]]]:
        """Yield each piece's first window, and the texts of all its windows."""
        for _, windows in groupby(self._windows(), _key):
            first = next(windows)
            self.pieces += 1
            yield first, self._measured(window.text for window in chain([first], windows))

    def _measured(self, texts: Iterable[str]) -> Iterator[str]:
        for text in texts:
            self._bytes += size_of(text)
            self._tokens += -(-size_of(text) // BYTES_PER_TOKEN)
            yield text

    def _windows(self) -> Iterator[ReadPiece | RawPiece]:
        while True:
            reading = self._reading
            self._several = self._several or len(reading.pieces) > 1 or reading.truncation.omitted_items > 0
            yield from reading.pieces
            if reading.truncation.next is None or not self._to_the_end:
                return
            self._reading = self._ask(reading.truncation.next)


def cut_short(truncation: Truncation) -> str:
    """Say what an answer left out and how to go on."""
    left = [counted(truncation.omitted_items, "piece")] if truncation.omitted_items else []
    left += [numbers.size(truncation.omitted_bytes)] if truncation.omitted_bytes else []
    rest = f", {' and '.join(left)} left out" if left else ""
    return f"cut by {truncation.reason}{rest}; --after '{truncation.next}' goes on, --all gives everything"


def _key(piece: ReadPiece | RawPiece) -> Hashable:
    from unspool.views.reading import RawPiece

    return piece.entry if isinstance(piece, RawPiece) else piece.evidence.id


def _failure(piece: ReadPiece | RawPiece, call: Callable[[Evidence], str]) -> str | None:
    """Say of an output that failed, and stands alone, what it is the output of; `None` for all else."""
    row: Evidence | None = getattr(piece, "evidence", None)
    return " · ".join(filter(None, (row.label, row.tool, call(row)))) if row is not None and row.failed else None


def _heading(piece: ReadPiece | RawPiece, call: Callable[[Evidence], str], ref: str | None) -> str:
    from unspool.views.reading import RawPiece

    session = f"{ref}/" if ref is not None else ""
    if isinstance(piece, RawPiece):
        return f"── {session}E{piece.entry} · line {piece.entry + 1} · as stored"
    row = piece.evidence
    words = [f"{session}{row.id}", row.label]
    if row.tool_part:
        words.append(row.tool or "?")
    seen = f", model saw {numbers.size(row.model_bytes)}" if row.model_bytes is not None else ""
    words += [numbers.size(row.bytes) + seen, call(row)]
    return "── " + " · ".join(filter(None, words))
