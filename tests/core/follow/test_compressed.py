"""A session whose file gives way to its compressed form while it is followed with others."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Final

from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from unspool.follow.events import AnyEvent, Moved
from unspool.follow.following import Following
from unspool.library import open_library

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SECONDS: Final = 30.0
"""How long an event may take on a busy machine before it counts as lost."""


def until_moved(following: Following) -> list[AnyEvent]:
    """Hear what is told up to a move."""
    events, end = list[AnyEvent](), time.monotonic() + SECONDS
    while not any(isinstance(event, Moved) for event in events):
        assert time.monotonic() < end, events
        events += following.step()
    return events


def test_it_is_no_other_session_while_both_are_there_and_moves_when_one_is_gone(home: Path) -> None:
    lines = Codex(home, Names(3))
    lines.user("Go")
    lines.answer("Gone")
    lines.save()
    archive = lines.path.with_name(f"{lines.path.name}.zst")
    with open_library([str(home)]).follow() as following:
        following.step(0)
        archive.write_bytes(zstd.compress(lines.path.read_bytes()))
        assert [event for _ in range(8) for event in following.step(0.05)] == []
        lines.path.unlink()
        (moved,) = [*until_moved(following), *following.step(0), *following.step(0)]
        assert isinstance(moved, Moved)
        assert (moved.before, moved.path) == (str(lines.path), str(archive))
        lines.save()
        archive.unlink()
        (moved,) = [*until_moved(following), *following.step(0), *following.step(0)]
        assert isinstance(moved, Moved)
        assert moved.path == str(lines.path)
