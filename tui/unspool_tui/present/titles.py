"""What a session is called."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from unspool.text import clean
from unspool_tui.present.few_words import few_words

if TYPE_CHECKING:
    from unspool.library.summary import SessionSummary
    from unspool.views.view import SessionView


def title_of_view(view: SessionView | None, summary: SessionSummary | None) -> str:
    """Return the title on one line: as the list has it, else renamed, generated, first prompt; empty for none."""
    said = summary.title if summary is not None else None
    if not said and view is not None:
        facts = view.facts
        said = facts.title or facts.generated_title or facts.first_prompt or str(view.ref)
    return " ".join(few_words(said or "").split())


def project_of(view: SessionView, summary: SessionSummary | None) -> str:
    """Return the last name of the folder that the session worked in, empty for none."""
    if summary is not None and summary.project:
        return clean(summary.project, newline=False)
    return clean(re.split(r"[/\\]", (view.facts.cwd or "").rstrip("/\\"))[-1], newline=False)
