from __future__ import annotations

import pytest

from unspool_tui.present.bars import key_row
from unspool_tui.present.cells import width_of

KEYS = [("enter", "read"), ("j k", "move"), ("/", "filter"), ("e E", "error"), ("y", "copy ref"), ("z", "zoom")]


@pytest.mark.parametrize("width", range(48, 120))
@pytest.mark.parametrize("said", ["1 more", "ok", "no error after this"])
def test_a_short_status_is_said_whole_however_the_keys_fall(said: str, width: int) -> None:
    row = key_row(KEYS, "?", ((said, "muted"),), width)
    text = "".join(cell for cell, _ in row)
    assert width_of(row) == width
    assert said in text
    assert " help" in text
