"""`unspool search` in a long session that was never read: a person sees what its newest lines hold first."""

from __future__ import annotations

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.running import Answer, unspool
from unspool.library import reader
from unspool_tui.cli import main

REF = "claude:eeee0000"


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def session(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A session that counts as long, with a needle in its first prompt and in two of the newest lines."""
    lines = Claude(home, Names(1), session_id="eeee0000-0000-4000-8000-000000000001")
    lines.user("needle one")
    lines.answer("a haystack")
    lines.user("needle two")
    lines.answer("needle three")
    lines.save()
    monkeypatch.setattr(reader, "LONG", 1)
    monkeypatch.setattr(reader, "END_BYTES", sum(map(len, lines.path.read_bytes().splitlines(keepends=True)[2:])) + 1)
    return lines.path


def at_terminal(*arguments: str) -> Answer:
    """Run a search at a terminal."""
    with redirect_stdout(Terminal()) as out, redirect_stderr(Terminal()) as err:
        code = main(["search", *arguments])
    return Answer(code, out.getvalue(), err.getvalue())


def test_the_newest_hits_come_first_it_is_said_where_they_were_looked_for_and_each_comes_once(session: Path) -> None:
    size = session.stat().st_size
    newest = reader.END_BYTES - 1
    assert 1_000 < newest < size < 10_000
    assert at_terminal("needle", REF).out.splitlines() == [
        f"── the newest {newest / 1000:.1f} KB of {size / 1000:.1f} KB; the rest is being read",
        f"{REF}/E2.0:1: needle two",
        f"{REF}/E3.0:1: needle three",
        "── the rest",
        f"{REF}/E0.0:1: needle one",
    ]


def test_where_the_newest_lines_hold_nothing_or_more_than_is_shown_that_is_said(session: Path) -> None:
    nothing, all_of_it = at_terminal("haystack", REF).out.splitlines()
    assert nothing.startswith("── nothing in the newest ")
    assert all_of_it == f"{REF}/E1.0:1: a haystack"
    shown = at_terminal("needle", REF, "--limit", "1")
    first, *hits = shown.out.splitlines()
    assert first.startswith("── 1 of 2 hits in the newest ")
    assert hits == [f"{REF}/E2.0:1: needle two", "── the rest", f"{REF}/E0.0:1: needle one"]
    assert shown.err.startswith("2 of 3 hits shown; --after ")


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_in_a_pipe_hits_come_in_order_whether_the_session_was_read_before_or_not(
    session: Path, options: tuple[str, ...]
) -> None:
    never, again = (unspool("search", "needle", REF, *options) for _ in range(2))
    assert never == again
    places = [never.out.index(f"needle {number}") for number in ("one", "two", "three")]
    assert places == sorted(places)
    assert "newest" not in never.out
