"""The two rows above a body: what it is and how big; the call that made it, or what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import tzinfo
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool.formats.piece import Flag, Kind, ToolPart
from unspool.named_tuple import NamedTuple
from unspool.pattern import pattern
from unspool.text import clean
from unspool_tui.present import marks, numbers
from unspool_tui.present.cells import BLANK, WIDE_GAP, Cell, Row, ellipsis, joined, spread, width_of
from unspool_tui.present.evidence_row import badge, headline, tool_name
from unspool_tui.present.paths import is_path, path_end
from unspool_tui.present.shell_call import SHELLS
from unspool_tui.present.subject import Nature, Subject

if TYPE_CHECKING:
    from unspool.views.evidence import Evidence

SWITCH_WIDTH: Final = 14
"""Cells at the right end of the first row that the switch between full text and model view takes."""

_PATCH_COUNTS: Final = pattern(r" \+\d+ −\d+\Z")
"""What a headline ends with that tells a patch by its files: no command that was run."""

BLOB_FROM: Final = 80
"""Cells: a narrower header needs them for the call, and leaves out the id of the blob that holds the text."""


COUNTS_RANK: Final = 7
"""The rank of what an edit put in and took out: the path shrinks before that goes."""

PATH_LEAST: Final = 12
"""Cells below which a path names no file any more."""


@dataclass(frozen=True, slots=True)
class Mode:
    """Which text of a piece is shown, and whether its pane has the focus."""

    model_view: bool = False
    raw: bool = False
    lit: bool = False


class Group(NamedTuple):
    """Facts that stand together; the lowest rank gives way first. One that `shrinks` is a path, told by its end."""

    rank: int
    cells: Row
    right: bool = False
    shrinks: bool = False


_ASIDE: Final = (
    (Flag.REASONING, f"{marks.REASONING} reasoning"),
    (Flag.ABANDONED, f"{marks.ASIDE} abandoned"),
    (Flag.REPLAYED, f"{marks.ASIDE} replayed"),
    (Flag.TWIN, f"{marks.ASIDE} logged twice"),
    (Flag.INHERITED, "copied from another session"),
    (Flag.SALVAGED, "recovered from a torn line"),
    (Flag.UNTERMINATED, "no line end yet"),
    (Flag.ORPHAN, "no call"),
    (Flag.DUPLICATE, "second result"),
    (Flag.BY_USER, "run by the person"),
)
"""Flags that are said in words, with the words."""


def header_rows(subject: Subject | None, mode: Mode, width: int, zone: tzinfo | None) -> tuple[Row, Row]:
    """Return both rows in `width` cells; without a subject they say that there is nothing to read."""
    bar: Cell = (marks.BAR, "accent") if mode.lit else BLANK
    if subject is None:
        return (bar, ("Reader", "accent bold" if mode.lit else "muted bold")), ()
    groups = list(_groups(subject, mode, zone))
    while len(groups) > 1 and _needed(groups) > width:
        least = min(groups, key=lambda group: group.rank)
        path = next((group for group in groups if group.shrinks), None)
        if path is not None and least.rank >= COUNTS_RANK and width_of(path.cells) > PATH_LEAST:
            groups[groups.index(path)] = _shrunk(path, _needed(groups) - width)
        else:
            groups.remove(least)
    left = joined(group.cells for group in groups if not group.right)
    right = joined(group.cells for group in groups if group.right)
    return spread((bar, *left), (*right, BLANK), width), _second(subject, width)


def has_switch(subject: Subject | None, mode: Mode) -> bool:
    """Say whether the first row ends with the switch between full text and model view."""
    return subject is not None and subject.shortened and not mode.raw


def _shrunk(path: Group, by: int) -> Group:
    """Return the path in fewer cells, at least `PATH_LEAST`."""
    text, ink = path.cells[0]
    return path._replace(cells=((path_end(text, max(PATH_LEAST, width_of(path.cells) - by)), ink),))


def _needed(groups: list[Group]) -> int:
    return 2 + sum(width_of(group.cells) for group in groups) + 3 * (len(groups) - 1)


def _groups(subject: Subject, mode: Mode, zone: tzinfo | None) -> Iterator[Group]:
    evidence = subject.evidence
    yield Group(9, ((str(evidence.id), f"{'accent' if mode.lit else 'text'} bold"), ("  ", "text"), *_who(evidence)))
    if mode.raw:
        yield Group(8, (("raw record", "accent"),))
    if ended := badge(evidence):
        yield Group(6, ((ended[0][0], "error bold" if "error" in ended[0][1] else "muted"),))
    yield from _sizes(subject)
    if aside := "  ".join(words for flag, words in _ASIDE if flag in evidence.flags):
        yield Group(5, ((aside, "muted"),))
    if Flag.UNANSWERED in evidence.flags:
        yield Group(5, ((f"{marks.PENDING} no result yet", "live"),))
    yield Group(1, ((numbers.clock(evidence.time, zone), "muted"),), right=True)
    if subject.took is not None:
        yield Group(2, ((f"took {numbers.duration(subject.took)}", "muted"),), right=True)
    yield from _seen(subject, mode)


def _sizes(subject: Subject) -> Iterator[Group]:
    evidence = subject.evidence
    if subject.patch is not None:
        yield Group(8, ((_path(subject), "text bold"),), shrinks=True)
        yield Group(COUNTS_RANK, ((f"+{subject.patch.count('+')} ", "add"), (f"−{subject.patch.count('-')}", "del")))
        return
    lines = numbers.plural(evidence.lines, "line") if subject.laid_out is None else ""
    if lines:
        yield Group(4, ((lines, "text"),))
    if subject.file_line is not None:
        start = "numbered as in the file" if subject.file_line == 1 else f"from line {subject.file_line} of the file"
        yield Group(3, ((start, "muted"),))
    if subject.shortened:
        yield Group(8, ((f" {marks.STORED} {_saw(subject)} ", "stored bold on stored-bg"),))
        return
    if size := numbers.listed_size(evidence.bytes):
        yield Group(4, ((size, "text"),))
    if subject.cut:
        yield Group(8, ((f" {marks.STORED} cut by the agent ", "stored bold on stored-bg"),))


def _saw(subject: Subject) -> str:
    """Say how much of the text the model saw; what is around a preview is not of the text."""
    evidence = subject.evidence
    saw = subject.seam if subject.seam is not None else evidence.model_bytes or 0
    if saw >= evidence.bytes:
        return "model saw another text"
    return f"model saw {numbers.size(saw)} of {numbers.size(evidence.bytes)}"


def _seen(subject: Subject, mode: Mode) -> Iterator[Group]:
    """Say at the right end what the model saw, or where a difference is taken from."""
    if subject.patch is not None:
        yield Group(2, ((subject.patch.origin, "muted"),), right=True)
    elif has_switch(subject, mode):
        chosen, other = "text bold on chip", "muted"
        full, model = (other, chosen) if mode.model_view else (chosen, other)
        yield Group(7, ((" full ", full), (" model ", model)), right=True)
    elif subject.cut:
        yield Group(3, (("the rest is lost", "muted"),), right=True)
    elif subject.evidence.tool_part is ToolPart.OUTPUT and not subject.shortened and subject.evidence.blob is None:
        yield Group(3, (("model saw all", "muted"),), right=True)


def _who(evidence: Evidence) -> Row:
    if evidence.kind is not Kind.TOOL:
        return ((str(evidence.kind), str(evidence.kind)),)
    call = evidence.tool_part is ToolPart.INPUT
    ink = "input" if call else "output"
    return ((marks.CALL if call else marks.RESULT, ink), (f" {tool_name(evidence.tool)}", ink))


def _path(subject: Subject) -> str:
    """Return the file that was changed, its last parts when it is long, or how many there are."""
    files = subject.patch.files if subject.patch is not None else ()
    if len(files) != 1:
        return f"{len(files)} files"
    path = clean(files[0].path or subject.path or "a file", newline=False)
    parts = re.split(r"(?<=[/\\])", path)
    return path if len(parts) <= 4 else "".join(["…", path[len(path) - len("".join(parts[-3:])) - 1 :]])


def _second(subject: Subject, width: int) -> Row:
    evidence, patch = subject.evidence, subject.patch
    peer, beside = _peer(subject.peer), _beside(subject, width)
    room = width - width_of(beside) - width_of(peer) - 8
    told: Row = ()
    if patch is not None:
        changes = numbers.plural(patch.changes, "change")
        told = ((f"{changes} in {numbers.plural(len(patch.files), 'file')}", "text"),)
    elif subject.call is evidence and subject.nature is Nature.COMMAND:  # the body says it
        told = _described(subject, room)
    elif subject.call is not None:
        said = headline(subject.call)
        dollar = (subject.call.tool or "").lower() in SHELLS and not _PATCH_COUNTS.search(said)
        said = path_end(said, room) if is_path(said) or said in subject.call.files else ellipsis(said, room)
        told = (("$ ", "input"), (said, "text")) if dollar else ((said, "text"),)
    elif evidence.blob is not None:
        told = ((ellipsis(f"blob {evidence.blob}", room), "muted"),)
    elif evidence.images or evidence.files:
        images = (numbers.plural(evidence.images, "image"),) if evidence.images else ()
        told = ((ellipsis("  ".join([*images, *map(_one_line, evidence.files)]), room), "muted"),)
    lead: Cell = ("    " if patch is not None else "  ", "text")
    return spread((lead, *told, *((WIDE_GAP, *peer) if told and peer else peer)), beside, width)


def _described(subject: Subject, room: int) -> Row:
    """Return what the model said a command is for."""
    said = subject.arguments.get("description") if isinstance(subject.arguments, Mapping) else None
    return ((ellipsis(clean(said, newline=False), room), "muted"),) if isinstance(said, str) and said else ()


def _beside(subject: Subject, width: int) -> Row:
    """Say what must be known before reading; else in which blob the text lies, where the call leaves room for it."""
    if subject.notice:
        return ((clean(subject.notice, newline=False), "stored"), BLANK)
    if subject.evidence.blob is not None and subject.call is not None and width >= BLOB_FROM:
        return ((f"blob {subject.evidence.blob}", "muted"), BLANK)
    return ()


def _one_line(text: str) -> str:
    return clean(text, newline=False)


def _peer(peer: Evidence | None) -> Row:
    """Name the counterpart; of a result also how it ended."""
    if peer is None:
        return ()
    if peer.tool_part is ToolPart.INPUT:
        return ((f"{marks.CALL} {peer.id}", "muted"),)
    ended = badge(peer)
    failed = bool(ended) and "error" in ended[0][1]
    return ((f"{marks.RESULT} {peer.id} ", "muted"), (ended[0][0] if ended else "ok", "error" if failed else "muted"))
