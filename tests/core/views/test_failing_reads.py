"""A disk or a network that fails while an opened session is read: every question says so in one line, and nothing else.

When it gives again what was asked for, the same view answers.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.core.follow.failing import failing
from tests.core.views.growing import answered, called, said
from unspool.errors import SourceChanged, Unreadable
from unspool.formats.claude_code import CLAUDE_CODE
from unspool.ids import SessionRef
from unspool.stores.artifacts import ArtifactFolder, RefusedArtifact
from unspool.views.view import SessionView

FAULTS = [errno.EIO, errno.EACCES, errno.ESTALE, errno.ENOTCONN]

QUESTIONS: dict[str, Callable[[SessionView], object]] = {
    "overview": lambda view: view.overview(),
    "evidence": lambda view: view.evidence(),
    "search": lambda view: view.search("list"),
    "raw search": lambda view: view.search("list", raw=True),
    "read": lambda view: view.read("E0"),
    "raw": lambda view: view.read("E0", raw=True),
    "slice": lambda view: view.slice("E0"),
    "find": lambda view: view.find("E0", "list"),
    "digest": lambda view: view.digest(0),
    "arguments": lambda view: view.arguments(1),
    "brief": lambda view: view.brief(),
    "paths": lambda view: view.stats(paths=True),
}


@pytest.fixture
def view(tmp_path: Path) -> SessionView:
    path = tmp_path / "session.jsonl"
    lines = [said(0, "Sort the list"), called(1, "t1"), answered(2, "t1", "done"), said(3, "x" * 100_000)]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    view = SessionView.open(str(path), SessionRef("claude", "s"), CLAUDE_CODE)
    with path.open("ab") as file:
        file.write(said(4, "later") + b"\n")  # the next read looks whether the file is the one that was opened
    return view


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("fault", FAULTS, ids=[errno.errorcode[fault] for fault in FAULTS])
def test_a_question_that_meets_a_fault_says_which(view: SessionView, fault: int, question: str) -> None:
    view.release()
    with failing(view.source_path, fault), pytest.raises(Unreadable) as caught:
        QUESTIONS[question](view)
    assert str(caught.value) == f"{view.source_path} cannot be read: {os.strerror(fault)}"
    QUESTIONS[question](view)


@pytest.mark.parametrize("call", ["stat", "fstat", "pread"])
def test_whatever_the_call_is_that_fails_growth_says_so(view: SessionView, call: str) -> None:
    with failing(view.source_path, errno.EIO, (call,)), pytest.raises(Unreadable, match="Input/output error"):
        view.refreshed()
    assert view.refreshed().rows == 5


@pytest.mark.parametrize("call", ["fstat", "pread"])
def test_a_side_file_that_cannot_be_read_is_refused_or_no_longer_what_it_was(tmp_path: Path, call: str) -> None:
    path = tmp_path / "s" / "t.txt"
    path.parent.mkdir()
    path.write_text("saved")
    folder = ArtifactFolder(str(tmp_path), ("s",))
    file = folder.find("t.txt")
    assert file is not None
    with failing(str(path), errno.ESTALE, (call,)):
        with pytest.raises(SourceChanged, match="Stale file handle"):
            file.read(0, 5)
        if call == "fstat":
            with pytest.raises(RefusedArtifact, match="Stale file handle"):
                folder.find("t.txt")
    assert file.read(0, 5) == b"saved"
