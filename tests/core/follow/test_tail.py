"""Following one session: what is told of each thing that can happen to its file."""

from __future__ import annotations

import errno
import gc
import json
import os
import sys
import threading
from pathlib import Path

import pytest

from tests.core.follow.failing import failing
from tests.core.follow.followed import CONSTANT, REF, Clock, Followed
from tests.core.follow.meter import Meter
from tests.core.views.growing import answered, called, said
from unspool.blobs.content import Text
from unspool.blobs.files import FileBlobStore
from unspool.blobs.store import new_id
from unspool.columns.side_files import SideFiles
from unspool.follow.events import Gone, LineUnreadable, Moved, Pending, Replaced, Truncated
from unspool.follow.tail import READ_AT_ONCE, REFUSED_EVERY, SIDE_FILES_EVERY, Tail
from unspool.formats.claude_code import CLAUDE_CODE
from unspool.formats.codex import CODEX
from unspool.formats.piece import Flag
from unspool.stores.artifacts import ArtifactFolder, SideFile
from unspool.views.filter import Filter
from unspool.views.view import SessionView

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

BEGIN = said(0, "Sort the list") + b"\n" + called(1, "t1") + b"\n"


@pytest.fixture
def file(tmp_path: Path) -> Followed:
    return Followed(tmp_path, BEGIN)


def text(view: SessionView, row: int) -> str:
    return view.read(view.id(row)).pieces[0].text


def test_a_file_at_rest_has_nothing_to_tell_and_is_not_read(file: Followed) -> None:
    assert file.settle() == []
    assert file.meter.bytes == 0


def test_what_was_appended_is_told_and_changes_what_was_there(file: Followed) -> None:
    old = file.tail.view
    file.append(answered(2, "t1", "done") + b"\n")
    new = file.tail.view
    assert (old.rows, new.rows) == (2, 3)
    assert (old.flags(1), new.flags(1)) == (Flag.UNANSWERED, Flag(0))
    assert text(old, 0) == text(new, 0) == "Sort the list"


def test_half_a_record_is_pending_until_it_is_whole_wherever_it_is_cut(file: Followed) -> None:
    record = said(2, "日本語 🚀")
    for number in range(len(record)):
        file.append(record[number : number + 1])
        assert file.tail.view.rows == (3 if number == len(record) - 1 else 2), number
    file.append(b"\n")
    assert set(file.told) == {"pending"}
    assert text(file.tail.view, 2) == "日本語 🚀"
    assert file.shown == ["E0.0", "E1.0", "E2.0"]


def test_a_whole_record_without_its_end_is_shown_and_only_ended_later(file: Followed) -> None:
    file.append(said(2, "no LF yet"))
    unfinished = file.tail.view
    assert Flag.UNTERMINATED in unfinished.flags(2)
    file.append(b"\n" + said(3, "next"))
    assert file.tail.view.flags(2) == Flag(0)
    assert Flag.UNTERMINATED in unfinished.flags(2)
    assert file.shown == ["E0.0", "E1.0", "E2.0", "E3.0"]
    assert file.tail.view._columns is unfinished._columns, "nothing was copied or built again"


def test_what_is_glued_behind_a_whole_record_is_read_as_if_it_had_always_been_there(file: Followed) -> None:
    file.append(said(2, "first"))
    old = file.tail.view
    file.append(said(3, "glued") + b"\n")
    file.check()
    assert [text(file.tail.view, row) for row in (2, 3)] == ["first", "glued"]
    assert text(old, 2) == "first"


def test_a_long_line_that_comes_in_pieces_is_read_once(tmp_path: Path) -> None:
    file = Followed(tmp_path, BEGIN)
    record = said(2, "x" * 3_000_000 + " end") + b"\n"
    for start in range(0, len(record), 65_536):
        file.append(record[start : start + 65_536])
    assert file.meter.bytes < len(record) + CONSTANT * (len(record) // 65_536 + 1)
    assert text(file.tail.view, 2)[:3] == "xxx"


def test_the_rows_that_were_appended_are_made_without_another_read(file: Followed) -> None:
    file.append(said(2, "y" * 100_000) + b"\n")
    meter = Meter()
    with meter.counting():
        assert file.tail.view.evidence_at(2).bytes == 100_000
    assert meter.bytes == 0
    file.tail.release()
    assert text(file.tail.view, 2).startswith("yyy")


def test_much_that_was_appended_is_read_in_several_looks_of_whole_lines(file: Followed) -> None:
    many = b"".join(said(number, "x" * 1_000) + b"\n" for number in range(2, 2_500))
    file.tick()
    with file.path.open("ab") as stream:
        stream.write(many + said(2_500, "half")[:40])
    rows = []
    while (turn := file.tail.poll()) is not None:
        file.note(turn)
        rows.append(turn.view.rows)
        assert file.tail.has_more == (turn.view.rows < 2_500)
        assert turn.view.complete or not file.tail.has_more
    assert len(rows) == -(-len(many) // READ_AT_ONCE)
    assert file.told == ["pending"]
    file.check()


def test_a_line_that_is_longer_than_what_is_read_at_once_is_read_as_a_whole(file: Followed) -> None:
    file.append(said(2, "y" * 2 * READ_AT_ONCE) + b"\n" + said(3, "behind") + b"\n")
    file.check()


def test_what_comes_behind_a_long_line_is_read_with_later_looks(file: Followed) -> None:
    many = b"".join(said(number, "x" * 1_000) + b"\n" for number in range(3, 1_000))
    file.tick()
    with file.path.open("ab") as stream:
        stream.write(said(2, "y" * 2 * READ_AT_ONCE) + b"\n" + many)
    file.note(turn := file.tail.poll())
    assert turn is not None
    assert 3 <= turn.view.rows < 1_000
    assert file.tail.has_more
    while (turn := file.tail.poll()) is not None:
        file.note(turn)
    file.check()


def test_a_torn_line_is_told_as_unreadable_once(file: Followed) -> None:
    file.append(said(2, "torn")[:40])
    file.append(b"\n" + said(3, "after") + b"\n")
    file.append(said(4, "later") + b"\n")
    assert file.told == ["pending", "unreadable"]


def test_a_file_that_was_cut_says_what_is_left(file: Followed) -> None:
    file.append(said(2, "more") + b"\n")
    file.tick()
    os.truncate(file.path, len(said(0, "Sort the list")) + 1)
    (turn,) = file.settle()
    assert turn.events == (Truncated(REF, 1, 1, 1),)
    assert (turn.kept, turn.view.rows) == (1, 1)


def test_what_only_a_cut_shows_is_told_though_it_was_there(tmp_path: Path) -> None:
    """A prompt that waits is hidden by the record that delivers it, until that is gone."""
    queued = {"type": "queue-operation", "operation": "enqueue", "content": "then test it", "sessionId": "s1"}
    waiting = json.dumps(queued | {"timestamp": "2026-03-01T10:00:01Z"}).encode() + b"\n"
    file = Followed(tmp_path, BEGIN + waiting + said(3, "then test it") + b"\n")
    assert [*file.tail.view.select(Filter())] == [0, 1, 3]
    os.truncate(file.path, len(BEGIN + waiting))
    (turn,) = file.settle()
    assert turn.events == (Truncated(REF, 2, 3, 3),)
    assert turn.kept == 2
    assert [*turn.view.select(Filter())] == [0, 1, 2]


def test_a_file_that_was_replaced_keeps_what_is_the_same(file: Followed) -> None:
    file.change("replace", said(0, "Sort the list") + b"\n" + said(1, "something else") + b"\n")
    assert file.told == ["replaced"]
    file.check()
    file.append(said(2, "after it") + b"\n")
    assert file.shown == ["E0.0", "E1.0", "E2.0"]


def test_a_rewrite_that_leaves_size_and_time_is_noticed(file: Followed) -> None:
    file.tick()
    state = file.path.stat()
    file.path.write_bytes(BEGIN.replace(b"Sort", b"Mend"))
    os.utime(file.path, ns=(state.st_atime_ns, state.st_mtime_ns))
    (turn,) = file.settle()
    assert turn.events == (Replaced(REF, 0, 2, 2, "rewritten"),)
    assert text(turn.view, 0) == "Mend the list"


def test_a_file_that_was_only_touched_says_nothing(file: Followed) -> None:
    file.change("touch")
    assert file.told == []


def test_a_write_that_is_under_way_is_not_taken_for_a_rewrite(file: Followed) -> None:
    file.tick()
    os.utime(file.path)
    assert file.tail.poll() is None
    assert file.tail.unsettled
    file.append(said(2, "and now it is longer") + b"\n")
    assert not file.tail.unsettled
    assert file.told == []


def test_a_write_that_is_stamped_again_and_again_is_still_under_way(file: Followed) -> None:
    at = file.path.stat().st_mtime_ns
    with file.meter.counting():
        for number in range(1, 4):
            os.utime(file.path, ns=(at, at + number))
            assert file.tail.poll() is None
            assert file.tail.unsettled
    assert file.meter.bytes == 0


def test_a_file_that_went_is_told_at_the_second_look_and_stays_in_view(file: Followed) -> None:
    file.path.unlink()
    assert file.tail.poll() is None
    turn = file.tail.poll()
    assert turn is not None
    assert turn.events == (Gone(REF, str(file.path)),)
    assert file.tail.poll() is None
    assert [str(turn.view.id(row)) for row in turn.view.select(Filter())] == ["E0.0", "E1.0"]


def test_another_file_that_has_the_inode_of_one_that_is_gone_is_not_taken_for_it(file: Followed) -> None:
    lies: list[str] = []
    tail = Tail(file.tail.view, file.tail._reopen, lambda device, inode: next(iter(lies), None))
    file.path.unlink()
    assert [tail.poll() is not None for _ in range(2)] == [False, True]
    other = file.folders[1] / "other.jsonl"
    other.write_bytes(said(9, "of another session") + b"\n")
    lies.append(str(other))
    assert tail.poll() is None
    assert (tail.gone, tail.path) == (True, str(file.path))


def test_a_file_that_came_back_is_followed_again(file: Followed) -> None:
    file.change("delete")
    file.change("recreate", BEGIN)
    assert file.told == ["gone", "moved"]
    file.append(said(2, "more") + b"\n")
    file.check()


def test_a_file_that_was_moved_is_found_where_it_is(file: Followed) -> None:
    before = str(file.path)
    file.tick()
    file._move(b"", 0)
    (turn,) = file.settle()
    assert turn.events == (Moved(REF, str(file.path), before),)
    assert turn.kept == 2
    file.append(said(2, "there") + b"\n")
    file.check()


def test_a_file_that_was_compressed_goes_on_as_it_was(file: Followed) -> None:
    archive = Path(f"{file.path}.zst")
    archive.write_bytes(zstd.compress(BEGIN))
    file.path.unlink()
    (turn,) = file.settle()
    assert turn.events == (Moved(REF, str(archive), str(file.path)),)
    assert (turn.kept, turn.view.rows, file.tail.gone) == (2, 2, False)


def test_what_cannot_be_read_now_leaves_the_view_and_is_told_once(file: Followed) -> None:
    file.change("replace", bytes(range(256)) * 20)
    file.settle()
    assert file.told == ["unreadable"]
    assert file.tail.view.rows == 2
    file.change("replace", BEGIN + said(2, "mended") + b"\n")
    file.check()


@pytest.mark.parametrize("moves", [False, True])
def test_what_could_not_be_read_for_a_while_is_read_again_though_it_did_not_change(
    file: Followed, monkeypatch: pytest.MonkeyPatch, moves: bool
) -> None:
    open_ = os.open

    def fail(path: str, *given: int, **more: int) -> int:
        if str(path).endswith("session.jsonl"):
            raise OSError(errno.EMFILE, "Too many open files")
        return open_(path, *given, **more)

    monkeypatch.setattr(os, "open", fail)
    file.change("move" if moves else "replace", BEGIN + said(2, "more") + b"\n")
    for _ in range(3):
        file.clock.now += REFUSED_EVERY
        file.settle()
    monkeypatch.undo()
    assert file.settle() == []
    file.clock.now += REFUSED_EVERY
    file.settle()
    assert file.told == (["moved", "unreadable", "moved"] if moves else ["unreadable", "moved", "replaced"])
    file.check()


@pytest.mark.parametrize("fault", [errno.EIO, errno.EACCES, errno.ESTALE, errno.ENOTCONN])
def test_of_a_file_that_nobody_can_look_at_that_is_said_and_its_return(file: Followed, fault: int) -> None:
    with failing(str(file.path), fault):
        for _ in range(3):
            file.clock.now += REFUSED_EVERY
            file.settle()
        assert file.told == ["unreadable"]
        assert not file.tail.gone
    meter = Meter()
    with meter.counting():
        assert [turn.kept for turn in file.settle()] == [2]
    assert meter.bytes == 0
    assert file.told == ["unreadable", "moved"]
    file.append(said(2, "more") + b"\n")
    file.check()


@pytest.mark.parametrize("fault", [errno.EIO, errno.ESTALE])
def test_what_fails_while_it_is_read_on_is_said_once_and_read_when_it_can_be(file: Followed, fault: int) -> None:
    with failing(str(file.path), fault, ("pread", "preadv")):
        with file.path.open("ab") as stream:
            stream.write(said(2, "more") + b"\n")
        for _ in range(3):
            file.clock.now += REFUSED_EVERY
            file.settle()
        assert file.told == ["unreadable"]
        assert file.tail.view.rows == 2
    file.clock.now += REFUSED_EVERY
    file.settle()
    assert file.told == ["unreadable", "moved"]
    file.check()


def test_only_the_lines_that_are_not_known_are_told(file: Followed) -> None:
    file.append(said(2, "torn")[:40] + b"\n" + said(3, "x") + b"\n")
    file.tick()
    file.path.write_bytes(file.path.read_bytes().replace(b'"x"', b'"y"') + b"{broken\n" + said(5, "z") + b"\n")
    (turn,) = file.settle()
    assert [event.line for event in turn.events if isinstance(event, LineUnreadable)] == [5]


STUB = (
    "<persisted-output>\nOutput too large (54.0KB). Full output saved to: /h/s/tool-results/t1.txt\n\n"
    "Preview (first 2KB):\nfirst half\n</persisted-output>"
)


class Saving:
    """A session with one saved output, and its tail."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "s.jsonl"
        self.path.write_bytes(BEGIN + answered(2, "t1", STUB) + b"\n")
        self.saved = folder / "s" / "tool-results" / "t1.txt"
        self.saved.parent.mkdir(parents=True)
        self.side_files = SideFiles(ArtifactFolder(str(folder), ("s", "tool-results")))
        self.clock = Clock()

    def opened(self, path: str) -> SessionView:
        return SessionView.open(path, REF, CLAUDE_CODE, self.side_files)

    def tail(self) -> Tail:
        return Tail(self.opened(str(self.path)), self.opened, now=self.clock)


@pytest.fixture
def saving(tmp_path: Path) -> Saving:
    return Saving(tmp_path)


def test_a_saved_output_that_grows_is_told_with_the_next_look_at_side_files(saving: Saving) -> None:
    saving.saved.write_text("first half")
    tail = saving.tail()
    old = tail.view
    with saving.saved.open("a") as file:
        file.write("\nsecond half\n")
    assert tail.poll() is None
    saving.clock.now += SIDE_FILES_EVERY
    turn = tail.poll()
    assert turn is not None
    assert (turn.restored, turn.kept) == ((2,), 3)
    assert text(turn.view, 2) == "first half\nsecond half\n"
    assert (old.bytes(2), turn.view.bytes(2), turn.view.lines(2)) == (10, 23, 2)
    assert text(old, 2) == "first half"


def test_a_saved_output_that_comes_after_its_stub_is_found(saving: Saving) -> None:
    tail = saving.tail()
    assert Flag.MISSING in tail.view.flags(2)
    saving.saved.write_text("first half, at last")
    turn = tail.poll(side_files=True)
    assert turn is not None
    assert turn.restored == (2,)
    assert Flag.MISSING not in turn.view.flags(2)
    assert tail.poll(side_files=True) is None
    saving.saved.unlink()
    assert tail.poll(side_files=True) is not None
    assert Flag.MISSING in tail.view.flags(2)


@pytest.mark.parametrize("there", [False, True], ids=["no folder yet", "a folder"])
def test_a_blob_that_is_stored_after_its_record_is_found(saving: Saving, tmp_path: Path, there: bool) -> None:
    blob, store = new_id(), FileBlobStore(tmp_path / "blobs")
    saving.path.write_bytes(BEGIN + answered(2, "t1", f"[blob:{blob}] text | 1 line\n") + b"\n")
    saving.side_files = SideFiles(None, blobs=store)
    if there:
        store.store(Text("another"))
    tail = saving.tail()
    for _ in range(3):
        saving.clock.now += SIDE_FILES_EVERY
        assert tail.poll() is None
    store.keep(blob, Text("at last"))
    saving.clock.now += SIDE_FILES_EVERY
    turn = tail.poll()
    assert turn is not None
    assert turn.restored == (2,)
    assert text(turn.view, 2) == "at last"
    assert str(store.root) in turn.view.side_folders


@pytest.mark.parametrize("there", [False, True], ids=["no folder yet", "a folder"])
def test_a_saved_output_of_the_session_that_a_fork_came_from_is_found_when_it_comes(
    tmp_path: Path, there: bool
) -> None:
    origin = "5d1c8a34-7b2e-4f60-9a1d-3c4e5f6a7b8c"
    saving = Saving(tmp_path)
    saving.path.write_bytes(BEGIN + answered(2, "t1", STUB.replace("/h/s/", f"/h/{origin}/")) + b"\n")
    saving.side_files = SideFiles(saving.side_files.folder, lambda session, call: (session, call) == (origin, "t1"))
    late = tmp_path / origin / "tool-results" / "t1.txt"
    if there:
        late.parent.mkdir(parents=True)
    tail = saving.tail()
    for _ in range(3):
        saving.clock.now += SIDE_FILES_EVERY
        assert tail.poll() is None
    late.parent.mkdir(parents=True, exist_ok=True)
    late.write_text("first half, of the origin")
    saving.clock.now += SIDE_FILES_EVERY
    turn = tail.poll()
    assert turn is not None
    assert turn.restored == (2,)
    assert text(turn.view, 2) == "first half, of the origin"
    assert str(late.parent) in turn.view.side_folders


def test_a_saved_output_that_is_written_while_it_is_measured_is_looked_at_again(
    saving: Saving, monkeypatch: pytest.MonkeyPatch
) -> None:
    saving.saved.write_text("first half")
    find = ArtifactFolder.find

    def find_and_write(folder: ArtifactFolder, name: str) -> SideFile | None:
        found = find(folder, name)
        saving.saved.write_text("anew")
        return found

    monkeypatch.setattr(ArtifactFolder, "find", find_and_write)
    tail = saving.tail()
    tail.poll(side_files=True)
    assert Flag.MISSING in tail.view.flags(2)
    monkeypatch.undo()
    assert tail.poll(side_files=True) is not None
    assert text(tail.view, 2) == "anew"


def test_a_session_grows_on_after_its_saved_output_did(saving: Saving) -> None:
    saving.saved.write_text("first half")
    tail = saving.tail()
    old = tail.view
    saving.saved.write_text("first half, and more")
    assert tail.poll(side_files=True) is not None
    with saving.path.open("ab") as file:
        file.write(said(3, "on") + b"\n")
    turn = tail.poll()
    assert turn is not None
    assert text(turn.view, 3) == "on"
    assert turn.view.bytes(2) == 20
    assert old.refreshed().rows == 4, "an older view is still gone on with"


def test_a_thousand_replacements_leave_no_descriptor_and_no_thread_behind(file: Followed) -> None:
    gc.collect()  # what other tests left behind
    before = len(os.listdir("/dev/fd")), threading.active_count()
    for number in range(1_000):
        other = file.path.with_name("other.tmp")
        other.write_bytes(said(number, f"number {number}") + b"\n")
        other.replace(file.path)
        file.tail.poll()
        if number % 3 == 0:
            file.path.unlink()
            file.tail.poll()
            file.tail.poll()
    assert (len(os.listdir("/dev/fd")), threading.active_count()) == before


def test_an_unfinished_line_is_told_as_far_as_it_is_written(file: Followed) -> None:
    record = said(2, "half")
    size = file.path.stat().st_size
    for end in (10, 20):
        file.tick()
        with file.path.open("ab") as stream:
            stream.write(record[end - 10 : end])
        (turn,) = file.settle()
        assert turn.events == (Pending(REF, (size, size + end)),)


def test_a_document_that_is_written_anew_with_more_in_it_has_only_grown(tmp_path: Path) -> None:
    path = tmp_path / "rollout-1.json"
    items = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": f"p{n}"}]} for n in range(4)
    ]

    def write(count: int) -> None:
        other = path.with_suffix(".tmp")
        other.write_text(
            json.dumps({"session": {"id": "s", "timestamp": "2025-05-01T10:00:00Z"}, "items": items[:count]})
        )
        other.replace(path)

    def reopen(path: str) -> SessionView:
        return SessionView.open(path, REF, CODEX)

    write(2)
    tail = Tail(reopen(str(path)), reopen)
    write(4)
    turn = tail.poll()
    assert turn is not None
    assert (turn.events, turn.kept, turn.view.rows) == ((), 2, 4)
    write(1)
    turn = tail.poll()
    assert turn is not None
    assert [event.event for event in turn.events] == ["replaced"]


def test_an_entry_of_which_one_piece_changed_is_told_anew_as_a_whole(tmp_path: Path) -> None:
    file = Followed(tmp_path, BEGIN + said(2, "same") + said(3, "glued") + b"\n")
    file.change("replace", BEGIN + said(2, "same") + said(3, "other") + b"\n")
    assert file.told == ["replaced"]
    file.change("replace", BEGIN + said(2, "same") + said(3, "third") + b"\n")
    assert file.kept == 2
