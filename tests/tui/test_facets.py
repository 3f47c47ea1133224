from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.tui.conftest import app_on
from unspool.views.filter import Filter
from unspool.views.view import SessionView
from unspool_tui.present.choosing import choose
from unspool_tui.present.facets import FACETS, chosen_of, count_matches, fits, switched, toggled

WORDS = tuple(facet.word for facet in FACETS)


@pytest.fixture
def view(told: tuple[Path, str]) -> SessionView:
    return app_on(told[0]).gateway._library.view(told[1])


def every_filter() -> list[Filter]:
    lines = ["", "kind:user", "kind:user,assistant", "part:input", "part:output", "kind:tool", "is:error",
             "part:output is:error", "is:stored", "is:error is:stored", "is:reasoning"]  # fmt: skip
    return [Filter.parse(line)[0] for line in lines]


def test_counts_among_matches_are_those_that_the_view_gives_for_all_rows(view: SessionView) -> None:
    for filter in every_filter():
        free = filter.with_(kinds=frozenset(), tool_part=None, errors=False, stored=False)
        rows = view.select(free)
        counts = view.facets(filter)
        assert count_matches(view, rows, filter) == {word: counts[word] for word in WORDS}
        assert [row for row in rows if fits(view, row, filter)] == list(view.select(filter))


def test_a_facet_shows_what_choosing_it_would_give(view: SessionView) -> None:
    for line, word in itertools.product(("", "part:output", "is:error", "kind:assistant"), WORDS):
        filter = Filter.parse(line)[0]
        if (
            word in chosen_of(filter)
            or (word in ("in", "out") and filter.kinds)
            or (filter.tool_part and word in WORDS[:5])
        ):
            continue  # giving one up, or taking the place of another, is no narrowing
        chosen = Filter.parse(toggled(line, filter, word))[0]
        if len(filter.kinds) == 0 or word in ("errors", "stored"):
            assert len(view.select(chosen)) == view.facets(filter)[word]


@pytest.mark.parametrize("word", WORDS)
def test_a_facet_chosen_twice_leaves_the_line_as_it_was(word: str) -> None:
    line = 'tool:Bash path:"my dir" retry'
    once = toggled(line, Filter.parse(line)[0], word)
    assert chosen_of(Filter.parse(once)[0]) == {word}
    assert toggled(once, Filter.parse(once)[0], word) == line


def test_both_halves_of_the_tools_are_one_kind_and_a_half_replaces_roles() -> None:
    both = toggled("part:input", Filter.parse("part:input")[0], "out")
    assert both == "kind:tool"
    assert toggled("kind:user", Filter.parse("kind:user")[0], "out") == "part:output"
    assert toggled("part:output", Filter.parse("part:output")[0], "user") == "kind:user"
    assert toggled("kind:user", Filter.parse("kind:user")[0], "assistant") == "kind:user,assistant"


def test_a_state_can_be_switched_on_and_off() -> None:
    assert switched("retry", "reasoning", on=True) == "is:reasoning retry"
    assert switched("is:reasoning retry", "reasoning", on=False) == "retry"


def test_a_search_shows_what_it_has_so_far_and_ends_complete(view: SessionView) -> None:
    choices = list(choose(view, "total", case="ignore", cancelled=lambda: False, hurry=0))
    assert [choice.listing.complete for choice in choices][-2:] == [False, True]
    last = choices[-1]
    assert last.matches == sum(found for _, found in view.search_rows("total"))
    assert list(last.listing.rows) == [row for row, _ in view.search_rows("total")]


def test_a_search_that_is_given_up_answers_nothing_more(view: SessionView) -> None:
    assert list(choose(view, "total", case="ignore", cancelled=lambda: True)) == []
