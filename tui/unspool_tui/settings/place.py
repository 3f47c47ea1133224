"""Where the app keeps what is a person's own: the settings they write, and what it remembers for them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

VARIABLE: Final = "UNSPOOL_SETTINGS"
"""Names another settings file."""


def settings_path(environ: Mapping[str, str], home: str) -> str:
    """Return the path of the settings file, existing or not."""
    return environ.get(VARIABLE) or os.path.join(_folder(environ, "XDG_CONFIG_HOME", home, ".config"), "settings.toml")


def state_path(environ: Mapping[str, str], home: str) -> str:
    """Return the path of the file that holds what is remembered between runs."""
    return os.path.join(_folder(environ, "XDG_STATE_HOME", home, ".local/state"), "state.json")


def cache_path(environ: Mapping[str, str], home: str) -> str:
    """Return the folder of what may be forgotten at any time, existing or not."""
    return _folder(environ, "XDG_CACHE_HOME", home, ".cache")


def home_of(environ: Mapping[str, str]) -> str:
    """Return the home of the person at the keyboard."""
    return environ.get("HOME") or os.path.expanduser("~")


def _folder(environ: Mapping[str, str], variable: str, home: str, usual: str) -> str:
    """Return the program's own folder; the XDG rules say that a relative path is to be ignored."""
    base = environ.get(variable, "")
    return os.path.join(base if os.path.isabs(base) else os.path.join(home, usual), "unspool")
