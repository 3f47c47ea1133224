"""What is exported of a session, and the law that no secret planted anywhere survives."""

from __future__ import annotations

import json
import random
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.export.fakes import Fake, fakes
from tests.core.export.test_redaction import traces
from tests.sessions import CLAUDE_CODE, CODEX, Said, view_of
from tests.tui.hostile_text import FORBIDDEN, lines, texts
from unspool import EvidenceId, Exported, export_view, open_library
from unspool.errors import BadQuery
from unspool.export import EMAIL, RULES, Export
from unspool.export.exhibit import CUT_BYTES, WINDOW_BYTES
from unspool.export.redaction import Redactor
from unspool.export.seen import Seen
from unspool.formats.base import Format
from unspool.views.filter import Filter
from unspool.views.view import SessionView

FORMATS = ("md", "html", "json")
EVERY = [fake for _rule, fake in fakes(11)]


def written_of(view: SessionView, format: str, filter: Filter | None = None, **options: Any) -> tuple[str, Exported]:
    """Return an export, and what was done."""
    written: list[str] = []
    exported = export_view(view, written.append, format, filter, **options)  # type: ignore[arg-type]
    return "".join(written), exported


def read_of(view: SessionView, format: str, **options: Any) -> str:
    """Return all that a person can read in an export, nothing of it hidden by escapes."""
    written, _ = written_of(view, format, **options)
    if format == "json":
        strings: list[str] = []
        waiting = [json.loads(written)]
        while waiting:
            value = waiting.pop()
            if isinstance(value, dict):
                waiting += [*value, *value.values()]
            elif isinstance(value, list):
                waiting += value
            elif isinstance(value, str):
                strings.append(value)
        written = "\n".join(strings)
    return Seen.of(written).text


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["user", "assistant", "input", "named", "output", "reasoning"]),
            st.sampled_from(EVERY),
            st.sampled_from(["", "see ", "line\n", "\x1b[1m", "| ", "```\n", "- ", "'"]),
        ),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from([CLAUDE_CODE, CODEX]),
    st.sampled_from(FORMATS),
)
def test_no_secret_survives_wherever_it_stands(
    planted: list[tuple[str, Fake, str]], format: Format, written_as: str
) -> None:
    said: list[Said] = []
    for who, fake, before in planted:
        text = f"{before}{fake.text}\nend"
        if who in ("input", "named"):
            said.append(("input", {"command": text, "nested": [{"x": text}]} if who == "input" else {text: 1}))
        else:
            said.append((who, text))
    everything = Filter(reasoning=True, hidden=True)
    shown = read_of(view_of(said, format), written_as, filter=everything)
    for _who, fake, _before in planted:
        assert not traces(fake.secret, shown)


@pytest.mark.parametrize("written_as", FORMATS)
def test_no_secret_survives_in_what_is_said_about_a_session(written_as: str) -> None:
    for fake in (fake for fake in EVERY if "\n" not in fake.text):
        name = f"n {fake.text}"
        call = {"type": "tool_use", "id": fake.text, "name": name, "input": {"file_path": f"/x/{fake.text}"}}
        records = [
            {"type": "user", "uuid": fake.text, "cwd": f"/srv/{name}", "gitBranch": name, "message": {"content": "x"}},
            {"type": "custom-title", "customTitle": name},
            {"type": "assistant", "message": {"role": "assistant", "model": name, "content": [call]}},
            {
                "type": "user",
                "message": {"content": [{"type": "tool_result", "tool_use_id": fake.text, "content": ""}]},
            },
        ]
        shown = read_of(SessionView.of(records, CLAUDE_CODE), written_as)
        assert not traces(fake.secret, shown), fake.text


@given(lines, texts, st.sampled_from(FORMATS))
def test_nothing_that_acts_on_a_terminal_is_written(line: str, text: str, written_as: str) -> None:
    call = {"type": "tool_use", "id": line or "t", "name": line, "input": {line: text, "file_path": line}}
    records = [
        {"type": "user", "uuid": line, "cwd": line, "gitBranch": line, "message": {"content": text}},
        {"type": "custom-title", "customTitle": line},
        {"type": "assistant", "message": {"role": "assistant", "model": line, "content": [call]}},
        {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": line, "content": text}]}},
    ]
    written, _ = written_of(SessionView.of(records, CLAUDE_CODE), written_as)
    assert FORBIDDEN.findall(written.replace("\n", "")) == []


@pytest.mark.parametrize("written_as", FORMATS)
@pytest.mark.parametrize("full", [False, True])
def test_a_secret_where_a_text_is_cut_or_a_window_ends_is_replaced_whole(written_as: str, full: bool) -> None:
    border = WINDOW_BYTES if full else CUT_BYTES
    for fake in EVERY[:: 9 if full else 3]:
        before = "x" * 79 + "\n"
        start = border - len(fake.text) // 2
        text = (
            before * (start // 80)
            + "y" * (start % 80 - 1)
            + "\n"
            + fake.text
            + "\n"
            + before * (9_000 if full else 500)
        )
        view = view_of([("user", "x"), ("input", {"a": 1}), ("output", text)])
        shown = read_of(view, written_as, full=full)
        assert not traces(fake.secret, shown), fake.text


def test_all_five_shapes_of_a_real_log_are_masked(shared: Path) -> None:
    home = shared / "cases" / "43-secret-shapes"
    view = open_library([str(home)]).view("last")
    secrets = ("EXAMPLE0EXAMPLE0", "EXAMPLEEXAMPLE", "EXAMPLE.TOKEN", "EXAMPLEPASS", "AKIA", "ghp_", "sk-ant")
    for written_as in FORMATS:
        shown, exported = written_of(view, written_as)
        assert [secret for secret in secrets if secret in shown] == []
        assert exported.redactions is not None
        assert sum(exported.redactions.values()) == 5
        open_shown, exported = written_of(view, written_as, rules=())
        assert [secret for secret in secrets if secret not in open_shown] == []
        assert exported.redactions is None


def test_secrets_are_counted_by_rule_and_once_each() -> None:
    token = "ghp_" + "aB3" * 12
    said: list[Said] = [("user", f"use {token}"), ("input", {"command": f"echo {token}"}), ("output", token)]
    for written_as in FORMATS:
        _, exported = written_of(view_of(said), written_as)
        assert exported.redactions == {"github-token": 3}
        assert exported.redacted() == "3 secrets redacted (3 github-token)"


def test_rules_can_be_added() -> None:
    shown, exported = written_of(view_of([("user", "ask mira@mail.invalid")]), "md", rules=(*RULES, EMAIL))
    assert "> ask [redacted: e-mail]" in shown
    assert exported.redactions == {"e-mail": 1}


@pytest.mark.parametrize("written_as", FORMATS)
def test_a_range_a_selection_or_a_kind_is_exported(written_as: str) -> None:
    said: list[Said] = [("user", "one"), ("assistant", "two"), ("input", {"a": "three"}), ("output", "four")]
    view = view_of([*said, ("user", "five")])
    chosen = Filter(ids=frozenset({EvidenceId(1, 0), EvidenceId(3, 0)}))
    within, outputs = Filter.parse("in:E1-E2")[0], Filter.parse("part:out")[0]
    wanted = ((within, "two three"), (chosen, "two four"), (outputs, "four"))
    for filter, words in wanted:
        written, exported = written_of(view, written_as, filter)
        pieces = written[written.index({"md": "\n##", "html": "<main>", "json": "pieces"}[written_as]) :].partition(
            "</main>"
        )[0]
        assert [word for word in ("one", "two", "three", "four", "five") if word in pieces] == words.split()
        assert exported.pieces == len(words.split())


def test_an_unknown_format_is_told() -> None:
    with pytest.raises(BadQuery, match="no format 'pdf'; there are md, html, json"):
        Export(view_of([("user", "x")]), "pdf")  # type: ignore[arg-type]


def test_an_export_that_was_given_up_says_so() -> None:
    written: list[str] = []
    view = view_of([("user", "x"), ("assistant", "y")])
    exported = export_view(view, written.append, cancelled=lambda: len(written) > 0)
    assert not exported.complete
    assert len(written) == 1


@pytest.mark.parametrize("written_as", FORMATS)
def test_no_more_is_held_than_a_window(written_as: str) -> None:
    text = "".join(f"{number} some words of an output\n" for number in range(500_000))
    view = view_of([("user", "x"), ("input", {"a": 1}), ("output", text)])
    size = len(text)
    del text
    length = 0

    def write(block: str) -> None:
        nonlocal length
        length += len(block)

    tracemalloc.start()
    try:
        export_view(view, write, written_as, full=True)  # type: ignore[arg-type]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert length > size > 10 * WINDOW_BYTES
    assert peak < 12 * WINDOW_BYTES


def test_a_session_of_many_windows_is_the_same_in_blocks_and_whole() -> None:
    rng = random.Random(12)
    lines = [rng.choice(EVERY).text if rng.random() < 0.02 else f"{number} words" for number in range(60_000)]
    text = "\n".join(lines)
    view = view_of([("user", "x"), ("input", {"a": 1}), ("output", text)])
    pieces = json.loads(written_of(view, "json", full=True)[0])["pieces"]
    assert pieces[2]["text"] == Redactor().text(text)
