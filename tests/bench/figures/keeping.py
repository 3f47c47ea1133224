"""What is kept of a session: how soon it is all there again, and how much room it takes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.bench.figures.figure import Arms, Sample
from tests.bench.figures.opening import MINIMAL_ROW, OPEN, shown, took
from tests.bench.first_frame import LISTENS, MINIMAL
from tests.bench.pairs import seconds
from unspool import SessionView, open_library
from unspool_tui.present.numbers import count


@contextmanager
def warm(sample: Sample) -> Iterator[Arms]:
    """An app that listens with all rows of a session that was read before, above the smallest app that has any."""
    environ = sample.home.environ()
    with closing(read_into(sample.home.cache / "unspool", sample.path)) as view:
        every = f"Evidence {count(view.counts.visible)}".encode()
    yield {
        "unspool": lambda: shown((*OPEN, str(sample.path)), environ, LISTENS, every),
        "minimal app": lambda: shown(MINIMAL, environ, MINIMAL_ROW),
    }


@contextmanager
def warm_view(sample: Sample) -> Iterator[Arms]:
    """A view of a session that was read before, beside counting its lines."""
    cache, environ = sample.home.cache / "unspool", sample.home.environ()
    read_into(cache, sample.path).close()
    yield {
        "unspool": lambda: seconds(lambda: read_into(cache, sample.path).close()) * 1000,
        "wc -l": lambda: took(("wc", "-l", str(sample.path)), environ),
    }


@contextmanager
def share_kept(sample: Sample) -> Iterator[Arms]:
    """The room that a session takes in the cache, in percent of its own."""
    yield {"unspool": lambda: kept(sample)[0] * 100 / sample.path.stat().st_size}


@contextmanager
def kept_a_row(sample: Sample) -> Iterator[Arms]:
    """The room that a session takes in the cache, by its pieces."""

    def each() -> float:
        size, rows = kept(sample)
        return size / rows

    yield {"unspool": each}


def kept(sample: Sample) -> tuple[int, int]:
    """Read a session into an empty cache; return the bytes that are there then, and the session's rows."""
    with tempfile.TemporaryDirectory(dir=sample.home.folder) as folder:
        with closing(read_into(Path(folder, "unspool"), sample.path)) as view:
            rows = view.rows
        return sum(each.stat().st_size for each in Path(folder).rglob("*") if each.is_file()), rows


def read_into(cache: Path, path: Path) -> SessionView:
    """Read a session, and keep of it what the command would."""
    return open_library([str(path)], cache=str(cache)).view(str(path))
