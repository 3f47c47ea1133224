"""A library keeps the long sessions that it has read where it is told to, and nowhere else."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.core.views.growing import portrait, said
from unspool.cache import KEPT_FROM
from unspool.library import Library, open_library
from unspool.views.opened import Opened

SAID = [said(1, "Sort the list"), said(2, "x" * KEPT_FROM, "assistant"), said(3, "Once more")]
LINES = [line.replace(b"{", b'{"userType":"external",', 1) for line in SAID]


@pytest.fixture
def session(tmp_path: Path) -> Path:
    project = tmp_path / "home" / ".claude" / "projects" / "-srv-shop"
    project.mkdir(parents=True)
    path = project / "5f1d9b0e-77aa-4c43-9a59-0c4b3e1d2a10.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in LINES))
    return path


@pytest.fixture
def library(session: Path, tmp_path: Path) -> Callable[[], Library]:
    """Open a library as another process would."""
    return lambda: open_library(environ={}, home=str(tmp_path / "home"), cache=str(tmp_path / "cache"))


@pytest.fixture
def kept(library: Callable[[], Library], session: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """What a view said that was read; since then, nothing is read from its beginning."""
    said = portrait(library().view(str(session)))
    monkeypatch.setattr(Opened, "of", lambda *_: pytest.fail("read from its beginning"))
    return said


def test_a_session_that_was_read_is_kept(
    kept: dict[str, object], library: Callable[[], Library], session: Path, tmp_path: Path
) -> None:
    assert portrait(library().view(str(session))) == kept
    (file,) = (tmp_path / "cache" / "columns").iterdir()
    assert [each for each, _, files in os.walk(tmp_path / "home") if file.name in files] == []


def test_of_a_session_that_is_gone_nothing_is_kept_once_that_is_seen(
    library: Callable[[], Library], session: Path, tmp_path: Path
) -> None:
    other = session.with_name("6a1d9b0e-77aa-4c43-9a59-0c4b3e1d2a10.jsonl")
    other.write_bytes(session.read_bytes().replace(b"Sort the list", b"Keep it all"))
    for path in (session, other):
        os.utime(path, (1_000, 1_000))
        library().view(str(path))
    library().sessions()
    cache = tmp_path / "cache"
    assert len(list((cache / "columns").iterdir())) == 2
    assert b"Sort the list" in (cache / "glances").read_bytes()
    session.unlink()
    library().sessions()
    assert len(list((cache / "columns").iterdir())) == 1
    assert b"Sort the list" not in (cache / "glances").read_bytes()
    assert b"Keep it all" in (cache / "glances").read_bytes()


def test_the_head_of_a_session_that_was_kept_is_all_of_it(
    kept: dict[str, object], library: Callable[[], Library], session: Path
) -> None:
    tail = library().head(str(session), len(LINES[0]) + 1)
    assert tail is not None
    assert portrait(tail.view) == kept
    with session.open("ab") as file:
        file.write(said(4, "more") + b"\n")
    turn = tail.poll()
    assert turn is not None
    assert (turn.kept, turn.view.rows) == (3, 4)


def test_a_head_does_not_wait_for_much_that_was_appended(library: Callable[[], Library], session: Path) -> None:
    library().view(str(session))
    with session.open("ab") as file:
        file.write(said(4, "more " * 100) + b"\n")
    whole, head = (library().head(str(session), most) for most in (10_000, 300))
    assert whole is not None
    assert head is not None
    assert (whole.view.rows, head.view.rows) == (4, 1)


def test_a_search_over_all_sessions_reads_none_again(kept: dict[str, object], library: Callable[[], Library]) -> None:
    assert [str(hit.evidence.id) for _, hit in library().search("Once more")] == ["E2.0"]


def test_without_a_folder_nothing_is_kept(session: Path, tmp_path: Path) -> None:
    library = open_library(environ={}, home=str(tmp_path / "home"))
    library.view(str(session))
    assert sorted(os.listdir(tmp_path)) == ["home"]


def test_what_streams_in_is_not_kept(session: Path, tmp_path: Path) -> None:
    library = open_library([str(session.parent)], cache=str(tmp_path / "cache"), stream=lambda: str(session))
    assert library.view("-").rows == 3
    assert not (tmp_path / "cache" / "columns").exists()


def test_the_doctor_tells_how_much_is_kept(library: Callable[[], Library], session: Path, tmp_path: Path) -> None:
    assert not any("kept" in line.text for line in library().doctor(quick=True))
    library().view(str(session))
    (file,) = (tmp_path / "cache" / "columns").iterdir()
    (line,) = (line for line in library().doctor(quick=True) if "kept" in line.text)
    assert (line.level, line.path) == ("note", str(file.parent))
    assert f"1 session kept to be opened at once, {file.stat().st_size:,} bytes" in line.text
