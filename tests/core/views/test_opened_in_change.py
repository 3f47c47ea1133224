"""A session that is cut while it is read for the first time is read again, as it is then."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tests.core.views.growing import portrait, said
from tests.sessions import CLAUDE_CODE
from unspool.errors import Unreadable
from unspool.ids import SessionRef
from unspool.sources import document
from unspool.sources.document import open_log
from unspool.sources.jsonl import JsonLines
from unspool.views.view import SessionView

LINES = b"".join(said(number, f"Sort the list {number}") + b"\n" for number in range(12))
REF = SessionRef("claude", "cut")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cut.jsonl"
    path.write_bytes(LINES)
    return path


def cut(path: Path, cuts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let another program drop the last line, as often, between the opening of the file and its first byte."""
    left = iter(range(cuts))

    def open_and_cut(name: str) -> JsonLines:
        lines = open_log(name)
        if next(left, None) is not None:
            path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
        return lines

    monkeypatch.setattr(document, "open_log", open_and_cut)


@pytest.mark.parametrize("cuts", [1, 3])
def test_it_is_what_it_is_when_it_rests(file: Path, cuts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cut(file, cuts, monkeypatch)
    view = SessionView.open(str(file), REF, CLAUDE_CODE)
    assert view.rows == 12 - cuts
    assert portrait(view) == portrait(SessionView.open(str(file), REF, CLAUDE_CODE))


def test_of_one_that_never_rests_that_is_said(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cut(file, 12, monkeypatch)
    with pytest.raises(Unreadable, match="written anew all the time; try again"):
        SessionView.open(str(file), REF, CLAUDE_CODE)


def test_of_one_whose_disk_fails_that_is_said(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "preadv", fail)
    with pytest.raises(Unreadable, match=r"cut.jsonl cannot be read: Input/output error"):
        SessionView.open(str(file), REF, CLAUDE_CODE)
