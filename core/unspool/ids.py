"""Ids and references: what can be quoted, how it is written, how it is parsed.

    E128.2                                      EvidenceId    entry 128, piece 2
    E128-E140, E128.3-E131.0                    EntryRange    both ends inclusive
    claude:7c41e0d2, claude:7c41e0d2.a1b2c3     SessionRef    agent, session id, optional part
    claude:7c41e0d2/E128.2#L3-9@0123456789ab    Reference     a citable pointer
    019d6f3e-52d0-7c4a-9f11-2b8d3c5e7a90        BlobId        a stored output: UUID v7, so that ids sort by time

Comparison is on numbers, never on text. Parsing accepts lower case and leading zeros, and for `#L3` also `:3`, as hits
print their lines.
"""

from __future__ import annotations

import re
from typing import Final

from unspool.dataclass import dataclass, replace
from unspool.errors import BadReference
from unspool.pattern import pattern

DIGEST_CHARACTERS: Final = 12
"""Hex digits of a piece's SHA-256 that a reference carries: 48 bits tell the pieces of one session apart."""

_UNENDING: Final = float("inf")

_ID = pattern(r"[Ee]([0-9]{1,15})(?:\.([0-9]{1,9}))?\Z")
_RANGE = pattern(r"([Ee][0-9.]{1,26})\s*[-–]\s*([Ee]?[0-9.]{1,26})\Z")
_COPY = pattern(r"(.+)~([2-9]|[1-9][0-9]{1,5})\Z")
_AGENT = pattern(r"[a-z][a-z0-9_-]*\Z")
_REFERENCE = pattern(r"([^/#@\s]+)/(.*)\Z", re.DOTALL)
_QUOTE = pattern(
    r"(?P<target>[^/#@:\s]+)(?:(?:#L|:)(?P<first>[0-9]{1,15})(?:-L?(?P<last>[0-9]{1,15}))?:?)?"
    r"(?:@(?P<digest>[^/#@\s]*))?\Z"
)
_BLOB = pattern(
    r"(?:urn:uuid:)?\{?([0-9a-f]{8})-?([0-9a-f]{4})-?(7[0-9a-f]{3})-?([89ab][0-9a-f]{3})-?([0-9a-f]{12})\}?"
)
_DIGEST = pattern(r"[0-9a-fA-F]{12,64}\Z")


@dataclass(frozen=True, slots=True, order=True)
class EvidenceId:
    """One piece: `entry` counts physical records from 0, `piece` is its structural place inside the record."""

    entry: int
    piece: int

    @classmethod
    def parse(cls, text: str) -> EvidenceId:
        """Parse `E128.2`; raises `BadReference`, also for a missing piece (see `EntryRange.parse`)."""
        match = _ID.match(text.strip())
        if match is None or match[2] is None:
            raise BadReference(f"not an evidence id: {text!r}; ids look like E128.2", text=text)
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"E{self.entry}.{self.piece}"


@dataclass(frozen=True, slots=True)
class EntryRange:
    """A span of entries of one source, both ends inclusive.

    `first_piece` and `last_piece` narrow the end entries; `None` means the whole entry.
    """

    first: int
    last: int
    first_piece: int | None = None
    last_piece: int | None = None

    @classmethod
    def parse(cls, text: str) -> EntryRange:
        """Parse `E128-E140`, `E128.3-E131.0`, `E128` or `E128.2`; raises `BadReference`."""
        text = text.strip()
        pair = _RANGE.match(text)
        start, end = (pair[1], pair[2]) if pair else (text, text)
        first = _ID.match(start)
        last = _ID.match(end if end[:1] in "Ee" else f"E{end}")
        if first is None or last is None:
            raise BadReference(f"not an id or range: {text!r}; write E128.2, E128 or E128-E140", text=text)
        pieces = [int(found[2]) if found[2] is not None else None for found in (first, last)]
        result = cls(int(first[1]), int(last[1]), *pieces)
        end = _UNENDING if result.last_piece is None else result.last_piece
        if (result.last, end) < (result.first, result.first_piece or 0):
            raise BadReference(f"the range {text!r} ends before it starts; swap its ends", text=text)
        return result

    @classmethod
    def of(cls, evidence_id: EvidenceId) -> EntryRange:
        """Return the range that holds exactly one piece."""
        return cls(evidence_id.entry, evidence_id.entry, evidence_id.piece, evidence_id.piece)

    @property
    def is_entry(self) -> bool:
        """Whether the range is one whole entry."""
        return self.first == self.last and self.first_piece is None and self.last_piece is None

    @property
    def single(self) -> EvidenceId | None:
        """The id, when the range names exactly one piece."""
        if self.first == self.last and self.first_piece is not None and self.first_piece == self.last_piece:
            return EvidenceId(self.first, self.first_piece)
        return None

    def __contains__(self, evidence_id: EvidenceId) -> bool:
        entry, piece = evidence_id.entry, evidence_id.piece
        if not self.first <= entry <= self.last:
            return False
        if entry == self.first and self.first_piece is not None and piece < self.first_piece:
            return False
        return not (entry == self.last and self.last_piece is not None and piece > self.last_piece)

    def to_json(self) -> list[int]:
        """Return `[first, last]`, the form that JSON answers use."""
        return [self.first, self.last]

    def __str__(self) -> str:
        if self.single is not None:
            return str(self.single)
        if self.is_entry:
            return f"E{self.first}"
        return f"{_end(self.first, self.first_piece)}-{_end(self.last, self.last_piece)}"


@dataclass(frozen=True, slots=True, order=True)
class SessionRef:
    """A session: `<agent>:<session id>`, with `.<part>` for a part or a subagent of it.

    The values are as the agent wrote them; only the text form percent-encodes what is outside `[A-Za-z0-9_-]`. Where
    several files have the same id, all but the first carry `~2`, `~3`, … behind it: their `copy`.
    """

    agent: str
    session_id: str
    part: str | None = None
    copy: int = 1

    @classmethod
    def parse(cls, text: str) -> SessionRef:
        """Parse `<agent>:<id>[.<part>]`; raises `BadReference`. The id may be a prefix: the library decides."""
        agent, colon, rest = text.partition(":")
        session_id, dot, part = rest.partition(".")
        if not colon or not session_id or (dot and not part) or not _AGENT.match(agent):
            raise BadReference(f"not a session: {text!r}; write AGENT:ID, for example claude:7c41e0d2", text=text)
        numbered = _COPY.match(session_id)
        copy = int(numbered[2]) if numbered else 1
        return cls(agent, _decoded(numbered[1] if numbered else session_id), _decoded(part) if dot else None, copy)

    @property
    def session(self) -> SessionRef:
        """The session that this part belongs to (itself without a part)."""
        return replace(self, part=None)

    def __str__(self) -> str:
        part = f".{_encoded(self.part)}" if self.part is not None else ""
        copy = f"~{self.copy}" if self.copy > 1 else ""
        return f"{self.agent}:{_encoded(self.session_id)}{copy}{part}"


@dataclass(frozen=True, slots=True)
class Reference:
    """A citable pointer: `<SessionRef>/<id or range>[#L<a>-<b>][@<digest>]`.

    `lines` are 1-based, both ends inclusive, inside the piece's text. `digest` is the beginning (at least 12 hex
    digits) of the SHA-256 over the piece's text in UTF-8, lone surrogates as U+FFFD.
    """

    session: SessionRef
    target: EntryRange
    lines: tuple[int, int] | None = None
    digest: str | None = None

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Parse a reference; raises `BadReference`."""
        match = _REFERENCE.match(text.strip())
        if match is None:
            raise BadReference(f"not a reference: {text!r}; write AGENT:ID/E128.2", text=text)
        return cls(SessionRef.parse(match[1]), *parse_quote(match[2]))

    def __str__(self) -> str:
        lines = f"#L{self.lines[0]}-{self.lines[1]}" if self.lines else ""
        digest = f"@{self.digest[:DIGEST_CHARACTERS]}" if self.digest else ""
        return f"{self.session}/{self.target}{lines}{digest}"


@dataclass(frozen=True, slots=True, order=True)
class BlobId:
    """The id of a blob: `text` is a UUID v7 in its canonical form, lower case with hyphens. Ids sort by time."""

    text: str

    @classmethod
    def parse(cls, text: str) -> BlobId:
        """Parse a UUID v7 in any usual form (upper case, without hyphens, in braces, as urn); raises `BadReference`.

        What comes out is made of hex digits and hyphens alone, so that no path can be smuggled in by an id.
        """
        found = _BLOB.fullmatch(text.strip().lower())
        if found is None:
            raise BadReference(f"not a blob id: {text!r}; a blob id is a UUID v7", text=text)
        return cls("-".join(found.groups()))

    @property
    def made_at(self) -> int:
        """When the id was made, in milliseconds since 1970 UTC: a UUID v7 begins with it."""
        return int(self.text[:8] + self.text[9:13], 16)

    def __str__(self) -> str:
        return self.text


def parse_quote(text: str) -> tuple[EntryRange, tuple[int, int] | None, str | None]:
    """Parse what stands behind the slash of a reference: range, lines, digest; raises `BadReference`."""
    match = _QUOTE.match(text)
    if match is None:
        raise BadReference(f"not a place in a session: {text!r}; write E128.2, E128.2#L3-9 or E128-E140", text=text)
    lines = None
    if match["first"] is not None:
        first = int(match["first"])
        lines = (first, int(match["last"] or first))
        if first < 1 or lines[1] < first:
            raise BadReference(f"lines count from 1 and go up: {text!r}", text=text)
    return EntryRange.parse(match["target"]), lines, _digest(match["digest"])


def _digest(text: str | None) -> str | None:
    """Check a reference's digest; raises `BadReference`."""
    if text is None or _DIGEST.match(text):
        return text and text.lower()
    what = "is no digest" if len(text) >= DIGEST_CHARACTERS else f"has {len(text)} characters"
    raise BadReference(f"{text!r} {what}; behind @ a reference carries at least 12 hex digits", text=text)


def _end(entry: int, piece: int | None) -> str:
    return f"E{entry}" if piece is None else f"E{entry}.{piece}"


def _encoded(text: str) -> str:
    """Percent-encode; bytes of a file name that are no UTF-8 come through, other lone surrogates become `?`."""
    if text.isascii() and text.replace("-", "").isalnum():
        return text
    from urllib.parse import quote

    try:
        quoted = quote(text, safe="", errors="surrogateescape")
    except UnicodeEncodeError:
        quoted = quote(text, safe="", errors="replace")
    return quoted.replace(".", "%2E").replace("~", "%7E")


def _decoded(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote

    return unquote(text, errors="surrogateescape")
