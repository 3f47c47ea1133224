"""What becomes of a view that nobody holds any more."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.sessions import claude_records, view_of_lines
from unspool.sources.json_value import compact
from unspool.views.bounds import Bounds
from unspool.views.filter import Filter
from unspool.views.view import SessionView

SAID = [
    ("user", "Look at @src/app.py"),
    ("input", {"command": "ls"}),
    ("output", "Exit code 1\nno"),
    ("assistant", "No"),
]

USES: dict[str, Callable[[SessionView], object]] = {
    "opened": lambda view: view.rows,
    "filtered": lambda view: (view.facets(Filter(errors=True)), view.counts, view.tool_counts()),
    "listed": lambda view: (view.evidence(), view.overview(), view.brief(), view.stats(paths=True)),
    "read": lambda view: (view.read("E0-E3", bounds=Bounds(max_bytes=20)), view.slice("E2"), view.text("E2")),
    "read raw": lambda view: (view.read("E0-E3", raw=True), view.slice("E2", raw=True)),
    "searched": lambda view: (view.search("no"), list(view.search_rows("no")), view.find("E2", "no")),
    "cited": lambda view: view.resolve(view.reference(view.id(0))),
    "read apart": lambda view: view.apart().evidence(),
    "refreshed": lambda view: view.refreshed().evidence(),
}


@pytest.fixture
def counting_alone() -> Iterator[None]:
    """Let nothing but reference counting free what is dropped."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("counting_alone")
@pytest.mark.parametrize("use", USES)
def test_a_dropped_view_is_freed_without_a_collection(use: str, tmp_path: Path) -> None:
    view = view_of_lines([compact(record) for record in claude_records(SAID)], tmp_path)
    USES[use](view)
    parts = {"view": view, "index": view._material.index, "masks": view._masks, "lines": view._opened.lines}
    held = {name: weakref.ref(part) for name, part in parts.items()}
    del view, parts
    assert [name for name, part in held.items() if part() is not None] == []
