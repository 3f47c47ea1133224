"""Every test gets an empty home, no colours, no settings of the person at the keyboard, and UTC."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

from tests.shared_data import PROJECT, SHARED, VARIABLE

settings.register_profile("house", deadline=None, derandomize=True, database=None)
settings.load_profile("house")
"""A law holds on a machine under load too, and fails for everybody or for nobody."""

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's background job; tests interrupt what they start
    signal.signal(signal.SIGINT, signal.default_int_handler)

PERSONAL: Final = (
    "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COLUMNS", "EDITOR", "FORCE_COLOR", "LESS", "LINES", "MINI_CODE_HOME",
    "NO_COLOR", "PAGER", "VISUAL", "YOI_DATA_DIR", "YOI_HOME",
)  # fmt: skip
"""Variables that change what a session looks like, where it is looked for, or what it is opened with."""

PERSONAL_PREFIXES: Final = ("TEXTUAL", "UNSPOOL_")
"""Beginnings of the names of more such variables."""

FOLDERS: Final = {
    "XDG_CACHE_HOME": ".cache",
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
    "XDG_RUNTIME_DIR": ".run",
}
"""Folders that a program may use, each moved into the empty home."""

_SHARED: Final = "shared"

shared_tests_ran = pytest.StashKey[int]()
"""How many tests that ask for the fixture `shared` came to run."""


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Generator[Path, None, None]:
    """Give the test an empty home of its own, and return it."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name in PERSONAL or name.startswith(PERSONAL_PREFIXES)]:
            patch.delenv(name)
        for name, below in FOLDERS.items():
            patch.setenv(name, str(folder / below))
        patch.setenv("HOME", str(folder))
        patch.delenv("TMUX", raising=False)
        patch.setenv("SSH_TTY", "/dev/null")  # no test copies onto the clipboard of the person at the keyboard
        patch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # what a test starts leaves nothing beside the modules
        patch.setenv("TERM", "xterm-256color")
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield folder
    time.tzset()


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder with `cases/` and `corpus/`; skip the test when there is none."""
    if SHARED is None:
        pytest.skip(f"no sample sessions: set {VARIABLE}, or lay the folder shared beside {PROJECT.name}")
    return SHARED


def pytest_configure(config: pytest.Config) -> None:
    config.stash[shared_tests_ran] = 0
    config.pluginmanager.register(Tally(config))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    if "shared" in getattr(item, "fixturenames", ()):
        item.user_properties.append((_SHARED, True))
    return (yield)


class Tally:
    """Counts where the reports of every process come together."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a test that asked for the shared data and came to run."""
        if report.when == "call" and (_SHARED, True) in report.user_properties:
            self.config.stash[shared_tests_ran] += 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    hint = "" if SHARED else f" (set {VARIABLE} to the folder with cases/ and corpus/)"
    terminalreporter.write_line(f"shared data: {config.stash[shared_tests_ran]} tests ran{hint}")
