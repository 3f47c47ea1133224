"""`unspool inspect`: a window of any output, and the list of those that a folder holds."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from unspool.pattern import pattern
from unspool_tui.arguments import PIECE_HELP, UsageError, add_bounds, bounds_of
from unspool_tui.blob_targets import BlobTarget, blob_target
from unspool_tui.command import Command
from unspool_tui.output import Output, counted, human_time
from unspool_tui.present import numbers
from unspool_tui.readings import cut_short
from unspool_tui.verbs import FOUND, NOTHING

if TYPE_CHECKING:
    from unspool.blobs.files import FileBlobStore
    from unspool.ids import EntryRange, EvidenceId
    from unspool.outputs.listed import ListedBlob
    from unspool.views.bounds import Bounds
    from unspool.views.inspection import Inspection
    from unspool.views.view import SessionView

KIND_CELLS: Final = 4
"""Cells for `text` and `json`."""


_ONE_LINE: Final = pattern(r"lines:([0-9]+)\Z")


def _selector(text: str) -> str:
    """Return a selector as programs write it; a person may name one line by its number alone."""
    return _ONE_LINE.sub(r"lines:\1-\1", text)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument(
        "target",
        nargs="?",
        metavar="REF/ID|BLOB|FOLDER",
        help=f"{PIECE_HELP}; the id or file of a stored output; or a folder of them, to be listed",
    )
    parser.add_argument(
        "selector",
        nargs="?",
        metavar="SELECTOR",
        type=_selector,
        help="lines:20-50, tail:50, bytes:0..4096, grep:TEXT, slice:3..8 or key:NAME; without one the beginning",
    )
    parser.add_argument("--blobs", metavar="DIR", help="the folder of stored outputs; else those beside the sessions")
    parser.add_argument("--model-view", action="store_true", help="what the model saw of an output that was shortened")
    add_bounds(parser)
    parser.add_argument("--after", metavar="TOKEN", help="go on where an earlier answer ended")


def run(command: Command) -> int:
    """Print the window, or the list."""
    arguments = command.arguments
    bounds = bounds_of(arguments, command.settings.limits)
    target = _target(command)
    if target is not None and target.blob is None:
        return _list(command, target.store, bounds)
    ask = _about_piece(command, bounds) if target is None else _about_blob(command, bounds, target)
    windows = Windows(ask, arguments.after, to_the_end=arguments.all)
    if command.output.json:
        command.output.object(windows.to_json())
    else:
        windows.print(command.output)
    return FOUND if windows.shown else NOTHING


def _target(command: Command) -> BlobTarget | None:
    """Return the stored outputs that are meant, `None` for a piece of a session, whose ids may look the same."""
    from unspool.errors import BlobNotFound, NotFound

    word, library = command.arguments.target, command.library
    try:
        return blob_target(word, command.arguments.blobs, library.blob_stores)
    except BlobNotFound:
        try:
            library.resolve_target(word)
        except NotFound:
            pass
        else:
            return None
        raise


def _about_blob(command: Command, bounds: Bounds, target: BlobTarget) -> Callable[[str | None], Inspection]:
    from unspool.views.inspecting import inspect

    assert target.blob is not None
    blob, selector = target.blob, command.arguments.selector
    return lambda after: inspect(blob, selector, store=target.store, bounds=bounds, after=after)


def _about_piece(command: Command, bounds: Bounds) -> Callable[[str | None], Inspection]:
    from unspool.errors import BadReference
    from unspool.views.filter import Filter
    from unspool.views.inspecting import inspect

    arguments = command.arguments
    target = command.library.resolve_target(arguments.target)
    view = command.library.view(target)
    place = command.place(target, view)
    piece = _named(view, place)
    if piece is None:
        rows = view.rows_in(place) if place is not None else view.select(Filter())
        example = view.id(rows[0]) if len(rows) else "E12.1"
        raise BadReference(f"one piece must be named, as in {view.ref}/{example}", text=arguments.target)
    lines = target.place.lines if target.place is not None else None
    selector = arguments.selector or (f"lines:{lines[0]}-{lines[1]}" if lines else None)
    return lambda after: inspect(
        piece, selector, view=view, bounds=bounds, after=after, model_view=arguments.model_view
    )


def _named(view: SessionView, place: EntryRange | None) -> EvidenceId | None:
    """Return the piece that is named, by the record too when it has just one; raises `NotFound`."""
    if place is None or not place.is_entry:
        return place.single if place is not None else None
    return view.id(view.row(place))


def _list(command: Command, store: FileBlobStore, bounds: Bounds) -> int:
    """List the blobs of a folder, newest first."""
    from unspool.ids import BlobId
    from unspool.outputs.listed import list_blobs
    from unspool.views.times import iso

    arguments, output = command.arguments, command.output
    if arguments.selector is not None:
        raise UsageError(f"{arguments.selector} chooses a part of one output; name it by its id")
    after = BlobId.parse(arguments.after) if arguments.after is not None else None
    page = list_blobs(store, limit=None if arguments.all else bounds.max_items, after=after)
    for blob in page.items:
        if output.json:
            output.object(blob.to_json(iso(blob.id.made_at)))
        else:
            output.row(_row(blob))
    if output.json:
        command.summary(page.total, page.next)
    elif page.next is not None:
        shown = f"{len(page.items):,} of {counted(page.total, 'output')} shown"
        output.left_out(f"{shown}; --after {page.next} goes on, --all gives everything")
    elif not page.items:
        output.note(f"no stored output in {store.root}" if not page.total else f"no older output than {after}")
    return FOUND if page.items else NOTHING


def _row(blob: ListedBlob) -> str:
    size = numbers.size(blob.bytes) if blob.bytes is not None else ""
    said = blob.words if blob.fault is None else f"({blob.fault})"
    return f"{blob.id}  {human_time(blob.id.made_at)}  {blob.kind or '':<{KIND_CELLS}}  {size:>6}  {said}"


class Windows:
    """What `ask` gives behind a continuation, and with `to_the_end` all that follows it, as one text.

    `shown` counts lines or elements found, 0 when nothing was.
    """

    def __init__(self, ask: Callable[[str | None], Inspection], after: str | None, *, to_the_end: bool) -> None:
        self._ask = ask
        self._to_the_end = to_the_end
        self._last = ask(after)
        self.shown = self._last.truncation.shown

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object."""
        text = "".join(self._texts()) if self.shown else ""
        truncation = {**self._last.truncation.to_json(), "shown": self.shown}
        return {**self._last.to_json(), "text": text, "truncation": truncation}

    def print(self, output: Output) -> None:
        """Print everything, and beside it what the whole is."""
        whole = self._last
        if not self.shown:
            output.note(whole.why_nothing)
            return
        parts = [whole.type, numbers.size(whole.bytes)]
        if whole.size is not None:
            parts.insert(1, f"{whole.size:,} {whole.size_noun}")
        output.note(" | ".join(parts))
        output.windows(self._texts())
        if self._last.truncation.truncated:
            output.left_out(cut_short(self._last.truncation))

    def _texts(self) -> Iterator[str]:
        yield self._last.text
        while self._to_the_end and self._last.truncation.next is not None:
            seam = _seam(self._last.truncation.next)
            self._last = self._ask(self._last.truncation.next)
            self.shown += self._last.truncation.shown if seam else 0
            yield seam + self._last.text


def _seam(following: str) -> str:
    """Return what stands between two windows: a line's end between lines and elements, nothing inside one text."""
    inside = following.startswith(("bytes:", "key:", "lines:")) or (
        following.startswith("slice:") and "@b" in following
    )
    return "" if inside else "\n"
