"""The ledger in rows: what was made, what the model saw of it, and what it was."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool.formats.blobs import BLOBS
from unspool.formats.piece import Flag
from unspool.named_tuple import NamedTuple
from unspool.text import clean
from unspool_tui.present import marks, numbers
from unspool_tui.present.cells import BLANK, GAP, WIDE_GAP, Cell, Row, end_of, fit, spread, width_of
from unspool_tui.present.evidence_row import badge, headline, tool_name
from unspool_tui.present.paths import below, is_path

if TYPE_CHECKING:
    from unspool.ids import EvidenceId
    from unspool.views.evidence import Evidence
    from unspool.views.ledger import Weight
    from unspool.views.view import SessionView

RULE: Final = "━"
SIZE_WIDTH: Final = 8
SEEN_WIDTH: Final = 9
SCALE: Final = 20
SCALE_NARROW: Final = 8
SCALE_FROM: Final = 72
"""Cells of the list: a narrower one has no scale."""
ID_WIDTH: Final = 8
COUNT_WIDTH: Final = 11
WHO_WIDTH: Final = 16
WHO_NARROW: Final = 11
CLOSE_BELOW: Final = 60
"""Cells of the list: a narrower one says neither which tool made an output nor how many there are of a group."""
WIDE_FROM: Final = 100
"""Cells of the list: a narrower one is set closer."""


_LESS: Final = Flag.PERSISTED | Flag.SHORTENED | Flag.MISSING


class Order(Enum):
    """What the rows of the ledger are."""

    SIZE = "by size"
    TOOL = "by tool"
    FILE = "by file"

    @property
    def title(self) -> str:
        """The heading of the list."""
        return {"by size": "Worst outputs", "by tool": "Tools", "by file": "Files"}[self.value]


@dataclass(frozen=True, slots=True, eq=False)
class Output:
    """One output. `evidence` and `call` are `None` until they were read, the call also for a result without one.

    `known` says whether a model is known to have seen it.
    """

    id: EvidenceId
    tool: str | None
    flags: Flag
    made: int
    seen: int | None
    evidence: Evidence | None = None
    call: Evidence | None = None
    known: bool = True


class Group(NamedTuple):
    """The outputs of a tool, or about a path; `name` is as the log has it."""

    name: str
    weight: Weight


def seen_by_a_model(view: SessionView) -> bool:
    """Say whether a model is known to have seen what a view holds: of a folder of outputs alone it is not."""
    return view.agent != BLOBS.agent


def output_row(output: Output, most: int, width: int, *, bar: Cell, here: bool, folder: str = "") -> Row:
    """Return the row of an output; `most` is the largest size of the list, which the scale is for."""
    name = "text" if here else "muted"
    less = bool(output.flags & _LESS) if output.known else None
    left: list[Cell] = [bar, *_weighed(output.made, output.seen, less, most, width, here=here)]
    left += fit([(str(output.id), name)], max(ID_WIDTH, len(str(output.id)) + 1))
    if width >= CLOSE_BELOW:
        left += [*fit([(f"{marks.RESULT} {tool_name(output.tool)}", "output")], _who_width(width)), GAP]
    return spread([*left, *_what(output, width - width_of(left) - 1, folder)], (BLANK,), width)


def group_row(
    group: Group, order: Order, largest: EvidenceId | None, most: int, width: int, *, bar: Cell, here: bool,
    known: bool = True,
) -> Row:  # fmt: skip
    """Return the row of a tool or a path; `largest` is the id of its largest output."""
    weight, name = group.weight, "text" if here else "muted"
    seen = weight.seen if weight.seen < weight.made else None
    less = bool(weight.stored) if known else None
    left: list[Cell] = [bar, *_weighed(weight.made, seen, less, most, width, here=here)]
    left += fit([(str(largest or ""), name)], ID_WIDTH)
    if width >= CLOSE_BELOW:
        left += [*fit([(numbers.plural(weight.outputs, "output"), name)], COUNT_WIDTH, right=True), WIDE_GAP]
    if order is Order.TOOL:
        left += [(f"{marks.RESULT} {tool_name(group.name or None)}", "text" if here else "output")]
        return spread(left, (BLANK,), width)
    return spread(
        [*left, (end_of(clean(group.name, newline=False), width - width_of(left) - 1), "text")], (BLANK,), width
    )


def columns_row(order: Order, width: int) -> Row:
    """Return the names of the columns."""
    row: list[Cell] = [BLANK, *fit([("made", "faint")], SIZE_WIDTH, right=True)]
    row += fit([("model saw", "faint")], 2 + 1 + SEEN_WIDTH, right=True)
    row += [_gap(width), *([(" " * _scale(width), "text"), _gap(width)] if _scale(width) else [])]
    if order is Order.SIZE:
        row += fit([("id", "faint")], ID_WIDTH)
        row += [*fit([("tool", "faint")], _who_width(width)), GAP] if width >= CLOSE_BELOW else []
        return fit([*row, ("what", "faint")], width)
    row += fit([("largest", "faint")], ID_WIDTH)
    row += [*fit([], COUNT_WIDTH), WIDE_GAP] if width >= CLOSE_BELOW else []
    return fit([*row, ("tool" if order is Order.TOOL else "file", "faint")], width)


@dataclass(frozen=True, slots=True)
class OrderSpot:
    """Where an order can be clicked: half-open cells."""

    start: int
    stop: int
    order: Order


def orders_row(
    head: Row, chosen: Order, keys: Sequence[str], total: Weight | None, width: int, *, known: bool = True
) -> tuple[Row, tuple[OrderSpot, ...]]:
    """Return the orders behind a head, the weight of all at the right as far as there is room, and where to click.

    `known` says whether a model is known to have seen anything.
    """
    row: list[Cell] = [*head, GAP]
    spots = []
    for key, order in zip(keys, Order, strict=True):
        start = width_of(row)
        ground, bold = (" on chip", " bold") if order is chosen else ("", "")
        row += [(f" {key} ", f"{'muted' if bold else 'faint'}{ground}")]
        row += [(f"{order.value} ", f"{'text' if bold else 'muted'}{bold}{ground}")]
        spots.append(OrderSpot(start, width_of(row), order))
    for told in _totals(total, known=known):
        if width_of(row) + width_of(told) + 4 <= width:
            return spread(row, (*told, GAP), width), tuple(spots)
    return fit(row, width), tuple(spots)


def _totals(total: Weight | None, *, known: bool) -> list[Row]:
    """Return what all outputs weigh, in fewer and fewer words."""
    if total is None or not total.outputs:
        return []
    made, cut = (numbers.size(total.made), "text bold"), _cut(total)
    outputs, told = numbers.plural(total.outputs, "output"), numbers.size(total.seen)
    if not known:
        return [((f"{outputs} made ", "muted"), made)]
    if total.seen == total.made and total.cut:
        return [((f"{outputs} made ", "muted"), made, *cut), (("made ", "muted"), made, *cut)]
    seen = (told, "stored bold") if total.seen < total.made else ("all", "muted")
    return [
        ((f"{outputs} made ", "muted"), made, (", the model saw ", "muted"), seen, *cut),
        (("made ", "muted"), made, (", seen ", "muted"), seen, *cut),
    ]


def _cut(weight: Weight) -> Row:
    """Say how many outputs were cut by the agent: of these is not known what they made."""
    return ((", ", "muted"), (numbers.full(weight.cut), "stored bold"), (" cut", "muted")) if weight.cut else ()


def _weighed(made: int, seen: int | None, less: bool | None, most: int, width: int, *, here: bool) -> list[Cell]:
    """Return size, what the model saw, and both on a scale.

    `less` says that it saw less than there was: how much less is not known where all that is left was `seen`, which is
    `None` then. It is `None` itself where no model is known to have seen anything.
    """
    told = "" if less is None else numbers.size(seen) if seen is not None else "cut" if less else "all"
    cells = [*fit([(numbers.size(made), f"text{' bold' if here else ''}")], SIZE_WIDTH, right=True), GAP]
    cells += [(marks.STORED, "stored") if less else BLANK]
    cells += fit([(told, "stored" if less else "muted" if here else "faint")], SEEN_WIDTH, right=True)
    cells.append(_gap(width))
    scale = _scale(width)
    if scale:
        cells += [*fit(scaled(made, made if seen is None else seen, most, scale, less=bool(less)), scale), _gap(width)]
    return cells


def scaled(made: int, seen: int, most: int, cells: int, *, less: bool) -> Row:
    """Return both sizes as one rule on a scale of `cells` for `most`; what there is never vanishes."""
    whole = max(1, round(made * cells / max(1, most))) if made else 0
    part = min(whole, max(1, round(seen * cells / max(1, most)))) if seen else 0
    row = ((RULE * part, "stored" if less else "output"), (RULE * (whole - part), "stored-soft"))
    return tuple(cell for cell in row if cell[0])


def _what(output: Output, room: int, folder: str) -> Row:
    evidence = output.evidence
    if evidence is None:
        return ()
    said = headline(output.call or evidence)
    said = below(said, folder)
    ended: Row = ()
    if Flag.MISSING in output.flags:
        ended = (("not found", "error"), GAP)
    elif output.flags & Flag.ERROR or evidence.exit_code:
        ended = badge(evidence)
    if is_path(said):
        said = end_of(said, room - width_of(ended))
    return (*ended, (said, "text"))


def _scale(width: int) -> int:
    return SCALE if width >= WIDE_FROM else SCALE_NARROW if width >= SCALE_FROM else 0


def _who_width(width: int) -> int:
    return WHO_WIDTH if width >= WIDE_FROM else WHO_NARROW


def _gap(width: int) -> Cell:
    return WIDE_GAP if width >= WIDE_FROM else GAP
