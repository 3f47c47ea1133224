"""The command with a fault planted in a handler: `python -m tests.tui.planted PLACE ARGUMENT ...`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

from unspool_tui.cli import main
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.walks import Walks
from unspool_tui.widgets.evidence_list import EvidenceList
from unspool_tui.widgets.facet_bar import FacetBar
from unspool_tui.widgets.record_list import RecordList

SECRET: Final = "\x1b]0;SECRET\x07 of a session"
"""What a local variable, and the error's own words, may quote."""


def broken(*_: object, **__: object) -> None:
    """Fail with a session's text at hand."""
    quoted = SECRET
    raise ZeroDivisionError(quoted)


def planted(place: str) -> None:
    """Plant the fault."""
    plants: dict[str, Callable[[], None]] = {
        "key": lambda: setattr(Walks, "action_turn", broken),
        "message": lambda: setattr(BrowseScreen, "on_chosen", broken),
        "timer": lambda: setattr(BrowseScreen, "_read", broken),
        "drawing": lambda: setattr(RecordList, "render_line", broken),
        "mouse": lambda: setattr(FacetBar, "on_click", broken),
        "begin": lambda: setattr(EvidenceList, "on_mount", broken),
        "end": lambda: setattr(BrowseScreen, "on_unmount", broken),
    }
    plants[place]()


if __name__ == "__main__":
    planted(sys.argv[1])
    sys.exit(main(sys.argv[2:]))
