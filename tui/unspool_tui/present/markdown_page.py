"""Markdown as it is meant: headings, lists, quotes, tables and code, without the marks that say so.

Every line that is shown knows which line of the source it comes from: line ends inside a paragraph are kept, since
people and models mean them. What cannot be told is shown as it was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool_tui.present import marks
from unspool_tui.present.code_lines import coloured
from unspool_tui.present.lines import Line, Origin
from unspool_tui.present.markdown_lines import language_named
from unspool_tui.present.markdown_table import Table
from unspool_tui.present.markdown_words import Words, worded

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    from unspool_tui.present.cells import Cell

RENDERED: Final = 65_536
"""Bytes of a text up to which it is rendered: laid out in a moment, in a worker. Longer ones are inked as written."""

DEEPEST: Final = 18
"""Blocks within each other from which on the parser may leave words out."""

TABLE_CELLS: Final = 2_000
"""Cells of all tables together; what has more is data, and would be laid out too long in each new width."""

LEAD_MOST: Final = 40
"""Cells that lists and quotes within each other stand further in at most."""

QUOTED: Final = f"{marks.QUOTE} "
BULLET: Final = f"{marks.BULLET} "
OWN: Final = "muted own"
"""The ink of what is drawn and was not written so: it has twins in ASCII, and nobody selects it."""

_HEADINGS: Final = {"h1": " bold underline", "h2": " bold"}


@dataclass(frozen=True, slots=True, eq=False)
class MarkdownPage:
    """A text ready to be shown in any width: lines, and tables that are laid out last; `source` are its own lines."""

    source: Sequence[str]
    blocks: Sequence[Line | Table]

    def lines(self, width: int) -> Sequence[Line]:
        """Return the lines for `width` cells."""
        lines: list[Line] = []
        for block in self.blocks:
            lines += block.lines(width) if isinstance(block, Table) else [block]
        return lines

    @property
    def bends(self) -> bool:
        """Whether another width makes other lines."""
        return any(isinstance(block, Table) for block in self.blocks)


def page_of(source: Sequence[str], base: str = "text", faint: frozenset[int] = frozenset()) -> MarkdownPage | None:
    """Read the cleaned lines of a text; those whose index is in `faint` step back, whatever they are.

    `None` for what is better shown as it was written: blocks too deep within each other, tables of data.
    """
    tokens = _parser().parse("\n".join(source))
    if any(token.level >= DEEPEST for token in tokens):
        return None
    if sum(token.type in ("td_open", "th_open") for token in tokens) > TABLE_CELLS:
        return None
    return MarkdownPage(source, _Writer(source, base, faint).written(tokens))


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    """Return what finds the blocks; words within them are read by ourselves, since it may take long over them."""
    from markdown_it import MarkdownIt  # the command does without

    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["reference", "html_block"])
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


@dataclass(slots=True)
class _Container:
    """A quote, or an item of a list whose mark stands before its first line only."""

    lead: str
    rest: str
    line: int
    before: int


class _Writer:
    """Writes one text block by block."""

    def __init__(self, source: Sequence[str], base: str, faint: frozenset[int]) -> None:
        self._source = source
        self._base = base
        self._faint = faint
        self._blocks: list[Line | Table] = []
        self._containers: list[_Container] = []
        self._next = 0  # the first line of the source that is not yet told

    def written(self, tokens: Sequence[Token]) -> Sequence[Line | Table]:
        at = 0
        while at < len(tokens):
            at = self._block(tokens, at)
        return self._blocks

    def _block(self, tokens: Sequence[Token], at: int) -> int:
        """Write the block that begins with a token; return the index of the one behind it."""
        token = tokens[at]
        first, stop = token.map or (self._next, self._next)
        match token.type:
            case "blockquote_open":
                self._open(QUOTED, QUOTED, first)
            case "list_item_open":
                mark = f"{token.info}{token.markup} " if token.info else BULLET
                self._open(mark, " " * len(mark), first)
            case "blockquote_close" | "list_item_close":
                self._close()
            case "heading_open" | "paragraph_open":
                self._gap(first)
                self._said(tokens[at + 1], first, _HEADINGS.get(token.tag, " italic bold") if token.tag != "p" else "")
                self._next = stop
                return at + 3
            case "fence" | "code_block":
                self._gap(first)
                self._code(token, first)
                self._next = stop
            case "hr":
                self._gap(first)
                self._line([(marks.RULE * 24, "thread own")], first)
                self._next = stop
            case "table_open":
                self._gap(first)
                at = self._table(tokens, at)
                self._next = stop
            case _:
                pass
        return at + 1

    # Where it stands.

    def _open(self, lead: str, rest: str, line: int) -> None:
        self._gap(line)
        self._containers.append(_Container(lead, rest, line, len(self._blocks)))

    def _close(self) -> None:
        container = self._containers[-1]
        if len(self._blocks) == container.before:  # nothing was said in it
            self._line([], container.line)
            self._next = max(self._next, container.line + 1)
        self._containers.pop()

    def _lead(self) -> str:
        """Return what stands before a line; marks of items are used up."""
        said = "".join(each.lead for each in self._containers)
        for each in self._containers:
            each.lead = each.rest
        return said if len(said) <= LEAD_MOST else f"{said[: LEAD_MOST - 2]}{said[-2:]}"

    def _gap(self, line: int) -> None:
        """Leave one blank line where the source has some."""
        blank = any(not self._source[at].strip(" >") for at in range(self._next, min(line, len(self._source))))
        if blank and self._blocks:
            quoted = "".join(each.rest for each in self._containers).rstrip(" ")
            cells = ((quoted, OWN),) if quoted else ()
            self._blocks.append(Line(quoted, cells, origin=Origin(self._next)))
        self._next = max(self._next, line)

    # What is said.

    def _said(self, inline: Token, first: int, more: str) -> None:
        lines = [self._placed(first + number, text) for number, text in enumerate(inline.content.split("\n"))]
        quoted = any(each.rest == QUOTED for each in self._containers)
        for words in worded(lines, f"{'muted' if quoted else self._base}{more}"):
            self._line(words.cells, words.line, words.at)

    def _placed(self, line: int, text: str) -> tuple[int, int, str]:
        """Return a line of a block with its place in the source."""
        line = min(line, len(self._source) - 1)
        return line, max(0, self._source[line].find(text)), text

    def _code(self, token: Token, first: int) -> None:
        language = language_named(token.info)
        if token.type == "fence":
            first += 1
            if name := token.info.strip().partition(" ")[0]:
                self._line([(name, "faint")], first - 1, ground="rail")
        for number, text in enumerate(token.content.removesuffix("\n").split("\n")):
            line, column, _ = self._placed(first + number, text)
            cells = coloured(text, language, "soft")
            self._line(cells, line, range(column, column + len(text)), ground="rail", hangs=None)

    def _table(self, tokens: Sequence[Token], at: int) -> int:
        rows: list[list[Words]] = []
        right: list[bool] = []
        while tokens[at].type != "table_close":
            token = tokens[at]
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                head = token.type == "th_open"
                if head:
                    right.append("right" in str(token.attrs.get("style", "")))
                line, _, text = self._placed((token.map or (self._next, 0))[0], tokens[at + 1].content)
                rows[-1].append(worded([(line, 0, text)], f"{self._base} bold" if head else self._base)[0])
            at += 1
        self._number_rows(rows)
        self._blocks.append(Table(rows, right, self._lead()))
        return at

    def _number_rows(self, rows: Sequence[Sequence[Words]]) -> None:
        """Give the cells the line they stand in: rows follow each other, with the rule behind the first."""
        for number, row in enumerate(rows):
            for cell in row:
                cell.line = min(self._next + number + (number > 0), len(self._source) - 1)

    def _line(
        self, cells: Iterable[Cell], line: int, at: Sequence[int] = (), *, ground: str = "ground", hangs: int | None = 0
    ) -> None:
        lead = self._lead()
        kept = tuple(cell for cell in ((lead, OWN), *cells) if cell[0])
        if line in self._faint:
            kept = tuple((text, "faint") for text, _ in kept)
        text = "".join([text for text, _ in kept])
        before = len(text) - len(at)
        origin = Origin(line, (*([at[0] if at else 0] * before), *at) if at else ())
        hang = len(lead) + (hangs if hangs is not None else len(text) - len(text.lstrip(" ")) + 2)
        self._blocks.append(Line(text, kept, ground=ground, hang=hang, origin=origin))
