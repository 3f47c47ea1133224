"""A folder of stored outputs is read as a session is: listed, searched, read by windows, quoted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from unspool.blobs.content import Structured, Text
from unspool.blobs.files import FileBlobStore
from unspool.blobs.store import new_id
from unspool.errors import SourceChanged, Unreadable
from unspool.formats.piece import Flag, Kind, ToolPart
from unspool.ids import BlobId
from unspool.library import Library, open_library
from unspool.views.bounds import Bounds
from unspool.views.inspecting import inspect

LINES = "".join(f"row {number}\n" for number in range(1, 2_001))


@pytest.fixture
def store(tmp_path: Path) -> FileBlobStore:
    return FileBlobStore(tmp_path / "agent" / "blobs")


@pytest.fixture
def blobs(store: FileBlobStore) -> list[BlobId]:
    return [store.store(each) for each in (Text(LINES), Structured({"a": [1, 2]}), Text("ends with äö"))]


@pytest.fixture
def library(store: FileBlobStore, blobs: list[BlobId]) -> Library:
    return open_library([str(store.root)])


def test_the_folder_is_one_session(library: Library, store: FileBlobStore, blobs: list[BlobId]) -> None:
    (summary,) = library.sessions(full=True)
    assert (str(summary.ref), summary.title) == ("blobs:agent-blobs", f"Stored outputs in {store.root}")
    assert (summary.started_at, summary.last_activity) == (blobs[0].made_at, blobs[-1].made_at)
    assert summary.bytes == sum(path.stat().st_size for path in store.root.iterdir() if path.name != ".digests")
    assert library.view(summary.ref).size == summary.bytes
    assert summary.counts is not None
    assert summary.counts.total == 3
    assert not summary.empty


def test_every_blob_is_a_piece_whose_text_is_the_blob(library: Library, blobs: list[BlobId]) -> None:
    view = library.view("blobs:agent-blobs")
    rows = view.evidence().items
    assert [row.blob for row in rows] == blobs
    assert [(row.kind, row.tool_part, row.tool) for row in rows] == [
        (Kind.TOOL, ToolPart.OUTPUT, name) for name in ("text", "json", "text")
    ]
    assert [(row.bytes, row.lines) for row in rows] == [(len(LINES), 2_000), (29, 6), (14, 1)]
    assert [row.label for row in rows] == [f"{blobs[0]} · 2000 lines", f"{blobs[1]} · 6 lines", f"{blobs[2]} · 1 line"]
    assert [row.summary for row in rows] == ["row 1", '{ "a": [ 1, 2 ] }', "ends with äö"]
    assert {(row.flags, row.model_bytes) for row in rows} == {(Flag(0), None)}
    assert rows[0].to_json()["blob"] == str(blobs[0])


def test_blobs_are_read_and_searched_like_other_pieces(library: Library) -> None:
    view = library.view("blobs:agent-blobs")
    assert "".join(window.text for window in view.read("E0.0", bounds=Bounds(max_bytes=99_999)).pieces) == LINES
    hits = view.search("ROW 1999").hits
    assert [(str(hit.evidence.id), hit.line) for hit in hits] == [("E0.0", 1_999)]
    assert view.slice("E0.0", lines=(7, 8)).text == "row 7\nrow 8\n"


def test_a_blob_is_found_by_its_own_id(library: Library, blobs: list[BlobId]) -> None:
    target = library.resolve_target(f"blobs:agent-blobs/{blobs[1]}")
    assert str(library.place(target, library.view(target))) == "E1.0"


def test_a_quoted_blob_is_told_when_it_changed(library: Library, store: FileBlobStore, blobs: list[BlobId]) -> None:
    view = library.view("blobs:agent-blobs")
    quoted = view.reference(view.id(0))
    assert view.resolve(quoted).state == "intact"
    (store.root / f"{blobs[0]}.txt").write_text("another")
    assert library.view("blobs:agent-blobs").resolve(quoted).state == "changed"


def test_json_that_is_stored_is_chosen_from(library: Library, blobs: list[BlobId]) -> None:
    view = library.view("blobs:agent-blobs")
    answer = inspect("E1.0", "key:a", view=view)
    assert (str(answer.id), answer.type, answer.text) == ("E1.0", "json_object", "[1,2]")
    assert inspect("E1.0", "lines:2-2", view=view).text == '  "a": [\n'
    assert inspect("E0.0", "tail:1", view=view).text == "row 2000\n"
    assert inspect("E0.0", view=view).size == 2_000


def test_what_is_no_blob_is_passed_by(library: Library, store: FileBlobStore, blobs: list[BlobId]) -> None:
    for name in ("notes.txt", f".tmp-{new_id()}.txt", f"{str(new_id()).upper()}.txt", f"{new_id()}.jsonl"):
        (store.root / name).write_text("x")
    (store.root / f"{blobs[0]}.json").write_text("[]")
    assert [row.blob for row in library.view("blobs:agent-blobs").evidence().items] == blobs
    assert library.view("blobs:agent-blobs").evidence_at(0).tool == "text"


def test_a_link_is_not_followed(library: Library, store: FileBlobStore, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    blob = new_id()
    (store.root / f"{blob}.txt").symlink_to(tmp_path / "secret")
    view = library.view("blobs:agent-blobs")
    row = view.evidence().items[-1]
    assert (row.blob, row.flags) == (blob, Flag.MISSING)
    assert (view.notice(row.row) or "").startswith("blob not found")
    assert view.search("secret").total == 0


def test_a_blob_that_is_gone_meanwhile_costs_only_itself(
    library: Library, store: FileBlobStore, blobs: list[BlobId]
) -> None:
    view = library.view("blobs:agent-blobs")
    (store.root / f"{blobs[1]}.json").unlink()
    assert [row.bytes for row in view.evidence().items] == [len(LINES), 29, 14]
    assert view.search("äö").total == 1
    with pytest.raises(SourceChanged, match="blob not found"):
        view.read("E1.0")


def test_blobs_made_later_stand_behind(library: Library, store: FileBlobStore) -> None:
    view = library.view("blobs:agent-blobs")
    assert view.refreshed() is view
    later = store.store(Text("later"))
    refreshed = view.refreshed()
    assert refreshed.rows == 4
    assert (refreshed.id(3).entry, refreshed.evidence_at(3).blob) == (3, later)
    assert view.rows == 3
    assert refreshed.refreshed() is refreshed


def test_a_blob_that_was_deleted_makes_the_list_another(
    library: Library, store: FileBlobStore, blobs: list[BlobId]
) -> None:
    view = library.view("blobs:agent-blobs")
    store.delete(blobs[0])
    with pytest.raises(SourceChanged, match="no longer holds all that it held"):
        view.refreshed()
    assert library.view("blobs:agent-blobs").rows == 2


def test_a_folder_that_is_gone_is_told(library: Library, store: FileBlobStore) -> None:
    view = library.view("blobs:agent-blobs")
    shutil.rmtree(store.root)
    assert view.rows == 3
    with pytest.raises(Unreadable):
        view.refreshed()


def test_sessions_beside_blobs_are_listed_too(store: FileBlobStore, blobs: list[BlobId], tmp_path: Path) -> None:
    script = Claude(tmp_path, Names(1))
    script.user("Go")
    script.save()
    session = next((tmp_path / ".claude").rglob("*.jsonl"))
    shutil.copy(session, store.root / session.name)
    assert {each.agent for each in open_library([str(store.root)]).sessions()} == {"claude", "blobs"}


def test_the_folder_is_named_by_its_path(store: FileBlobStore, blobs: list[BlobId], tmp_path: Path) -> None:
    library = open_library(environ={}, home=str(tmp_path / "home"))
    assert library.view(str(store.root)).rows == 3
    assert list(library.sessions()) == []


def test_an_empty_folder_is_no_session(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="holds no session"):
        open_library(environ={}, home=str(tmp_path / "home")).view(str(tmp_path))
