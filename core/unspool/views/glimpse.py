"""The beginning of a session's file, at once: for a look at it, not for references to what it holds."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING, Final

from unspool.columns.side_files import SideFiles
from unspool.formats import detect
from unspool.ids import SessionRef
from unspool.sources.beginning import whole_lines
from unspool.sources.jsonl import JsonLines
from unspool.stores import by_agent
from unspool.views.opened import Opened
from unspool.views.view import SessionView

if TYPE_CHECKING:
    from unspool.formats.base import Format

RECORDS: Final = (4, 20)
"""Records that are looked at to tell whose a file is: those that nearly always tell, and all where they do not."""


def glimpse(path: str, most: int, lines: int | None = None) -> SessionView | None:
    """Take a view of the first whole lines of a file of lines, of at most so many bytes, and `lines`, together.

    Nothing is looked at but the file and what lies beside it: whether another session has the same id is not known.
    `None` for what is no such file of a known agent, or has no such beginning. Raises `Unreadable`.
    """
    path = os.path.abspath(path)
    size = whole_lines(path, most, lines)
    if size is None:
        return None
    opened = JsonLines.open_head(path, size)
    format = _format_of(opened)
    store = by_agent(format.agent) if format is not None else None
    source = store.source(path) if store is not None else None
    if format is None or store is None or source is None:
        opened.close()
        return None
    side_files = SideFiles(store.artifacts(source))
    ref = SessionRef(source.agent, source.session_id, source.part)
    return SessionView(ref, Opened.of(opened, format, side_files))


def _format_of(lines: JsonLines) -> Format | None:
    return next(filter(None, (_told_by(lines, number) for number in RECORDS)), None)


def _told_by(lines: JsonLines, number: int) -> Format | None:
    records = (record.value for entry in lines.entries() for record in entry.records)
    return detect(list(islice(records, number)))
