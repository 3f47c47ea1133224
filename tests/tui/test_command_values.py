"""Absurd values of every option and argument of every verb: one line and an exit code, never a surprise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.running import Answer, unspool
from unspool import library
from unspool.library import Library
from unspool_tui.arguments import Parser, add_common
from unspool_tui.cli import LONGEST
from unspool_tui.verbs import VERBS, follow, load

BIG = "9" * 25

NUMBERS = ("-1", "0", "00", "1e3", "1.5", "0x10", "1_000", "+5", " 5 ", "٣", "²", BIG, "9" * 5_000)
TEXTS = ("", " ", "-", "--", ",", "\t", "\x1b[31mx", "\udcff", "x" * 5_000, "|", ":::", "%zz")
PLACES = (
    *("E", "E-1", "E1.", "E9-E1", "E١", f"E{BIG}", f"E0.{BIG}", f"E0-E{BIG}", "E0.0+", f"E0.0+{BIG}", "E0.0@zz"),
    *("claude:", f"claude:a~{BIG}", "last/", f"last/E{BIG}", "last/E0.0#L0", f"last/E0.0#L{BIG}", "last/\udcff"),
    *("last/E0.0@" + "f" * 64, "last/E0.0@" + "f" * 65, f"last/E0-E{BIG}@" + "0" * 12),
)
SELECTORS = (
    *(f"lines:1-{BIG}", "lines:0-0", "lines:١-٢", "bytes:5..1", f"bytes:{BIG}..", f"bytes:0..{'9' * 18}", "tail:0"),
    *(f"tail:{'9' * 18}", f"slice:0..{'9' * 18}", "slice:a", "key:", "grep:", f"grep:a@b{'9' * 18}", "key:x@b9"),
    *("tail:5@b3", "lines:1-2@b7", "slice:0..1@b99", f"lines:1-2@b{BIG}"),
)
TIMES = (
    *("999999w", "0d", "-1d", "1y", "9999999d", "٣d", "0001-01-01", "9999-12-31", "10000-01-01"),
    *("0000-00-00", "2026-02-30", "2026-06-01T25:00", "2026-06-01T09:00+99:99", "2026-06-01T09:00-23:59"),
)
VALUES = (*NUMBERS, *TEXTS, *PLACES, *SELECTORS, *TIMES)

ENOUGH = {
    "read": ["last/E2.0"],
    "inspect": ["last/E2.0"],
    "resolve": ["last/E2.0"],
    "search": ["a"],
    "sessions": [],
    "doctor": [],
    "settings": ["--show"],
    "export": ["last", "-o", "-"],
}
"""Arguments with which a verb answers; of the others a session is enough."""


EVERYWHERE = "--root"
"""What every verb takes, and one place reads for all of them: each value is tried with one verb or another."""


@pytest.fixture(autouse=True)
def session(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small session, and an empty folder to be in; what nobody foresaw is raised.

    All runs of a test ask one library, which looks at the files once: what is tried is what it is asked.
    """
    monkeypatch.setenv("UNSPOOL_DEBUG", "1")
    monkeypatch.setattr(follow, "_gone", lambda: lambda: True)  # nobody reads on: it ends with what there is
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(library, "open_library", one_for_all(library.open_library))
    script = Claude(home, Names(1))
    script.user("Go")
    script.result(script.call("ls"), "a\n" * 50)
    script.save()


def one_for_all(make: Callable[..., Library]) -> Callable[..., Library]:
    """Return what opens a library once for each way in which it is asked to be opened."""
    made: dict[str, Library] = {}

    def give(*given: Any, **named: Any) -> Library:
        asked = repr((given, {name: value for name, value in named.items() if name not in ("environ", "stream")}))
        if asked not in made:
            made[asked] = make(*given, **named)
        return made[asked]

    return give


def uses(verb: str) -> Iterator[list[str]]:
    """Yield uses of a verb, each with one absurd value."""
    parser = Parser("unspool", "")
    load(verb).configure(parser)
    add_common(parser)
    enough = ENOUGH.get(verb, ["last"])
    words = [action for action in parser._actions if not action.option_strings]
    for action in parser._actions:
        if action.option_strings and action.nargs is None:
            option = action.option_strings[-1]
            values = VALUES[list(VERBS).index(verb) :: len(VERBS)] if option == EVERYWHERE else VALUES
            yield from ([verb, *enough, option, value] for value in values[::2])
            yield from ([verb, *enough, "--json", _joined(option, value)] for value in values[1::2])
    for number, _action in enumerate(words):
        before = ["last/E2.0" if verb == "inspect" else "a"] * number
        yield from ([verb, *before, "--", value] for value in VALUES)


def _joined(option: str, value: str) -> str:
    return f"{option}={value}" if option.startswith("--") else option + value


def complaint(answer: Answer) -> str | None:
    """Return what is wrong with an answer."""
    if answer.code not in (0, 1, 2):
        return f"exit code {answer.code}"
    if answer.code == 2 and (answer.out or answer.err.count("\n") != 1 or not answer.err.startswith("unspool: ")):
        return f"not one line alone: {answer.out[:80]!r} {answer.err[:200]!r}"
    if answer.code == 2 and len(answer.err) > LONGEST + 20:
        return f"too long: {answer.err[:80]!r}"
    return None if answer.code == 0 or answer.err or answer.out else "nothing is said"


@pytest.mark.parametrize("verb", VERBS)
def test_an_absurd_value_gets_a_plain_answer(verb: str) -> None:
    wrong = {tuple(use): told for use in uses(verb) if (told := complaint(unspool(*use)))}
    assert wrong == {}


@pytest.mark.parametrize(
    ("value", "told"),
    [("999999w", "outside of the calendar"), ("9999999w", "no time"), ("2026-02-30", "no time")],
)
def test_a_time_that_there_is_not_is_told(value: str, told: str) -> None:
    assert told in unspool("sessions", "--since", value).err


@pytest.mark.parametrize("value", ["0", "-1", "+5", "1_000", "٣", "1e3", " 5 "])
def test_a_bound_is_a_plain_number_of_at_least_one(value: str) -> None:
    answer = unspool("read", "last/E2.0", f"--max-items={value}")
    assert f"{value!r} is not a number of at least 1" in answer.err


@pytest.mark.parametrize("value", [BIG, "9" * 5_000])
def test_a_bound_beyond_everything_bounds_nothing(value: str) -> None:
    every = unspool("read", "last", "--in", "E0-E9", "--json").object
    assert (
        unspool("read", "last", "--in", "E0-E9", "--json", *("--max-items", value), *("--max-tokens", value)).object
        == every
    )


@pytest.mark.parametrize("option", ["--kind", "--part", "--tool", "--in", "--path", "--after"])
def test_an_empty_value_is_no_way_to_ask_for_everything(option: str) -> None:
    answer = unspool("evidence", "last", option, "")
    assert (answer.code, answer.out) == (2, "")
    assert f"argument {option}: nothing is given" in answer.err


def test_a_value_behind_an_equals_sign_may_hold_spaces() -> None:
    assert unspool("evidence", "--path=a b", "last").err.startswith("no piece fits")


def test_commas_alone_name_nothing() -> None:
    assert "',' names nothing" in unspool("evidence", "last", "--kind", ",").err


def test_a_wrong_continuation_is_told_before_anything_is_printed() -> None:
    answer = unspool("read", "last/E2.0", "--json", "--after", "x")
    assert (answer.code, answer.out) == (2, "")


def test_of_a_long_argument_the_line_shows_both_ends() -> None:
    told = unspool("overview", "begin" + "x" * 5_000 + "end").err
    assert len(told) < 1_100
    assert "'begin" in told
    assert "end'; `unspool sessions` lists" in told
