"""An output that was stored as a blob is read whole; nothing but blobs of the session's folder is ever opened."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.core.formats.yoi_walk import call, record, result, start
from unspool.blobs.content import Structured, Text
from unspool.blobs.files import FileBlobStore
from unspool.blobs.memory import MemoryBlobStore
from unspool.blobs.store import BlobStore, new_id
from unspool.columns.side_files import SideFiles
from unspool.errors import SourceChanged
from unspool.formats.base import Format
from unspool.formats.claude_code import CLAUDE_CODE
from unspool.formats.piece import Flag
from unspool.formats.yoi import YOI
from unspool.ids import SessionRef
from unspool.outputs.batch import into_context
from unspool.views.bounds import Bounds
from unspool.views.filter import Filter
from unspool.views.view import SessionView

FULL = "".join(f"row {number:05}: 潮 is well\n" for number in range(400)).replace("00210: 潮", "00210: nearly 潮")
OLD = "text | 400 lines\n── head ──\nrow 00000: 潮 is well\n── tail ──\nrow 00399: 潮 is well\n"
OUTSIDE = "a secret that lies outside"
WHOLE = Bounds(1, 1 << 30, 1 << 30)


def view_of(folder: Path, blobs: BlobStore | None, *outputs: str, format: Format = YOI) -> SessionView:
    """A view of a session with one call for each output; outputs are E2.0, E2.1, …"""
    items = [{**result(tag="type", output=text), "call_id": f"c{number}"} for number, text in enumerate(outputs)]
    calls = [{**call(tag="type"), "call_id": f"c{number}"} for number in range(len(outputs))]
    lines = [start(), record("assistant_items", items=calls), record("tool_results", items=items)]
    path = folder / "session.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return SessionView.open(str(path), SessionRef("yoi", "x"), format, SideFiles(None, blobs=blobs))


def text_of(view: SessionView, number: int = 0, *, model_view: bool = False) -> str:
    return view.read(f"E2.{number}", bounds=WHOLE, model_view=model_view).pieces[0].text


def refused(view: SessionView, number: int = 0) -> str:
    """The notice of an output whose blob is not to be had; what the log holds is read in its place."""
    row = view.row(f"E2.{number}")
    assert view.flags(row) & (Flag.PERSISTED | Flag.MISSING) == Flag.PERSISTED | Flag.MISSING
    assert text_of(view, number).startswith("[blob:")
    assert view.model_bytes(row) is None
    assert "blob not found" in view.evidence_at(row).label
    return view.notice(row) or ""


@pytest.fixture
def store(tmp_path: Path) -> FileBlobStore:
    return FileBlobStore(tmp_path / "blobs", links=False)


def test_a_blob_is_read_measured_and_searched_in_place_of_its_summary(tmp_path: Path, store: FileBlobStore) -> None:
    output = f"[blob:{store.store(Text(FULL))}] {OLD}"
    view = view_of(tmp_path, store, output)
    row = view.row("E2.0")
    assert text_of(view) == FULL
    assert text_of(view, model_view=True) == output
    assert (view.flags(row), view.notice(row)) == (Flag.PERSISTED, None)
    assert (view.bytes(row), view.lines(row)) == (len(FULL.encode()), 400)
    assert view.model_bytes(row) == len(output.encode())
    assert view.search("nearly 潮").total == 1
    assert view.search("── head ──").total == 0
    assert view.slice("E2.0", lines=(211, 211)).text == "row 00210: nearly 潮 is well\n"
    assert [row.id for row in view.evidence(Filter(stored=True)).items] == [view.id(row)]
    assert view.stats().outputs.made == len(FULL.encode())


def test_what_this_library_stores_for_an_agent_is_read_through_too(tmp_path: Path) -> None:
    for store in (FileBlobStore(tmp_path / "blobs"), MemoryBlobStore()):
        value = [{"port": number, "name": "Åland"} for number in range(60)]
        view = view_of(tmp_path, store, *into_context([FULL, value, "short"], store))
        assert text_of(view) == FULL
        assert json.loads(text_of(view, 1)) == value
        assert text_of(view, 2) == "short"
        assert [view.flags(view.row(f"E2.{number}")) for number in range(3)] == [Flag.PERSISTED] * 2 + [Flag(0)]


def test_a_blob_that_the_first_versions_wrote_as_json_is_read_as_it_lies_there(tmp_path: Path) -> None:
    store = FileBlobStore(tmp_path / "blobs")
    written = store.store(Structured({"a": 1}))
    view = view_of(tmp_path, store, f"[blob:{written}] json_object | 1 keys\n── keys ──\na: number\n")
    assert text_of(view) == '{\n  "a": 1\n}'


@pytest.mark.parametrize(
    "named",
    ["../secret", "/etc/passwd", "", "019d653d", "..\\..\\x", "019d653d-2fd0-4118-8eda-8c8399918a90", "%2e%2e", "a\0b"],
)
def test_what_is_no_id_of_a_blob_is_not_found_and_nothing_is_opened(
    tmp_path: Path, store: FileBlobStore, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret.txt").write_text(OUTSIDE)
    monkeypatch.setattr(FileBlobStore, "open", lambda *_: pytest.fail("nothing is to be opened"))
    view = view_of(tmp_path, store, f"[blob:{named}] text | 1 lines")
    assert refused(view) == "blob not found"
    assert view.search(OUTSIDE).total == 0


def test_a_forged_or_dangling_id_is_not_found(tmp_path: Path, store: FileBlobStore) -> None:
    store.store(Text(FULL))
    assert refused(view_of(tmp_path, store, f"[blob:{new_id()}] {OLD}")) == "blob not found"
    assert (
        refused(view_of(tmp_path, FileBlobStore(tmp_path / "nowhere"), f"[blob:{new_id()}] {OLD}")) == "blob not found"
    )


def test_links_pipes_and_folders_are_refused_and_said(tmp_path: Path, store: FileBlobStore) -> None:
    (tmp_path / "secret.txt").write_text(OUTSIDE)
    ids = [new_id() for _ in range(3)]
    store.root.mkdir()
    (store.root / f"{ids[0]}.txt").symlink_to(tmp_path / "secret.txt")
    os.mkfifo(store.root / f"{ids[1]}.txt")
    (store.root / f"{ids[2]}.txt").mkdir()
    view = view_of(tmp_path, store, *(f"[blob:{each}] {OLD}" for each in ids))
    assert all(refused(view, number).startswith("blob not found: ") for number in range(3))
    assert view.search(OUTSIDE).total == 0


def test_a_folder_of_blobs_that_was_only_found_is_no_link(tmp_path: Path) -> None:
    real = FileBlobStore(tmp_path / "real")
    blob = real.store(Text(OUTSIDE))
    (tmp_path / "blobs").symlink_to(tmp_path / "real")
    output = f"[blob:{blob}] {OLD}"
    assert refused(view_of(tmp_path, FileBlobStore(tmp_path / "blobs", links=False), output)).startswith(
        "blob not found"
    )
    assert text_of(view_of(tmp_path, FileBlobStore(tmp_path / "blobs"), output)) == OUTSIDE


@pytest.mark.parametrize(
    "item",
    [
        {"output": "see [blob:019d653d-2fd0-7118-8eda-8c8399918a90] text"},
        {"output": "[blob:019d653d-2fd0-7118-8eda-8c8399918a90]text"},
        {"output": "[blob:019d\n] text"},
        {"summary": "[blob:019d653d-2fd0-7118-8eda-8c8399918a90] told", "content": "and more"},
    ],
)
def test_a_marker_that_does_not_begin_or_is_not_all_of_an_output_is_text(
    tmp_path: Path, store: FileBlobStore, item: dict[str, Any]
) -> None:
    lines = [record("tool_result", item={"kind": "tool_result", "call_id": "c", **item})]
    path = tmp_path / "session.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    view = SessionView.open(str(path), SessionRef("yoi", "x"), YOI, SideFiles(None, blobs=store))
    assert view.flags(0) == Flag.ORPHAN
    assert "blob:019d" in view.read("E0.0").pieces[0].text


def test_what_other_agents_print_is_no_marker_where_there_are_no_blobs(tmp_path: Path) -> None:
    told = {"type": "tool_result", "tool_use_id": "t", "content": f"[blob:{new_id()}] x"}
    path = tmp_path / "session.jsonl"
    path.write_text(json.dumps({"type": "user", "uuid": "u", "message": {"content": [told]}}) + "\n")
    view = SessionView.open(str(path), SessionRef("claude", "x"), CLAUDE_CODE)
    assert view.flags(0) == Flag.ORPHAN


def test_a_blob_that_goes_away_leaves_what_the_log_holds_to_lists_and_is_told_to_readers(
    tmp_path: Path, store: FileBlobStore
) -> None:
    blob = store.store(Text(FULL))
    view = view_of(tmp_path, store, f"[blob:{blob}] {OLD}")
    store.delete(blob)
    assert view.evidence_at(view.row("E2.0")).summary
    assert view.search("── head ──").total == 1
    with pytest.raises(SourceChanged, match="blob not found"):
        text_of(view)
    assert view.resolve("E2.0").digest is None


def test_a_blob_that_became_shorter_is_told(tmp_path: Path, store: FileBlobStore) -> None:
    blob = store.store(Text(FULL))
    view = view_of(tmp_path, store, f"[blob:{blob}] {OLD}")
    (store.root / f"{blob}.txt").write_text("short")
    with pytest.raises(SourceChanged, match="changed"):
        text_of(view)


def test_a_blob_that_grows_is_read_as_far_as_it_went(tmp_path: Path, store: FileBlobStore) -> None:
    blob = store.store(Text(FULL))
    view = view_of(tmp_path, store, f"[blob:{blob}] {OLD}")
    with (store.root / f"{blob}.txt").open("a") as file:
        file.write("more")
    assert text_of(view) == FULL
    found = view._material.records.stored[view.row("E2.0")].file
    assert found is not None
    assert found.read(0, 1 << 20) == FULL.encode()


def test_a_quote_of_a_blob_holds_over_the_full_text(tmp_path: Path, store: FileBlobStore) -> None:
    blob = store.store(Text(FULL))
    view = view_of(tmp_path, store, f"[blob:{blob}] {OLD}")
    reference = view.reference(view.id(view.row("E2.0")))
    assert view.resolve(reference).state == "intact"
    store.delete(blob)
    assert view_of(tmp_path, store, f"[blob:{blob}] {OLD}").resolve(reference).state == "changed"
