"""An output that lies in a blob is read in the app like any saved output: badge, model view, the whole of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.factories.names import Names
from tests.factories.yoi_lines import Yoi
from tests.tui.conftest import NARROW, SIZES, WIDE, app_on
from tests.tui.driving import Grid, press, settle
from unspool.blobs.content import Text
from unspool.blobs.files import FileBlobStore
from unspool.blobs.store import new_id
from unspool.ids import BlobId

SUMMARY = "text | 401 lines\n── head ──\ntide\n── tail ──\nsummarised\n"


def write(home: Path, *, stored: bool) -> str:
    lines = Yoi(home, Names(3), era="flat")
    text = "tide\n" * 400 + "the very end\n"
    blob = FileBlobStore(lines.sessions.parent / "blobs").store(Text(text)) if stored else new_id()
    lines.user("Read the tides")
    lines.result(lines.call("tides"), f"[blob:{blob}] {SUMMARY}")
    lines.save()
    return f"yoi:{lines.session_id}/E3.0"


def blob_below(home: Path) -> BlobId:
    (blob,) = FileBlobStore(next(home.rglob("blobs"))).ids()
    return blob


async def test_a_stored_output_is_read_whole_and_as_the_model_saw_it(tmp_path: Path) -> None:
    app = app_on(tmp_path, write(tmp_path, stored=True))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        assert Grid(app).has("7 ▣ stored 1")
        assert Grid(app).has("of 2.0 KB")
        await press(pilot, "enter", "G")
        assert Grid(app).has("the very end")
        await press(pilot, "m")
        assert Grid(app).has("summarised")
        assert not Grid(app).has("the very end")


@pytest.mark.parametrize("size", SIZES)
async def test_a_row_and_the_reader_tell_the_blob_that_holds_an_output(size: tuple[int, int], tmp_path: Path) -> None:
    app = app_on(tmp_path, write(tmp_path, stored=True))
    blob = blob_below(tmp_path)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert size == NARROW or Grid(app).has(f"{str(blob)[:13]}  tide")
        await press(pilot, "enter")
        assert Grid(app).has(f"blob {blob}")


async def test_matches_inside_a_stored_output_are_walked_to(tmp_path: Path) -> None:
    app = app_on(tmp_path, write(tmp_path, stored=True))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await press(pilot, "/", *"very", "enter", "n")
        assert Grid(app).has("401  the very end")


async def test_a_stored_output_that_is_not_there_says_so_and_shows_its_summary(tmp_path: Path) -> None:
    app = app_on(tmp_path, write(tmp_path, stored=False))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        grid = Grid(app)
        assert grid.has("blob not found")
        assert grid.has("summarised")
