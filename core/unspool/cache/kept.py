"""An opened session as bytes: what a view needs of it, and apart from that what only going on with it needs."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from typing import Any, Final

from unspool.cache.kept_columns import KeptColumn, KeptColumns, KeptVerbatim
from unspool.cache.located import located, told
from unspool.cache.packing import pack
from unspool.cache.unpacking import MISFITS, unpack
from unspool.columns.build import Builder
from unspool.columns.side_files import SideFiles
from unspool.columns.source import LineSource
from unspool.columns.table import Columns
from unspool.columns.verbatim import Verbatim
from unspool.formats.base import Format
from unspool.sources.jsonl import JsonLines
from unspool.views.filter import Filter
from unspool.views.index import Index
from unspool.views.opened import Opened

_OWN: Final = frozenset({"_later", "columns", "format", "fresh", "lock", "side_files", "stored", "turn", "verbatim"})
"""Of a builder: what is made anew, or kept in another shape."""
_LATER: Final = frozenset({"_pairing", "_seen", "fold"})
"""Of a builder: what no view looks at."""
_INDEXES: Final = frozenset({"call_ids", "tool_ids"})
"""Of columns: what their lists tell."""
_APART: Final = frozenset({"compactions", "ends", "offsets"})
"""Columns that have no item for each row."""


class KeptBuilder(Builder):
    """A builder as it was kept; `later` returns what it needs to go on, and is asked when it does.

    Raises one of `MISFITS` for what no builder has been.
    """

    def __init__(
        self, format: Format, side_files: SideFiles, kept: Mapping[str, Any], later: Callable[[], Mapping[str, Any]]
    ) -> None:
        super().__init__(format, side_files)
        vars(self).update(kept["builder"])
        self.verbatim = KeptVerbatim(kept["verbatim"])
        self.columns = KeptColumns(kept["columns"], kept["facets"])
        _check(self.columns)
        self.columns.tool_ids = _indexed(self.columns.tools)
        self.fold.facts = kept["facts"]
        self.stored = located(kept["stored"], side_files)
        self._later: Callable[[], Mapping[str, Any]] | None = later

    def go_on(self) -> None:
        """Begin to take more; raises `SourceChanged` when what was kept is of no use for that."""
        self.wake()
        super().go_on()

    def wake(self) -> None:
        """Get what going on needs, unless it is there; raises `SourceChanged` when it is of no use."""
        if self._later is not None:
            vars(self).update(self._later())
            if isinstance(self.columns, KeptColumns):
                self.columns.make_whole()
            self.columns.call_ids = _indexed(self.columns.calls)
            self._later = None


def packed(opened: Opened) -> tuple[bytes, bytes]:
    """Return what a view needs of an opened session, and what going on needs; raises `Unpackable`."""
    builder = opened.builder
    builder.wake()
    state, columns = vars(builder), builder.columns
    front = {
        "builder": {name: value for name, value in state.items() if name not in _OWN | _LATER},
        "columns": {name: getattr(columns, name) for name in Columns.__slots__ if name not in _INDEXES},
        "facets": Index(columns).facets(Filter()),
        "facts": builder.fold.facts,
        "verbatim": {name: getattr(builder.verbatim, name) for name in Verbatim.__slots__},
        "stored": told(builder.stored, builder.side_files),
        "tail": (opened.resume, dict(opened.taken), opened.torn, opened.pending),
    }
    return pack(front), pack({name: state[name] for name in _LATER})


def unpacked(front: memoryview, later: memoryview, lines: JsonLines, format: Format, side_files: SideFiles) -> Opened:
    """Return a session as it was when it was packed; raises one of `MISFITS`."""
    source = LineSource(lines)

    def rest() -> Mapping[str, Any]:
        try:
            state: dict[str, Any] = unpack(later)
        except MISFITS as error:
            raise source.changed(0, lines.size) from error
        return {name: state[name] for name in _LATER}

    kept = unpack(front, lazily=True)
    builder = KeptBuilder(format, side_files, kept, rest)
    resume, taken, torn, pending = kept["tail"]
    lines.hold(resume[1])
    return Opened(lines, source, builder, resume, taken, torn, pending, builder.turn)


def _indexed(names: list[str]) -> dict[str, int]:
    return dict(zip(names, range(len(names)), strict=True))


def _check(columns: Columns) -> None:
    """Raise `ValueError` unless every column has an item for each row."""
    every = {name: getattr(columns, name) for name in Columns.__slots__}
    rows = {len(each) for name, each in every.items() if isinstance(each, array | KeptColumn) and name not in _APART}
    if len(rows) != 1 or len(columns.offsets) != len(columns.ends):
        raise ValueError("columns of different lengths")
