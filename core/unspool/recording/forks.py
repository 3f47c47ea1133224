"""Sessions that go on from where another one stands, and what they still need of it.

The name that a fork gets is the last event of what was copied, and tells where that came from:

    {"type":"rename", …, "title":"Count the pages_fork1", "forkedFrom":["1a2b3c4d", …]}

`forkedFrom` lists the source and those that it was forked from, the nearest first, by the names of their files, which
are their ids wherever these are safe: the large results that the copy points to lie in the folder of one of them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from unspool.errors import NotFound
from unspool.recording.folders import open_folder
from unspool.recording.log_lines import events_in, lines_of, reader
from unspool.stores.minicode import ENDING

if TYPE_CHECKING:
    from unspool.blobs.calls import Os
    from unspool.recording.active_log import ActiveLog
    from unspool.recording.event import Event
    from unspool.recording.place import SessionPlace

_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_NAMED: Final = "session"
"""What the name of a fork begins with whose source has no title."""


def fork_events(source: ActiveLog, calls: Os) -> list[Event]:
    """Return what a fork begins with: the boundary and the active events of its source, and its name.

    Raises `NotFound` when nothing is active, `OSError` when the folder cannot be read.
    """
    if not source.messages():
        raise NotFound(f"nothing to go on from in the session {source.place.session_id}")
    begun = [source.boundary] if source.boundary is not None else []
    copied = [event for event in (*begun, *source.events) if event["type"] != "rename"]
    origins = [source.place.name, *source.origins]
    return [*copied, {"type": "rename", "title": _title(source, calls), "forkedFrom": origins}]


def names_needed(place: SessionPlace, log: Path, calls: Os) -> set[str]:
    """Return the names of the files in a session's folder of results that another session's log points to.

    Raises `OSError` when the log cannot be read.
    """
    pointing = re.compile(
        rb"[/\\]" + _however_written(place.name) + rb"[/\\]+" + re.escape(place.results.name.encode())
        + rb'[/\\]+([^/\\"\n]+)'
    )  # fmt: skip
    return {os.fsdecode(found[1]) for line in _lines(log, calls) for found in pointing.finditer(line)}


def _however_written(name: str) -> bytes:
    """Return a pattern of a name in a line of JSON: characters beyond ASCII may stand there as escapes."""
    ways = ([re.escape(os.fsencode(sign)), re.escape(json.dumps(sign)[1:-1].encode())] for sign in name)
    return b"".join(b"(?:" + plain + b"|(?i:" + escaped + b"))" for plain, escaped in ways)


def sibling_logs(place: SessionPlace, calls: Os) -> list[Path]:
    """Return the other logs of a session's project. Raises `OSError`."""
    with open_folder(calls, place.project) as folder:
        names = sorted(calls.names(folder))
    return [place.project / name for name in names if name.endswith(ENDING) and name != place.log.name]


def _title(source: ActiveLog, calls: Os) -> str:
    """Return the name of the next fork of a session: one more than the highest number of those that there are."""
    beginning = f"{source.title or _NAMED}_fork"
    numbers = [0]
    for log in sibling_logs(source.place, calls):
        name = _name_of(log, calls) or ""
        number = name.removeprefix(beginning)
        if name.startswith(beginning) and number.isdecimal():
            numbers.append(int(number))
    return f"{beginning}{max(numbers) + 1}"


def _name_of(log: Path, calls: Os) -> str | None:
    """Return the last name in a log. Only lines that may hold one are decoded."""
    name = None
    for line in _lines(log, calls):
        if b'"rename"' in line:
            for event in events_in(line):
                title = event.get("title")
                name = title if event.get("type") == "rename" and isinstance(title, str) else name
    return name


def _lines(log: Path, calls: Os) -> Iterator[bytes]:
    descriptor = calls.open(str(log), _FLAGS)
    try:
        yield from lines_of(reader(calls, descriptor), calls.stat(descriptor).st_size)
    finally:
        calls.close(descriptor)
