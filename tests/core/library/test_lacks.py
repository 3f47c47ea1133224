"""What a session's file was found to lack is not looked for in it again, as long as it is what it was."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.core.views.growing import said
from unspool.library import Library, open_library
from unspool.search import exclusion

NAME = "5f1d9b0e-77aa-4c43-9a59-0c4b3e1d2a10"
OTHER = "6a1d9b0e-77aa-4c43-9a59-0c4b3e1d2a10"
NOW = 2_000_000_000_000


def line(text: str) -> bytes:
    return said(1, text).replace(b"{", b'{"userType":"external",', 1) + b"\n"


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session without an escape, last written long ago, and one in which something is found."""
    folder = tmp_path / "home" / ".claude" / "projects" / "-srv-shop"
    folder.mkdir(parents=True)
    path = folder / f"{NAME}.jsonl"
    path.write_bytes(line("Sort the list"))
    (folder / f"{OTHER}.jsonl").write_bytes(line("the needle"))
    return path


@pytest.fixture
def library(session: Path, tmp_path: Path) -> Callable[[], Library]:
    """Open a library as another process would."""
    return lambda: open_library(environ={}, home=str(tmp_path / "home"), cache=str(tmp_path / "cache"), now=lambda: NOW)


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the blocks in which escapes were looked for."""
    sizes, find = list[int](), exclusion.find_escape

    def find_escape(raw: bytes, start: int) -> int:
        sizes.append(len(raw))
        return find(raw, start)

    monkeypatch.setattr(exclusion, "find_escape", find_escape)
    return sizes


def found(library: Library) -> set[str]:
    """Return the sessions that hold a needle."""
    return {summary.session_id for summary, _ in library.search("needle")}


def test_what_is_not_there_is_looked_for_once(session: Path, library: Callable[[], Library], looked: list[int]) -> None:
    size = session.stat().st_size
    assert found(library()) == {OTHER}
    assert looked == [size]
    again = library()
    assert found(again) == found(again) == {OTHER}
    assert looked == [size]


def test_within_one_run_it_is_looked_for_once_without_a_folder_too(
    session: Path, tmp_path: Path, looked: list[int]
) -> None:
    library = open_library(environ={}, home=str(tmp_path / "home"))
    assert found(library) == found(library) == {OTHER}
    assert len(looked) == 1


@pytest.mark.parametrize("listed", [True, False])
def test_a_file_that_was_written_since_is_looked_through_again(
    session: Path, library: Callable[[], Library], listed: bool
) -> None:
    """Also when it is written between the listing and the search."""
    opened = library()
    assert found(opened) == {OTHER}
    opened = opened if listed else library()
    with session.open("ab") as file:
        file.write(line("a needle").replace(b"needle", b"\\u006eeedle"))
    assert found(opened) == {NAME, OTHER}


def test_what_is_there_is_looked_for_each_time(session: Path, library: Callable[[], Library]) -> None:
    session.write_bytes(line("a needle").replace(b"needle", b"\\u006eeedle") + line("\u001b[1m"))
    for _ in range(2):
        assert found(library()) == {NAME, OTHER}
        assert {summary.session_id for summary, _ in library().search("haystack")} == set()


def test_nothing_is_kept_of_a_file_that_is_gone_once_that_is_seen(
    session: Path, library: Callable[[], Library], tmp_path: Path
) -> None:
    kept = tmp_path / "cache" / "lacks"
    assert found(library()) == {OTHER}
    assert NAME.encode() in kept.read_bytes()
    os.unlink(session)
    assert [summary.session_id for summary in library().sessions()] == [OTHER]
    assert NAME.encode() not in kept.read_bytes()
