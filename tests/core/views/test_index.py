"""Rows, facets and counts come from the columns alone, and agree with each other whatever the filter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.views.growing import Growing, called, said
from tests.properties.laws import law
from tests.sessions import CLAUDE_CODE, Said, view_of
from unspool.errors import NotFound
from unspool.formats.piece import Flag, Kind, ToolPart
from unspool.ids import EntryRange, EvidenceId, SessionRef
from unspool.views.filter import Filter
from unspool.views.masks import STORED
from unspool.views.view import SessionView

WHO = ["user", "assistant", "reasoning", "input", "output", "error", "again", "retracted", "two"]


def session(kinds: list[str]) -> SessionView:
    """A session of pieces of many sorts and flags."""
    records: list[dict[str, Any]] = []
    for number, kind in enumerate(kinds):
        block: dict[str, Any] = {"type": "text", "text": "words again" if kind == "again" else f"words {number}"}
        if kind == "reasoning":
            block = {"type": "thinking", "thinking": f"thoughts {number}"}
        elif kind == "input":
            block = {"type": "tool_use", "id": f"t{number}", "name": f"Tool{number % 3}", "input": {}}
        elif kind in ("output", "error"):
            block = {"type": "tool_result", "tool_use_id": f"t{number - 1}", "content": "<persisted-output>\nx"}
            block["is_error"] = kind == "error"
        who = "user" if kind in ("user", "output", "error", "again") else "assistant"
        blocks = [block, block | {"text": "more"}] if kind == "two" else [block]
        uuid = "again" if kind == "again" else f"u{number}"
        records.append({"type": who, "uuid": uuid, "message": {"id": f"m{number}", "content": blocks}})
    gone = [f"u{number}" for number, kind in enumerate(kinds) if kind == "retracted"]
    records.append({"type": "system", "subtype": "model_refusal_fallback", "uuid": "s", "retractedMessageUuids": gone})
    return SessionView.of(records, CLAUDE_CODE)


KINDS = st.lists(st.sampled_from(WHO), max_size=14)
FILTERS = st.builds(
    Filter,
    kinds=st.frozensets(st.sampled_from(list(Kind)), max_size=2),
    tool_part=st.none() | st.sampled_from(list(ToolPart)),
    tools=st.frozensets(st.sampled_from(["tool0", "TOOL1", "none"]), max_size=2),
    errors=st.booleans(),
    stored=st.booleans(),
    within=st.none() | st.builds(lambda a, b: EntryRange(min(a, b), max(a, b)), st.integers(0, 15), st.integers(0, 15)),
    ids=st.none() | st.frozensets(st.builds(EvidenceId, st.integers(0, 15), st.integers(0, 1))),
    reasoning=st.booleans(),
    hidden=st.booleans(),
    twins=st.booleans(),
)


def wants(view: SessionView, filter: Filter, row: int) -> bool:
    """What a filter means, said plainly."""
    flags, kind, part = view.flags(row), view.kind(row), view.tool_part(row)
    if Flag.REASONING in flags and not filter.reasoning:
        return False
    if flags & (Flag.TWIN | Flag.REPLAYED) and not (filter.hidden and filter.twins):
        return False
    if Flag.ABANDONED in flags and not filter.hidden:
        return False
    named = {name.casefold() for name in filter.tools}
    return (
        (not filter.kinds or kind in filter.kinds)
        and filter.tool_part in (None, part)
        and (not named or (view.tool(row) or "").casefold() in named)
        and (not filter.errors or Flag.ERROR in flags)
        and (not filter.stored or bool(flags & STORED))
        and (filter.within is None or view.id(row) in filter.within)
        and (filter.ids is None or view.id(row) in filter.ids)
    )


@law
@given(KINDS, FILTERS)
def test_a_selection_is_what_the_filter_means(kinds: list[str], filter: Filter) -> None:
    view = session(kinds)
    wanted = [row for row in range(view.rows) if wants(view, filter, row)]
    assert list(view.select(filter)) == wanted
    left = [row for row in wanted if row % 2]
    assert list(view.without(filter, view.select(filter)[::2])) == [row for row in wanted if row not in wanted[::2]]
    assert left == [row for row in left if row in wanted]


@law
@given(KINDS, FILTERS)
def test_a_facet_says_what_it_would_give(kinds: list[str], filter: Filter) -> None:
    view = session(kinds)
    facets = view.facets(filter)
    loose = filter.with_(kinds=frozenset(), tool_part=None)

    def given_by(changed: Filter) -> int:
        return len(view.select(changed))

    for kind in (Kind.USER, Kind.ASSISTANT, Kind.SYSTEM):
        assert facets[str(kind)] == given_by(loose.with_(kinds=frozenset({kind})))
    assert facets["in"] == given_by(loose.with_(tool_part=ToolPart.INPUT))
    assert facets["out"] == given_by(loose.with_(tool_part=ToolPart.OUTPUT))
    assert facets["errors"] == given_by(filter.with_(errors=True))
    assert facets["stored"] == given_by(filter.with_(stored=True))
    assert facets["all"] == given_by(loose.with_(errors=False, stored=False))


@law
@given(KINDS)
def test_facets_without_a_filter_are_the_counts(kinds: list[str]) -> None:
    view = session(kinds)
    facets, counts = view.facets(Filter()), view.counts
    assert counts.to_json() == {
        "user": facets["user"],
        "assistant": facets["assistant"],
        "system": facets["system"],
        "tool_input": facets["in"],
        "tool_output": facets["out"],
    }
    assert facets["all"] == counts.visible
    assert facets["reasoning"] == counts.reasoning
    assert facets["hidden"] == counts.twin + counts.replayed + counts.abandoned
    assert counts.total == view.rows


@law
@given(KINDS)
def test_each_piece_counts_once_by_the_first_flag_that_holds(kinds: list[str]) -> None:
    view = session(kinds)
    found = dict.fromkeys([*view.counts.to_json(), *view.counts.others_to_json()], 0)
    for row in range(view.rows):
        flags, part = view.flags(row).names(), view.tool_part(row)
        named = str(view.kind(row)) if part is None else f"tool_{part}"
        found[next((name for name in ("twin", "replayed", "abandoned", "reasoning") if name in flags), named)] += 1
    assert found == view.counts.to_json() | view.counts.others_to_json()


@pytest.mark.parametrize(
    ("filter", "wanted"),
    [
        (Filter(), [0, 2, 3, 5, 6, 7]),
        (Filter(hidden=True), [0, 1, 2, 3, 4, 5, 6, 7]),
        (Filter(hidden=True, twins=False), [0, 2, 3, 4, 5, 6, 7]),
        (Filter(hidden=True, reasoning=True), [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        (Filter(tools=frozenset({"TOOL2"})), [2, 3]),
        (Filter(tools=frozenset({"tool2"}), tool_part=ToolPart.OUTPUT), [3]),
        (Filter(errors=True), [3]),
        (Filter(stored=True), [3]),
        (Filter(ids=frozenset({EvidenceId(2, 0), EvidenceId(5, 1), EvidenceId(9, 0)})), [2, 6]),
        (Filter(within=EntryRange(5, 6)), [5, 6, 7]),
        (Filter(within=EntryRange(5, 5, None, 0)), [5]),
        (Filter(within=EntryRange(4, 5, 0, 0), hidden=True), [4, 5]),
        (Filter(within=EntryRange(5, 6, 1, None)), [6, 7]),
    ],
)
def test_each_word_of_a_filter_narrows(filter: Filter, wanted: list[int]) -> None:
    view = session(["again", "again", "input", "error", "retracted", "two", "user", "reasoning"])
    assert list(view.select(filter)) == wanted


def test_the_mask_of_a_filter_is_not_kept_for_ever() -> None:
    view = session(["user"] * 5)
    for number in range(300):
        assert len(view.select(Filter(within=EntryRange(number, number)))) == (number < 5)
    assert len(view._masks._made) < 100


def test_calls_are_counted_by_tool() -> None:
    counts = session(["input"] * 7 + ["output"]).tool_counts()
    assert list(counts.items()) == [("Tool0", 3), ("Tool1", 2), ("Tool2", 2)]


@pytest.mark.parametrize("tools", [255, 256, 300])
def test_calls_of_many_tools_are_counted_too(tools: int) -> None:
    blocks = [{"type": "tool_use", "id": f"t{call}", "name": f"T{call % tools}", "input": {}} for call in range(600)]
    records = [{"type": "user", "uuid": "u", "message": {"content": "go"}}]
    records += [
        {"type": "assistant", "uuid": f"u{at}", "message": {"content": [block]}} for at, block in enumerate(blocks)
    ]
    counts = SessionView.of(records, CLAUDE_CODE).tool_counts()
    assert counts == {f"T{tool}": len(range(tool, 600, tools)) for tool in range(tools)}


@law
@given(KINDS, st.integers(0, 20), st.integers(0, 20), st.none() | st.integers(0, 1), st.none() | st.integers(0, 1))
def test_rows_of_a_range_are_those_whose_ids_lie_in_it(
    kinds: list[str], first: int, last: int, first_piece: int | None, last_piece: int | None
) -> None:
    view = session(kinds)
    wanted = EntryRange(min(first, last), max(first, last), first_piece, last_piece)
    assert view.rows_in(wanted) == [row for row in range(view.rows) if view.id(row) in wanted]
    assert view.nearest_row(first) == sum(view.id(row).entry < first for row in range(view.rows))


def test_an_id_has_its_row_or_none() -> None:
    view = session(["user", "assistant"])
    assert [view.row_of(view.id(row)) for row in range(view.rows)] == list(range(view.rows))
    assert view.row_of(EvidenceId(0, 1)) is None
    assert view.row_of(EvidenceId(99, 0)) is None


LONG: list[Said] = [
    ("user", "zero"),
    ("input", {"n": 1}),
    ("output", "two"),
    ("input", {"n": 3}),
    ("assistant", "four"),
    ("output", "five"),
    ("user", "six"),
]


@pytest.fixture
def part(tmp_path: Path) -> SessionView:
    """Entries 2 to 4 of a session of seven; the peers of both outer ones lie outside."""
    whole = view_of(LONG)
    path = tmp_path / "part.jsonl"
    path.write_bytes(whole._opened.lines.read(0, whole.size))
    ref = SessionRef("claude", "part")
    return SessionView.open(str(path), ref, CLAUDE_CODE, entry_range=EntryRange(2, 4))


def test_a_view_of_a_range_holds_that_range_under_the_same_ids(part: SessionView) -> None:
    assert [str(row.id) for row in part.evidence().items] == ["E2.0", "E3.0", "E4.0"]
    assert (part.counts.total, part.counts.user, part.counts.tool_input) == (3, 0, 1)
    assert part.facets(Filter())["all"] == 3
    assert [str(item.id) for item in part.overview().items] == ["E4.0"]
    assert part.search("e").total == 0
    assert part.search("o").total == 2
    assert [str(hit.evidence.id) for hit in part.search("o", raw=True).hits] == ["E2.0", "E4.0"]
    assert part.stats().counts == part.counts


def test_a_view_of_a_range_reads_nothing_outside_of_it(part: SessionView) -> None:
    for target in ("E0.0", "E1", "E5-E6"):
        with pytest.raises(NotFound, match="E2 to E4"):
            part.read(target)
        with pytest.raises(NotFound):
            part.read(target, raw=True)
        assert part.resolve(target).pieces == ()
    assert [piece.text for piece in part.read("E0-E9").pieces] == ["two", '{"n":3}', "four"]
    assert len(part.read("E0-E9", raw=True).pieces) == 3
    assert part.row_of(EvidenceId(6, 0)) is None


def test_a_view_of_a_range_has_no_peers_outside_of_it(part: SessionView) -> None:
    rows = {str(row.id): row for row in part.evidence().items}
    assert (rows["E2.0"].peer, rows["E3.0"].peers) == (None, ())
    assert rows["E2.0"].tool == "Bash"
    assert rows["E3.0"].flags == Flag(0)


def test_a_range_may_begin_and_end_inside_entries(tmp_path: Path) -> None:
    file = Growing(
        tmp_path, said(0, "zero") + b"\n" + called(1, "t") + said(2, "behind") + b"\n" + said(3, "x") + b"\n"
    )
    view = SessionView.open(
        str(file.path), SessionRef("claude", "x"), CLAUDE_CODE, entry_range=EntryRange(1, 1, 1, None)
    )
    assert [str(row.id) for row in view.evidence().items] == ["E1.1"]
    assert [piece.text for piece in view.read("E0-E9").pieces] == ["behind"]
