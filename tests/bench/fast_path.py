"""Print how much of the sample sessions takes the fast paths: `python -m tests.bench.fast_path`.

A record is decoded fast when one pass of the compiled decoder reads its line: all else, what is torn, glued, spread
over lines or longer than is held, is read by the tolerant parser. It is understood fast when its shape is one of the
commonest, which its format reads the direct way. A text is searched fast where its record holds it as
it is, so that raw bytes prove a match: all else is decoded.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from tests.shared_data import SHARED
from unspool import open_library
from unspool.columns.verbatim import NOWHERE
from unspool.formats import by_agent
from unspool.formats.base import Direct, Format
from unspool.sources.jsonl import JsonLines
from unspool.sources.record import Entry

AGENTS: Final = ("claude", "codex")
"""Agents whose genuine sessions there are enough of."""

EVERYWHERE: Final = "a"
"""What must be looked for in every text, so that each is looked at."""


class Share(NamedTuple):
    """How many of some things took the fast path, of how many, and their bytes."""

    what: str
    fast: int = 0
    all: int = 0
    fast_bytes: int = 0
    bytes: int = 0

    def with_one(self, size: int, *, fast: bool) -> Share:
        """Count one more."""
        counted = self.fast + fast, self.all + 1, self.fast_bytes + size * fast, self.bytes + size
        return Share(self.what, *counted)

    def __str__(self) -> str:
        by_number, by_size = self.fast / max(1, self.all), self.fast_bytes / max(1, self.bytes)
        return f"{self.what}: {by_number:.1%} of {self.all:,}, {by_size:.1%} of {self.bytes / 1e6:.1f} MB"


def shares(corpus: Path) -> Iterator[Share]:
    """Yield the shares of each agent's sessions."""
    for agent in AGENTS:
        decoded = Share(f"{agent}, records decoded in one pass")
        plain = Share(f"{agent}, records understood the direct way")
        searched = Share(f"{agent}, texts searched in raw bytes")
        for path in sorted(each.path for each in open_library([str(corpus / agent)]).sessions()):
            decoded, searched = with_records(decoded, path), with_texts(searched, path)
            plain = with_shapes(plain, path, by_agent(agent))
        yield from (decoded, plain, searched)


def with_records(share: Share, path: str) -> Share:
    """Count the records of a session too."""
    with closing(JsonLines.open(path)) as lines:
        for entry in lines.entries():
            fast = is_fast(lines, entry)
            for record in entry.records:
                share = share.with_one(record.length, fast=fast)
    return share


def with_shapes(share: Share, path: str, format: Format | None) -> Share:
    """Count the records of a session that its format reads the direct way."""
    with closing(JsonLines.open(path)) as lines:
        for record in (record for entry in lines.entries() for record in entry.records):
            plain = isinstance(format, Direct) and format.plain(record.value) is not None
            share = share.with_one(record.length, fast=plain)
    return share


def is_fast(lines: JsonLines, entry: Entry) -> bool:
    """Say whether a line is held, and decoded at the first go: what is torn, glued or spread is not."""
    if entry.length > lines.limit:
        return False
    try:
        orjson.loads(lines.read(entry.offset, entry.length))
    except orjson.JSONDecodeError:
        return False
    return True


def with_texts(share: Share, path: str) -> Share:
    """Count the texts of a session too, those that a search leaves out by itself not."""
    with closing(open_library([path]).view(path)) as view:
        for _ in view.search_rows(EVERYWHERE):
            pass
        records = view._opened.records
        for form, size in zip(records.verbatim.forms, records.columns.bytes, strict=False):
            share = share.with_one(size, fast=form > NOWHERE)
    return share


def main() -> None:
    """Print the shares."""
    for share in shares(SHARED / "corpus") if SHARED is not None else ():
        print(share)


if __name__ == "__main__":
    main()
