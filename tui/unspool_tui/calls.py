"""Naming the call that an output answers: without it, nobody knows which command failed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unspool.text import elided

if TYPE_CHECKING:
    from unspool.views.evidence import Evidence
    from unspool.views.view import SessionView

CHARACTERS: Final = 80
"""Of what a call was told: enough to recognise a command."""


def call_told(view: SessionView, row: Evidence) -> str:
    """Return `of E41.0 pytest -q` for an output, an empty text for other pieces and for outputs without a call."""
    peer = view.peer_row(row.row) if row.is_output else None
    if peer is None:
        return ""
    call = view.evidence_at(peer)
    return " ".join(filter(None, (f"of {call.id}", elided(" ".join(call.summary.split()), CHARACTERS))))
