"""Draw the pictures of the README: `python -m tests.screenshots [part of a name ...]`."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.screenshots.day import write_day
from tests.screenshots.picture import browser, png_of
from tests.screenshots.shoot import Shot, svg_of

FOLDER = Path(__file__).resolve().parent.parent.parent / "screenshots"
SIZES = ((80, 24), (120, 36), (160, 48))
SHOTS = (
    *(Shot("sessions", size, inside=False) for size in SIZES),
    *(Shot("browse", size, inside=True, keys=("e",)) for size in SIZES),
    *(Shot("ledger", size, inside=True, keys=("L",)) for size in SIZES),
    *(Shot("paths", size, inside=True, keys=("e", "P")) for size in SIZES),
    *(Shot("export", size, inside=True, keys=("e", "x")) for size in SIZES),
    *(Shot("palette", size, inside=True, keys=("e", "ctrl+p")) for size in SIZES),
    *(Shot("follow", size, inside=True, keys=("g", "j", "j", "j", "j"), written=12) for size in SIZES),
)


def main() -> int:
    """Draw those pictures whose name holds one of the words."""
    for name in ("NO_COLOR", "TEXTUAL_THEME", "TEXTUAL_ANIMATIONS"):
        os.environ.pop(name, None)
    os.environ["TZ"] = "UTC"
    time.tzset()
    program = browser()
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        session = write_day(Path(folder))
        os.environ["HOME"] = folder
        os.chdir(folder)
        for shot in SHOTS:
            path = FOLDER / f"{shot.name}-{shot.size[0]}x{shot.size[1]}.svg"
            if all(word in path.name for word in sys.argv[1:]):
                path.write_text(asyncio.run(svg_of(shot, Path(folder), session)), encoding="utf-8")
                written = png_of(path, program) if program else path
                print(written.relative_to(FOLDER.parent))
    if program is None:
        print("no chromium here: only the SVGs were drawn", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
