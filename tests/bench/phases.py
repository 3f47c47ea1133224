"""Print where a start goes until keys work: `python -m tests.bench.phases FILE [FILE ...]`.

Milliseconds of the processor, of all threads, medians of some starts: with nothing kept of the session, and with its
columns kept. What is done is told apart by the modules that it begins with.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.bench.empty_home import EmptyHome
from tests.bench.first_frame import PYTHON, run

TURNS: Final = 3
INSIDE: Final = "--inside"

PHASES: Final = {
    "unspool_tui.verbs.opening": "Python and the command",
    "unspool.library": "the first frame: a glimpse, its imports",
    "unspool.follow.tail": "the session is found, and opened as far as it was begun or kept",
    "unspool_tui.screens.begun": "Textual and the app are imported",
}
"""What is over when a module is first asked for."""

LAST: Final = "the first screen: its imports, styles, widgets, layout, rows, picture"
"""What is over when it has taken the place of the first frame."""

NOTED: Final = b"all phases are over"


def main(paths: Sequence[str]) -> None:
    """Start each session several times."""
    for path in paths:
        with tempfile.TemporaryDirectory(prefix="unspool-phases-") as folder:
            home = EmptyHome(Path(folder))
            from unspool import open_library  # not among what every start of this program imports

            open_library([path], cache=str(home.cache / "unspool")).view(path).close()
            started(path, home.cold(), home.folder)  # the bytecode is written once
            for name, kept in (("nothing kept", False), ("columns kept", True)):
                turns = [started(path, home.environ() if kept else home.cold(), home.folder) for _ in range(TURNS)]
                print(f"{Path(path).name}, {name}")
                for phase in turns[0]:
                    print(f"  {statistics.median(turn[phase] for turn in turns):6.0f} ms  {phase}")


def started(path: str, environ: Mapping[str, str], folder: Path) -> dict[str, float]:
    """Start the app; return the milliseconds of each phase."""
    report = folder / "phases"
    run((*PYTHON, "tests.bench.phases", INSIDE, str(report), path), environ, NOTED)
    moments = [line.split("\t") for line in report.read_text(encoding="utf-8").splitlines()]
    ends = [float(seconds) * 1000 for _, seconds in moments]
    return {name: end - begin for (name, _), begin, end in zip(moments, [0.0, *ends], ends, strict=False)}


def inside(report: str, path: str) -> None:
    """Run the app, and write when each phase was over."""
    left, over = dict(PHASES), list[str]()

    def note(phase: str) -> None:
        over.append(f"{phase}\t{time.process_time()}\n")

    def end() -> None:
        note(LAST)
        Path(report).write_text("".join(over), encoding="utf-8")
        os.write(1, NOTED)

    def heard(event: str, told: tuple[Any, ...]) -> None:
        if event == "import" and told[0] in left:
            note(left.pop(told[0]))
            if not left:
                _when_seen(end)

    sys.addaudithook(heard)
    sys.argv = ["unspool", "open", path]
    from unspool_tui.cli import main as command

    command()


def _when_seen(act: Callable[[], None]) -> None:
    """Do something when the screen has taken the place of the first frame; its module is there by now."""
    from unspool_tui.screens.whole import WholeScreen

    seen = WholeScreen.seen

    def both(screen: WholeScreen[Any]) -> None:
        act()
        seen(screen)

    setattr(WholeScreen, "seen", both)  # noqa: B010 - a method is not to be assigned to


if __name__ == "__main__":
    if sys.argv[1:2] == [INSIDE]:
        inside(*sys.argv[2:])
    else:
        main(sys.argv[1:])
