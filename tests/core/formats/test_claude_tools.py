from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from tests.properties.laws import TEXT, VALUES, law
from unspool.formats.claude_code import CLAUDE_CODE
from unspool.formats.claude_tools import HEADLINE_CHARACTERS
from unspool.sources.json_value import Number


@pytest.mark.parametrize(
    ("tool", "arguments", "headline"),
    [
        ("Bash", {"command": "pytest -q\n  && ls", "description": "Run tests"}, "pytest -q && ls"),
        ("bash", {"command": "ls"}, "ls"),
        ("Read", {"offset": 3, "file_path": "/k/a.py"}, "/k/a.py"),
        ("NotebookEdit", {"notebook_path": "/k/n.ipynb", "new_source": "x"}, "/k/n.ipynb"),
        ("Grep", {"path": "/k", "pattern": "glaze"}, "glaze"),
        ("Task", {"prompt": "Long…", "description": "Survey the kilns"}, "Survey the kilns"),
        ("WebFetch", {"prompt": "Summarise", "url": "https://k.example"}, "https://k.example"),
        (
            "TodoWrite",
            {"todos": [{"content": "a", "status": "completed"}, {"content": "b", "status": "in_progress"}]},
            "b",
        ),
        ("TodoWrite", {"todos": [{"content": "a"}]}, "a"),
        ("AskUserQuestion", {"questions": [{"question": "Which glaze?", "header": "Glaze"}]}, "Which glaze?"),
        ("mcp__kiln__fire", {"cone": 6, "note": "slow"}, "slow"),
        ("mcp__kiln__find", {"note": "slow", "query": "lids"}, "lids"),
        ("Ls", {}, ""),
        ("Fire", {"cone": 6, "cold": Number("1.10")}, ""),
        ("Patch", "*** Begin\n*** End", "*** Begin *** End"),
        ("Bash", None, ""),
        ("Bash", {"command": "x" * 999}, "x" * (HEADLINE_CHARACTERS - 1) + "…"),
    ],
)
def test_a_call_is_told_by_its_telling_argument(tool: str, arguments: Any, headline: str) -> None:
    assert CLAUDE_CODE.headline(tool, arguments) == headline


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        ({"file_path": "/a", "limit": 3}, ("/a",)),
        ({"pattern": "x", "path": "/k"}, ("/k",)),
        ({"notebook_path": "/n", "file_path": "/a"}, ("/n", "/a")),
        ({"edits": [{"file_path": "/a"}, {"file_path": "/b"}, {"file_path": "/a"}]}, ("/a", "/b")),
        ({"paths": ["/a", 3, "/b"]}, ("/a", "/b")),
        ({"command": "cat /a"}, ()),
        ("cat /a", ()),
    ],
)
def test_a_call_names_the_paths_of_its_structured_arguments(arguments: Any, files: tuple[str, ...]) -> None:
    assert CLAUDE_CODE.files("Any", arguments) == files


@given(TEXT, VALUES)
@law
def test_no_arguments_make_telling_fail(tool: str, arguments: Any) -> None:
    headline = CLAUDE_CODE.headline(tool, arguments)
    assert "\n" not in headline
    assert len(headline) <= HEADLINE_CHARACTERS
    assert all(isinstance(path, str) for path in CLAUDE_CODE.files(tool, arguments))
