from __future__ import annotations

import re

import pytest

from unspool_tui.present.bars import Top, key_row, top_row
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


@pytest.mark.parametrize(
    ("said", "loud", "least"),
    [
        ("copied the reference of E2028.0", False, 50),
        ("copied the command; folder is gone", False, 50),
        ("✗ minicode has no command that goes on with a session by its id", True, 76),
    ],
)
@pytest.mark.parametrize("more", [0, 1, 2, 7, 20])
def test_what_is_said_has_the_room_of_the_keys_where_there_is_little(
    said: str, loud: bool, least: int, more: int
) -> None:
    row = key_row(KEYS, "?", ((said, "text"),), least + more, loud=loud)
    text = "".join(cell for cell, _ in row)
    assert width_of(row) == least + more
    assert said in text
    assert " help" in text


FACTS = ("codex", "agentv", "18 Jun 05:34 – 06:20", "969 KB")


@pytest.mark.parametrize("width", range(100, 180, 7))
def test_beside_a_long_title_there_is_room_for_what_the_session_is(width: int) -> None:
    row = top_row(Top(("we recently made changes " * 9,), facts=FACTS, state=(("  ● live", "live"),)), width)
    text = "".join(cell for cell, _ in row)
    assert width_of(row) == width
    assert text.startswith(" unspool  ›  we recently made changes we recently")
    assert re.search(r"…\s{3,4}codex  agentv  ", text)
    assert text.endswith("● live ")


@pytest.mark.parametrize("width", range(50, 160, 10))
def test_where_one_is_stays_behind_a_long_title(width: int) -> None:
    row = top_row(Top(("we recently made changes " * 9, "Ledger"), facts=FACTS), width)
    text = "".join(cell for cell, _ in row)
    assert re.match(r" unspool  ›  we recently made.*… *  ›  Ledger ", text)
    assert ("codex" in text) == (width >= 100)


def test_a_short_title_is_never_cut_for_facts() -> None:
    text = "".join(cell for cell, _ in top_row(Top(("Invoices drift by a cent",), facts=FACTS), 60))
    assert text.startswith(" unspool  ›  Invoices drift by a cent   codex ")


@pytest.mark.parametrize("width", range(20, 160))
def test_the_top_bar_is_as_wide_as_the_screen(width: int) -> None:
    assert width_of(top_row(Top(("Labels of the kiosk " * 3,), facts=FACTS), width)) == width
