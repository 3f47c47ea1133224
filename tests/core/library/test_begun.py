"""What a glimpse of a session began with is gone on with, where it saw what the library would have seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.core.views.growing import portrait, said
from unspool.columns import build
from unspool.library import Library, open_library
from unspool.views.glimpse import glimpse

LINES = [
    said(number, f"Sort list {number}", "assistant" if number % 2 else "user").replace(
        b"{", b'{"userType":"external",', 1
    )
    for number in range(1, 41)
]
MOST = sum(len(line) + 1 for line in LINES[:30])
ALL = sum(len(line) + 1 for line in LINES)
NAME = "5f1d9b0e-77aa-4c43-9a59-0c4b3e1d2a10.jsonl"


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "home" / ".claude" / "projects" / "-srv-shop" / NAME
    path.parent.mkdir(parents=True)
    path.write_bytes(b"".join(line + b"\n" for line in LINES))
    return path


@pytest.fixture
def library(session: Path, tmp_path: Path) -> Library:
    return open_library(environ={}, home=str(tmp_path / "home"))


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The offsets of the records that were decoded for their columns."""
    offsets: list[int] = []
    decode = build.decode

    def counted(format: Any, record: Any, source: Any, offset: int, length: int) -> Any:
        offsets.append(offset)
        return decode(format, record, source, offset, length)

    monkeypatch.setattr(build, "decode", counted)
    return offsets


def test_no_record_is_read_twice_and_the_head_is_what_it_would_be(
    session: Path, library: Library, decoded: list[int]
) -> None:
    seen = glimpse(str(session), MOST, 5)
    assert seen is not None
    assert len(decoded) == seen.rows == 5
    tail = library.head(str(session), ALL, seen)
    assert tail is not None
    assert tail.view.rows == len(decoded) == len({*decoded}) == len(LINES)
    assert portrait(tail.view) == portrait(open_library([str(session)]).view(str(session)))


def test_of_a_longer_session_the_head_is_what_was_seen_and_its_tail_finds_the_rest(
    session: Path, library: Library, decoded: list[int]
) -> None:
    seen = glimpse(str(session), MOST, 5)
    assert seen is not None
    tail = library.head(str(session), ALL - 1, seen)
    assert tail is not None
    assert tail.view.rows == len(decoded) == 5
    turn = tail.poll()
    assert turn is not None
    assert (turn.kept, turn.view.rows) == (5, len(LINES))
    assert portrait(turn.view) == portrait(open_library([str(session)]).view(str(session)))


def test_a_glimpse_of_all_is_all(session: Path, library: Library, decoded: list[int]) -> None:
    seen = glimpse(str(session), 1 << 20)
    tail = library.head(str(session), 1 << 20, seen)
    assert tail is not None
    assert tail.view is seen
    assert len(decoded) == len(LINES)


def test_the_glimpse_of_another_session_is_none_of_this_one(session: Path, library: Library) -> None:
    other = session.with_name(NAME.replace("5f1d", "6f1d"))
    other.write_bytes(LINES[0] + b"\n")
    tail = library.head(str(session), MOST, glimpse(str(other), MOST))
    assert tail is not None
    assert tail.view.source_path == str(session)
    assert tail.view.rows > 5


def test_where_blobs_lie_beside_a_session_it_is_read_with_them(
    session: Path, tmp_path: Path, decoded: list[int]
) -> None:
    (tmp_path / "blobs").mkdir()
    library = open_library(environ={}, home=str(tmp_path / "home"), blobs=str(tmp_path / "blobs"))
    tail = library.head(str(session), MOST, glimpse(str(session), MOST, 5))
    assert tail is not None
    assert len(decoded) == tail.view.rows + 5


def test_what_was_rewritten_meanwhile_is_read_anew(session: Path, library: Library) -> None:
    seen = glimpse(str(session), MOST, 5)
    session.write_bytes(session.read_bytes().replace(b"Sort list", b"Mend list"))
    tail = library.head(str(session), ALL, seen)
    assert tail is not None
    assert tail.view.evidence_at(0).summary == "Mend list 1"
