"""`python -m tests.bench` (or `make bench`): every figure beside its yardstick, and the page of results."""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tests.bench.empty_home import EmptyHome
from tests.bench.fast_path import shares
from tests.bench.figures.figure import Absent, Figure, Missed, Reading, Sample
from tests.bench.figures.opening import shown, took
from tests.bench.figures.searching import SEARCH
from tests.bench.first_frame import HELLO, MINIMAL
from tests.bench.goals import FIGURES
from tests.bench.results import line, page
from tests.bench.sessions import GB, MB, NEEDLE, ROW, Density, Sessions, generator, usual_folder
from tests.shared_data import SHARED
from tests.tui.terminal import Terminal

RESULTS: Final = Path(__file__).parent / "RESULTS.md"
TURNS: Final = 5
UNITS: Final = {"KB": 1_000, "MB": MB, "GB": GB}


def main(arguments: Sequence[str] | None = None) -> int:
    """Take all figures, or those that are named; return 1 when one could not be taken although its arms are there."""
    given = parsed(arguments)
    chosen = [each for each in FIGURES if each.name in given.figures or not given.figures]
    load, day = os.getloadavg()[0], datetime.now(UTC).date()
    sessions = Sessions(given.data, None if given.factories else generator())
    print(f"sessions are kept in {given.data}; remove it at will", flush=True)
    readings, missed = list[Reading](), list[Missed]()
    with tempfile.TemporaryDirectory(prefix="unspool-bench-") as folder:
        bench = Bench(sessions, EmptyHome(Path(folder)), given.turns)
        bench.start_once()
        for found in bench.readings(chosen, given.sizes, long=given.long):
            if isinstance(found, Reading):
                readings.append(found)
                print(line(found), flush=True)
            else:
                missed.append(found)
                print(f"{found.figure.name}: {found.why}", flush=True)
    results = given.output or (None if given.figures else RESULTS)
    if results is not None:
        shared = list(shares(SHARED / "corpus")) if SHARED is not None else []
        told = page(readings, missed, shared, day=day, turns=given.turns, load=load, command=command_of(given))
        results.write_text(told, encoding="utf-8")
    return int(any(each.broken for each in missed))


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return what is asked for; ends the process where that is nothing known."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    names = [each.name for each in FIGURES]
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help=f"of {', '.join(names)}; all")
    parser.add_argument(
        "--sizes", type=_sizes, help="of sessions, such as 1MB,100MB; without it the ends of what is quick"
    )
    parser.add_argument("--long", action="store_true", help="every figure up to its largest size: an hour and more")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"how often each arm runs ({TURNS})")
    parser.add_argument("--data", type=Path, default=usual_folder(), help="where sessions are made and kept")
    parser.add_argument("--factories", action="store_true", help="sessions of the project's own factories")
    parser.add_argument("-o", "--output", type=Path, help="the page of results; RESULTS.md when all figures are taken")
    given = parser.parse_args(arguments)
    if unknown := set(given.figures) - set(names):
        parser.error(f"no figure {min(unknown)!r}")
    return given


def command_of(given: argparse.Namespace) -> str:
    """Return what takes these figures again: a page of some of them is not one of all."""
    sizes = ",".join(f"{size / MB:g}MB" for size in given.sizes or ())
    words = [*given.figures, *(("--sizes", sizes) if sizes else ()), *(("--long",) if given.long else ())]
    return f"python -m tests.bench {' '.join(words)}" if words else "make bench"


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(sorted(int(float(each[:-2]) * UNITS[each[-2:].upper()]) for each in text.split(",")))


class Bench:
    """Takes figures on sessions that are made when they are asked for."""

    def __init__(self, sessions: Sessions, home: EmptyHome, turns: int) -> None:
        self._sessions, self._home, self._turns = sessions, home, turns

    def start_once(self) -> None:
        """Start every program once, so that its bytecode is written; that of the app is bundled when it is left."""
        session, environ = self._sessions.one("real", MB), self._home.cold()
        with Terminal() as terminal:
            terminal.start("-m", "unspool_tui", "open", str(session), environ=environ)
            terminal.wait_for("? help")
            terminal.type("\x03")
            terminal.ended()
        shown(MINIMAL, environ, b"row 1")
        shown(HELLO, environ, b"row 1")
        took((*SEARCH, NEEDLE, str(session)), environ)

    def readings(
        self, figures: Sequence[Figure], sizes: Sequence[int] | None, *, long: bool
    ) -> Iterator[Reading | Missed]:
        """Yield each figure by density and size, as soon as it is taken."""
        for figure in figures:
            wanted: Sequence[int] = figure.sizes if long else figure.quick_sizes
            if sizes is not None and figure.data != "own":
                wanted = sizes
            for density, size in itertools.product(figure.densities, wanted):
                found = self._reading(figure, density, size)
                yield found
                if isinstance(found, Missed) and not found.broken:
                    break

    def _reading(self, figure: Figure, density: Density, size: int) -> Reading | Missed:
        try:
            return figure.measure(self._sample(figure, density, size), self._turns)
        except Absent as absent:
            return Missed(figure, density, size, str(absent), broken=False)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the border: the figures behind it are still taken
            return Missed(figure, density, size, f"{type(error).__name__}: {str(error)[:300]}", broken=True)

    def _sample(self, figure: Figure, density: Density, size: int) -> Sample:
        sessions = self._sessions
        if figure.data == "rows":
            path, least = sessions.rows(size // ROW), sessions.rows(1_000)
        else:
            makers = {"many": sessions.many, "planted": sessions.planted, "rollout": sessions.rollout}
            make = makers.get(figure.data, sessions.one)
            path, least = make(density, size), sessions.one(density, MB)
        return Sample(density, size, path, least, self._home)


if __name__ == "__main__":
    sys.exit(main())
