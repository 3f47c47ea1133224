"""A row of the index says at a glance what a piece is: label, summary, sizes, paths, exit code."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sessions import CLAUDE_CODE, CODEX, view_of
from unspool.errors import BadQuery
from unspool.formats.piece import Flag, Kind, ToolPart
from unspool.views.evidence import Evidence
from unspool.views.label import exit_code, label
from unspool.views.view import SessionView


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Exit code 1\nbroken", 1),
        ("Error: Exit code 127\nnot found", 127),
        ("Exit code: 0\nWall time: 0.1 seconds\nOutput:\nok", 0),
        ("Chunk ID: 7\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nno", 2),
        ('{"output":"a\\nb","metadata":{"exit_code":3,"duration_seconds":0.1}}', 3),
        ('{ "output": "", "metadata": {"duration_seconds": 0.1, "exit_code": -9}}', -9),
        ("it said Exit code 1", None),
        ("Process exited with code of conduct", None),
        ("Exit code 12345678", None),
        ('{"metadata":{"exit_code":3}}', None),
        ("x" * 20_000 + "\nProcess exited with code 2", None),
        ("", None),
    ],
)
def test_an_exit_code_is_what_the_harness_states(text: str, code: int | None) -> None:
    assert exit_code(text) == code


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ((Kind.USER, None, None, Flag(0), "", None, 3), "user"),
        ((Kind.ASSISTANT, None, None, Flag.REASONING, "", None, 3), "assistant · reasoning"),
        ((Kind.TOOL, ToolPart.INPUT, "Bash", Flag(0), "pytest -q", None, 1), "Bash · pytest -q"),
        ((Kind.TOOL, ToolPart.INPUT, None, Flag(0), "", None, 1), "tool"),
        ((Kind.TOOL, ToolPart.INPUT, "a\nb" + "c" * 99, Flag(0), "d" * 99, None, 1), f"a b{'c' * 76}… · {'d' * 79}…"),
        ((Kind.TOOL, ToolPart.OUTPUT, "Bash", Flag.ERROR, "", 1, 412), "output · exit 1 · 412 lines"),
        ((Kind.TOOL, ToolPart.OUTPUT, "Bash", Flag(0), "", 0, 1), "output · exit 0 · 1 line"),
        ((Kind.TOOL, ToolPart.OUTPUT, "Bash", Flag.ERROR, "", None, 0), "output · error · 0 lines"),
        (
            (
                Kind.TOOL,
                ToolPart.OUTPUT,
                "Bash",
                Flag.PERSISTED | Flag.MISSING,
                "",
                None,
                9,
                None,
                "full output not found: x",
            ),
            "output · 9 lines · full output not found",
        ),
    ],
)
def test_a_label_is_made_for_scanning(given: tuple[Any, ...], wanted: str) -> None:
    assert label(*given) == wanted


def row(who: str, what: Any, agent: Any = CLAUDE_CODE) -> Evidence:
    return view_of([(who, what)], agent).evidence_at(0)


def test_a_call_is_named_by_what_tells_most_about_it() -> None:
    assert row("input", {"description": "run", "command": "pytest -q\n  tests"}).label == "Bash · pytest -q tests"
    assert row("input", {"command": ["bash", "-lc", "ls -la"]}, CODEX).label == "shell · ls -la"
    assert row("input", {}).label == "Bash"
    assert row("input", {"unheard": "of"}).summary


def test_a_message_is_summarised_by_its_first_line_with_words() -> None:
    assert row("user", "\n\n  First words \nmore").summary == "First words"
    assert row("assistant", "x" * 500).summary == "x" * 199 + "…"
    assert row("output", "").summary == ""


def test_sizes_are_those_of_the_text() -> None:
    evidence = row("assistant", "é🚀\nend")
    assert (evidence.bytes, evidence.lines, evidence.model_bytes) == (10, 2, None)


def test_paths_are_those_a_call_names_or_a_prompt_mentions() -> None:
    assert row("input", {"file_path": "/a/b.py", "n": 1}).files == ("/a/b.py",)
    assert row("user", "see @src/a.py, @src/a.py; @no (@no.py) and mail@example.org @docs/").files == (
        "src/a.py",
        "docs/",
    )
    assert row("assistant", "see @src/a.py").files == ()


def test_a_row_is_written_as_json() -> None:
    view = view_of([("input", {"command": "ls"}), ("output", "a\nb")])
    assert view.evidence_at(1).to_json() == {
        "id": "E1.0",
        "entry_range": [1, 1],
        "kind": "tool",
        "tool_part": "output",
        "tool": "Bash",
        "call_id": "toolu_0",
        "peer": "E0.0",
        "peers": ["E0.0"],
        "label": "output · 2 lines",
        "summary": "a",
        "time": "2026-03-01T10:00:01.000Z",
        "bytes": 3,
        "model_bytes": None,
        "lines": 2,
        "images": 0,
        "files": [],
        "flags": [],
        "native_id": "u1",
    }


def test_pages_of_the_index_go_on_behind_an_id() -> None:
    view = view_of([("user", str(number)) for number in range(25)])
    ids, after = [], None
    while True:
        page = view.evidence(limit=7, after=after)
        assert page.total == 25
        ids += [str(each.id) for each in page.items]
        after = page.next
        if after is None:
            break
    assert ids == [f"E{number}.0" for number in range(25)]
    assert view.evidence(limit=25).next is None
    assert [str(each.id) for each in view.evidence(after="E22.7").items] == ["E23.0", "E24.0"]


def test_a_page_of_none_tells_how_many_there_are_and_one_of_fewer_is_refused() -> None:
    view = view_of([("user", "one"), ("assistant", "two")])
    assert (view.evidence(limit=0).items, view.evidence(limit=0).total) == ((), 2)
    with pytest.raises(BadQuery, match="limit is -1"):
        view.evidence(limit=-1)


def test_a_piece_is_quoted_by_whatever_names_it() -> None:
    view = view_of([("user", "one"), ("assistant", "two")])
    quoted = view.reference(view.id(1))
    assert [view.reference(target) for target in ("E1.0", "E1", quoted)] == [quoted] * 3


def test_records_of_no_shape_at_all_have_rows_all_the_same() -> None:
    blocks: list[Any] = [
        {"type": "tool_use", "id": 5, "name": ["x"], "input": 7},
        {"type": "text", "text": "t"},
        3,
        None,
    ]
    view = SessionView.of([{"type": "assistant", "uuid": 1, "message": {"content": blocks}}], CLAUDE_CODE)
    assert [each.to_json()["id"] for each in view.evidence_rows(range(view.rows))] == ["E0.0", "E0.1"]
