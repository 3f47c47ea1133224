"""What a session is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unspool.text import clean
from unspool_tui.present.few_words import few_words

if TYPE_CHECKING:
    from unspool.library.summary import SessionSummary
    from unspool.views.view import SessionView


def title_of_view(view: SessionView | None, summary: SessionSummary | None) -> str:
    """Return the title on one line: renamed or generated, else as the list has it, else the first prompt.

    The list looked at the end of the file: until all it saw was read, the view may have an older title than it.
    """
    listed = summary.title if summary is not None else None
    if view is None:
        said = listed
    else:
        facts = view.facts
        given = facts.title or facts.generated_title
        behind = summary is not None and view.size < summary.bytes
        said = (listed or given if behind else given or listed) or facts.first_prompt or str(view.ref)
    return " ".join(few_words(said or "").split())


def project_of(view: SessionView, summary: SessionSummary | None) -> str:
    """Return the last name of the folder that the session worked in, empty for none."""
    if summary is not None and summary.project:
        return clean(summary.project, newline=False)
    folder = (view.facts.cwd or "").replace("\\", "/")
    return clean(folder.rstrip("/").rpartition("/")[2], newline=False)
