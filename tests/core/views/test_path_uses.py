"""Paths are told from the folder that was worked in, so that one file is one path."""

from __future__ import annotations

import pytest

from unspool.formats.claude_code import CLAUDE_CODE
from unspool.views.filter import Filter
from unspool.views.path_uses import PathUses, told_path
from unspool.views.view import SessionView


@pytest.mark.parametrize(
    ("path", "folder", "told"),
    [
        ("/srv/hay/barn/door.py", "/srv/hay", "barn/door.py"),
        ("./barn/door.py", "/srv/hay", "barn/door.py"),
        ("/srv/hayloft/door.py", "/srv/hay", "/srv/hayloft/door.py"),
        ("D:\\hay\\barn\\door.py", "D:\\hay", "barn\\door.py"),
        (".\\barn\\door.py", "D:\\hay", "barn\\door.py"),
        ("D:/hay/barn/door.py", "D:/hay", "barn/door.py"),
        ("/srv/hay", "/srv/hay", "/srv/hay"),
        ("/srv/hay/", "/srv/hay", "/srv/hay/"),
        ("D:\\hay\\barn", None, "D:\\hay\\barn"),
    ],
)
def test_a_path_is_told_from_the_folder_on(path: str, folder: str | None, told: str) -> None:
    assert told_path(path, folder) == told


def test_ways_to_write_one_file_of_windows_are_one_path() -> None:
    calls = [
        {
            "type": "assistant", "uuid": f"u{number}", "cwd": "D:\\hay",
            "message": {"role": "assistant", "content": [
                {"type": "tool_use", "id": f"t{number}", "name": "Read", "input": {"file_path": path}}]},
        }
        for number, path in enumerate(("D:\\hay\\barn\\door.py", "barn\\door.py"))
    ]  # fmt: skip
    view = SessionView.of(calls, CLAUDE_CODE)
    (use,) = PathUses.of(view, view.select(Filter())).ranked()
    assert (use.path, use.pieces) == ("barn\\door.py", 2)
