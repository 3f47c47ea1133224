"""Every figure of `make bench`: what it is called, how it is taken, and the most that it should be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.bench.figures import keeping, opening, screen, searching
from tests.bench.figures.figure import Figure
from tests.bench.sessions import GB, MB, Density

HOMES: Final = (10 * MB, 100 * MB, 2 * GB)
"""Bytes of homes, a session for each million."""

LISTS: Final = (100 * MB, GB)
"""Bytes of sessions of a row for each thousand: a hundred thousand and a million."""

ONLY: Final = (MB,)
"""Where the size of a session does not matter."""

TEN: Final = (10 * MB,)
"""Where it must hold at any size, and one with all sorts of records tells."""


def _goals(heavy: float, real: float | None = None) -> Mapping[Density, float]:
    return {"heavy": heavy, "real": heavy if real is None else real}


_ONE: Final[tuple[Density, ...]] = ("real",)
"""For what writes its own sessions, of one density."""

FIGURES: Final = (
    Figure("frame", "first useful frame, nothing kept", "raw hello", opening.frame, _goals(2.5), quick=GB),
    Figure("frame-growth", "first useful frame", "1 MB", opening.frame_growth, _goals(1.3), quick=GB),
    Figure("keys", "keys that work, nothing kept", "minimal app", opening.keys, _goals(1.2), quick=GB),
    Figure("columns", "all columns", "wc -l", opening.columns, _goals(6, 12)),
    Figure("columns-codex", "all columns of Codex", "wc -l", opening.columns, _goals(6, 12), data="rollout"),
    Figure("columns-decoding", "all columns", "orjson", opening.columns_beside_decoding, {}, quick=10 * MB),
    Figure("columns-index", "all columns", "fast-resume", opening.columns_beside_index, _goals(0.5)),
    Figure("warm", "keys work on all rows, columns kept, above", "minimal app", keeping.warm, _goals(30, 60), "ms"),
    Figure("warm-view", "a view, columns kept", "wc -l", keeping.warm_view, {}),
    Figure("kept", "room in the cache, by its size", "", keeping.share_kept, _goals(2), "%", densities=("heavy",)),
    Figure("kept-row", "room in the cache", "", keeping.kept_a_row, _goals(64), "bytes a row", densities=_ONE),
    Figure("rare", "rare literal, filtered, whole process, columns kept", "rg -c", searching.rare, _goals(3, 4)),
    Figure("dense-a", "`a`, exact total and 200 hits", "rg -c", searching.dense("a"), _goals(2, 3.5)),
    Figure(
        "dense-words",
        "`return self`, exact total and 200 hits",
        "rg -c",
        searching.dense("return self"),
        _goals(2, 3.5),
    ),
    Figure("folded", "rare literal in other letters", "rg -ic", searching.folded, _goals(3, 5)),
    Figure(
        "across",
        "all sessions of a home, columns kept",
        "rg -c",
        searching.across,
        _goals(1.3, 2),
        data="many",
        sizes=HOMES,
    ),
    Figure("miscounted", "planted needles miscounted", "", searching.miscounted, _goals(0), "%", "planted", TEN),
    Figure("peak", "peak memory, opened and searched", "", opening.peak, _goals(150), "MB"),
    Figure("gap", "longest gap of the screen while a session is read", "", opening.gap, _goals(50), "ms"),
    Figure(
        "rows",
        "frame of a long list, p95",
        "1 000 rows",
        screen.frames,
        _goals(1.2),
        "x",
        "rows",
        LISTS,
        densities=_ONE,
    ),
    Figure(
        "kind-filter",
        "a list narrowed to one kind",
        "",
        screen.kind_filter,
        _goals(100),
        "ms",
        "rows",
        LISTS,
        densities=_ONE,
    ),
    Figure("append", "append to screen, p95", "tail -f", screen.append, _goals(3), "x", "own", ONLY, densities=_ONE),
    Figure("append-bare", "append to bytes, p95", "tail -f", screen.bare_append, {}, "x", "own", ONLY, densities=_ONE),
    Figure(
        "busy-gap",
        "longest gap of the screen at 10 000 lines a second",
        "",
        screen.busy_gap,
        _goals(100),
        "ms",
        "own",
        ONLY,
        densities=_ONE,
    ),
    Figure("frame-viewer", "first useful frame", "lnav", opening.first_screen, {}),
    Figure("export", "a page to share", "claude-code-log", opening.exported, {}, quick=10 * MB),
)
