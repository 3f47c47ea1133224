"""The argument that tells most about a call."""

from __future__ import annotations

from typing import Any

import pytest

from unspool.formats.headline import headline_of


@pytest.mark.parametrize(
    ("arguments", "headline"),
    [
        ({"path": "src", "pattern": "TODO"}, "TODO"),
        ({"path": "src/a.py", "search": "old", "replace": "new"}, "src/a.py"),
        ({"path": "src/a.py", "query": "where"}, "src/a.py"),
        ({"cwd": "/srv", "command": "make\n  test"}, "make test"),
        ({"path": ""}, ""),
    ],
)
def test_a_search_is_told_by_what_it_looks_for_and_an_edit_by_its_file(
    arguments: dict[str, Any], headline: str
) -> None:
    assert headline_of("tool", arguments) == headline
