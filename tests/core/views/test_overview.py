"""The overview is the thread of a session: who said what in which turn, thinned evenly when it is long."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.properties.laws import law
from tests.sessions import CLAUDE_CODE, Said, view_of
from unspool.errors import BadQuery
from unspool.formats.piece import Kind
from unspool.ids import EntryRange
from unspool.views.filter import Filter
from unspool.views.thread import thinned
from unspool.views.view import SessionView

DAY: list[Said] = [
    ("assistant", "Hello, what shall we do?"),
    ("user", "Sort the list"),
    ("reasoning", "Which list?"),
    ("assistant", "I look at it."),
    ("input", {"command": "cat list"}),
    ("output", "b\na"),
    ("assistant", "It is short."),
    ("input", {"command": "sort list"}),
    ("output", "a\nb"),
    ("assistant", "Sorted."),
    ("user", "And again"),
    ("user", "backwards"),
    ("input", {"command": "sort -r list"}),
]


def test_turns_steps_and_answers_are_told() -> None:
    overview = view_of(DAY).overview()
    assert [(item.turn, item.step, item.is_answer, item.label) for item in overview.items] == [
        (0, 1, True, "turn 0 · answer"),
        (1, 0, False, "turn 1"),
        (1, 1, False, "turn 1 · progress 1"),
        (1, 2, False, "turn 1 · progress 2"),
        (1, 3, True, "turn 1 · answer"),
        (2, 0, False, "turn 2"),
        (3, 0, False, "turn 3"),
    ]
    assert (overview.total, overview.turns) == (7, 3)


@pytest.mark.parametrize("wanted", [2, 3, 5, 6])
def test_of_a_thinned_overview_each_item_tells_its_place_in_the_whole(wanted: int) -> None:
    whole = {item.row: item for item in view_of(DAY).overview().items}
    items = view_of(DAY).overview(wanted).items
    assert len(items) == wanted
    for item in items:
        known = whole[item.row]
        assert (item.turn, item.step, item.is_answer, item.label) == (
            known.turn, known.step, known.is_answer, known.label,
        )  # fmt: skip


def test_an_overview_that_is_given_up_is_as_long_as_it_came() -> None:
    asked = iter([False, False, False, True])
    overview = view_of(DAY).overview(cancelled=lambda: next(asked))
    assert overview.items == view_of(DAY).overview().items[:3]
    assert overview.total == 7


def test_what_lies_between_items_is_counted_without_what_lists_leave_out() -> None:
    overview = view_of(DAY).overview()
    assert [item.intervening for item in overview.items] == [0, 0, 2, 2, 0, 0, 1]
    assert [str(item.entry_range) for item in overview.items] == ["E0", "E1", "E3-E5", "E6-E8", "E9", "E10", "E11-E12"]


def test_the_overview_of_a_range_names_the_rows_of_the_whole() -> None:
    view = view_of(DAY)
    whole = {item.row: item for item in view.overview().items}
    items = view.narrowed(EntryRange.parse("E3-E11")).overview().items
    assert [item.row for item in items] == [3, 6, 9, 10, 11]
    for item in items[:-1]:
        assert (item.id, item.first_between, item.intervening) == (
            whole[item.row].id, whole[item.row].first_between, whole[item.row].intervening,
        )  # fmt: skip


def test_failures_and_stored_outputs_between_items_are_counted() -> None:
    records = [
        {"type": "user", "uuid": "u", "message": {"content": "go"}},
        {"type": "assistant", "uuid": "a", "message": {"content": [{"type": "tool_use", "id": "t", "name": "B"}]}},
        {
            "type": "user",
            "uuid": "r",
            "message": {
                "content": [
                    {"type": "tool_result", "tool_use_id": "t", "content": "no", "is_error": True},
                    {"type": "tool_result", "tool_use_id": "s", "content": "<persisted-output>\nsaved"},
                ]
            },
        },
    ]
    (item,) = SessionView.of(records, CLAUDE_CODE).overview().items
    assert (item.intervening, item.errors, item.stored) == (3, 1, 1)


def test_messages_are_numbered_whatever_later_becomes_of_them() -> None:
    prompt = {"type": "user", "uuid": "u1", "message": {"content": "first"}}
    again = {"type": "user", "uuid": "u2", "message": {"content": "second"}}
    view = SessionView.of([prompt, prompt, again], CLAUDE_CODE)
    assert view.counts.replayed == 1
    assert [(str(item.id), item.message_seq) for item in view.overview().items] == [("E0.0", 0), ("E2.0", 2)]


def test_an_excerpt_is_one_short_line() -> None:
    (item,) = view_of([("user", "  many\n\n words\t" + "x" * 1000)]).overview().items
    assert item.excerpt.startswith("many words xxx")
    assert len(item.excerpt) == 300
    assert item.excerpt.endswith("…")


def test_a_session_without_messages_has_an_empty_overview() -> None:
    overview = view_of([]).overview()
    assert (overview.items, overview.total, overview.turns) == ((), 0, 0)
    assert view_of([("output", "alone")]).overview().items == ()


def test_an_overview_of_nothing_is_refused() -> None:
    with pytest.raises(BadQuery, match="max_items is 0"):
        view_of(DAY).overview(0)


def test_one_item_of_many_is_the_last() -> None:
    assert [str(item.id) for item in view_of(DAY).overview(1).items] == ["E11.0"]


@law
@given(st.integers(0, 400), st.integers(1, 60))
def test_thinning_is_even_and_keeps_both_ends(total: int, wanted: int) -> None:
    kept = [*thinned(total, wanted)]
    assert len(kept) == min(total, wanted)
    assert kept == sorted(set(kept))
    if total and wanted > 1:
        assert (kept[0], kept[-1]) == (0, total - 1)
        gaps = {after - before for before, after in pairwise(kept)}
        assert not gaps or max(gaps) - min(gaps) <= 1


SESSIONS = st.lists(
    st.sampled_from(["user", "assistant", "reasoning", "output"]).map(lambda who: (who, "words")), max_size=20
)


@law
@given(SESSIONS, st.integers(2, 6))
def test_items_and_what_lies_between_them_cover_the_session(spoken: list[Said], most: int) -> None:
    view = view_of(spoken)
    items = view.overview(most).items
    if not items:
        return
    before = sum(view.id(row) < items[0].id for row in view.select(Filter()))
    assert before + sum(1 + item.intervening for item in items) == view.counts.visible
    whole = {item.id: item for item in view.overview(1000).items}
    for item in items:
        same = whole[item.id]
        assert (item.turn, item.step, item.label, item.message_seq) == (
            same.turn,
            same.step,
            same.label,
            same.message_seq,
        )


@law
@given(SESSIONS)
def test_every_turn_begins_with_a_prompt_and_has_at_most_one_answer(spoken: list[Said]) -> None:
    items = view_of(spoken).overview(1000).items
    turns = [item.turn for item in items]
    assert turns == sorted(turns)
    for turn in set(turns):
        mine = [item for item in items if item.turn == turn]
        assert (mine[0].kind == Kind.USER) == (turn > 0)
        assert [item.step for item in mine] == list(range(0 if turn else 1, len(mine) + (0 if turn else 1)))
        answers = [item.is_answer for item in mine]
        assert answers == [False] * (len(mine) - 1) + [mine[-1].kind == Kind.ASSISTANT]


def test_an_item_is_written_as_json() -> None:
    item = view_of(DAY).overview().items[2]
    assert item.to_json() == {
        "id": "E3.0",
        "kind": "assistant",
        "message_seq": 2,
        "turn": 1,
        "step": 1,
        "answer": False,
        "label": "turn 1 · progress 1",
        "excerpt": "I look at it.",
        "time": "2026-03-01T10:00:03.000Z",
        "flags": [],
        "entry_range": [3, 5],
        "intervening": 2,
    }
    assert item.entry_range == EntryRange(3, 5)


def test_an_overview_that_goes_on_from_an_earlier_one_is_the_same_as_one_that_is_made_anew() -> None:
    said: list[Said] = [("user", "Go"), ("assistant", "On it"), ("input", {"command": "ls"}), ("assistant", "Done")]
    known = view_of(said[:2]).overview()
    view = view_of([*said, ("user", "Thanks")])
    assert view.overview(known=known) == view.overview()


def test_the_first_items_are_those_of_the_whole_overview() -> None:
    view = view_of(DAY * 3)
    for max_items in (3, 7, 1000):
        whole = view.overview(max_items)
        for first in (1, 2, 5, len(whole.items), 1000):
            part = view.overview(max_items, first=first)
            assert part.items == whole.items[:first]
            assert (part.total, part.turns) == (whole.total, whole.turns)
