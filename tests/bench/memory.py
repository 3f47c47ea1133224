"""Print what opening and searching one session costs: `python -m tests.bench.memory FILE [QUERY ...]`.

Seconds are of the wall, memory is the peak of the whole process in MB.
"""

from __future__ import annotations

import re
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from unspool import open_library

_Answer = TypeVar("_Answer")


def peak() -> float:
    """Return the peak memory of this process in MB.

    On Linux the kernel is asked for this program's own: what is told of a process also counts what it was forked from.
    """
    if sys.platform == "linux":
        found = re.search(r"^VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
        if found is not None:
            return int(found[1]) * 1024 / 1e6
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def timed(name: str, ask: Callable[[], _Answer]) -> _Answer:
    """Run a question and print what it cost."""
    start = time.perf_counter()
    answer = ask()
    print(f"{name:40} {time.perf_counter() - start:8.2f} s   peak {peak():6.0f} MB")
    return answer


def main(path: str, queries: list[str]) -> None:
    """Measure one session."""
    view = timed("open", lambda: open_library(roots=[path]).view(path))
    print(f"{view.size / 1e6:.0f} MB, {view.entries} entries, {view.rows} pieces, {view.counts.to_json()}")
    timed("overview", view.overview)
    timed("evidence", view.evidence)
    for query in queries:
        found = timed(f"search {query!r}", lambda query=query: view.search(query))  # type: ignore[misc]
        print(f"    {found.total} pieces, complete {found.complete}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
