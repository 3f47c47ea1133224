"""Record the pictures that the tests compare with: `python -m tests.tui.pictures [part of a name ...]`.

A picture that breaks a law or lacks what must stand in it is not recorded. With `--look FOLDER`, nothing is recorded;
the pictures are drawn there as PNG, sound or not.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.screenshots.picture import browser, png_of
from tests.tui.conftest import SIZES
from tests.tui.pictures.golden import FOLDER, drawn, kept, name_of, record
from tests.tui.pictures.sample import Sample, write_sample
from tests.tui.pictures.table import WALKS
from tests.tui.pictures.walk import pictures


def main() -> int:
    """Record or draw those pictures whose name holds one of the words; return 1 when one of them is not sound."""
    parser = argparse.ArgumentParser(prog="python -m tests.tui.pictures", description="Record the pictures again.")
    parser.add_argument("words", nargs="*", help="parts of names")
    parser.add_argument("--look", metavar="FOLDER", type=Path, help="draw PNGs there, and record nothing")
    wanted = parser.parse_args()
    for name in [name for name in os.environ if name == "NO_COLOR" or name.startswith("TEXTUAL")]:
        del os.environ[name]
    os.environ["TZ"] = "UTC"
    time.tzset()
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_all(write_sample(Path(folder) / "sample"), wanted.words, wanted.look))


async def _all(sample: Sample, words: list[str], look: Path | None) -> int:
    unsound, seen = 0, set()
    for walk in WALKS:
        for size in SIZES:
            names = [f"{walk.name}-{state.name}-{size[0]}x{size[1]}" for state in walk.states if size in state.sizes]
            if words and not any(word in name for name in names for word in words):
                continue
            for state, picture in await pictures(walk, sample, size):
                name = name_of(walk.name, state.name, picture)
                seen.add(name)
                if words and not any(word in name for word in words):
                    continue
                said = state.complaints(picture)
                unsound += bool(said)
                print(f"{name}: {'; '.join(said)}" if said else name, flush=True)
                if look is not None:
                    _draw(look, name, drawn(picture))
                elif not said:
                    record(name, picture)
    if not words and look is None:
        for name in kept() - seen:
            for ending in (".txt", ".svg"):
                (FOLDER / f"{name}{ending}").unlink(missing_ok=True)
    return 1 if unsound else 0


def _draw(folder: Path, name: str, texts: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for ending, text in texts.items():
        (folder / f"{name}{ending}").write_text(text, encoding="utf-8")
    program = browser()
    if program is not None:
        png_of(folder / f"{name}.svg", program)


if __name__ == "__main__":
    sys.exit(main())
