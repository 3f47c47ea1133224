from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.screenshots.script import ClaudeScript
from tests.sessions import view_of
from tests.tui.conftest import MEDIUM, WIDE, app_on
from tests.tui.driving import Grid, press, settle
from unspool.formats.piece import Flag
from unspool.library.opening import open_library
from unspool.views.filter import Filter
from unspool.views.selection import Selection
from unspool_tui.present import marks
from unspool_tui.present.evidence_row import compaction_words, flag
from unspool_tui.present.folding import folded
from unspool_tui.present.paths import is_path


@pytest.mark.parametrize(
    ("flags", "mark"),
    [
        (Flag.PERSISTED, marks.STORED),
        (Flag.SHORTENED, marks.STORED),
        (Flag.PERSISTED | Flag.MISSING, marks.STORED),
        (Flag.PERSISTED | Flag.ERROR, marks.STORED),
        (Flag.ERROR, marks.ERROR),
        (Flag.UNANSWERED, marks.PENDING),
        (Flag.ABANDONED, marks.ASIDE),
        (Flag.REPLAYED, marks.ASIDE),
        (Flag.TWIN, marks.ASIDE),
        (Flag.ABANDONED | Flag.REASONING, marks.ASIDE),
        (Flag.REASONING, marks.REASONING),
        (Flag.INHERITED, " "),
        (Flag(0), " "),
    ],
)
def test_each_state_of_a_piece_has_its_mark(flags: Flag, mark: str) -> None:
    assert flag(flags)[0] == mark


def test_a_compaction_has_its_mark_unless_something_weighs_more() -> None:
    assert flag(Flag(0), compacted=True)[0] == marks.COMPACTED
    assert flag(Flag.REPLAYED, compacted=True)[0] == marks.ASIDE


@pytest.fixture
def marked(tmp_path: Path) -> tuple[Path, str]:
    """A session of 12 rows: 2 failed, 4 shortened, 6 compacted, 7 its summary, 11 unanswered."""
    script = ClaudeScript("marks", datetime(2026, 11, 27, 15, tzinfo=UTC), "/home/mira/src/hay")
    script.prompt("Go")
    script.result(script.call("Bash", command="false"), "Exit code 1", error=True)
    script.result(script.call("Grep", pattern="x"), "a:1", detail={"truncated": True})
    script.say("So far.")
    script.chain("system", subtype="compact_boundary", content="Conversation compacted",
                 compactMetadata={"trigger": "auto", "preTokens": 155_000, "postTokens": 12_000})  # fmt: skip
    script.chain("user", isCompactSummary=True, message={"role": "user", "content": "This goes on."})
    script.say("On.")
    script.prompt("More")
    script.say("Yes.")
    script.call("Bash", command="sleep 9")
    path = script.path(tmp_path)
    script.write(path)
    return tmp_path, str(path)


async def test_rows_carry_their_marks_and_a_compaction_tells_its_tokens(marked: tuple[Path, str]) -> None:
    app = app_on(*marked)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        grid = Grid(app)
        rows = [match for text in grid if (match := re.match(r".{30}[ ▌](E\d+\.\d) +[\d:]+  (.) ", text))]
        found = {row[1]: row[2].strip() for row in rows}
        assert found == {
            "E0.0": "", "E1.0": "", "E2.0": "✗", "E3.0": "", "E4.0": "▣", "E5.0": "", "E7.0": "≡", "E8.0": "",
            "E9.0": "", "E10.0": "", "E11.0": "◌",
        }  # fmt: skip
        await press(pilot, "G")
        assert any(re.search(r"▌E11.0 .*  ◌ → Bash ", text) for text in Grid(app))
        assert "auto  155k → 12k tokens  This goes on." in grid[grid.row_of(" E7.0 ")]


async def test_boundary_and_summary_of_a_compaction_are_one_row_and_two_pieces(marked: tuple[Path, str]) -> None:
    app = app_on(*marked)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        assert "Evidence 12 " in Grid(app)[1]
        await press(pilot, "3")
        assert "3 system 2" in Grid(app)[1]
        assert Grid(app).has("2 of 12")
        assert re.search(r"▌E7.0 ", str(Grid(app)))
        await press(pilot, "colon", *"E6", "enter")
        assert re.search(r"▌E6.0 .*auto  155k → 12k tokens  Conversation compacted", str(Grid(app)))
        assert Grid(app).has("2 of 12")
        assert re.search(r" E7.0 .*auto  155k → 12k tokens  This goes on\.", str(Grid(app)))
        await press(pilot, "j")
        assert re.search(r"E7.0  system .*1 line", str(Grid(app)))


def test_only_what_belongs_together_is_folded(marked: tuple[Path, str]) -> None:
    view = open_library(environ={}, home=str(marked[0])).view(marked[1])
    rows, folds = folded(view, view.selection(Filter()))
    assert (list(rows), folds) == ([0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11], {7: 6})
    for some in ([0, 6, 8], [0, 7, 8], [0, 8], []):
        rows, folds = folded(view, Selection(bytes(row in some for row in range(view.rows))))
        assert (list(rows), folds) == (some, {})


async def test_the_map_stands_beside_the_rows_that_it_marks_while_all_are_in_view(marked: tuple[Path, str]) -> None:
    app = app_on(*marked)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        grid = Grid(app)
        first = grid.row_of("▌E0.0")
        assert {y - first: text[-1] for y, text in enumerate(grid) if first <= y < first + 12 and text[-1] != " "} == {
            2: "✗", 4: "▣", 6: "≡",
        }  # fmt: skip
        await press(pilot, "slash", *"on", "enter")
        grid = Grid(app)
        rows = [text for text in list(grid)[first : first + 12] if " • " in text]
        assert len(rows) == 3
        assert all(text[-1] in "•✗▣" for text in rows)


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("compaction", ""),
        ("compaction · manual", "manual"),
        ("compaction · auto · 155000 → 12000 tokens", "auto  155k → 12k tokens"),
        ("compaction · auto · 155000 tokens before", "auto  155k tokens before"),
        ("compaction · 90 tokens after", "90 tokens after"),
        ("compaction · 12345 apples · 8 tokens after", "12345 apples  8 tokens after"),
    ],
)
def test_the_words_of_a_compaction_are_short(label: str, said: str) -> None:
    told = view_of([("user", "x")]).evidence_at(0)
    assert "".join(text for text, _ in compaction_words(replace(told, label=label))).rstrip() == said


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("src/a.py", True),
        ("/etc", True),
        ("a.py", False),
        ("see src/a.py", False),
        ('{"a":"b/c"}', False),
        ("<a>b</a>", False),
    ],
)
def test_a_path_is_told_from_a_value_that_holds_one(said: str, path: bool) -> None:
    assert is_path(said) is path
