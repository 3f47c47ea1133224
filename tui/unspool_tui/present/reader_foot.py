"""The row below a body: which window of what is shown, and how to get more. Always there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass, replace
from unspool_tui.present import marks, numbers
from unspool_tui.present.cells import BLANK, GAP, Cell, Row, joined, spread, width_of

if TYPE_CHECKING:
    from unspool_tui.present.found import Found
    from unspool_tui.present.pages import Pages

BAR_WIDTH: Final = 16
"""Cells of the rule that shows where in the whole the window lies."""


@dataclass(frozen=True, slots=True)
class Foot:
    """What the row says.

    `first` and `last` are the lines at hand, of `lines`; `start` and `stop` the bytes at hand, of `bytes`. `said` is
    why the body stands where it does. `match` is (which, of how many) as far as that is known, `match_line` its line.
    `form` says in which form a text is shown; `in_file` that lines are numbered
    as in the file they were read from. `trouble` says what went wrong.
    """

    first: int = 0
    last: int = 0
    lines: int = 0
    start: int = 0
    stop: int = 0
    bytes: int = 0
    said: str = ""
    match: tuple[int | None, int | None] | None = None
    match_line: int | None = None
    form: str = ""
    in_file: bool = False
    trouble: str = ""

    @property
    def complete(self) -> bool:
        """Whether everything is at hand."""
        return self.start <= 0 and self.stop >= self.bytes


def foot_of(pages: Pages, found: Found | None, *, said: str = "", trouble: str = "") -> Foot:
    """Return what is to be said of the windows at hand; `found` is `None` when nothing is looked for."""
    own = pages.file_lines
    foot = Foot(
        first=own[0] if own else pages.first_line if pages.lines else 0,
        last=own[1] if own else pages.last_line if pages.lines else 0,
        in_file=own is not None,
        lines=pages.last.total_lines,
        start=pages.first.start,
        stop=pages.last.stop,
        bytes=pages.last.total_bytes,
        said=said,
        trouble=trouble,
    )
    if found is None or (found.spot is None and not pages.complete):
        return foot
    line = pages.first_line + pages.shift + found.spot[0] if found.spot is not None else None
    if not pages.complete:
        return replace(foot, match=(None, None), match_line=line)
    now = found.now
    return replace(foot, match=(None if now is None else now + 1, found.count), match_line=line)


def foot_row(foot: Foot | None, width: int, keys: tuple[str, str] = ("space", "/")) -> Row:
    """Return the row in `width` cells; `keys` read on and search."""
    if foot is None:
        return ()
    groups = _groups(foot)
    while len(groups) > 1 and BAR_WIDTH + 4 + width_of(joined(groups)) > width:
        groups.pop()
    left = (BLANK, *_bar(foot), GAP, *joined(groups))
    more = _more(foot, *keys)
    return spread(left, more if width_of(left) + width_of(more) + 4 <= width else (), width)


def _groups(foot: Foot) -> list[Row]:
    """Return what is said, what matters most first."""
    if foot.trouble:
        return [((f"{marks.ERROR} ", "error"), (foot.trouble, "text"))]
    said: list[Row] = [((words, "muted"),) for words in (foot.said, foot.form) if words]
    if foot.match is not None and foot.match[1] != 0:
        return [((_match(foot.match), "match"),), *_match_line(foot), *said]
    if foot.match is not None and not foot.said:
        said.insert(0, (("no match in this piece", "muted"),))
    if foot.complete:
        return [_all(foot), *said]
    here, whole = numbers.size(foot.stop - foot.start), numbers.size(foot.bytes)
    sizes = [((f"{here} of {whole}", "muted"),)] if here != whole else []
    return [((_lines(foot), "text"),), *said, *sizes]


def _all(foot: Foot) -> Row:
    if not foot.bytes:
        return (("empty", "muted"),)
    size = numbers.listed_size(foot.bytes)
    lines = "all of 1 line" if foot.lines == 1 else f"all {numbers.full(foot.lines)} lines"
    return ((f"{lines}   {size}" if size else lines, "text"),)


def _lines(foot: Foot) -> str:
    first, last, lines = (numbers.full(number) for number in (foot.first, foot.last, foot.lines))
    if foot.in_file:
        return f"lines {first}–{last} of the file"
    return f"line {first} of {lines}" if foot.first == foot.last else f"lines {first}–{last} of {lines}"


def _match(match: tuple[int | None, int | None]) -> str:
    which, count = match
    if count is None:
        return "match"
    if which is None:
        return f"{numbers.plural(count, 'match', 'matches')} in this piece"
    return f"match {numbers.full(which)} of {numbers.full(count)} in this piece"


def _match_line(foot: Foot) -> list[Row]:
    if foot.match_line is None:
        return []
    whole = "the file" if foot.in_file else numbers.full(foot.lines)
    return [((f"line {numbers.full(foot.match_line)} of {whole}", "muted"),)]


def _bar(foot: Foot) -> list[Cell]:
    """Draw the window within the whole as a thin rule."""
    total = max(1, foot.bytes)
    first = min(BAR_WIDTH - 1, int(BAR_WIDTH * foot.start / total))
    last = max(first + 1, round(BAR_WIDTH * min(foot.stop, total) / total)) if foot.bytes else BAR_WIDTH
    return [
        (marks.RULE * first, "line"),
        (marks.RULE_HERE * (last - first), "muted"),
        (marks.RULE * (BAR_WIDTH - last), "line"),
    ]


def _more(foot: Foot, on_key: str, search_key: str) -> Row:
    """Say how to get what is not at hand."""
    if foot.complete or foot.trouble:
        return ()
    on: Row = ((on_key, "text bold"), (" reads on  ", "muted")) if foot.stop < foot.bytes else ()
    return (*on, (search_key, "text bold"), (f" searches all {numbers.size(foot.bytes)}", "muted"), GAP)
