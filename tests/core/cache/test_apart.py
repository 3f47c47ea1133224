"""A long session is read and kept by a process of its own, and read here where that cannot be."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from threading import Event

import pytest

from tests.core.cache.test_session_cache import beside
from tests.core.views.growing import portrait
from unspool.cache import apart
from unspool.cache.sessions import SessionCache
from unspool.ids import SessionRef
from unspool.views.opened import Opened
from unspool.views.view import SessionView


class Session:
    """A session with saved outputs, and what a view of it says that is read from the beginning."""

    def __init__(self, folder: Path) -> None:
        self.read = beside(folder)
        self.expected = portrait(self.read.fresh())

    def opened(self, folder: Path) -> dict[str, object]:
        """What a view says when long sessions are read apart, as all are here."""
        cache = SessionCache(str(folder), kept_from=0, apart=0)
        opened = cache.open(str(self.read.path), self.read.format, self.read.side_files)
        return portrait(SessionView(SessionRef("claude", "5f1d9b0e-77aa-4c43-9a59-0c4b3e1d2a10"), opened))


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


def never_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Opened, "open", lambda *_: pytest.fail("read here"))


def test_a_process_of_its_own_reads_and_keeps(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    never_here(monkeypatch)
    assert session.opened(tmp_path / "cache") == session.expected


@pytest.mark.parametrize(
    "command",
    [("/nowhere/python",), (sys.executable, "-c", "raise SystemExit(1)"), (sys.executable, "-c", "")],
    ids=["no such program", "one that fails", "one that keeps nothing"],
)
def test_where_that_cannot_be_it_is_read_here(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr(apart, "COMMAND", command)
    assert session.opened(tmp_path / "cache") == session.expected


def test_no_process_begins_where_nothing_can_be_kept(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "read_apart", lambda *_: pytest.fail("began"))
    (tmp_path / "file").write_bytes(b"")
    assert session.opened(tmp_path / "file") == session.expected


def test_nothing_of_the_folder_that_a_person_works_in_is_imported(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "work"
    for module in ("json", "orjson", "subprocess", "unspool"):
        (work / module).mkdir(parents=True)
        (work / module / "__init__.py").write_text("open('imported', 'w')\n", "utf-8")
    monkeypatch.chdir(work)
    never_here(monkeypatch)
    assert session.opened(tmp_path / "cache") == session.expected
    assert not (work / "imported").exists()


def test_the_process_ends_with_the_one_that_waits_for_it() -> None:
    read, write = os.pipe()
    ended = Event()
    apart.watch(read, ended.set)
    os.write(write, b"\n")
    os.close(write)
    assert ended.wait(60)
    os.close(read)
