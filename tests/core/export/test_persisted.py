"""Outputs that lie in a file beside their session are exported whole, without their secrets, or said to be lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.core.export.test_session import FORMATS, read_of, written_of
from tests.core.views.persisted import PREVIEW, session_of, side_folder, stub
from unspool.export.exhibit import CHANGED, CUT_BYTES, WINDOW_BYTES

TOKEN = "ghp_" + "aB3" * 12


@pytest.mark.parametrize("written_as", FORMATS)
def test_the_full_output_is_exported_and_what_the_model_saw_of_it_is_said(tmp_path: Path, written_as: str) -> None:
    (side_folder(tmp_path) / "toolu_0.txt").write_text("first line\nthe middle of it\nlast line\n")
    view = session_of(tmp_path, stub("toolu_0.txt"))
    written, _ = written_of(view, written_as)
    assert "the middle of it" in written
    assert PREVIEW not in written
    if written_as == "json":
        (output,) = [piece for piece in json.loads(written)["pieces"] if piece["tool_part"] == "output"]
        assert output["model_bytes"] == len(stub("toolu_0.txt"))
        assert "persisted" in output["flags"]
    else:
        assert "model saw" in written


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("written_as", FORMATS)
def test_a_secret_in_a_side_file_is_replaced_however_deep_it_lies(tmp_path: Path, written_as: str, full: bool) -> None:
    deep = "a line of the output\n" * (WINDOW_BYTES // 10 if full else 1_000)
    (side_folder(tmp_path) / "toolu_0.txt").write_text(f"{deep}export TOKEN={TOKEN}\nend\n")
    view = session_of(tmp_path, stub("toolu_0.txt", preview=f"TOKEN={TOKEN}"))
    assert TOKEN not in read_of(view, written_as, full=full)
    _, exported = written_of(view, written_as, full=full)
    assert sum((exported.redactions or {}).values()) == 1


@pytest.mark.parametrize("written_as", FORMATS)
def test_an_output_that_is_not_there_is_said_and_its_preview_shown(tmp_path: Path, written_as: str) -> None:
    written, _ = written_of(session_of(tmp_path, stub("toolu_0.txt")), written_as)
    assert PREVIEW in written
    assert "not found" in written


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("length", [2_000, CUT_BYTES * 2, WINDOW_BYTES * 2])
@pytest.mark.parametrize("written_as", FORMATS)
def test_an_output_that_changes_under_an_export_costs_only_itself(
    tmp_path: Path, written_as: str, length: int, full: bool
) -> None:
    file = side_folder(tmp_path) / "toolu_0.txt"
    file.write_text("x" * length)
    view = session_of(tmp_path, stub("toolu_0.txt"), "the output behind it")
    assert view.evidence().items
    file.write_text("y" * 100)
    written, exported = written_of(view, written_as, full=full)
    assert exported.complete
    assert CHANGED in written
    assert PREVIEW in written
    assert "the output behind it" in written


@pytest.mark.parametrize("written_as", FORMATS)
def test_a_long_output_is_cut_with_the_way_to_the_rest(tmp_path: Path, written_as: str) -> None:
    (side_folder(tmp_path) / "toolu_0.txt").write_text("some words\n" * 20_000)
    view = session_of(tmp_path, stub("toolu_0.txt"))
    cut, exported = written_of(view, written_as)
    whole, all_of_it = written_of(view, written_as, full=True)
    assert (exported.cut, all_of_it.cut) == (1, 0)
    assert "E2.0+" in cut
    assert whole.count("some words") >= 20_000 > cut.count("some words")
