"""Where the scripted agent plays: a temporary home of its own, and a thread that nobody waits for."""

from __future__ import annotations

import shutil
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from unspool.recording import SessionLog
from unspool_tui.demo.agent import Agent
from unspool_tui.demo.project import Project
from unspool_tui.demo.script import play

PACE: Final = 0.5
"""Seconds from one entry to the next: slow enough to be watched, over in half a minute."""

HOME: Final = ".mini-code"
"""The usual name of a home of the format that is written: the folder above it can be opened as a HOME."""

PREFIX: Final = "unspool-demo-"


class Stage:
    """A folder with a home and a project in it, and the agent that plays there once `begin` is called.

    Use it as a context manager to have all of it removed at the end. Raises `OSError` when there is no room for it.
    """

    def __init__(self, pace: float = PACE) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=PREFIX)).resolve()
        self.project = Project(self.folder / "till")
        self.project.create()
        log = SessionLog.of(self.folder / HOME, str(self.project.folder))
        self.agent = Agent(log, self.project, self._wait)
        self.fault: Exception | None = None
        self._pace = pace
        self._left = threading.Event()
        self._begun = threading.Event()
        self._thread = threading.Thread(target=self._play, name="unspool-demo", daemon=True)

    @property
    def log(self) -> Path:
        """The path of the session's log."""
        return self.agent.log.place.log

    @property
    def done(self) -> bool:
        """Whether the agent has come to its end, and was not made to stop."""
        return self._begun.is_set() and not self._thread.is_alive() and not self._left.is_set()

    def begin(self) -> None:
        """Let the agent play; return when there is a session. Raises what kept it from writing one."""
        self._thread.start()
        self._begun.wait()
        self._check()

    def wait(self) -> None:
        """Wait for the end. Raises what kept the agent from writing on."""
        self._thread.join()
        self._check()

    def stop(self) -> None:
        """Let the agent stop before its next entry, and wait for that. Raises what kept it from writing on before."""
        self._left.set()
        if self._thread.ident is not None:
            self.wait()

    def remove(self) -> None:
        """Stop, and remove the folder."""
        with suppress(Exception):  # what the agent met with is told where it is waited for
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    def _play(self) -> None:
        try:
            play(self.agent)
        except _Left:
            pass
        except Exception as error:  # noqa: BLE001 - the thread's border: who waits for the agent is told
            self.fault = error
        finally:
            self._begun.set()

    def _wait(self) -> None:
        """Wait until the next entry is due; the first one is at once."""
        if self.agent.entries:
            self._begun.set()
        if self._left.wait(self._pace if self.agent.entries else 0):
            raise _Left

    def _check(self) -> None:
        if self.fault is not None:
            raise self.fault


class _Left(Exception):
    """Nobody watches any more."""
