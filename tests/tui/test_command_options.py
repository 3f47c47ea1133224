"""Options stand anywhere, and what a person bounds is bounded by that alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.running import Answer, unspool


@pytest.fixture
def session(home: Path) -> str:
    """A session with two short outputs."""
    lines = Claude(home, Names(1), session_id="cccc0000")
    lines.user("Count -x and -5")
    lines.result(lines.call("wc"), "one\ntwo\nthree")
    lines.save()
    return "claude:cccc0000"


ARGUMENTS = (
    ("search", ["Count", "REF"], ["--limit", "5"]),
    ("search", ["Count", "REF", "last"], ["--limit=5"]),
    ("search", ["-x", "REF"], ["--kind", "user"]),
    ("search", ["-x and", "REF"], []),
    ("search", ["-5", "REF"], ["--no-reasoning"]),
    ("inspect", ["REF/E2.0", "tail:1"], ["--max-bytes", "100"]),
    ("read", ["REF/E2.0"], ["--max-bytes", "100", "--no-tools"]),
    ("evidence", ["REF"], ["--kind", "user", "--limit", "1"]),
    ("overview", ["REF"], ["--max-items", "1"]),
    ("resolve", ["REF"], ["--in", "E0-E1"]),
    ("brief", ["REF"], ["--max-bytes", "90"]),
)


@pytest.mark.parametrize(("verb", "words", "options"), ARGUMENTS)
def test_options_may_stand_before_between_and_behind(
    session: str, verb: str, words: list[str], options: list[str]
) -> None:
    words = [word.replace("REF", session) for word in words]
    ends = ["--"] if words[0].startswith("-") else []
    behind = unspool(verb, *options, "--json", *ends, *words)
    assert behind.out
    if not ends:
        assert unspool(verb, *words, "--json", *options) == behind
        assert unspool("--json", verb, words[0], *options, *words[1:]) == behind
        assert unspool(verb, words[0], *options, "--json", "--", *words[1:]) == behind


@pytest.mark.parametrize("words", [["-5", "last"], ["-x and", "last"], ["a", "--", "-"], ["-"]])
def test_what_begins_with_a_dash_and_is_no_option_is_a_word(session: str, words: list[str]) -> None:
    answer = unspool("search", *words)
    assert answer.code in (0, 1) or "standard input" in answer.err


def told(answer: Answer) -> str:
    """Return why a use was wrong."""
    assert answer.code == 2
    return answer.err


def test_a_wrong_option_is_still_told(session: str) -> None:
    assert "did you mean --limit" in told(unspool("search", "a", "--limt", "5", "last"))
    assert "expected one argument" in told(unspool("search", "a", "last", "--limit"))
    assert "goes behind --" in told(unspool("search", "last", "-x"))
    assert "unrecognized arguments: more" in told(unspool("sessions", "more"))
    assert "unrecognized arguments: --blobs /x;" in told(unspool("sessions", "--blobs", "/x"))
    assert "unrecognized arguments: more" in told(unspool("stats", "last", "--json", "more"))


ROWS = [f"row {number} äöü and what else a row of a log may hold" for number in range(3_000)]
LONG = "".join(f"{row}\n" for row in ROWS)
"""A text of more bytes and tokens than a read gives by itself."""


@pytest.fixture
def long(home: Path) -> str:
    """A session of fifty pieces, one of them long."""
    lines = Claude(home, Names(1), session_id="cccc1111")
    lines.user("Read it")
    lines.result(lines.call("cat long"), LONG)
    for number in range(50):
        lines.answer(f"answer {number}")
    lines.save()
    return "claude:cccc1111"


def cut(*arguments: str) -> tuple[int, str | None]:
    """Return how many bytes a read gave, and what cut it."""
    answer = unspool("read", *arguments, "--json").object
    return sum(len(piece["text"].encode()) for piece in answer["pieces"]), answer["truncation"]["reason"]


def test_a_bound_that_is_given_lifts_the_defaults_of_the_others(long: str) -> None:
    size = len(LONG.encode())
    assert cut(f"{long}/E2.0") == (32_768, "bytes")
    assert cut(f"{long}/E2.0", "--max-bytes", "10000000") == (size, None)
    assert cut(f"{long}/E2.0", "--max-tokens", "10000000") == (size, None)
    assert cut(f"{long}/E2.0", "--max-bytes", "100000") == (100_000, "bytes")
    assert cut(f"{long}/E2.0", "--max-tokens", "25000") == (100_000, "tokens")
    assert cut(f"{long}/E2.0", "--max-tokens", "100") == (400, "tokens")
    assert cut(f"{long}/E2.0", "--max-bytes", "100000", "--max-tokens", "10") == (40, "tokens")
    assert cut(f"{long}/E2.0", "--max-bytes", "40", "--max-tokens", "100000") == (40, "bytes")
    assert cut(long, "--in", "E3-E99", "--max-bytes", "10000000")[1] == "items"
    assert cut(long, "--in", "E3-E99", "--max-items", "60") == (440, None)


def test_many_short_pieces_are_cut_by_the_bound_that_is_given(home: Path) -> None:
    script = Claude(home, Names(5), session_id="cccc0000")
    for number in range(9_000):
        script.user(f"{number:05}")
    script.save()
    assert cut("claude:cccc0000", "--in", "E0-E9999", "--max-items", "9999", "--max-bytes", "40000") == (
        40_000,
        "bytes",
    )
    assert cut("claude:cccc0000", "--in", "E0-E9999", "--max-items", "9999", "--max-bytes", "30000") == (
        30_000,
        "bytes",
    )
    assert cut("claude:cccc0000", "--in", "E0-E9999", "--max-items", "9999", "--max-tokens", "100")[1] == "tokens"


def test_a_bound_on_a_brief_or_a_window_lifts_the_other_too(long: str) -> None:
    answer = unspool("inspect", f"{long}/E2.0", "--json", "--max-bytes", "1000000").object
    assert answer["text"] == LONG
    assert len(unspool("brief", long, "--json", "--max-tokens", "90").object["text"]) <= 360


@pytest.fixture
def small_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is read in windows of a few bytes or pieces."""
    monkeypatch.setattr("unspool_tui.arguments.WINDOW_BYTES", 4_001)
    monkeypatch.setattr("unspool_tui.arguments.WINDOW_ITEMS", 7)


@pytest.mark.usefixtures("small_windows")
def test_all_of_a_piece_is_read_window_by_window(long: str) -> None:
    answer = unspool("read", f"{long}/E2.0", "--all")
    assert (answer.code, answer.out, answer.err) == (0, LONG, "")
    told = unspool("read", f"{long}/E2.0", "--all", "--json").object
    (piece,) = told["pieces"]
    assert piece["text"] == LONG
    assert told["truncation"] == unspool("read", f"{long}/E0.0", "--json").object["truncation"]


@pytest.mark.usefixtures("small_windows")
def test_all_of_a_range_has_every_piece_once(long: str) -> None:
    answer = unspool("read", long, "--in", "E0-E99", "--all")
    headings = [line for line in answer.out.split("\n") if line.startswith("── ")]
    assert [line.split()[1] for line in headings] == [f"E{number}.0" for number in range(53)]
    assert f"{LONG}── E3.0" in answer.out
    told = unspool("read", long, "--in", "E0-E99", "--all", "--json").object
    assert [piece["text"] for piece in told["pieces"]][2:4] == [LONG, "answer 0"]
    assert told["truncation"]["shown"] == len(told["pieces"]) == 53
    assert not told["truncation"]["truncated"]
    on = unspool("read", long, "--in", "E0-E99", "--all", "--json", "--after", "E50.0+2").object
    assert [piece["text"] for piece in on["pieces"]] == ["swer 47", "answer 48", "answer 49"]


@pytest.mark.usefixtures("small_windows")
def test_all_of_the_records_is_the_file(home: Path, long: str) -> None:
    (path,) = home.rglob("cccc1111.jsonl")
    told = unspool("read", long, "--in", "E0-E99", "--all", "--raw", "--json").object
    assert "".join(piece["text"] + "\n" for piece in told["pieces"]) == path.read_text("utf-8")


@pytest.mark.usefixtures("small_windows")
def test_all_that_a_selector_finds_is_given(long: str) -> None:
    piece = f"{long}/E2.0"
    found = "\n".join(f"{number}: {row}" for number, row in enumerate(ROWS, 1))
    for selector, wanted in (("lines:1-99999", LONG), ("grep:row", found), ("tail:2", f"{ROWS[-2]}\n{ROWS[-1]}\n")):
        answer = unspool("inspect", piece, selector, "--all")
        assert answer.out == wanted.removesuffix("\n") + "\n"
        assert answer.code == 0
        told = unspool("inspect", piece, selector, "--all", "--json").object
        assert told["text"] == wanted
        assert told["truncation"]["shown"] == (len(ROWS) if selector == "grep:row" else 1)


@pytest.mark.usefixtures("small_windows")
def test_all_elements_and_keys_of_a_call_are_given(home: Path) -> None:
    lines = Claude(home, Names(1), session_id="cccc2222")
    lines.user("Go")
    todo = ["a" * 9_000, "b", "c" * 5_000, *"defghijklmnop"]
    lines.spoke({"type": "tool_use", "id": "t1", "name": "Note", "input": todo})
    lines.spoke({"type": "tool_use", "id": "t2", "name": "Note", "input": {"words": todo, "text": todo[0]}})
    lines.save()
    every = "".join(f'"{each}"\n' for each in todo)
    assert unspool("inspect", "last/E1.0", "slice:0..99", "--all").out == every
    assert unspool("inspect", "last/E2.0", "key:text", "--all").out == todo[0] + "\n"


def test_all_has_no_bounds(long: str) -> None:
    for verb in ("read", "inspect"):
        answer = unspool(verb, f"{long}/E2.0", "--all", "--max-bytes", "9")
        assert "--all has no bounds" in told(answer)


def test_lines_that_are_quoted_are_read_on_to_their_end_and_no_further(long: str) -> None:
    quoted = "".join(f"{row}\n" for row in ROWS[9:2_500])
    assert unspool("read", f"{long}/E2.0#L10-2500", "--all").out == quoted
    given, after = "", list[str]()
    while True:
        answer = unspool("read", f"{long}/E2.0#L10-2500", "--json", *after).object
        given += "".join(piece["text"] for piece in answer["pieces"])
        if answer["truncation"]["next"] is None:
            break
        after = ["--after", answer["truncation"]["next"]]
    assert given == quoted
    assert "no line 3001 in E2.0: the text has 3,000 lines" in told(unspool("read", f"{long}/E2.0:3001"))
