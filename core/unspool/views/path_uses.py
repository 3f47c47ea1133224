"""Which paths a session touches, and what each of them cost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass, field
from unspool.formats.piece import Flag, Kind, ToolPart
from unspool.views.ledger import Weight

if TYPE_CHECKING:
    from unspool.views.view import SessionView

PATHS_MOST: Final = 20_000
"""Paths told apart: more than anyone looks through; those that come later are counted together."""


@dataclass(slots=True)
class PathUse:
    """What touches one path: calls that name it, their results, and prompts that mention it.

    `path` is told from the folder of the session on. `pieces` counts all of them, `errors` those that failed, `last`
    is the row of the newest; `weight` is that of the results.
    """

    path: str
    pieces: int = 0
    calls: int = 0
    errors: int = 0
    last: int = 0
    weight: Weight = field(default_factory=Weight)

    def add(self, view: SessionView, row: int) -> None:
        """Take a piece that touches the path."""
        self.pieces += 1
        self.calls += view.tool_part(row) is ToolPart.INPUT
        self.errors += bool(view.flags(row) & Flag.ERROR)
        self.last = row
        self.weight.add(view, row)


class PathUses:
    """The paths of some pieces, as far as they were taken; every piece counts for each path that it touches.

    `others` counts touches of paths beyond the `PATHS_MOST` that are told apart.
    """

    def __init__(self, view: SessionView) -> None:
        self._view = view
        self._uses: dict[str, PathUse] = {}
        self.others = 0

    @classmethod
    def of(cls, view: SessionView, rows: Iterable[int]) -> PathUses:
        """Take some pieces, ascending; reads the records of their calls. Raises `SourceChanged`."""
        uses = cls(view)
        for row in rows:
            uses.take(row)
        return uses

    def __len__(self) -> int:
        return len(self._uses)

    def take(self, row: int) -> None:
        """Take the next piece, ascending; reads the record of the call. Raises `SourceChanged`."""
        if self._view.kind(row) not in (Kind.TOOL, Kind.USER):
            return
        for path in dict.fromkeys(told_path(path, self._view.facts.cwd) for path in self._view.touched(row)):
            use = self._uses.get(path)
            if use is None and len(self._uses) >= PATHS_MOST:
                self.others += 1
                continue
            if use is None:
                use = self._uses[path] = PathUse(path)
            use.add(self._view, row)

    def ranked(self, *, touched: bool = False) -> tuple[PathUse, ...]:
        """Return the paths, those with the heaviest results first, or with `touched` those touched most."""
        return tuple(sorted(self._uses.values(), key=_by_touches if touched else _by_weight))


def _by_weight(use: PathUse) -> tuple[int, int, str]:
    return -use.weight.made, -use.pieces, use.path


def _by_touches(use: PathUse) -> tuple[int, str]:
    return -use.pieces, use.path


def told_path(path: str, folder: str | None) -> str:
    """Return a path as it is told: from the folder of the session on, on whichever system it was."""
    inside = path.removeprefix(f"{folder}/").removeprefix(f"{folder}\\") if folder else path
    return inside.removeprefix("./").removeprefix(".\\") or path
