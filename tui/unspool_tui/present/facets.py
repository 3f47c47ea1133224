"""The seven facets: what there is, in numbers, and how a chosen one is written into the filter line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool.formats.piece import Flag, Kind, ToolPart
from unspool.pattern import pattern
from unspool_tui.present import marks, numbers
from unspool_tui.present.cells import Cell, Row, width_of

if TYPE_CHECKING:
    from unspool.views.filter import Filter
    from unspool.views.view import SessionView


@dataclass(frozen=True, slots=True)
class Facet:
    """One facet: its key, its mark (where it has one), its word, and the ink of its kind."""

    key: str
    mark: str
    word: str
    ink: str


FACETS: Final = (
    Facet("1", "", "user", "user"),
    Facet("2", "", "assistant", "assistant"),
    Facet("3", "", "system", "system"),
    Facet("4", marks.CALL, "in", "input"),
    Facet("5", marks.RESULT, "out", "output"),
    Facet("6", marks.ERROR, "errors", "error"),
    Facet("7", marks.STORED, "stored", "stored"),
)

STORED_FLAGS: Final = Flag.PERSISTED | Flag.SHORTENED

_WORD = pattern(r'(?:[^\s"]|"[^"]*"?)+')
_KINDS: Final = {"user": Kind.USER, "assistant": Kind.ASSISTANT, "system": Kind.SYSTEM}
_TOOL_WORDS: Final = frozenset({"in", "out"})


def chosen_of(filter: Filter) -> frozenset[str]:
    """Return the words of the facets that a filter has chosen."""
    chosen = {word for word, kind in _KINDS.items() if kind in filter.kinds}
    if filter.tool_part is not None:
        chosen.add("in" if filter.tool_part is ToolPart.INPUT else "out")
    elif Kind.TOOL in filter.kinds:
        chosen |= _TOOL_WORDS
    chosen |= {"errors"} if filter.errors else set()
    chosen |= {"stored"} if filter.stored else set()
    return frozenset(chosen)


def toggled(words: str, filter: Filter, facet: str) -> str:
    """Return the filter line with one facet chosen or given up.

    A half of the tools cannot be asked for together with a role; then the newly chosen one stands alone.
    """
    chosen = set(chosen_of(filter)) ^ {facet}
    tools, roles = chosen & _TOOL_WORDS, chosen & _KINDS.keys()
    if len(tools) == 1 and roles:
        chosen -= roles if facet in _TOOL_WORDS else tools
    return with_facets(words, chosen)


def with_facets(words: str, chosen: Iterable[str]) -> str:
    """Return the filter line with exactly these facets; its other words stay as they are."""
    kept = [word for word in _WORD.findall(words) if not _is_facet(word)]
    return " ".join([*_facet_words(set(chosen)), *kept])


def switched(words: str, state: str, *, on: bool) -> str:
    """Return the filter line with or without `is:<state>`."""
    kept = [word for word in _WORD.findall(words) if word.lower() != f"is:{state}"]
    return " ".join([f"is:{state}", *kept] if on else kept)


def count_matches(view: SessionView, rows: Iterable[int], filter: Filter) -> dict[str, int]:
    """Count what each facet would give among rows that were found, as `view.facets` does for all rows."""
    counts = dict.fromkeys((facet.word for facet in FACETS), 0)
    for row in rows:
        word, flags = word_of(view, row), view.flags(row)
        states = _states_fit(flags, filter)
        counts[word] += states
        if _kind_fits(view, row, filter):
            counts["errors"] += bool(flags & Flag.ERROR) and (not filter.stored or bool(flags & STORED_FLAGS))
            counts["stored"] += bool(flags & STORED_FLAGS) and (not filter.errors or bool(flags & Flag.ERROR))
    return counts


def fits(view: SessionView, row: int, filter: Filter) -> bool:
    """Say whether a found row has the facets that the filter has chosen."""
    return _states_fit(view.flags(row), filter) and _kind_fits(view, row, filter)


def word_of(view: SessionView, row: int) -> str:
    """Return the facet that a row belongs to by its kind."""
    kind = view.kind(row)
    if kind is not Kind.TOOL:
        return str(kind)
    return "in" if view.tool_part(row) is ToolPart.INPUT else "out"


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a word can be clicked: half-open cells, and what it stands for."""

    start: int
    stop: int
    word: str


def facet_row(
    head: Row, facets: Iterable[tuple[Facet, int]], chosen: frozenset[str], width: int
) -> tuple[Row, tuple[Spot, ...]]:
    """Return the facets after a head, and where each can be clicked.

    Keys go first where it gets tight, then words that have a mark, then the head, then the last facets.
    """
    facets = tuple(facets)
    row, spots = _facets(head, facets, chosen, keys=True, words=True)
    for keys, words, headed in ((False, True, True), (False, False, True), (False, False, False)):
        if width_of(row) < width:
            break
        row, spots = _facets(head if headed else head[:1], facets, chosen, keys=keys, words=words)
    while width_of(row) >= width and facets:
        facets = facets[:-1]
        row, spots = _facets(head[:1], facets, chosen, keys=False, words=False)
    return row, spots


def _facets(
    head: Row, facets: tuple[tuple[Facet, int], ...], chosen: frozenset[str], *, keys: bool, words: bool
) -> tuple[Row, tuple[Spot, ...]]:
    row: list[Cell] = list(head)
    spots = []
    at = width_of(row)
    for facet, number in facets:
        gap = ("   " if keys else "  ", "text")
        cells = _chip(facet, number, chosen, keys=keys, words=words)
        start = at + len(gap[0])
        at = start + width_of(cells)
        row += [gap, *cells]
        spots.append(Spot(start, at, facet.word))
    return tuple(row), tuple(spots)


def _chip(facet: Facet, number: int, chosen: frozenset[str], *, keys: bool, words: bool) -> Row:
    on = facet.word in chosen
    ground = " on chip" if on else ""
    faint = (bool(chosen) and not on) or not number
    name = " ".join(part for part in (facet.mark, facet.word if words or not facet.mark else "") if part)
    cells = [
        (" " if on else "", f"text{ground}"),
        (f"{facet.key} " if keys and facet.key else "", f"{'muted' if on else 'faint'}{ground}"),
        (name, f"{'faint' if faint else facet.ink}{' bold' if on else ''}{ground}"),
        (f" {numbers.count(number)}", f"{'faint' if faint else 'text' if on else 'muted'}{ground}"),
        (" " if on else "", f"text{ground}"),
    ]
    return tuple(cell for cell in cells if cell[0])


def _facet_words(chosen: set[str]) -> list[str]:
    kinds = [word for word in _KINDS if word in chosen]
    words = []
    if chosen >= _TOOL_WORDS:
        kinds.append("tool")
    elif chosen & _TOOL_WORDS:
        words.append("part:input" if "in" in chosen else "part:output")
    if kinds:
        words.append(f"kind:{','.join(kinds)}")
    words += ["is:error"] if "errors" in chosen else []
    words += ["is:stored"] if "stored" in chosen else []
    return words


def _is_facet(word: str) -> bool:
    name, _, value = word.lower().partition(":")
    return name in ("kind", "part") or (name == "is" and value in ("error", "stored"))


def _states_fit(flags: Flag, filter: Filter) -> bool:
    return (not filter.errors or bool(flags & Flag.ERROR)) and (not filter.stored or bool(flags & STORED_FLAGS))


def _kind_fits(view: SessionView, row: int, filter: Filter) -> bool:
    if filter.kinds and view.kind(row) not in filter.kinds:
        return False
    return filter.tool_part is None or view.tool_part(row) is filter.tool_part
