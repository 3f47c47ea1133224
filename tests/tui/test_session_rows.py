from __future__ import annotations

from dataclasses import replace
from datetime import UTC

import pytest

from tests.tui.conftest import MOMENT
from unspool.ids import SessionRef
from unspool.library.summary import SessionSummary
from unspool_tui.present.cells import BLANK, width_of
from unspool_tui.present.session_filter import BadWord, SessionFilter, with_word
from unspool_tui.present.session_row import Day, Listed, arranged, session_row

DAY = 86_400_000


def summary(name: str, ago: int, **more: object) -> SessionSummary:
    ref = SessionRef("claude", name)
    found = SessionSummary(ref, "claude", name, None, f"/x/{name}", 1000, title=name, last_activity=MOMENT - ago)
    return replace(found, **more)  # type: ignore[arg-type]


def shape(summaries: list[SessionSummary], here: str | None = None) -> list[str]:
    items = arranged(summaries, here=here, now=MOMENT, zone=UTC)
    return [item.name if isinstance(item, Day) else "  " * item.depth + item.summary.session_id for item in items]


def test_sessions_stand_under_days_and_children_under_their_parents() -> None:
    old, new = summary("old", 2 * DAY), summary("new", 1000)
    child = summary("child", 2 * DAY + 5, parent=old.ref)
    grandchild = summary("grandchild", 2 * DAY + 9, parent=child.ref)
    listed = shape([new, grandchild, child, old])
    assert listed == ["today", "new", "this week", "old", "  child", "    grandchild"]


def test_a_family_stands_where_its_newest_member_does() -> None:
    parent, child, other = summary("parent", 3 * DAY), summary("child", 10), summary("other", 1000)
    assert shape([parent, replace(child, parent=parent.ref), other]) == ["today", "parent", "  child", "other"]


def test_a_child_whose_parent_is_not_there_is_listed_for_itself() -> None:
    assert shape([summary("lost", 0, parent=SessionRef("claude", "gone"))]) == ["today", "lost"]


def test_the_folder_one_is_in_comes_first() -> None:
    far, near = summary("far", 0, cwd="/a"), summary("near", 9 * DAY, cwd="/b")
    assert shape([far, near], here="/b") == ["this folder", "near", "today", "far"]


def test_sessions_without_a_time_come_last() -> None:
    assert shape([summary("timeless", 0, last_activity=None), summary("new", 0)]) == [
        "today",
        "new",
        "no time",
        "timeless",
    ]


@pytest.mark.parametrize("width", range(30, 140, 7))
def test_a_session_row_fills_its_pane_at_any_width(width: int) -> None:
    hostile = summary(
        "x", 0, title="日本\x1b[31m語\u202e" * 30, project="p" * 40, unreadable=3, errors=12, waiting="turn"
    )
    for depth in (0, 3):
        row = session_row(Listed(hostile, depth), width, bar=BLANK, here=True, now=MOMENT, zone=UTC)
        assert width_of(row) == width
        assert "\x1b" not in "".join(text for text, _ in row)


def test_a_session_that_cannot_be_read_says_so() -> None:
    torn = summary("torn", 0, fault="/x/torn ends inside its archive")
    row = session_row(Listed(torn, 0), 80, bar=BLANK, here=True, now=MOMENT, zone=UTC)
    assert "torn   cannot be read" in "".join(text for text, _ in row)


def test_the_filter_line_narrows_by_agent_project_age_state_and_words() -> None:
    one = summary("one", DAY // 2, project="Billing", live=True, title="Rounding drift")
    for line in ("agent:claude", "project:bill", "since:1d", "is:live", "rounding", "drift project:billing", ""):
        assert SessionFilter.parse(line).fits(one, MOMENT), line
    for line in ("agent:codex", "project:web", "since:1h", "is:waiting", "rounding missing"):
        assert not SessionFilter.parse(line).fits(one, MOMENT), line


def test_a_bad_word_of_the_filter_is_named() -> None:
    for line in ("since:soon", "is:gone"):
        with pytest.raises(BadWord, match=line):
            SessionFilter.parse(line)


def test_one_word_of_the_line_can_be_replaced() -> None:
    assert with_word("agent:codex retry", "agent", "claude") == "retry agent:claude"
    assert with_word("agent:codex retry", "agent", None) == "retry"
