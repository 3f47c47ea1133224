"""A home whose files change between two calls of whoever looks at them, and what someone knows who hears of it all."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

from tests.core.follow.home import Home
from tests.core.views.growing import answered, called, finished, said
from unspool.follow.events import (
    AnyEvent,
    Event,
    EvidenceAdded,
    Gone,
    Moved,
    Replaced,
    SessionAppeared,
    SideFileChanged,
    Truncated,
)
from unspool.ids import EvidenceId
from unspool.views.evidence import Evidence

CALLS: Final = ("stat", "lstat", "fstat", "open", "pread", "preadv", "read", "scandir")
"""What asks the system for something; before each of these a file may change."""

FAULTS: Final = (errno.EIO, errno.EMFILE, errno.EACCES, errno.ESTALE)
"""What a call may fail with though the file is there."""

NAMES: Final = ("a.jsonl", "b.jsonl", "c.jsonl", "d.jsonl", "a/subagents/agent-x.jsonl", "a/subagents/agent-y.jsonl")
PROJECTS: Final = ("-work", "-other", "-third")
SAVED: Final = "a/tool-results/t1.txt"
STUB: Final = (
    "<persisted-output>\nOutput too large (54.0KB). Full output saved to: t1.txt\n\n"
    "Preview (first 2KB):\nhalf\n</persisted-output>"
)


class Restless:
    """Changes the files of a home, one change at a time, by the numbers that `rng` gives."""

    def __init__(self, home: Home, rng: Random) -> None:
        self.home = home
        self.rng = rng
        self.left = 0
        """Changes that are still to be made between calls."""
        self.chance = 0.0
        """How likely a change is before a call."""
        self.faults = 0.0
        """How likely it is that a call fails."""
        self._number = 0
        self._at_work = False
        self._ticking = home.folder.with_name("tick")
        self._ticking.touch()
        self._away = home.folder.with_name("away")
        self._changes: list[Callable[[], object]] = [
            *[self._append] * 4,
            *[self._create] * 2,
            *(self._leave_unfinished, self._truncate, self._rewrite, self._rewrite_alike, self._replace, self._delete),
            *(self._recreate, self._move, self._rename_project, self._take_away, self._put_something_else),
            *(self._save, self._forget_saved),
        ]

    @contextmanager
    def between_calls(self) -> Iterator[None]:
        """Change files, or fail, before calls."""

        def restless(call: Callable[..., Any]) -> Callable[..., Any]:
            def change_and_call(*given: Any, **named: Any) -> Any:
                self._before_call()
                return call(*given, **named)

            return change_and_call

        with patch.multiple(os, **{name: restless(getattr(os, name)) for name in CALLS}):
            yield

    def change(self) -> None:
        """Do one thing to one file, at a time of its own."""
        before, self._at_work = self._at_work, True
        try:
            self._tick()
            with suppress(OSError):  # what is not there cannot be changed
                self.rng.choice(self._changes)()
        finally:
            self._at_work = before

    def rest(self) -> None:
        """Change nothing any more; what was away is back."""
        self.left, self.faults = 0, 0.0
        if self._away.exists() and not self.home.folder.exists():
            self._away.rename(self.home.folder)

    def paths(self) -> list[str]:
        """Everything in the home."""
        before, self._at_work = self._at_work, True
        try:
            return [str(path) for path in self.home.folder.rglob("*")]
        finally:
            self._at_work = before

    def lines(self) -> bytes:
        """Some whole lines."""
        return b"".join(self._line() + b"\n" for _ in range(self.rng.randint(1, 4)))

    def _before_call(self) -> None:
        if self._at_work:
            return
        if self.left and self.rng.random() < self.chance:
            self.left -= 1
            self.change()
        if self.faults and self.rng.random() < self.faults:
            fault = self.rng.choice(FAULTS)
            raise OSError(fault, os.strerror(fault))

    def _tick(self) -> None:
        """Wait until the file system gives a time that it never gave before."""
        before = self._ticking.stat().st_ctime_ns
        while self._ticking.stat().st_ctime_ns == before:
            os.utime(self._ticking)

    def _line(self) -> bytes:
        self._number += 1
        kinds = (
            called(self._number, f"t{self._number}"),
            answered(self._number, "t1", STUB),
            finished(self._number, f"text {self._number}"),
            b"{broken",
            said(self._number, f"text {self._number} " + "x" * self.rng.choice((0, 10, 5000))),
        )
        return self.rng.choice(kinds)

    def _any(self) -> Path:
        files = sorted(path for path in self.home.folder.rglob("*.jsonl") if path.is_file())
        return self.rng.choice(files) if files else self.home.write(self._cleared("a.jsonl"), b"")

    def _cleared(self, name: str) -> str:
        """Remove what stands at a name and is no file: to write into a pipe would wait for ever."""
        path = self.home.project / name
        if path.is_dir():
            shutil.rmtree(path)
        elif os.path.lexists(path) and not path.is_file():
            path.unlink()
        return name

    def _append(self) -> None:
        with self._any().open("ab") as file:
            file.write(self.lines())

    def _create(self) -> None:
        self.home.write(self._cleared(self.rng.choice(NAMES)), self.lines())

    def _leave_unfinished(self) -> None:
        with self._any().open("ab") as file:
            file.write(self.lines()[: -self.rng.randint(1, 60)])

    def _truncate(self) -> None:
        path = self._any()
        os.truncate(path, self.rng.randint(0, path.stat().st_size))

    def _rewrite(self) -> None:
        self._any().write_bytes(self.lines())

    def _rewrite_alike(self) -> None:
        path = self._any()
        content = path.read_bytes()
        with path.open("r+b") as file:
            file.write(
                content.replace(b"text ", b"TEXT ") if b"text " in content else content.replace(b"TEXT", b"text")
            )

    def _replace(self) -> None:
        path = self._any()
        other = path.with_suffix(".tmp")
        other.write_bytes(self.lines())
        other.replace(path)

    def _delete(self) -> None:
        self._any().unlink()

    def _recreate(self) -> None:
        path = self._any()
        path.unlink()
        path.write_bytes(self.lines())

    def _move(self) -> None:
        path = self._any()
        there = self.home.project.with_name(self.rng.choice(PROJECTS)) / path.name
        if path.parent.parent == there.parent.parent and not there.exists():
            there.parent.mkdir(exist_ok=True)
            path.rename(there)

    def _rename_project(self) -> None:
        one, other = self.home.project, self.home.project.with_name("-renamed")
        (other if other.exists() and not one.exists() else one).rename(one if other.exists() else other)

    def _take_away(self) -> None:
        self.home.folder.rename(self._away)

    def _put_something_else(self) -> None:
        path = self._any()
        path.unlink()
        self.rng.choice([path.mkdir, lambda: os.mkfifo(path), lambda: path.symlink_to("/nowhere/at/all")])()

    def _save(self) -> None:
        self.home.write(SAVED, b"half and %d" % self._number)

    def _forget_saved(self) -> None:
        shutil.rmtree((self.home.project / SAVED).parent)


Known = tuple[object, ...]
"""What someone remembers of a piece."""


class Account:
    """Keeps where every session lies and its pieces, as someone does who only hears what is told."""

    def __init__(self) -> None:
        self._paths: dict[str, str] = {}
        self._pieces: dict[str, dict[str, Known]] = {}

    def hear(self, event: AnyEvent) -> None:
        """Take one event in."""
        if not isinstance(event, Event):
            return
        ref = str(event.ref)
        match event:
            case SessionAppeared():
                self._paths[ref], self._pieces[ref] = event.path, {}
            case Moved():
                self._paths[ref] = event.path
            case Gone():
                del self._paths[ref]
            case EvidenceAdded() | SideFileChanged():
                self._pieces[ref][str(event.evidence.id)] = known(event.evidence)
            case Truncated() | Replaced():
                kept = [each for each in self._pieces[ref] if EvidenceId.parse(each).entry < event.from_entry]
                self._pieces[ref] = {each: self._pieces[ref][each] for each in kept}

    @property
    def sessions(self) -> dict[str, dict[str, Known]]:
        """The pieces of each session by its path."""
        return {path: self._pieces[ref] for ref, path in self._paths.items()}


def known(evidence: Evidence) -> Known:
    """What is remembered of a piece; its flags change by what comes later, and that is told with what comes."""
    return evidence.kind, evidence.tool_part, evidence.bytes
