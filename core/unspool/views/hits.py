"""What a search returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unspool.dataclass import dataclass

if TYPE_CHECKING:
    from unspool.views.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Hit:
    """One piece that matches.

    `matches` counts non-overlapping matches in the piece. For the first one: `line` (1-based, by LF), `column`
    (1-based, code points), `offset` (UTF-8 bytes of the text), and `snippet`: the text around it on that line with the
    matches at `spans` (half open, code points of the snippet). A structured value is searched by its leaves; then
    `line`, `column` and `offset` point into its text where the leaf stands. They are `None` when only the tool's name
    matches, which stands in no text; the snippet is then the label. `readable` is the hit in the text of a piece that
    people read by its members, `None` for every other piece; a program is not told of it.
    """

    evidence: Evidence
    matches: int
    line: int | None
    column: int | None
    offset: int | None
    snippet: str
    spans: tuple[tuple[int, int], ...]
    readable: Hit | None = None

    @property
    def shown(self) -> Hit:
        """The hit as people see it, with the line of the text that they read."""
        return self.readable or self

    @property
    def place(self) -> str:
        """The piece and the line as `E12.1:3`; a match without a place has the piece alone."""
        return str(self.evidence.id) if self.line is None else f"{self.evidence.id}:{self.line}"

    def to_json(self) -> dict[str, Any]:
        """Return the row's fields and the match as one object."""
        return {
            **self.evidence.to_json(),
            "matches": self.matches,
            "line": self.line,
            "column": self.column,
            "offset": self.offset,
            "snippet": self.snippet,
            "spans": [list(span) for span in self.spans],
        }


@dataclass(frozen=True, slots=True)
class RawHit:
    """A match in a record that is no evidence: unreadable, or an other record; it has a line and no id."""

    line: int
    reason: str
    snippet: str

    def to_json(self) -> dict[str, Any]:
        """Return the object of the command's JSON."""
        return {"id": None, "line": self.line, "reason": self.reason, "snippet": self.snippet}


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search went over: pieces and source bytes; `bytes` is where it stopped when it is not complete.

    Where the bytes alone told that nothing can match, no pieces are counted. Of a view of the newest lines `begin` is
    the byte that they begin at.
    """

    pieces: int
    bytes: int
    begin: int = 0


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits in order. `total` counts matching pieces, exact when `complete`, else exact for `searched`.

    `next` continues (`after=`), `None` at the end. `hidden` maps a filter word (`kind`, `tool`, `errors`, `in`,
    `reasoning`, …) to the number of matching pieces that it alone or with others kept out.
    """

    hits: tuple[Hit, ...]
    total: int
    complete: bool
    next: str | None
    searched: Searched
    hidden: dict[str, int]
    raw: tuple[RawHit, ...] = ()
