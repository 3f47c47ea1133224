"""Print what the full decode at opening a session costs: `python -m tests.bench.columns FILE...`.

Each file is opened, counted by `wc -l`, and decoded line by line with orjson, in turns. When opening ends, every row of
its columns is there: pieces, links, flags, sizes. Seconds are of the wall, medians; ratios are those of each turn.
"""

from __future__ import annotations

import argparse
import subprocess
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import orjson

from tests.bench.pairs import Spread, by_turns, seconds
from unspool import open_library
from unspool.columns.side_files import SideFiles
from unspool.formats import by_agent
from unspool.formats.base import Format
from unspool.views.opened import Opened

TURNS: Final = 5


def format_of(path: Path) -> Format:
    """Return the format of a file as the library finds it."""
    agent = open_library(roots=[str(path)]).view(str(path)).agent
    format = by_agent(agent)
    assert format is not None, agent
    return format


def opening(path: Path, format: Format) -> None:
    Opened.open(str(path), format, SideFiles(None)).lines.close()


def counting(path: Path) -> None:
    subprocess.run(["wc", "-l", str(path)], stdout=subprocess.DEVNULL, check=True)


def decoding(path: Path) -> None:
    with path.open("rb") as file:
        for line in file:
            with suppress(orjson.JSONDecodeError):
                orjson.loads(line)


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m tests.bench.columns", description=__doc__)
    arguments.add_argument("files", nargs="+", type=Path, metavar="FILE")
    arguments.add_argument("--turns", type=int, default=TURNS, help="how often each arm is timed")
    given = arguments.parse_args()
    for path in given.files:
        format = format_of(path)
        arms = partial(opening, path, format), partial(counting, path), partial(decoding, path)
        opened, counted, decoded = by_turns(given.turns, *[partial(seconds, arm) for arm in arms])
        took, size = Spread.of(opened), path.stat().st_size
        times, passes = Spread.of_ratios(opened, counted), Spread.of_ratios(opened, decoded)
        print(
            f"{path.name}: {size / 1e6:.1f} MB, opened in {took.median:.2f} s "
            f"({took.least:.2f} to {took.most:.2f}), {size / took.median / 1e6:.0f} MB/s, "
            f"{took.median / size * 1e9:.1f} s/GB; {times.median:.0f} times `wc -l`, "
            f"{passes.median:.1f} times one pass of orjson"
        )


if __name__ == "__main__":
    main()
