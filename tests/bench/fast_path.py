"""Print how much of the sample sessions the fast path reads: `python -m tests.bench.fast_path`.

The fast path is one pass of the compiled decoder over a line that is held and is one record. All else, what is torn,
glued, spread over lines or longer than is held, is read by the tolerant parser.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from tests.shared_data import SHARED
from unspool import open_library
from unspool.sources.jsonl import JsonLines
from unspool.sources.record import Entry

AGENTS: Final = ("claude", "codex")
"""Agents whose genuine sessions there are enough of."""


class Share(NamedTuple):
    """Records and bytes that the fast path reads, of all that there are."""

    agent: str
    files: int = 0
    fast: int = 0
    records: int = 0
    fast_bytes: int = 0
    bytes: int = 0

    def __str__(self) -> str:
        return (
            f"{self.agent}: {self.files} sessions, {self.fast / max(1, self.records):.2%} of {self.records:,} records, "
            f"{self.fast_bytes / max(1, self.bytes):.2%} of {self.bytes / 1e6:.1f} MB"
        )


def shares(corpus: Path) -> Iterator[Share]:
    """Yield the share of each agent's sessions."""
    for agent in AGENTS:
        share = Share(agent)
        for path in sorted(each.path for each in open_library([str(corpus / agent)]).sessions()):
            share = _with_file(share._replace(files=share.files + 1), path)
        yield share


def _with_file(share: Share, path: str) -> Share:
    with closing(JsonLines.open(path)) as lines:
        for entry in lines.entries():
            fast = is_fast(lines, entry)
            for record in entry.records:
                share = share._replace(
                    fast=share.fast + fast,
                    records=share.records + 1,
                    fast_bytes=share.fast_bytes + record.length * fast,
                    bytes=share.bytes + record.length,
                )
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


def main() -> None:
    """Print the shares."""
    for share in shares(SHARED / "corpus") if SHARED is not None else ():
        print(share)


if __name__ == "__main__":
    main()
