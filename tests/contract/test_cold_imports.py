"""What starts without the screen library: the library itself, and every verb that prints."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

VERBS = (
    "sessions",
    "overview",
    "evidence",
    "search",
    "read",
    "resolve",
    "inspect",
    "brief",
    "export",
    "stats",
    "doctor",
    "settings",
)


def imported(*arguments: str) -> set[str]:
    """Run Python with these arguments, and return the top-level names of all that it imported."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    names = re.findall(r"^import time:.*\|\s*([\w.]+)$", done.stderr, re.MULTILINE)
    return {name.partition(".")[0] for name in names}


def test_the_check_itself_sees_what_is_imported() -> None:
    assert {"textual", "rich"} <= imported("-c", "import textual.app, rich.table")


def test_the_library_loads_no_renderer() -> None:
    names = imported("-c", "import unspool")
    assert "unspool" in names
    assert not names & {"textual", "rich", "unspool_tui"}


def test_no_public_name_of_the_library_loads_a_renderer() -> None:
    names = imported("-c", "import unspool; [getattr(unspool, name) for name in unspool.__all__]")
    assert not names & {"textual", "rich", "unspool_tui"}


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_start_without_textual(option: str) -> None:
    names = imported("-m", "unspool_tui", option)
    assert "unspool_tui" in names
    assert "textual" not in names


@pytest.mark.parametrize("verb", VERBS)
def test_a_headless_verb_starts_without_textual(verb: str) -> None:
    names = imported("-m", "unspool_tui", verb, "--help")
    assert "unspool_tui" in names
    assert "textual" not in names


def test_listing_sessions_runs_without_textual() -> None:
    names = imported("-m", "unspool_tui", "sessions")
    assert "unspool_tui" in names
    assert "textual" not in names


def test_settings_with_keys_of_ones_own_are_read_without_textual(home: Path) -> None:
    folder = home / ".config/unspool"
    folder.mkdir(parents=True)
    (folder / "settings.toml").write_text('[keys]\nerror.next = "f7"\nturn.next = "f7"\n', "utf-8")
    for arguments in (("settings", "--show"), ("sessions",)):
        names = imported("-m", "unspool_tui", *arguments)
        assert "tomllib" in names
        assert "textual" not in names
