"""The verbs of the command, one module each: `configure(parser)` names its arguments, `run(command)` answers.

This table is all that `unspool --help` needs; a verb's module is imported when the verb is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, cast

if TYPE_CHECKING:
    import argparse

    from unspool_tui.command import Command

FOUND: Final = 0
NOTHING: Final = 1
"""Nothing matched; also what `resolve` says of a piece that changed or is gone."""
WRONG: Final = 2
"""Wrong usage, or a target that cannot be read."""
INTERRUPTED: Final = 130

VERBS: Final = {
    "open": ("opening", "open the app, on everything or on one session"),
    "sessions": ("sessions", "list the sessions, newest first"),
    "overview": ("overview", "user and assistant texts of a session, with ids"),
    "evidence": ("evidence", "the index of a session: every message, tool call and output"),
    "search": ("search", "find a text in some sessions or in all"),
    "read": ("read", "print pieces of a session, bounded"),
    "resolve": ("resolve", "where a piece lies, and whether it still is what was quoted"),
    "inspect": ("inspection", "look into any output through a window"),
    "brief": ("brief", "one bounded text: the overview, then the head of the index"),
    "follow": ("follow", "what happens in one session or in all, as it happens"),
    "export": ("export", "a file that people can share: Markdown, HTML or JSON"),
    "stats": ("stats", "counts, sizes, tokens, models, worst outputs of a session"),
    "clean": ("clean", "remove recorded sessions not used for long; first a plan"),
    "doctor": ("doctor", "what was found where, and what was not understood"),
    "settings": ("settings", "what is set, who set it, and the keys that there are"),
    "demo": ("demo", "watch a scripted agent at work, with nothing installed"),
}
"""Verb: module and what it does."""


class Verb(Protocol):
    """A module of this package."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the verb's own arguments."""
        ...

    def run(self, command: Command) -> int:
        """Answer; return the exit code."""
        ...


def load(name: str) -> Verb:
    """Import the module of a verb."""
    from importlib import import_module

    return cast("Verb", import_module(f"{__name__}.{VERBS[name][0]}"))
