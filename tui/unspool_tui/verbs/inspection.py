"""`unspool inspect`: a window of any output."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from unspool_tui.arguments import PIECE_HELP, add_bounds, bounds_of
from unspool_tui.command import FOUND, NOTHING, Command
from unspool_tui.output import Output
from unspool_tui.present import numbers
from unspool_tui.readings import cut_short

if TYPE_CHECKING:
    from unspool.views.inspection import Inspection


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("target", metavar="REF/ID", help=PIECE_HELP)
    parser.add_argument(
        "selector",
        nargs="?",
        metavar="SELECTOR",
        help="lines:20-50, tail:50, bytes:0..4096, grep:TEXT, slice:3..8 or key:NAME; without one the beginning",
    )
    parser.add_argument("--model-view", action="store_true", help="what the model saw of an output that was shortened")
    add_bounds(parser)
    parser.add_argument("--after", metavar="TOKEN", help="go on where an earlier answer ended")


def run(command: Command) -> int:
    """Print the window."""
    from unspool.errors import BadReference
    from unspool.views.inspecting import inspect

    arguments = command.arguments
    target = command.library.resolve_target(arguments.target)
    view = command.library.view(target)
    place = command.place(target, view)
    piece = place.single if place is not None else None
    if piece is None:
        raise BadReference(f"one piece must be named, as in {view.ref}/E12.1", text=arguments.target)
    lines = target.place.lines if target.place is not None else None
    selector = arguments.selector or (f"lines:{lines[0]}-{lines[1]}" if lines else None)
    bounds = bounds_of(arguments, command.settings.limits)
    windows = Windows(
        lambda after: inspect(piece, selector, view=view, bounds=bounds, after=after, model_view=arguments.model_view),
        arguments.after,
        to_the_end=arguments.all,
    )
    if command.output.json:
        command.output.object(windows.to_json())
    else:
        windows.print(command.output)
    return FOUND if windows.shown else NOTHING


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
        text = "".join(self._texts())
        truncation = {**self._last.truncation.to_json(), "shown": self.shown}
        return {**self._last.to_json(), "text": text, "truncation": truncation}

    def print(self, output: Output) -> None:
        """Print everything, and beside it what the whole is."""
        whole = self._last
        if not self.shown:
            output.note(whole.text.removeprefix("(").removesuffix(")"))
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
