"""A session file to which everything happens that can happen to a file, and a tail that follows it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

from tests.core.follow.meter import Meter
from tests.core.views.growing import portrait
from unspool.follow.tail import Tail, Turn
from unspool.formats.claude_code import CLAUDE_CODE
from unspool.formats.piece import Flag
from unspool.ids import SessionRef
from unspool.views.view import SessionView

REF: Final = SessionRef("claude", "followed")

CONSTANT: Final = 65_536
"""Bytes that a look may read beside what was appended."""


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def opened(path: str) -> SessionView:
    """A view of a file that is read from its beginning."""
    return SessionView.open(path, REF, CLAUDE_CODE)


class Followed:
    """One file, wherever it lies, and its tail; after each change the tail is asked until it has no more to tell."""

    def __init__(self, folder: Path, begin: bytes = b"") -> None:
        self.folders = [folder / "here", folder / "there"]
        for each in self.folders:
            each.mkdir()
        self.path = self.folders[0] / "session.jsonl"
        self.path.write_bytes(begin)
        self.ticking = folder / "tick"
        self.ticking.touch()
        self.clock = Clock()
        self.meter = Meter()
        self.tail = Tail(opened(str(self.path)), opened, self.find, now=self.clock)
        self.told: list[str] = []
        self.kept = 0
        self.shown = [str(self.tail.view.id(row)) for row in range(self.tail.view.rows)]

    def find(self, device: int, inode: int) -> str | None:
        """Where a file lies now."""
        for path in (path for folder in self.folders for path in folder.iterdir()):
            if (path.stat().st_dev, path.stat().st_ino) == (device, inode):
                return str(path)
        return None

    def tick(self) -> None:
        """Wait until the file system gives another time than it gave to the file last."""
        known = self.tail.view.identity.ctime_ns
        while self.ticking.stat().st_ctime_ns <= known:
            os.utime(self.ticking)

    def settle(self) -> list[Turn]:
        """Look until there is nothing more to tell."""
        turns: list[Turn] = []
        with self.meter.counting():
            for _ in range(8):
                turn = self.tail.poll()
                if turn is not None:
                    turns.append(turn)
                    self.note(turn)
                elif not self.tail.unsettled:
                    break
            else:
                raise AssertionError("the tail finds no end")
        return turns

    def note(self, turn: Turn) -> None:
        """Keep the list of pieces as someone does who only hears what is told."""
        self.told += [event.event for event in turn.events]
        self.kept = turn.kept
        del self.shown[turn.kept :]
        self.shown += [str(turn.view.id(row)) for row in range(turn.kept, turn.view.rows)]

    def check(self) -> None:
        """The view equals one that is read anew, and nothing was told twice or not at all."""
        assert len(set(self.shown)) == len(self.shown)
        if self.path.exists():
            assert not self.tail.gone
            assert portrait(self.tail.view) == portrait(opened(str(self.path)))
        else:
            assert self.tail.gone
        assert self.shown == [str(self.tail.view.id(row)) for row in range(self.tail.view.rows)]

    def append(self, data: bytes) -> None:
        """Write at the end, look, and see that no more was read than that."""
        known = self.path.exists() and not self.tail.gone and not self.is_glued(data)
        self.tick()
        with self.path.open("ab") as file:
            file.write(data)
        before = self.meter.bytes
        self.settle()
        if known and data:
            assert self.meter.bytes - before <= len(data) + CONSTANT

    def is_glued(self, data: bytes) -> bool:
        """Whether something is written behind a whole record on its line, which makes it another line."""
        view = self.tail.view
        unfinished = view.rows > 0 and Flag.UNTERMINATED in view.flags(view.rows - 1)
        return unfinished and not data.lstrip(b" \t\r").startswith(b"\n")

    def change(self, how: str, data: bytes = b"", cut: int = 0) -> None:
        """Do one thing to the file, and look."""
        self.tick()
        getattr(self, f"_{how}")(data, cut)
        self.settle()

    def _truncate(self, data: bytes, cut: int) -> None:
        if self.path.exists():
            os.truncate(self.path, cut % (self.path.stat().st_size + 1))

    def _replace(self, data: bytes, cut: int) -> None:
        other = self.path.with_name("other.tmp")
        other.write_bytes(data)
        other.replace(self.path)

    def _overwrite(self, data: bytes, cut: int) -> None:
        self.path.write_bytes(data)

    def _delete(self, data: bytes, cut: int) -> None:
        self.path.unlink(missing_ok=True)

    def _recreate(self, data: bytes, cut: int) -> None:
        self.path.unlink(missing_ok=True)
        self.path.write_bytes(data)

    def _move(self, data: bytes, cut: int) -> None:
        if self.path.exists():
            there = self.folders[self.path.parent == self.folders[0]] / self.path.name
            shutil.move(self.path, there)
            self.path = there

    def _rewrite(self, data: bytes, cut: int) -> None:
        """Change letters in place: the size stays, and so does the time of the content where it is set back."""
        if self.path.exists():
            state = self.path.stat()
            content = self.path.read_bytes()
            with self.path.open("r+b") as file:
                file.write(content.replace(b"a", b"o") if b"a" in content else content.replace(b"o", b"a"))
            os.utime(self.path, ns=(state.st_atime_ns, state.st_mtime_ns))

    def _touch(self, data: bytes, cut: int) -> None:
        if self.path.exists():
            os.utime(self.path)
