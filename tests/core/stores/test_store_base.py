from __future__ import annotations

import os
from pathlib import Path

from unspool.stores.base import runs
from unspool.stores.listing import entries, note, walk


def test_this_process_runs_and_impossible_ones_do_not() -> None:
    assert runs(os.getpid())
    assert not runs(0)
    assert not runs(-1)
    assert not runs(1 << 80)


def test_a_note_is_a_small_json_object_or_nothing(tmp_path: Path) -> None:
    path = tmp_path / "note.json"
    path.write_text('{"a": 1}')
    assert note(str(path)) == {"a": 1}
    link = tmp_path / "link.json"
    link.symlink_to(path)
    assert note(str(link)) == {}
    os.mkfifo(tmp_path / "pipe.json")
    assert note(str(tmp_path / "pipe.json")) == {}
    assert note(str(tmp_path)) == {}
    assert note(str(tmp_path / "gone.json")) == {}


def test_a_walk_goes_by_name_and_passes_by_what_is_skipped(tmp_path: Path) -> None:
    for name in ("b/2", "b/1", "a/3", "skip/4", "c"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    found = walk(str(tmp_path), errors=[], depth=3, skip=frozenset({"skip"}))
    assert [os.path.relpath(entry.path, tmp_path) for entry in found] == ["c", "a/3", "b/1", "b/2"]


def test_a_missing_folder_is_empty_and_no_error(tmp_path: Path) -> None:
    errors: list[object] = []
    assert entries(str(tmp_path / "gone"), errors=errors) == []  # type: ignore[arg-type]
    assert errors == []
