"""A folder of stored outputs is looked through: what is whole, what is not, and what no session refers to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.running import unspool
from unspool.blobs.content import Structured, Text
from unspool.blobs.files import FileBlobStore
from unspool.blobs.store import new_id
from unspool.ids import BlobId
from unspool.library import blob_doctor, open_library


@pytest.fixture
def store(tmp_path: Path) -> FileBlobStore:
    return FileBlobStore(tmp_path / "blobs")


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    """An empty folder, so that the library is one without sessions."""
    folder = tmp_path / "sessions"
    folder.mkdir()
    return folder


def told(store: FileBlobStore, sessions: Path) -> list[tuple[str, str]]:
    lines = open_library([str(sessions)]).examine_blobs(store)
    return [(line.level, line.text.removeprefix(f"{store.root}: ")) for line in lines]


def naming(sessions: Path, *texts: str) -> None:
    """A session whose outputs begin with these texts."""
    script = Claude(sessions, Names(1))
    script.user("Go")
    for text in texts:
        script.result(script.call("build"), text)
    script.save()


NOBODY = ("note", "no session at hand refers to any of these; --root DIR names others")


def test_whole_blobs_are_counted(store: FileBlobStore, sessions: Path) -> None:
    store.store(Text("a"))
    store.store(Structured([1]))
    assert told(store, sessions) == [("found", "2 stored outputs (2 good, 0 bad, 0 unknown, 0 missing)"), NOBODY]


def test_damaged_lost_and_foreign_blobs_are_told_apart(store: FileBlobStore, sessions: Path) -> None:
    damaged, shorter, lost, deleted = (store.store(Text(f"text {number}")) for number in range(4))
    (store.root / f"{damaged}.txt").write_text("text X")
    (store.root / f"{shorter}.txt").write_text("")
    (store.root / f"{lost}.txt").unlink()
    store.delete(deleted)
    (store.root / f"{new_id()}.txt").write_text("foreign")
    assert told(store, sessions)[:-1] == [
        ("found", "3 stored outputs (0 good, 2 bad, 1 unknown, 1 missing)"),
        ("unread", f"{damaged}: is not what was stored: its bytes changed"),
        ("unread", f"{shorter}: is not what was stored: its bytes changed"),
        ("unread", f"{lost}: was stored, and is gone without having been deleted"),
        ("note", "1 unknown; no digest was noted when they were stored: whether they are whole is not known"),
    ]


def test_what_no_session_refers_to_is_named(store: FileBlobStore, sessions: Path) -> None:
    named, quoted, unnamed = (store.store(Text(f"text {number}")) for number in range(3))
    naming(sessions, f"[blob:{named}] text | 1 line", f"see blob {str(quoted).upper()}")
    assert told(store, sessions)[1:] == [("note", f"{unnamed}: no session at hand refers to it")]


def test_a_blob_that_is_lost_is_not_told_twice(store: FileBlobStore, sessions: Path) -> None:
    lost, named = store.store(Text("a")), store.store(Text("b"))
    (store.root / f"{lost}.txt").unlink()
    naming(sessions, f"[blob:{named}] text | 1 line")
    assert [text for _, text in told(store, sessions)[1:]] == [
        f"{lost}: was stored, and is gone without having been deleted"
    ]


def test_sessions_that_hold_no_marker_say_nothing_about_blobs(store: FileBlobStore, sessions: Path) -> None:
    blob = store.store(Text("a"))
    naming(sessions, f"an id of another thing: {blob}")
    assert told(store, sessions)[1:] == [NOBODY]


def test_a_marker_is_found_wherever_blocks_of_a_file_end(
    store: FileBlobStore, sessions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unspool.library.mentions._BLOCK", 7)
    named, unnamed = store.store(Text("a")), store.store(Text("b"))
    naming(sessions, f"[blob:{named}] text | 1 line")
    assert told(store, sessions)[1:] == [("note", f"{unnamed}: no session at hand refers to it")]


def test_only_so_many_of_one_sort_are_named(
    store: FileBlobStore, sessions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blob_doctor, "NAMED", 2)
    blobs = [store.store(Text(str(number))) for number in range(6)]
    for blob in blobs[:3]:
        (store.root / f"{blob}.txt").write_text("x")
    naming(sessions, f"[blob:{blobs[0]}] text | 1 line")
    texts = [text for _, text in told(store, sessions)]
    assert texts[3] == "1 more like these"
    assert texts[-1] == "3 more to which no session refers"


def test_a_folder_without_blobs_says_so(store: FileBlobStore, sessions: Path) -> None:
    assert told(store, sessions) == [("missing", "no stored output in it")]


def test_how_far_it_is_is_told(store: FileBlobStore, sessions: Path) -> None:
    store.store(Text("a"))
    naming(sessions, "x")
    steps: list[tuple[int, int]] = []
    open_library([str(sessions)]).examine_blobs(store, progress=lambda done, total: steps.append((done, total)))
    assert steps == [(1, 1)]


def test_the_command_looks_at_the_folder_alone(store: FileBlobStore, sessions: Path) -> None:
    blob: BlobId = store.store(Text("a"))
    (store.root / f"{blob}.txt").write_text("b")
    answer = unspool("doctor", "--blobs", store.root, "--root", sessions)
    assert answer.code == 0
    assert answer.out.split("\n")[:2] == [
        f"found    {store.root}: 1 stored output (0 good, 1 bad, 0 unknown, 0 missing)",
        f"unread   {blob}: is not what was stored: its bytes changed",
    ]
    first = unspool("doctor", "--blobs", store.root, "--root", sessions, "--json").objects[0]
    assert (first["level"], first["path"]) == ("found", str(store.root))


def test_the_command_tells_a_wrong_folder(home: Path, store: FileBlobStore) -> None:
    answer = unspool("doctor", "--blobs", store.root)
    assert (answer.code, answer.out) == (2, "")
    assert "is not there; --blobs names a folder of blobs" in answer.err
    store.root.mkdir()
    assert unspool("doctor", "--blobs", store.root).code == 1
    assert "--quick reads heads and tails of sessions" in unspool("doctor", "--quick", "--blobs", store.root).err
