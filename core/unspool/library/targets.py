"""What a person or a program may write to name a session, or a piece inside one.

path, path/E12.1                      a file, or a folder with one session in it
claude:7c41e0d2, 7c41, 7c41.a1b2      a reference or the beginning of one; without a dot only sessions
-                                      what streams in on standard input
.  last                               the newest session of this folder's project, the newest of all; what is empty
                                      or cannot be read is passed over
REF/E12.1  REF/E12-E20  REF/E12.1#L3-9@digest  REF/E12.1:3  REF/<call id or message id>[#L3-9][@digest]

A path that exists goes before a reference of the same letters.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool.errors import Ambiguous, BadReference, NotFound
from unspool.ids import EntryRange, SessionRef, parse_quote
from unspool.pattern import pattern
from unspool.stores import STORES

if TYPE_CHECKING:
    from unspool.library.catalogue import Listed

NAMED_CANDIDATES: Final = 6
"""Candidates that an error names: more would no longer be one line."""

ENDINGS: Final = (".jsonl", ".zst", ".json")
"""What a file of a session ends with."""

_PIECE: Final = pattern(r"[Ee][0-9.]+(?:-[Ee]?[0-9.]+)?(?:[#@:]|\Z)")
"""What is meant as a piece or range, be it written wrongly: no id of a log's own looks like it."""

_NATIVE: Final = pattern(r"([^\s/#@~.][^\s/#@]{0,199})((?:#L[0-9-]*)?(?:@.*)?)\Z")
"""An id of a log's own, and what a quote adds: such ids are numbers and words with signs between them."""


@dataclass(frozen=True, slots=True)
class Place:
    """A piece, a range, or an id of the log's own (`native`) inside a session, with the lines and digest of a quote."""

    within: EntryRange | None = None
    native: str | None = None
    lines: tuple[int, int] | None = None
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """A session, and what is named inside it (`None`: all of it)."""

    listed: Listed
    place: Place | None = None

    @property
    def ref(self) -> SessionRef:
        """The session's reference."""
        return self.listed.ref

    @property
    def path(self) -> str:
        """The session's file."""
        return self.listed.source.path


def split_target(text: str) -> tuple[str, Place | None]:
    """Split a target into what names the session and what names a piece inside it; raises `BadReference`."""
    if not text.strip() or "\0" in text:
        raise BadReference("no session is named; `unspool sessions` lists them", text=text)
    if text in ("-", ".", "..") or os.path.lexists(expanded(text)) or "/" not in text:
        return text, None
    head, _, tail = text.rpartition("/")
    place = parse_place(tail) if head else None
    if place is None or (is_path(head) and not _holds_place(expanded(head), place)):
        return text, None
    return head, place


def _holds_place(path: str, place: Place) -> bool:
    """Say whether a place can be meant inside a path: behind a folder a plain word is a file that is not there."""
    return os.path.isfile(path) or (os.path.exists(path) and place.native is None)


def parse_place(text: str) -> Place | None:
    """Parse what stands behind the last slash; `None` when it can be no piece.

    Raises `BadReference` for what is meant as a piece and written wrongly.
    """
    try:
        within, lines, digest = parse_quote(text)
    except BadReference:
        if _PIECE.match(text):
            raise
        named = _NATIVE.match(text)
        if named is None or text.endswith(ENDINGS):
            return None
        _, lines, digest = parse_quote(f"E0{named[2]}")
        return Place(None, named[1], lines, digest)
    return Place(within, None, lines, digest)


def is_path(text: str) -> bool:
    """Say whether a text is meant as a path, existing or not."""
    return text.startswith(("/", "./", "../", "~")) or text.endswith(ENDINGS) or os.path.lexists(text)


def expanded(text: str) -> str:
    """Return the path with `~` replaced."""
    return os.path.expanduser(text) if text.startswith("~") else text


def matching(text: str, refs: Iterable[SessionRef]) -> list[SessionRef]:
    """Return the sessions that a reference, or the beginning of one, fits; a whole one fits alone.

    Raises as `wanted_refs` does.
    """
    wanted, every = wanted_refs(text), list(refs)
    whole = [ref for ref in every if ref in wanted]
    return whole or [ref for ref in every if any(_begins(ref, each) for each in wanted)]


def wanted_refs(text: str) -> list[SessionRef]:
    """Return what a text begins, as a reference of each agent that it may be one of.

    Raises `BadReference` and, for an agent that unspool does not know, `NotFound`.
    """
    agents = [store.agent for store in STORES]
    agent, colon, rest = text.partition(":")
    if colon and agent not in agents:
        raise NotFound(f"no agent {agent!r}; there are {', '.join(agents)}")
    return [SessionRef.parse(f"{each}:{rest if colon else text}") for each in ([agent] if colon else agents)]


def one_of(found: Sequence[SessionRef], text: str) -> SessionRef:
    """Return the only session found; raises `NotFound` and `Ambiguous`."""
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotFound(f"no session {text!r}; `unspool sessions` lists those there are")
    refs = sorted(map(str, found))
    more = f" and {len(refs) - NAMED_CANDIDATES} more" if len(refs) > NAMED_CANDIDATES else ""
    named = ", ".join(refs[:NAMED_CANDIDATES])
    raise Ambiguous(f"{text!r} fits {len(refs)} sessions: {named}{more}; write one of them", candidates=refs)


def _begins(ref: SessionRef, wanted: SessionRef) -> bool:
    if ref.agent != wanted.agent or ref.copy != wanted.copy or not ref.session_id.startswith(wanted.session_id):
        return False
    if wanted.part is None:
        return ref.part is None
    return ref.part is not None and ref.part.startswith(wanted.part)
