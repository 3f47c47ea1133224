from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from unspool_tui.widgets.grouped_list import GroupedList


class Told(GroupedList[str]):
    """Says by how many records it would move."""

    by = 0

    def action_move(self, by: int) -> None:
        self.by = by


GROUPS = st.lists(st.integers(1, 9), min_size=1, max_size=12)
"""Records under each heading."""


def laid(groups: list[int], *, airy: bool) -> Told:
    records, number = Told(), 0
    for at, size in enumerate(groups):
        records.lay([None, f"day {at}"] if airy and at else [f"day {at}"])
        records.lay(range(number, number + size))
        number += size
    return records


@given(GROUPS, st.booleans(), st.integers(1, 40))
def test_a_screenful_back_leads_to_where_a_screenful_on_began(groups: list[int], airy: bool, lines: int) -> None:
    records = laid(groups, airy=airy)
    records.move_lines(lines)
    on = records.by
    records.move_lines(-lines)
    assert on == -records.by > 0


@given(GROUPS, st.booleans(), st.integers(4, 40))
def test_a_screenful_passes_over_no_record_unseen(groups: list[int], airy: bool, lines: int) -> None:
    records = laid(groups, airy=airy)
    records.move_lines(lines)
    last = records.record_count() - 1
    for record in range(last + 1):
        landed = min(last, record + records.by)
        assert records.lines_of(landed).start - records.lines_of(record).start <= lines + 2


@given(GROUPS, st.booleans())
def test_every_record_has_its_line_below_its_heading(groups: list[int], airy: bool) -> None:
    records = laid(groups, airy=airy)
    lines = [records.lines_of(record).start for record in range(records.record_count())]
    assert [records.record_at(line) for line in lines] == list(range(sum(groups)))
    assert all(a < b for a, b in pairwise(lines))
    assert records.line_count() == sum(groups) + len(groups) + (len(groups) - 1) * airy
