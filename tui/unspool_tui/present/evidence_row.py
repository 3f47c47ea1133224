"""One row of the evidence list: id, time, flag, who, what, and at the right lines and size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool.formats.piece import Flag, Kind, ToolPart
from unspool.pattern import pattern
from unspool.text import clean
from unspool_tui.present import marks, numbers
from unspool_tui.present.cells import BLANK, GAP, Cell, Row, around, end_of, fit, marked, spread, width_of
from unspool_tui.present.few_words import few_words, plain_around
from unspool_tui.present.paths import below, is_path
from unspool_tui.present.width import cell_len

if TYPE_CHECKING:
    from datetime import tzinfo

    from unspool.ids import EvidenceId
    from unspool.views.evidence import Evidence
    from unspool.views.hits import Hit
    from unspool.views.view import SessionView

ID_WIDTH: Final = 8
TIME_WIDTH: Final = 10
TIME_FROM: Final = 56
"""Cells: a narrower list leaves the time out, so that something can be read."""
WHO_WIDTH: Final = 11
WHO_WIDE: Final = 14
WHO_MOST: Final = 18
"""Cells for who speaks where names of tools are long and there is room: a name that is cut tells nothing apart."""
WHO_GROWS_FROM: Final = 80
"""Cells of a list whose names of tools may take what they need."""
LINES_WIDTH: Final = 12
SIZE_WIDTH: Final = 8
MATCHES_WIDTH: Final = 8
BLOB_WIDTH: Final = 13
"""Of a blob's id the time in milliseconds: enough to know it again in what the model was given."""
BLOB_FROM: Final = 40
"""Cells: with less room the words go before the id, which the reader says whole."""

_NUMBERED: Final = pattern(r"\s*\d{1,6}(?:\t|→|: )")
"""A line of a file with its number, as tools give it."""

_WORD_BEGINS: Final = pattern(r"\s\S")

CUT_WORD: Final = 16
"""Characters of a word whose beginning is left out that go with it; the rest of a longer one stays."""

_TOKENS: Final = pattern(r"\b\d{4,12}\b(?=(?: → \d+)? tokens(?: before| after)?\Z)")
"""Counts of tokens at the end of a compaction's label."""

_STORED: Final = Flag.PERSISTED | Flag.MISSING | Flag.SHORTENED

_SET_ASIDE: Final = Flag.TWIN | Flag.REPLAYED | Flag.ABANDONED


@dataclass(frozen=True, slots=True)
class Piece:
    """What a row shows of a piece.

    The columns of a view give all but the last ones at once. `evidence` is `None` until it was read, as is the `call`
    of a result, `hit` until its matches were. `matches` is `None` when nothing is searched. A `guest` is shown though
    the filter leaves it out. `compacted` marks boundary and summary of a compaction; of a summary that stands for both
    the `boundary` says what set it off.
    """

    id: EvidenceId
    kind: Kind
    tool_part: ToolPart | None
    tool: str | None
    flags: Flag
    time: int | None
    bytes: int
    lines: int
    matches: int | None = None
    guest: bool = False
    evidence: Evidence | None = None
    call: Evidence | None = None
    hit: Hit | None = None
    compacted: bool = False
    boundary: Evidence | None = None


def evidence_row(
    piece: Piece,
    width: int,
    *,
    bar: Cell,
    here: bool,
    wide: bool,
    zone: tzinfo | None,
    folder: str = "",
    id_width: int = ID_WIDTH,
    names: int = 0,
) -> Row:
    """Return the row in `width` cells; `wide` has room for lines, `bar` is the cursor's bar or a blank.

    Paths are told from `folder` on, the one the session worked in. `names` are the cells of the longest tool's name.
    """
    name = "text" if here else "faint" if piece.guest else "muted"
    left: list[Cell] = [bar, *fit([(str(piece.id), name)], id_width)]
    if width >= TIME_FROM:
        written = numbers.clock(piece.time, zone)
        left += fit([(written, "muted" if here else "faint")], TIME_WIDTH)
    left += [flag(piece.flags, compacted=piece.compacted), BLANK]
    left += [*fit(who(piece), who_width(width, names, wide=wide) - 1), BLANK]
    right = measures(piece, here=here, wide=wide)
    room = width - width_of(left) - width_of(right) - 1
    return spread([*left, *what(piece, room, folder, here=here)], [BLANK, *right], width)


def who_width(width: int, names: int, *, wide: bool) -> int:
    """Return the width of the column that says who speaks, in a list of `width` cells."""
    least = WHO_WIDE if wide else WHO_WIDTH
    return max(least, min(WHO_MOST, names + 3)) if width >= WHO_GROWS_FROM else least


def flag(flags: Flag, *, compacted: bool = False) -> Cell:
    """Return the one mark that matters most; an error is said by a word of the text too."""
    if flags & _STORED:
        return (marks.STORED, "stored")
    if flags & Flag.ERROR:
        return (marks.ERROR, "error")
    if flags & Flag.UNANSWERED:
        return (marks.PENDING, "live")
    if flags & _SET_ASIDE:
        return (marks.ASIDE, "muted")
    if compacted:
        return (marks.COMPACTED, "system")
    if flags & Flag.REASONING:
        return (marks.REASONING, "muted")
    return BLANK


def who(piece: Piece) -> Row:
    """Return who speaks: the role, or the tool with an arrow that tells call from result."""
    if piece.kind is Kind.TOOL:
        call = piece.tool_part is ToolPart.INPUT
        ink = "input" if call else "output"
        arrow = marks.CALL if call else marks.RESULT
        return ((arrow, ink), (f" {tool_name(piece.tool)}", ink))
    return ((str(piece.kind), str(piece.kind)),)


def tool_name(tool: str | None) -> str:
    """Return a tool's name as a list shows it: the last part of a long one (`mcp__server__tool`)."""
    if tool is None:
        return "tool"
    return clean(tool, newline=False).rpartition("__")[2] or "tool"


def widest_name(view: SessionView) -> int:
    """Return the cells of the longest name of a session's tools."""
    return max(map(cell_len, map(tool_name, view.tools)), default=0)


def what(piece: Piece, room: int, folder: str = "", *, here: bool = False) -> Row:
    """Return what the piece says, in `room` cells: its match when searched, else its headline."""
    ink = _text_ink(piece, here=here)
    if piece.matches is not None:
        return _match(piece, room, ink)
    if piece.evidence is None:
        return ()
    said = headline(piece.evidence, piece.call)
    if not said and piece.tool_part is ToolPart.OUTPUT:
        return (*badge(piece.evidence), ("no output", "faint"))
    said = below(said, folder)
    ended = compaction_words(piece.boundary or piece.evidence) if piece.compacted else badge(piece.evidence)
    if piece.evidence.blob is not None and room >= BLOB_FROM:
        ended = ((str(piece.evidence.blob)[:BLOB_WIDTH], "muted"), GAP, *ended)
    named = said.rpartition(" +")[0] or said  # of a patch the counts stand behind
    if is_path(named) or named in piece.evidence.files:  # of a path the file's name tells more than the folder's
        said = end_of(said, room - width_of(ended))
    return (*ended, (said, ink))


def badge(evidence: Evidence) -> Row:
    """Return how an output ended, where that is known: `exit 1`, or `error`."""
    code = evidence.exit_code
    failed = bool(evidence.flags & Flag.ERROR)
    if evidence.tool_part is ToolPart.OUTPUT and code is not None:
        return ((f"exit {code}", "error" if failed or code else "muted"), GAP)
    return (("error", "error"), GAP) if failed else ()


def compaction_words(evidence: Evidence) -> Row:
    """Return what set a compaction off, and the tokens before and after, as far as the log tells."""
    _, *told = clean(evidence.label, newline=False).split(" · ")
    said = _TOKENS.sub(lambda found: numbers.count(int(found[0])), "  ".join(told))
    return ((said, "text"), GAP) if told else ()


def headline(evidence: Evidence, call: Evidence | None = None) -> str:
    """Return the words that tell most, cleaned: the summary; of a file that was read what the call named."""
    said = evidence.summary
    if call is not None and said.lstrip()[:1].isdigit() and _NUMBERED.match(said):
        return headline(call)
    return few_words(said, prose=evidence.kind is not Kind.TOOL)


def measures(piece: Piece, *, here: bool, wide: bool) -> Row:
    """Return matches, lines and size, aligned at the right."""
    row: list[Cell] = []
    if piece.matches is not None:
        row += fit([(numbers.count(piece.matches), "match"), (f" {marks.MATCH}", "match")], MATCHES_WIDTH, right=True)
    if wide:
        several = piece.tool_part is ToolPart.OUTPUT and piece.lines > 1
        written = f"{numbers.count(piece.lines)} lines" if several else ""
        row += fit([(written, "muted" if here else "faint")], LINES_WIDTH, right=True)
    if wide or piece.matches is None:
        row += fit([(numbers.listed_size(piece.bytes), size_ink(piece.bytes, here=here))], SIZE_WIDTH, right=True)
    return (*row, BLANK)


def size_ink(size: int, *, here: bool) -> str:
    """Return the ink of a size: striking ones stand out, small ones step back."""
    if size >= numbers.SIZE_STRIKING_FROM:
        return "stored"
    return "muted" if here or size >= 10 * numbers.SIZE_SHOWN_FROM else "faint"


def _text_ink(piece: Piece, *, here: bool) -> str:
    if piece.guest:
        return "muted" if here else "faint"
    if piece.kind is Kind.TOOL:
        return "text" if piece.tool_part is ToolPart.INPUT else "output"
    if piece.flags & Flag.REASONING:
        return "muted italic"
    return {Kind.USER: "text bold", Kind.ASSISTANT: "text", Kind.SYSTEM: "muted"}[piece.kind]


def _match(piece: Piece, room: int, ink: str) -> Row:
    if piece.hit is None:
        return ()
    hit = piece.hit.shown
    snippet, spans = _cleaned(*_begun(hit))
    lead = len(snippet) - len(snippet.lstrip())
    snippet, spans = snippet[lead:], tuple((max(0, a - lead), b - lead) for a, b in spans)
    if piece.kind is not Kind.TOOL:
        snippet, spans = plain_around(snippet, spans)
    text, spans = around(snippet, spans, room)
    return marked(text, spans, ink)


def _begun(hit: Hit) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return snippet and spans; a snippet that leaves the line's beginning out says so, and begins with a word."""
    first = hit.spans[0][0] if hit.spans else 0
    if hit.column is None or hit.column - 1 <= first or not hit.spans:
        return hit.snippet, hit.spans
    word = _WORD_BEGINS.search(hit.snippet, 0, min(CUT_WORD, first))
    start = word.end() - 1 if word else 0
    return "…" + hit.snippet[start:], tuple((a - start + 1, b - start + 1) for a, b in hit.spans)


def _cleaned(snippet: str, spans: tuple[tuple[int, int], ...]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Clean a snippet and move its spans along, stretch by stretch."""
    text, moved, at = "", [], 0
    for start, stop in spans:
        text += clean(snippet[at:start], newline=False)
        begin = len(text)
        text += clean(snippet[start:stop], newline=False)
        moved.append((begin, len(text)))
        at = stop
    return text + clean(snippet[at:], newline=False), tuple(moved)
