"""What a reader must find in a factory's home."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

NAMES = ("user", "assistant", "system", "tool_input", "tool_output", "twin", "replayed", "abandoned", "reasoning")


@dataclass(frozen=True)
class Expected:
    """The right figures of one session file, and those of its neighbours in the same home.

    Attributes:
        counts: the five of `counts`, then twin, replayed, abandoned and reasoning; zeros included.
        unreadable: 1-based physical lines, in order.
        find: needle -> pieces of this file that hold it, case ignored; 0 means never found.
        texts: needle -> the whole text of the one piece that holds it.
        flags: flag -> pieces that carry it, for the flags this kind is about.
        other_records: records that are no evidence, of all types together.
        title: the title in the list, or None when this kind does not say.
        must_not: strings that never reach any answer about this home.
        everywhere: needle -> hits of a search over the whole home, a copied piece being one.
        pending: the file ends in half a record.
        parent: the file of the session that started this one.
        empty: the session has no pieces and is left out of the list.
        broken_links: 1-based lines of records that do not fit into their chain, or None when this kind does not say.
        parts: the files that the session is made of, in order, each with figures of its own; those of the session are
            of all parts together, and its path is that of the newest.
    """

    agent: str
    path: Path
    session_id: str
    counts: dict[str, int]
    unreadable: list[int] = field(default_factory=list)
    find: dict[str, int] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    flags: dict[str, int] = field(default_factory=dict)
    other_records: int | None = None
    title: str | None = None
    must_not: tuple[str, ...] = ()
    everywhere: dict[str, int] = field(default_factory=dict)
    output_tokens: int | None = None
    cwd: str | None = None
    last_activity: str | None = None
    pending: bool = False
    live: bool = False
    empty: bool = False
    parent: Path | None = None
    broken_links: list[int] | None = None
    parts: tuple[Expected, ...] = ()
    others: tuple[Expected, ...] = ()

    def sessions(self) -> list[Expected]:
        """This session and its neighbours."""
        return [self, *self.others]

    def files(self) -> list[Expected]:
        """The files of this session and of its neighbours."""
        return [file for session in self.sessions() for file in session.parts or (session,)]
