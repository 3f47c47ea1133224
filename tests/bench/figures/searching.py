"""Searching one session and many, beside ripgrep, or grep where that is not installed."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from typing import Final, NamedTuple

from tests.bench.figures.figure import Arms, Sample
from tests.bench.figures.keeping import read_into
from tests.bench.figures.opening import took
from tests.bench.first_frame import PYTHON
from tests.bench.pairs import seconds
from tests.bench.sessions import NEEDLE, needles_in
from unspool import open_library
from unspool.views.bounds import SEARCH_MOST

SEARCH: Final = (*PYTHON, "unspool_tui", "search")
SHOWN: Final = 200
"""Hits of a page, each verified."""


class Counting(NamedTuple):
    """A program that counts the lines which hold a text, by file: its name, and its command before the text."""

    name: str
    command: tuple[str, ...]

    @classmethod
    def of(cls, *, folded: bool = False, tree: bool = False) -> Counting:
        """Return what counts as it is called to be fair: literally, hidden folders too."""
        if shutil.which("rg") is not None:
            flags = ("-c", *(["-i"] if folded else []), *(["--hidden", "--no-ignore"] if tree else []), "-F", "-e")
            return cls("rg -ic" if folded else "rg -c", ("rg", *flags))
        flags = ("-c", *(["-i"] if folded else []), *(["-r"] if tree else []), "-F", "-e")
        return cls("grep -ic" if folded else "grep -c", ("grep", *flags))

    def arm(self, words: str, sample: Sample) -> Callable[[], float]:
        """Return what counts once, and tells the milliseconds of the process."""
        return lambda: took((*self.command, words, str(sample.path)), sample.home.environ())


@contextmanager
def rare(sample: Sample) -> Iterator[Arms]:
    """A literal that stands in few outputs, filtered and verified, by a process that finds the columns kept."""
    ours = (*SEARCH, NEEDLE, str(sample.path), "--kind", "tool", "--case", "exact")
    yield _whole_processes(ours, NEEDLE, Counting.of(), sample)


@contextmanager
def folded(sample: Sample) -> Iterator[Arms]:
    """The same in other letters."""
    ours = (*SEARCH, NEEDLE.upper(), str(sample.path))
    yield _whole_processes(ours, NEEDLE.upper(), Counting.of(folded=True), sample)


@contextmanager
def across(sample: Sample) -> Iterator[Arms]:
    """A literal in all sessions of a home, their side files too."""
    ours = (*SEARCH, NEEDLE, "--root", str(sample.path), "--case", "exact", "--limit", str(SEARCH_MOST))
    yield _whole_processes(ours, NEEDLE, Counting.of(tree=True), sample)


def _whole_processes(ours: tuple[str, ...], words: str, counting: Counting, sample: Sample) -> Arms:
    environ = sample.home.environ()
    search_all(ours, environ)  # what is kept of a session is kept from here on
    return {"unspool": lambda: took(ours, environ), counting.name: counting.arm(words, sample)}


def search_all(command: Sequence[str], environ: Mapping[str, str]) -> None:
    """Run a search once; raises `ValueError` when it leaves out what its yardstick looks into."""
    done = subprocess.run([*command, "--json"], env=environ, stdout=subprocess.PIPE, check=False)
    if not json.loads(done.stdout.splitlines()[-1])["summary"]["complete"]:
        raise ValueError("the search ended before it had looked into everything")


def dense(words: str) -> Callable[[Sample], AbstractContextManager[Arms]]:
    """Return the arms of a text that stands almost everywhere: an exact total and a page, in an app that runs."""

    @contextmanager
    def arms(sample: Sample) -> Iterator[Arms]:
        counting = Counting.of()
        with closing(read_into(sample.home.cache / "unspool", sample.path)) as view:
            yield {
                "unspool": lambda: seconds(lambda: view.search(words, limit=SHOWN, case="exact")) * 1000,
                counting.name: counting.arm(words, sample),
            }

    return arms


@contextmanager
def miscounted(sample: Sample) -> Iterator[Arms]:
    """Needles that a search finds more or less often than they were planted anywhere in a session, in percent."""
    planted = needles_in(sample.path)
    with closing(open_library([str(sample.path)]).view(str(sample.path))) as view:

        def off(needle: str) -> int:
            found = sum(count for _, count in view.search_rows(needle, case="exact"))
            return abs(found - planted[needle])

        yield {"unspool": lambda: 100 * sum(map(off, planted)) / sum(planted.values())}
