"""What is measured without the tables of all characters is measured as they say."""

from __future__ import annotations

import subprocess
import sys

import pytest
import rich.cells
from hypothesis import given
from hypothesis import strategies as st

from unspool_tui.present import marks
from unspool_tui.present.width import NARROW, WIDE, cell_len, set_cell_size

ONE = {chr(code) for first, last in NARROW for code in range(first, last + 1)}
TWO = {chr(code) for first, last in WIDE for code in range(first, last + 1)}
KNOWN = st.sampled_from(sorted(ONE)) | st.sampled_from("ぁゖ検索龍한！｠")
TEXTS = st.text(KNOWN | st.characters(exclude_categories=["Cs"]), max_size=12)


def test_each_narrow_character_takes_one_cell_and_each_wide_one_two() -> None:
    assert len(ONE) > 1_000
    assert len(TWO) > 30_000
    assert {sign for sign in ONE if rich.cells.get_character_cell_size(sign) != 1} == set()
    assert {sign for sign in TWO if rich.cells.get_character_cell_size(sign) != 2} == set()


def test_every_mark_is_narrow() -> None:
    assert set(marks.TWINS) <= ONE


@given(TEXTS | st.builds(lambda text: text * 100, TEXTS), st.integers(-1, 20))
def test_texts_are_measured_and_cut_as_rich_does_it(text: str, cells: int) -> None:
    assert cell_len(text) == rich.cells.cell_len(text)
    assert set_cell_size(text, cells) == rich.cells.set_cell_size(text, max(0, cells))


@pytest.mark.parametrize("text", ["検索", "a検b龍", "▌é한！ｱ", "｠｠｠"])
def test_a_wide_character_is_cut_only_where_it_does_not_fit(text: str) -> None:
    for cells in range(rich.cells.cell_len(text) + 2):
        assert set_cell_size(text, cells) == rich.cells.set_cell_size(text, cells)


def test_rows_of_usual_characters_need_no_tables() -> None:
    code = (
        "from unspool_tui.present.width import cell_len; import sys; cell_len('▌E0.0 … äöü 検索'); "
        "sys.exit('rich' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
