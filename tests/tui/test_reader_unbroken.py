"""Lines that are cut instead of broken, and those that are too long for it."""

from __future__ import annotations

import pytest

from tests.tui.reader_host import MadeUpView, ReaderHost, result, screen_rows
from unspool_tui.present.layout import ENDLESS, Layout
from unspool_tui.present.lines import line_of


def words(count: int) -> str:
    return " ".join(f"w{number}" for number in range(count))


@pytest.mark.parametrize("way", ["start", "end"])
async def test_a_line_longer_than_any_pane_stays_broken_and_in_place_without_wrapping(way: str) -> None:
    app = ReaderHost(MadeUpView([result(words(200_000))]))
    async with app.run_test(size=(80, 20)) as pilot:
        app.read(0)
        await pilot.pause()
        if way == "end":
            await pilot.press("G")
            await pilot.pause()
        broken = screen_rows(app)[2:-1]
        asked = len(app.wanted)
        await pilot.press("w")
        for _ in range(5):
            await pilot.pause()
        assert screen_rows(app)[2:-1] == broken
        assert all(row.strip() for row in broken[:-1])
        assert len(app.wanted) - asked <= 1
        assert "lines over 20 000 characters stay broken" in screen_rows(app)[-1]
        await pilot.press("right", "w")
        await pilot.pause()
        assert screen_rows(app)[2:-1] == broken


async def test_beside_it_other_lines_are_cut_and_can_be_moved() -> None:
    text = f"{'a' * 100}END\n{words(9_000)}\n{'b' * 100}"
    app = ReaderHost(MadeUpView([result(text)]))
    async with app.run_test(size=(80, 20)) as pilot:
        app.read(0)
        await pilot.press("w")
        await pilot.pause()
        rows = screen_rows(app)
        assert rows[2].rstrip().endswith("a…")
        assert " w0 w1 w2 " in rows[3]
        assert rows[4].split()[0] != "3"
        await pilot.press(*["right"] * 20)
        await pilot.pause()
        rows = screen_rows(app)
        assert "END" in rows[2]
        assert " w0 w1 w2 " in rows[3]


def test_only_an_endless_line_takes_several_rows_without_wrapping() -> None:
    lines = [line_of([("x" * length, "text")]) for length in (5, ENDLESS, ENDLESS + 1, 0)]
    layout = Layout(lines, 100, wrap=False)
    assert [layout.row_of(index) for index in range(4)] == [0, 1, 2, 2 + -(-(ENDLESS + 1) // 96)]
    assert [layout.endless(index) for index in range(-1, 5)] == [False, False, False, True, False, False]


def test_the_seam_in_an_endless_line_stands_where_it_is() -> None:
    lines = [line_of([("x" * (ENDLESS + 1), "text")])]
    layout = Layout(lines, 100, wrap=False, seam=(0, 250))
    seam = next(row for row in range(layout.rows) if layout.at(row).is_seam)
    assert 0 < seam < 10
    assert layout.at(seam + 1).start == 250
