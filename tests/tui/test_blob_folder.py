"""A folder of stored outputs in the app: a row for each, and the reader on all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.conftest import MEDIUM, app_on
from tests.tui.driving import Grid, press, settle
from unspool.blobs.content import Structured, Text
from unspool.blobs.files import FileBlobStore
from unspool.errors import UnspoolError
from unspool.library import open_library
from unspool_tui.cli import main
from unspool_tui.verbs import opening

LINES = "".join(f"row {number}\n" for number in range(1, 50_001))


@pytest.fixture
def store(tmp_path: Path) -> FileBlobStore:
    return FileBlobStore(tmp_path / "agent" / "blobs")


async def test_blobs_are_rows_with_their_kind_size_and_first_words(store: FileBlobStore, tmp_path: Path) -> None:
    long, value = store.store(Text(LINES)), store.store(Structured({"a": [1, 2]}))
    app = app_on(tmp_path / "home", str(store.root))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        grid = Grid(app)
        assert grid[0].startswith(f" unspool  ›  Stored outputs in {store.root}"[:60])
        assert "Evidence 2" in grid[1]
        assert "← out 2" in grid[1]
        row = grid[grid.row_of("E0.0 ")]
        assert "← text" in row
        assert "row 1" in row
        assert "489 KB" in row
        assert f'← json     {str(value)[:13]}  {{ "a": [ 1, 2 ] }}' in grid[grid.row_of("E1.0 ")]
        assert grid.has(f"blob {long}")
        assert not grid.has("model saw")
        await press(pilot, "j")
        assert Grid(app).has(f"blob {value}")


async def test_of_blobs_alone_the_ledger_tells_what_was_made_and_nothing_of_a_model(
    store: FileBlobStore, tmp_path: Path
) -> None:
    store.store(Text(LINES))
    app = app_on(tmp_path / "home", str(store.root))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "L")
        grid = Grid(app)
        assert "1 output made 489 KB" in grid[1]
        assert "model saw" not in grid[1]
        assert " all " not in grid[4]
        await press(pilot, "2")
        assert " all " not in Grid(app)[4]


async def test_a_blob_is_read_and_searched_by_windows(store: FileBlobStore, tmp_path: Path) -> None:
    store.store(Text(LINES))
    app = app_on(tmp_path / "home", str(store.root))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "enter")
        await press(pilot, "G")
        assert Grid(app).has("row 50000")
        await press(pilot, "slash", *"row 31415", "enter")
        assert Grid(app).has("row 31415")


def test_a_folder_of_blobs_opens_at_its_rows_and_not_at_a_list_of_one(
    store: FileBlobStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[object, ...]] = []
    monkeypatch.setattr("unspool_tui.app.run", lambda *given, **_: opened.append(given) or 0)
    for stream in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True)
    store.store(Text("x"))
    assert main(["open", str(store.root)]) == 0
    assert opened[0][1] == str(store.root)
    with pytest.raises(UnspoolError):
        opening._folder(open_library(environ={}, home=str(tmp_path / "home")), str(tmp_path / "agent"))
