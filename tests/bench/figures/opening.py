"""Opening a session: what is seen first, when keys work, what the columns of all of it cost."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.bench.beating import BEATEN
from tests.bench.columns import decoding
from tests.bench.figures.figure import Absent, Arms, Sample
from tests.bench.first_frame import HELLO, LISTENS, MINIMAL, PYTHON, run
from tests.bench.pairs import seconds
from tests.bench.sessions import NEEDLE, SESSION
from unspool import open_library

OPEN: Final = (*PYTHON, "unspool_tui", "open")
FIRST_ROW, KEYS_WORK, LAST_HELLO, MINIMAL_ROW = b"E", b"filter", b"row 39", b"row 1"
FOUND, NOTHING = 0, 1
"""How programs end that look for something and did not fail."""

PEAK: Final = re.compile(r"peak +(\d+) MB")


def shown(command: Sequence[str], environ: Mapping[str, str], *marks: bytes) -> float:
    """Return the milliseconds from the start of a program to the last of what it writes in this order."""
    return run(command, environ, *marks)[-1] * 1000


def took(command: Sequence[str], environ: Mapping[str, str]) -> float:
    """Return the milliseconds that a whole process takes, whether it finds something or not.

    Raises `CalledProcessError` when it fails: what fails at once would seem quick.
    """
    began = time.perf_counter()
    done = subprocess.run(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    passed = time.perf_counter() - began
    if done.returncode not in (FOUND, NOTHING):
        raise subprocess.CalledProcessError(done.returncode, command, stderr=done.stderr)
    return passed * 1000


@contextmanager
def frame(sample: Sample) -> Iterator[Arms]:
    """The first useful frame of a session of which nothing is kept, beside the least that shows something."""
    home = sample.home
    yield {
        "unspool": lambda: shown((*OPEN, str(sample.path)), home.cold(), FIRST_ROW),
        "raw hello": lambda: shown(HELLO, home.environ(), LAST_HELLO),
    }


@contextmanager
def frame_growth(sample: Sample) -> Iterator[Arms]:
    """The same frame beside that of a small session."""
    yield {
        "unspool": lambda: shown((*OPEN, str(sample.path)), sample.home.cold(), FIRST_ROW),
        "1 MB": lambda: shown((*OPEN, str(sample.least)), sample.home.cold(), FIRST_ROW),
    }


@contextmanager
def keys(sample: Sample) -> Iterator[Arms]:
    """The screen that listens beside the smallest app that does."""
    home = sample.home
    yield {
        "unspool": lambda: shown((*OPEN, str(sample.path)), home.cold(), LISTENS, KEYS_WORK),
        "minimal app": lambda: shown(MINIMAL, home.environ(), MINIMAL_ROW),
    }


@contextmanager
def columns(sample: Sample) -> Iterator[Arms]:
    """All columns of a session, read anew, beside counting its lines."""
    environ = sample.home.environ()
    yield {"unspool": lambda: read_anew(sample.path), "wc -l": lambda: took(("wc", "-l", str(sample.path)), environ)}


@contextmanager
def columns_beside_decoding(sample: Sample) -> Iterator[Arms]:
    """The same beside decoding each line once, and keeping nothing."""
    yield {
        "unspool": lambda: read_anew(sample.path),
        "orjson": lambda: seconds(lambda: decoding(sample.path)) * 1000,
    }


@contextmanager
def columns_beside_index(sample: Sample) -> Iterator[Arms]:
    """The same beside an index of words that is built anew."""
    resume = shutil.which("fr")
    if resume is None:
        raise Absent("fast-resume is not installed")
    with tempfile.TemporaryDirectory(dir=sample.home.folder) as folder:
        linked = Path(folder, SESSION)
        linked.parent.mkdir(parents=True)
        linked.symlink_to(sample.path)
        environ = {**sample.home.environ(), "HOME": folder, "XDG_CACHE_HOME": f"{folder}/cache"}
        yield {
            "unspool": lambda: read_anew(sample.path),
            "fast-resume": lambda: took((resume, "--rebuild", "--list"), environ),
        }


def read_anew(path: Path) -> float:
    """Return the milliseconds in which a session is read from its first byte to its last."""
    return seconds(lambda: open_library([str(path)]).view(str(path)).close()) * 1000


@contextmanager
def peak(sample: Sample) -> Iterator[Arms]:
    """The most memory that a process takes which opens and searches a session, in MB."""
    command = (*PYTHON, "tests.bench.memory", str(sample.path), NEEDLE, "a")

    def most() -> float:
        done = subprocess.run(command, env=sample.home.cold(), stdout=subprocess.PIPE, text=True, check=True)
        return max(map(float, PEAK.findall(done.stdout)))

    yield {"unspool": most}


@contextmanager
def gap(sample: Sample) -> Iterator[Arms]:
    """The longest that the screen's thread is busy at once while a session is read of which nothing is kept."""
    report = sample.home.folder / "gap"

    def longest() -> float:
        report.unlink(missing_ok=True)
        run((*PYTHON, "tests.bench.beating", str(report), str(sample.path)), sample.home.cold(), BEATEN.encode())
        return float(report.read_text()) * 1000

    yield {"unspool": longest}


@contextmanager
def exported(sample: Sample) -> Iterator[Arms]:
    """A page to share, beside the one that claude-code-log makes."""
    peer = shutil.which("claude-code-log")
    if peer is None:
        raise Absent("claude-code-log is not installed")
    with tempfile.TemporaryDirectory(dir=sample.home.folder) as folder:
        copied = shutil.copy(sample.path, folder)  # it writes beside what it reads
        environ, page = {**sample.home.environ(), "HOME": folder}, f"{folder}/page.html"
        ours = (*PYTHON, "unspool_tui", "export", str(sample.path), "-o", page, "--force")
        yield {
            "unspool": lambda: took(ours, environ),
            "claude-code-log": lambda: took((peer, copied, "-o", f"{folder}/theirs.html"), environ),
        }


@contextmanager
def first_screen(sample: Sample) -> Iterator[Arms]:
    """The first frame beside that of a viewer of logs, which shows raw lines."""
    viewer = shutil.which("lnav")
    if viewer is None:
        raise Absent("lnav is not installed")
    environ = sample.home.environ()
    yield {
        "unspool": lambda: shown((*OPEN, str(sample.path)), sample.home.cold(), FIRST_ROW),
        "lnav": lambda: shown((viewer, str(sample.path)), environ, b'"type"'),
    }
