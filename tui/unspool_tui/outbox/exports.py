"""Exports: what is in a session, or in some pieces of it, as a file that people can share."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from unspool.errors import AlreadyThere, BadQuery
from unspool.stores.ownership import owner_of
from unspool_tui.messages.taking import (
    ExportCounted,
    ExportEnded,
    ExportMoved,
    ExportRefused,
    FolderOffered,
    PlaceKnown,
)
from unspool_tui.worker import Cancelled, ask

if TYPE_CHECKING:
    from textual.message import Message
    from textual.widget import Widget

    from unspool.export import Exported, ExportFormat
    from unspool.ids import SessionRef
    from unspool.views.view import SessionView
    from unspool_tui.present.offered import Order

COUNTED_BYTES: Final = 8_000_000
"""Text in which secrets are counted before a person decides: a second or two. In more they are counted on the way."""

MOVED_SECONDS: Final = 0.1
"""How often an export says how far it is."""


def offer_folder(to: Widget) -> None:
    """Look for a folder that a file can be written to, here or at home: `FolderOffered`."""

    def work(_: Cancelled) -> Iterator[Message]:
        places = (os.curdir, os.path.expanduser("~"), tempfile.gettempdir())
        fitting = (os.path.abspath(place) for place in places if _takes_files(place))
        yield FolderOffered(next(fitting, os.path.abspath(places[-1])))

    ask(to, "folder", work)


def look_at(to: Widget, path: str, generation: int) -> None:
    """Look at where a file is to be written: `PlaceKnown`."""

    def work(_: Cancelled) -> Iterator[Message]:
        place = os.path.expanduser(path)
        owner = owner_of(place, os.environ)
        said = ""
        if owner is not None:
            said = f"{owner.folder} belongs to {owner.agent}; write somewhere else"
        elif os.path.isdir(place):
            said = "a folder; add the name of a file"
        elif not os.path.isdir(os.path.dirname(os.path.abspath(place))):
            said = "there is no such folder"
        yield PlaceKnown(generation, said, not said and os.path.lexists(place))

    ask(to, "place", work, generation)


def count(to: Widget, view: SessionView, order: Order, generation: int) -> None:
    """Count the pieces of an export, then the secrets in them unless there is too much to read: `ExportCounted`."""

    def work(cancelled: Cancelled) -> Iterator[Message]:
        from unspool.export import Export

        own = view.apart()
        wanted = order.wanted(own)
        rows = own.wanted(wanted)
        size = sum(own.bytes(row) for row in rows)
        counting = order.redacted and 0 < size <= COUNTED_BYTES
        yield ExportCounted(generation, len(rows), size, None, counting)
        if counting:
            export = Export(own, order.format, wanted, full=order.full)
            for _ in export:
                if cancelled():
                    return
            yield ExportCounted(generation, len(rows), size, export.exported.redactions)

    ask(to, "count", work, generation)


def export(
    to: Widget, view: SessionView, order: Order, path: str, *, force: bool, given_up: Cancelled = lambda: False
) -> None:
    """Write the file: `ExportMoved` on the way, then `ExportEnded`, or `ExportRefused` when something is there.

    When it is `given_up` it ends soon, and no file is left.
    """

    def work(cancelled: Cancelled) -> Iterator[Message]:
        from unspool.export import RULES, export_file

        own = view.apart()
        wanted = order.wanted(own)
        total = len(own.wanted(wanted))
        if not total:
            raise BadQuery("no piece fits; nothing was written")
        told = time.monotonic()

        def progress(exported: Exported) -> None:
            nonlocal told
            if time.monotonic() - told >= MOVED_SECONDS and not cancelled():
                told = time.monotonic()
                to.post_message(ExportMoved(exported, total))

        place = os.path.abspath(os.path.expanduser(path))
        rules = RULES if order.redacted else ()
        try:
            exported = export_file(
                own, place, order.format, wanted, rules=rules, full=order.full, force=force,
                cancelled=lambda: cancelled() or given_up(), progress=progress,
            )  # fmt: skip
        except AlreadyThere:
            yield ExportRefused(path)
        else:
            yield ExportEnded(exported, place, os.path.getsize(place) if exported.complete else 0)

    ask(to, "export", work, lasting=True)


def usual_name(ref: SessionRef, format: ExportFormat) -> str:
    """Return the usual name of an export."""
    from unspool.export import file_name

    return file_name(ref, format)


def _takes_files(folder: str) -> bool:
    """Say whether a file can be written to a folder, and is nobody's affair there."""
    return os.access(folder, os.W_OK | os.X_OK) and owner_of(os.path.join(folder, "x"), os.environ) is None
