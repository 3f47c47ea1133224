"""Print what a home of many sessions costs: `python -m tests.bench.across ROOT [WORDS ...]`.

Whole processes by turns, medians: milliseconds of the wall, and of the processors, which others on the machine disturb
less. The list stands beside a walk that looks at every file's size and time; searches stand beside ripgrep (or grep)
over the same tree, side files in both. What is kept of sessions is kept when the turns begin; `anew` is the one time
before. `found` tells of the files in which the words stand as they are how many have hits.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.bench.empty_home import EmptyHome
from tests.bench.figures.opening import took
from tests.bench.figures.searching import SEARCH, Counting
from tests.bench.first_frame import PYTHON
from tests.bench.pairs import Spread, by_turns
from tests.bench.sessions import NEEDLE
from unspool import open_library

TURNS: Final = 5
ABSENT: Final = "zqxjvkwyzq"
"""What stands nowhere."""

LIST: Final = (*PYTHON, "unspool_tui", "sessions", "--limit", "20")
WALK: Final = ("find", "{root}", "-type", "f", "-printf", "%s %T@ %i\n")
MOST: Final = "1000"
"""Hits that are shown: fewer would end the search before all is searched."""


class Cost(NamedTuple):
    """What a process took, in milliseconds."""

    wall: float
    processor: float


def cost(command: Sequence[str], environ: Mapping[str, str]) -> Cost:
    """Run a process to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall = took(command, environ)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(wall, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000)


def measured(name: str, ours: Sequence[str], theirs: Sequence[str], environ: Mapping[str, str]) -> str:
    """Return the line of one command beside its yardstick."""
    anew = cost(ours, environ)
    mine, other = by_turns(TURNS, lambda: cost(ours, environ), lambda: cost(theirs, environ))
    told = f"{name:28} {anew.processor:7.0f}"
    for figure in (0, 1):
        own, their = ([each[figure] for each in arm] for arm in (mine, other))
        ratio = Spread.of_ratios(own, their)
        told += f" {statistics.median(own):7.0f} {statistics.median(their):7.0f} {ratio.median:6.2f}"
        told += f" ({ratio.least:.2f}-{ratio.most:.2f})" if figure == 0 else ""
    return told


def found(root: str, words: str, cache: Path) -> str:
    """Return how many of the sessions in whose file a text stands have a hit."""
    holding = subprocess.run(["grep", "-rlF", "-e", words, root], capture_output=True, text=True, check=False)
    sessions = {path for path in holding.stdout.splitlines() if path.endswith(".jsonl")}
    results = open_library([root], cache=str(cache)).searching(words, case="exact").hits(int(MOST))
    hit = {each.summary.path for each in results if each.result.total or each.copies}
    return f"   found in {len(hit & sessions)} of {len(sessions)} files, and in {len(hit - sessions)} more"


def main(root: str, words: Sequence[str]) -> None:
    """Measure one home."""
    counting = {folded: Counting.of(folded=folded, tree=True) for folded in (False, True)}
    print(f"{'':28} {'anew':>7} {'unspool':>7} {'theirs':>7}  ratio of the wall, then of processors")
    with tempfile.TemporaryDirectory(prefix="unspool-across-") as folder:
        home = EmptyHome(Path(folder))
        environ = home.environ()
        took(LIST, environ)  # the bytecode is written once
        walk = [word.format(root=root) for word in WALK]
        print(measured("list / find", (*LIST, "--root", root), walk, environ), flush=True)
        for text in words or (ABSENT, NEEDLE):
            for folded, program in counting.items():
                ours = (*SEARCH, text, "--root", root, "--limit", MOST, "--case", "ignore" if folded else "exact")
                line = measured(f"{text} / {program.name}", ours, (*program.command, text, root), environ)
                print(line + ("" if folded else found(root, text, home.cache / "unspool")), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
