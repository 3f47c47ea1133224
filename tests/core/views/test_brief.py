"""A brief is the overview and the head of the index in one text that keeps every bound."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tests.properties.laws import law
from tests.sessions import Said, view_of
from unspool.views.bounds import Bounds
from unspool.views.brief import BRIEF_ITEMS

DAY: list[Said] = [
    ("user", "Sort the list"),
    ("input", {"command": "sort list"}),
    ("output", "a\nb"),
    ("assistant", "Sorted."),
]

SESSIONS = st.lists(
    st.sampled_from([("user", "é🚀 words " * 9), ("assistant", "an answer"), ("output", "row\n" * 9)]), max_size=30
)
BOUNDS = st.builds(
    Bounds,
    max_items=st.integers(1, 40),
    max_bytes=st.integers(4, 3000),
    max_tokens=st.integers(1, 900),
    tokens=st.none() | st.just(len),
)


def test_a_brief_begins_with_the_overview_and_goes_on_with_the_index() -> None:
    assert view_of(DAY).brief() == (
        "claude:memory  Sort the list\n"
        "4 entries; user 1, assistant 1, system 0, tool_input 1, tool_output 1\n"
        "\n"
        "Overview\n"
        "E0.0 2026-03-01T10:00:00.000Z turn 1: Sort the list  (2 pieces follow)\n"
        "E3.0 2026-03-01T10:00:03.000Z turn 1 · answer: Sorted.\n"
        "\n"
        "Evidence\n"
        "E0.0 user: Sort the list\n"
        "E1.0 Bash · sort list\n"
        "E2.0 output · 2 lines: a\n"
        "E3.0 assistant: Sorted."
    )


@law
@given(SESSIONS, BOUNDS)
def test_a_brief_keeps_every_bound(spoken: list[Said], bounds: Bounds) -> None:
    text = view_of(spoken).brief(bounds)
    tokens = bounds.tokens or (lambda given: -(-len(given.encode()) // 4))
    assert len(text.encode()) <= bounds.max_bytes
    assert tokens(text) <= bounds.max_tokens
    assert len(re.findall(r"^E\d+\.\d+ ", text, re.MULTILINE)) <= bounds.max_items


@law
@given(SESSIONS)
def test_a_brief_with_room_for_all_leaves_nothing_out(spoken: list[Said]) -> None:
    view = view_of(spoken)
    whole = view.brief(Bounds(10_000, 1 << 30, 1 << 30))
    size = len(whole.encode())
    assert view.brief(Bounds(10_000, size, 1 << 30)) == whole
    assert "… more" not in whole
    assert len(re.findall(r"^E\d+\.\d+ ", whole, re.MULTILINE)) == view.overview(1000).total + view.counts.visible
    if size > 200:
        shorter = view.brief(Bounds(10_000, size - 1, 1 << 30))
        *kept, more = shorter.split("\n")
        assert more == "… more: read on with the ids above"
        assert kept == whole.split("\n")[: len(kept)]
        longer = [*kept, whole.split("\n")[len(kept)], more]
        assert len("\n".join(longer).encode()) >= size


def test_of_a_long_session_overview_and_index_have_half_each() -> None:
    text = view_of([("user", "a prompt"), ("output", "a row")] * 400).brief()
    overview, _, index = text.partition("\nEvidence\n")
    rows = [len(re.findall(r"^E\d+\.\d+ ", part, re.MULTILINE)) for part in (overview, index)]
    assert rows == [BRIEF_ITEMS // 2, BRIEF_ITEMS // 2]


def test_an_empty_session_has_a_brief_too() -> None:
    assert view_of([]).brief().startswith("claude:memory  (no title)\n0 entries;")
