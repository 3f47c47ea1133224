"""Which folder of blobs belongs to a session: the one given, else the one beside its sessions, else the spare one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.core.formats.yoi_walk import record, result
from unspool.blobs.content import Text
from unspool.blobs.files import FileBlobStore
from unspool.blobs.store import new_id
from unspool.ids import BlobId
from unspool.library import open_library

SESSION = "019f9a4a-7a00-724b-8aa4-cafde667de83"
SEGMENT = "019f9a4a-7a00-752b-a01a-da63bee38edd"
BLOB = new_id()


def write(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    told = record("tool_results", items=[result(tag="type", output=f"[blob:{BLOB}] text | 1 lines")])
    path.write_text(json.dumps(told) + "\n", "utf-8")


def keep(folder: Path, text: str, blob: BlobId = BLOB) -> str:
    FileBlobStore(folder).keep(blob, Text(text))
    return str(folder)


@pytest.mark.parametrize("place", [f"sessions/{SESSION}.jsonl", f"sessions/{SESSION}/{SEGMENT}.jsonl"])
def test_the_folder_that_is_given_goes_before_the_one_beside_and_that_before_the_spare(
    tmp_path: Path, place: str
) -> None:
    home = tmp_path / "yoi"
    write(home / place)
    given, spare = keep(tmp_path / "given", "given"), keep(tmp_path / "spare", "spare")

    def found(given: str | None, spare: str | None) -> str:
        view = open_library([str(home)], blobs=given, spare_blobs=spare).view(f"yoi:{SESSION}")
        return view.notice(0) or view.read("E0.0").pieces[0].text

    assert found(None, None) == "blob not found"
    assert found(None, spare) == "spare"
    keep(home / "blobs", "beside")
    assert found(None, None) == found(None, spare) == "beside"
    assert found(given, spare) == "given"


def test_a_folder_beside_that_lacks_the_blob_is_still_the_sessions_own(tmp_path: Path) -> None:
    write(tmp_path / "yoi" / "sessions" / f"{SESSION}.jsonl")
    keep(tmp_path / "yoi" / "blobs", "another", new_id())
    view = open_library([str(tmp_path)], spare_blobs=keep(tmp_path / "spare", "spare")).view(SESSION)
    assert view.notice(0) == "blob not found"


def test_a_link_beside_is_not_followed_and_one_that_a_person_gives_is(tmp_path: Path) -> None:
    write(tmp_path / "yoi" / "sessions" / f"{SESSION}.jsonl")
    real = keep(tmp_path / "real", "real")
    beside = tmp_path / "yoi" / "blobs"
    beside.symlink_to(real)
    assert (open_library([str(tmp_path / "yoi")]).view(SESSION).notice(0) or "").startswith("blob not found")
    assert open_library([str(tmp_path / "yoi")], blobs=str(beside)).view(SESSION).notice(0) is None


def test_a_session_that_lies_in_no_folder_of_sessions_has_the_spare_one_or_none(tmp_path: Path) -> None:
    write(tmp_path / "loose" / f"{SESSION}.jsonl")
    keep(tmp_path / "blobs", "no business of it")
    assert open_library([str(tmp_path)]).view(SESSION).notice(0) is None
    assert (
        open_library([str(tmp_path)], spare_blobs=keep(tmp_path / "spare", "spare")).view(SESSION).search("spare").total
    )
