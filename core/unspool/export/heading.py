"""What an exported file says about the session above its pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from unspool.dataclass import dataclass
from unspool.export.figures import counted, figure, moment
from unspool.text import clean
from unspool.views.filter import Filter
from unspool.views.times import iso

if TYPE_CHECKING:
    from unspool.export.redaction import Redactor
    from unspool.views.view import SessionView

TITLE_CHARACTERS: Final = 200


@dataclass(frozen=True, slots=True)
class Heading:
    """The session, and how much of it is in the file; texts are free of secrets and cleaned.

    `pieces` are in the file, of `total` of every flag. `folder` is the last name of the folder that was worked in.
    """

    ref: str
    agent: str
    session_id: str
    title: str
    folder: str | None
    branch: str | None
    models: tuple[str, ...]
    started: str | None
    ended: str | None
    entries: int
    pieces: int
    total: int
    unreadable: int

    @classmethod
    def of(cls, view: SessionView, rows: Sequence[int], redactor: Redactor) -> Heading:
        """Describe a view of which some rows are exported."""

        def shown(text: str | None) -> str | None:
            return " ".join(clean(redactor.quietly(text), newline=False).split()) if text else None

        facts = view.facts
        title = shown(facts.title or facts.generated_title or facts.first_prompt)
        return cls(
            ref=str(view.ref),
            agent=view.agent,
            session_id=view.ref.session_id,
            title=(title or str(view.ref))[:TITLE_CHARACTERS],
            folder=(shown(facts.cwd) or "").rstrip("/").rpartition("/")[2] or None,
            branch=shown(facts.branch),
            models=tuple(filter(None, map(shown, facts.models))),
            started=iso(view.started_at),
            ended=iso(view.last_activity),
            entries=view.entries,
            pieces=len(rows),
            total=len(view.select(Filter(reasoning=True, hidden=True))),
            unreadable=len({each.line for each in view.unreadable}),
        )

    def facts(self) -> list[str]:
        """Return the facts for people, the most telling first."""
        span = f"{moment(self.started)} – {moment(self.ended)}" if self.started else ""
        some = "" if self.pieces == self.total else f"{figure(self.pieces)} of "
        pieces = some + counted(self.total, "piece")
        broken = f"{counted(self.unreadable, 'line')} of the log unreadable" if self.unreadable else ""
        return [fact for fact in (*self.models, self.folder, self.branch, span, pieces, broken) if fact]

    def to_json(self) -> dict[str, Any]:
        """Return the object of the JSON file, named as the command names them."""
        return {
            "ref": self.ref,
            "agent": self.agent,
            "session_id": self.session_id,
            "title": self.title,
            "project": self.folder,
            "branch": self.branch,
            "models": list(self.models),
            "started_at": self.started,
            "last_activity": self.ended,
            "entries": self.entries,
            "pieces": self.pieces,
            "pieces_in_all": self.total,
            "unreadable_lines": self.unreadable,
        }
