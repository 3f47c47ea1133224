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
from unspool.follow.tail import Tail
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


def test_what_was_compressed_and_went_is_followed_where_it_comes_back(home: Path) -> None:
    lines = Codex(home, Names(3))
    lines.user("Go")
    lines.save()
    archive = lines.path.with_name(f"{lines.path.name}.zst")
    tail = open_library([str(home)]).tail(str(lines.path))
    archive.write_bytes(zstd.compress(lines.path.read_bytes()))
    lines.path.unlink()
    assert events(tail) == ["moved"]
    archive.unlink()
    assert events(tail) == ["gone"]
    lines.answer("Gone")
    lines.save()
    before = tail.view
    assert events(tail) == ["moved", "replaced"]
    assert (tail.path, tail.gone) == (str(lines.path), False)
    assert tail.view.rows == open_library([str(home)]).view(str(lines.path)).rows > before.rows
    tail.close()


def events(tail: Tail) -> list[str]:
    """Look until nothing happens any more, twice; return what was told."""
    turns = [tail.poll() for _ in range(4)]
    assert turns[2:] == [None, None]
    return [event.event for turn in turns if turn is not None for event in turn.events]
