from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.formats.claude_walk import (
    Record,
    assistant,
    attachment,
    call,
    chain,
    record,
    result,
    system,
    text,
    user,
    walk,
)
from tests.properties.laws import short_law
from unspool.formats.claude_branches import RECENT_RECORDS, Branches
from unspool.formats.piece import Flag


def answer(value: str, /, **fields: Any) -> Record:
    return assistant([text(value)], **fields)


def abandoned(*records: Record) -> list[str]:
    return walk(*records).flagged(Flag.ABANDONED)


def test_a_rewound_prompt_is_abandoned_with_all_that_hangs_below_it() -> None:
    start = chain(user("one"), answer("1"))
    dead = chain(start[-1], user("two"), assistant([call("c")]), user([result("c", "out")]), answer("2"), user("three"))
    live = chain(start[-1], user("two again"), answer("2 again"))
    assert abandoned(*start, *dead[1:], *live[1:]) == ["two", "{}", "out", "2", "three"]


def test_each_retry_abandons_the_one_before() -> None:
    start = chain(user("one"), answer("1"))
    retries = [user(name, parentUuid=start[-1]["uuid"]) for name in ("a", "b", "c")]
    assert abandoned(*start, *retries) == ["a", "b"]


def test_bookkeeping_between_a_message_and_its_prompts_does_not_hide_a_rewind() -> None:
    start = chain(user("one"), answer("1"), system("turn_duration"))
    dead = chain(start[-1], attachment("hook_success", content="hook"), user("two"), answer("2"))
    live = user("two again", parentUuid=start[1]["uuid"])
    assert abandoned(*start, *dead[1:], live) == ["two", "2"]


@pytest.mark.parametrize(
    "between",
    [
        lambda: user("caveat", isMeta=True),
        lambda: user("<command-name>/model</command-name>"),
        lambda: user("<system-reminder>plan mode</system-reminder>"),
        lambda: attachment("hook_additional_context", content="hook"),
        lambda: attachment("queued_command", prompt="done", commandMode="task-notification"),
        lambda: system("turn_duration"),
        lambda: record("progress"),
    ],
)
def test_what_the_harness_put_before_each_of_two_prompts_does_not_hide_a_rewind(between: Callable[[], Record]) -> None:
    start = chain(user("one"), answer("1"))
    dead = chain(start[-1], between(), between(), user("two"), answer("2"))
    live = chain(start[-1], between(), user("two again"), answer("2 again"))
    assert [said for said in abandoned(*start, *dead[1:], *live[1:]) if said.startswith("2") or said == "two"] == [
        "two",
        "2",
    ]


def test_the_first_prompt_is_rewound_behind_what_the_harness_put_before_it() -> None:
    start = chain(attachment("hook_additional_context", content="hook"), user("meta", isMeta=True))
    dead = chain(start[-1], user("one"), answer("1"))
    live = chain(start[0], user("another meta", isMeta=True), user("one again"))
    assert abandoned(*start, *dead[1:], *live[1:]) == ["one", "1"]


def test_a_rewind_far_back_abandons_rewinds_in_between() -> None:
    start = chain(user("one"), answer("1"))
    first = chain(start[-1], user("two"), answer("2"), user("three"))
    second = user("three again", parentUuid=first[2]["uuid"])
    third = user("two again", parentUuid=start[-1]["uuid"])
    assert abandoned(*start, *first[1:], second, third) == ["two", "2", "three", "three again"]


def test_parallel_calls_and_their_results_leave_nothing() -> None:
    start = chain(user("one"), assistant([call("a")]))
    more = assistant([call("b")], parentUuid=start[-1]["uuid"])
    results = [
        user([result("b", "B")], parentUuid=more["uuid"]),
        user([result("a", "A"), text("and a note")], parentUuid=start[-1]["uuid"]),
        user("next", parentUuid=start[-1]["uuid"]),
    ]
    assert abandoned(*start, more, *results) == []


@pytest.mark.parametrize("field", [{"promptSource": "queued"}, {"promptId": "p"}])
def test_prompts_that_were_sent_together_leave_nothing(field: dict[str, str]) -> None:
    start = chain(user("one"), answer("1"))
    sent = [user(name, parentUuid=start[-1]["uuid"], **field) for name in ("a", "b", "c")]
    both = answer("both", parentUuid=sent[1]["uuid"])
    assert abandoned(*start, *sent, both) == []
    again = user("again", parentUuid=start[-1]["uuid"], promptId="q")
    assert abandoned(*start, *sent, both, again) == ["a", "b", "c", "both"]


def test_a_prompt_that_waited_leaves_no_typed_one_before_it() -> None:
    start = chain(user("one"), answer("1"))
    more = [user("a", parentUuid=start[-1]["uuid"]), user("b", parentUuid=start[-1]["uuid"], promptSource="queued")]
    assert abandoned(*start, *more) == []


def test_prompts_sent_as_another_are_rewound() -> None:
    start = chain(user("one"), answer("1"))
    assert abandoned(*start, *(user(name, parentUuid=start[-1]["uuid"], promptId=name) for name in "ab")) == ["a"]


def test_several_roots_leave_nothing() -> None:
    assert abandoned(user("one"), user("two"), system("compact_boundary"), user("three")) == []


def test_a_parent_that_was_never_read_leaves_nothing() -> None:
    assert abandoned(user("one", parentUuid="gone"), user("two", parentUuid="gone")) == []


def test_a_parent_that_comes_later_leaves_nothing() -> None:
    late = answer("late", uuid="late")
    assert abandoned(user("one", parentUuid="late"), late, user("two", parentUuid="late")) == []


def test_cycles_leave_nothing() -> None:
    knot = [
        user("a", uuid="a", parentUuid="b"),
        user("b", uuid="b", parentUuid="a"),
        user("c", uuid="c", parentUuid="c"),
    ]
    assert abandoned(*knot, *knot) == []


def test_copies_of_a_history_leave_nothing() -> None:
    history = chain(user("one"), answer("1"), user("two"), answer("2"))
    assert abandoned(*history, *history) == []


def test_a_copy_of_a_branch_does_not_take_it_back() -> None:
    start = chain(user("one"), answer("1"))
    dead = chain(start[-1], user("two"), answer("2"))
    history = [*start, *dead[1:], user("two again", parentUuid=start[-1]["uuid"])]
    assert walk(*history, *history).flags[2:4] == [Flag.ABANDONED, Flag.ABANDONED]


def test_a_copy_of_retries_leaves_the_last_one_living() -> None:
    start = chain(user("one"), answer("1"))
    retries = [user(name, parentUuid=start[-1]["uuid"]) for name in ("a", "b")]
    walked = walk(*start, *retries, *start, *retries)
    assert Flag.ABANDONED not in walked.flags[3]


def test_a_copy_of_an_old_prompt_is_known_by_its_id_alone() -> None:
    branches = Branches()
    branches.add("m", None, range(1), message=True, prompt=False)
    branches.add("a", "m", range(1, 2), message=True, prompt=True)
    branches.add("b", "m", range(2, 3), message=True, prompt=True)
    for index in range(2 * RECENT_RECORDS):
        branches.add(f"x{index}", None, range(0), message=True, prompt=False)
    assert not branches.knows("a")
    assert [mark.row for mark in branches.add("b", "m", range(3, 4), message=True, prompt=True)] == []


def test_sidechains_and_harness_texts_are_no_prompts() -> None:
    start = chain(user("one"), answer("1"))
    below = {"parentUuid": start[-1]["uuid"]}
    others = [user("aside", isSidechain=True, **below), user("meta", isMeta=True, **below), user("two", **below)]
    assert abandoned(*start, *others) == []


def test_a_branch_that_goes_on_is_taken_back_for_good() -> None:
    start = chain(user("one"), answer("1"))
    mine = chain(start[-1], user("mine"), answer("my answer"), user("mine later"))
    yours = user("yours", parentUuid=start[-1]["uuid"])
    both = [*start, *mine[1:], yours]
    assert abandoned(*both) == ["mine", "my answer", "mine later"]
    more = answer("more of mine", parentUuid=mine[2]["uuid"])
    assert abandoned(*both, more) == []
    assert abandoned(*both, more, user("third", parentUuid=start[-1]["uuid"])) == ["yours"]


def test_a_rewind_inside_a_branch_that_is_taken_back_stays() -> None:
    start = chain(user("one"), answer("1"))
    mine = chain(start[-1], user("mine"), answer("my answer"), user("mine later"))
    retried = user("mine later again", parentUuid=mine[2]["uuid"])
    yours = user("yours", parentUuid=start[-1]["uuid"])
    more = answer("more", parentUuid=retried["uuid"])
    assert abandoned(*start, *mine[1:], retried, yours, more) == ["mine later"]


def test_a_prompt_far_behind_its_siblings_still_rewinds_to_them() -> None:
    start = chain(user("one"), answer("1"))
    long = chain(start[-1], user("two"), *(record("progress") for _ in range(2 * RECENT_RECORDS)), answer("2"))
    assert abandoned(*start, *long[1:], user("two again", parentUuid=start[-1]["uuid"])) == ["two", "2"]


def test_memory_is_bounded_by_prompts_not_by_records() -> None:
    branches = Branches()
    branches.add("p", None, range(1), message=True, prompt=True)
    for row in range(4 * RECENT_RECORDS):
        branches.add(f"r{row}", "p", range(row, row + 1), message=True, prompt=False)
    tracemalloc.start()
    try:
        for row in range(4 * RECENT_RECORDS, 8 * RECENT_RECORDS):
            branches.add(f"r{row}", "p", range(row, row + 1), message=True, prompt=False)
        grown = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert grown < 2 * RECENT_RECORDS * 300


@st.composite
def histories(draw: st.DrawFn) -> list[Record]:
    records: list[Record] = []
    for index in range(draw(st.integers(1, 14))):
        parent = draw(st.sampled_from([None, "gone", *(value["uuid"] for value in records)]))
        make = draw(st.sampled_from([user, user, answer, noted, hooked]))
        records.append(make(f"{index}", uuid=f"r{index}", parentUuid=parent))
    return records


def noted(value: str, /, **fields: Any) -> Record:
    return user(value, isMeta=True, **fields)


def hooked(value: str, /, **fields: Any) -> Record:
    return attachment("hook_success", content=value) | fields


@given(histories())
@short_law
def test_marks_are_what_a_plain_walk_over_the_whole_tree_says(records: list[Record]) -> None:
    assert abandoned(*records) == [f"{place}" for place in sorted(_left(records))]


def _left(records: list[Record]) -> set[int]:
    """Replay the rule naively: after each record, which of those before it are left, and which are never left again."""
    places = {value["uuid"]: place for place, value in enumerate(records)}
    prompts: dict[int, int] = {}
    left_by: dict[int, int] = {}
    contested: set[int] = set()
    for place, value in enumerate(records):
        parent = places.get(value["parentUuid"], place)
        above = _turns(records, places, parent) if parent < place else []
        while above and above[0] in left_by:
            root = left_by[above[0]]
            back = {turn for turn, left in left_by.items() if left == root}
            contested |= back
            for turn in back:
                del left_by[turn]
            above = above[above.index(root) + 1 :]
        if _is_typed(value) and parent < place:
            followed = _followed(records, places, parent)
            root = prompts.get(followed, -1)
            if root >= 0 and root not in left_by:
                _leave(records, places, root, place, left_by, contested)
            prompts[followed] = place
    return {
        place for place in range(len(records)) if any(turn in left_by for turn in _turns(records, places, place)[:1])
    }


def _is_typed(value: Record) -> bool:
    return value["type"] == "user" and "isMeta" not in value


def _followed(records: list[Record], places: dict[str, int], place: int) -> int:
    """Return the message at or above a record, or the topmost record."""
    while not _is_typed(records[place]) and records[place]["type"] != "assistant":
        above = places.get(records[place]["parentUuid"], place)
        if above >= place:
            break
        place = above
    return place


def _leave(
    records: list[Record], places: dict[str, int], root: int, end: int, left_by: dict[int, int], contested: set[int]
) -> None:
    for turn in range(root, end):
        if not _is_typed(records[turn]):
            continue
        above = _turns(records, places, turn)
        if root in above:
            path = above[: above.index(root) + 1]
            if not any(step in contested or (step in left_by and left_by[step] != root) for step in path):
                left_by[turn] = root


def _turns(records: list[Record], places: dict[str, int], place: int) -> list[int]:
    """Return the prompts at and above a record, nearest first; a parent that was not read yet ends the walk."""
    turns = []
    while True:
        if _is_typed(records[place]):
            turns.append(place)
        parent = places.get(records[place]["parentUuid"], place)
        if parent >= place:
            return turns
        place = parent
