"""Print what it costs to open a session that was opened before: `python -m tests.bench.warm FILE [FILE ...]`.

Each figure stands beside its yardsticks, all of them taken by turns; medians, times in milliseconds:

    wc -l          counting the lines of the file, a whole process
    cold, warm     a view of the session, read anew and from what was kept of it, in a process that has done so before
    keys, minimal  from the start of a process to keys that work on all rows that were kept, and of the smallest app
    above          what the first is above the second, by turns

What is kept is told in bytes a row and as a part of the session.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.bench.empty_home import EmptyHome
from tests.bench.figures.opening import MINIMAL_ROW, OPEN, read_anew, shown, took
from tests.bench.first_frame import LISTENS, MINIMAL
from tests.bench.pairs import Spread, by_turns, seconds
from unspool import open_library
from unspool.cache.folder import CacheFolder
from unspool.library.reader import COLUMNS
from unspool_tui.present.numbers import count

TURNS: Final = 5


def measure(path: str, home: EmptyHome) -> str:
    """Return the line of a session."""
    environ = home.environ()
    cache = str(home.cache / "unspool")
    view = open_library([path], cache=cache).view(path)
    rows, every = view.rows, f"Evidence {count(view.counts.visible)}".encode()
    kept = CacheFolder(f"{cache}/{COLUMNS}").held().bytes
    wc, cold, warm, keys, minimal = by_turns(
        TURNS,
        lambda: took(("wc", "-l", path), environ),
        lambda: read_anew(Path(path)),
        lambda: seconds(lambda: open_library([path], cache=cache).view(path).close()) * 1000,
        lambda: shown((*OPEN, path), environ, LISTENS, every),
        lambda: shown(MINIMAL, environ, MINIMAL_ROW),
    )
    size = Path(path).stat().st_size
    told = [f"{statistics.median(each):7.0f}" for each in (wc, cold)]
    told += [f"{statistics.median(warm):7.1f}", f"{Spread.of_ratios(warm, cold).median:9.4f}"]
    told += [f"{Spread.of_ratios(warm, wc).median:8.2f}"]
    told += [f"{statistics.median(each):7.0f}" for each in (keys, minimal)]
    told += [f"{Spread.of_differences(keys, minimal).median:7.0f}"]
    return f"{size / 1e6:6.0f} {rows:8} {kept / rows:6.1f} {100 * kept / size:5.2f}% {' '.join(told)}"


def main(paths: Sequence[str]) -> None:
    """Measure each session in a home of its own."""
    print("    MB     rows  B/row   kept   wc -l    cold    warm warm/cold warm/wc    keys minimal   above")
    for path in paths:
        with tempfile.TemporaryDirectory(prefix="unspool-warm-") as folder:
            home = EmptyHome(Path(folder))
            shown((*OPEN, path), home.environ(), LISTENS)  # the bytecode is written once
            print(measure(path, home), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
