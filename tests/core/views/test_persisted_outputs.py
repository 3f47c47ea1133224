"""A long output that was saved beside the session is read whole; nothing outside the session's folder is opened."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.core.views.persisted import ORIGIN, PREVIEW, SESSION, output_id, session_of, side_folder, stub
from unspool.errors import SourceChanged
from unspool.formats.piece import Flag
from unspool.stores.artifacts import SideFile
from unspool.views.bounds import Bounds
from unspool.views.view import SessionView

FULL = "".join(f"row {number:05}: all is well\n" for number in range(4000)).replace("03210: all", "03210: nearly all")
OUTSIDE = "a secret that lies outside"


def text_of(view: SessionView, number: int = 0, *, model_view: bool = False) -> str:
    reading = view.read(output_id(number), bounds=Bounds(1, 1 << 30, 1 << 30), model_view=model_view)
    return reading.pieces[0].text


def notice_of(view: SessionView, number: int = 0) -> str:
    row = view.row(output_id(number))
    assert view.flags(row) & (Flag.PERSISTED | Flag.MISSING) == Flag.PERSISTED | Flag.MISSING
    assert text_of(view, number).startswith("<persisted-output>")
    return view.notice(row) or ""


@pytest.mark.parametrize("home", ["/home/else/.claude", "C:\\Users\\Else\\.claude", "~"])
def test_a_saved_output_is_found_by_its_name_alone(tmp_path: Path, home: str) -> None:
    (side_folder(tmp_path) / "b7k2.txt").write_text(FULL)
    marker = stub("b7k2.txt", home=home)
    view = session_of(tmp_path, marker.replace("/", "\\") if home.startswith("C:") else marker)
    row = view.row(output_id())
    assert text_of(view) == FULL
    assert view.flags(row) == Flag.PERSISTED
    assert view.notice(row) is None
    assert (view.bytes(row), view.lines(row)) == (len(FULL), 4000)
    assert view.model_bytes(row) == len(stub("b7k2.txt", home=home))


def test_a_saved_output_is_found_by_its_call_when_its_name_leads_nowhere(tmp_path: Path) -> None:
    (side_folder(tmp_path) / "toolu_0.txt").write_text(FULL)
    (side_folder(tmp_path) / "toolu_1.json").write_text("[]")
    view = session_of(tmp_path, stub("renamed.txt"), stub("gone.json"))
    assert text_of(view) == FULL
    assert text_of(view, 1) == "[]"


@pytest.mark.parametrize("full", [FULL, FULL[:-1], ""])
def test_blocks_behind_the_stub_stand_behind_the_saved_output(tmp_path: Path, full: str) -> None:
    (side_folder(tmp_path) / "toolu_0.txt").write_text(full)
    blocks = [{"type": "text", "text": text} for text in (stub("toolu_0.txt"), "And\na note", "on top")]
    view = session_of(tmp_path, blocks)
    whole = f"{full}\nAnd\na note\non top"
    assert text_of(view) == whole
    assert (view.bytes(view.row(output_id())), view.lines(view.row(output_id()))) == (len(whole), whole.count("\n") + 1)
    assert view.search("a note").total == view.search("on top").total == 1
    assert view.search(PREVIEW).total == 0
    assert text_of(view, model_view=True).endswith("</persisted-output>\nAnd\na note\non top")


def test_a_missing_output_gives_its_preview_and_says_so(tmp_path: Path) -> None:
    view = session_of(tmp_path, stub("gone.txt"))
    assert notice_of(view) == "full output not found"
    row = view.row(output_id())
    assert view.model_bytes(row) is None
    assert view.search(PREVIEW).total == 1
    assert "full output not found" in view.evidence_at(row).label


def test_a_session_without_a_folder_of_side_files_says_so_too(tmp_path: Path) -> None:
    side_folder(tmp_path).rmdir()
    (tmp_path / SESSION).rmdir()
    view = session_of(tmp_path, stub("gone.txt"))
    assert notice_of(view) == "full output not found"


@pytest.mark.parametrize("name", ["../outside.txt", "../../../outside.txt", "sub/../../../outside.txt", ".."])
def test_a_path_that_climbs_is_refused_and_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "outside.txt").write_text(OUTSIDE)
    (side_folder(tmp_path) / "outside.txt").write_text("inside")
    view = session_of(tmp_path, stub(name))
    assert "leaves the session's folder" in notice_of(view)
    assert view.search(OUTSIDE).total == 0


@pytest.mark.parametrize("name", [".", "", " ", "a\0b", "x" * 300])
def test_a_name_that_is_no_file_name_is_no_file(tmp_path: Path, name: str) -> None:
    side_folder(tmp_path)
    assert "full output not found" in notice_of(session_of(tmp_path, stub(name)))


def test_a_link_is_refused_wherever_it_leads(tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text(OUTSIDE)
    folder = side_folder(tmp_path)
    (folder / "inside.txt").write_text("inside")
    (folder / "out.txt").symlink_to(tmp_path / "outside.txt")
    (folder / "in.txt").symlink_to(folder / "inside.txt")
    (folder / "nowhere.txt").symlink_to(tmp_path / "nowhere")
    view = session_of(tmp_path, stub("out.txt"), stub("in.txt"), stub("nowhere.txt"))
    for number in range(3):
        assert notice_of(view, number).endswith("a link; not opened")
    assert view.search(OUTSIDE).total == 0


@pytest.mark.parametrize("step", [SESSION, f"{SESSION}/tool-results"])
def test_a_linked_folder_is_refused(tmp_path: Path, step: str) -> None:
    real = tmp_path / "real"
    (real / "tool-results").mkdir(parents=True)
    (real / "tool-results" / "x.txt").write_text(OUTSIDE)
    (real / "x.txt").write_text(OUTSIDE)
    (tmp_path / step).parent.mkdir(exist_ok=True)
    (tmp_path / step).symlink_to(real)
    view = session_of(tmp_path, stub("x.txt"))
    assert notice_of(view).endswith("a link; not opened")
    assert view.search(OUTSIDE).total == 0


def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path: Path) -> None:
    folder = side_folder(tmp_path)
    os.mkfifo(folder / "pipe.txt")
    (folder / "folder.txt").mkdir()
    view = session_of(tmp_path, stub("pipe.txt"), stub("folder.txt"))
    for number in range(2):
        assert notice_of(view, number).endswith("not a regular file; not opened")


def test_a_refused_file_does_not_keep_the_right_one_from_being_found(tmp_path: Path) -> None:
    folder = side_folder(tmp_path)
    (folder / "x.txt").symlink_to(tmp_path / "outside.txt")
    (folder / "toolu_0.txt").write_text(FULL)
    view = session_of(tmp_path, stub("x.txt"))
    assert text_of(view) == FULL
    assert view.notice(view.row(output_id())) is None


def test_a_file_that_another_call_owns_is_shown_as_such(tmp_path: Path) -> None:
    (side_folder(tmp_path) / "toolu_0.txt").write_text(FULL)
    view = session_of(tmp_path, stub("toolu_0.txt"), stub("toolu_0.txt"))
    assert view.notice(view.row(output_id(0))) is None
    assert view.notice(view.row(output_id(1))) == "this is the saved output of call toolu_0"
    assert view.read(output_id(1)).pieces[0].to_json()["notice"] == "this is the saved output of call toolu_0"


def test_a_fork_reads_the_outputs_of_its_origin_and_of_no_stranger(tmp_path: Path) -> None:
    stranger = "9e0f6a52-3c1b-4d8a-b7f4-2a5c8d9e0f63"
    (side_folder(tmp_path, ORIGIN) / "x.txt").write_text(FULL)
    (side_folder(tmp_path, stranger) / "y.txt").write_text(OUTSIDE)
    asked: list[tuple[str, str]] = []

    def shares(session: str, call: str) -> bool:
        asked.append((session, call))
        return session == ORIGIN

    outputs = (stub("x.txt", session=ORIGIN), stub("y.txt", session=stranger), stub("z.txt"))
    view = session_of(tmp_path, *outputs, shares=shares)
    assert text_of(view) == FULL
    assert notice_of(view, 1) == notice_of(view, 2) == "full output not found"
    assert view.search(OUTSIDE).total == 0
    assert asked == [(ORIGIN, "toolu_0"), (stranger, "toolu_1")]


def test_a_saved_output_is_one_hit_found_beyond_the_preview_at_its_line(tmp_path: Path) -> None:
    (side_folder(tmp_path) / "x.txt").write_text(FULL)
    view = session_of(tmp_path, stub("x.txt"), "nearly nothing")
    (hit,) = view.search("nearly all").hits
    assert hit.evidence.id == output_id()
    assert (hit.line, hit.column, hit.matches) == (3211, 12, 1)
    assert FULL.encode()[hit.offset :].startswith(b"nearly all")
    assert hit.snippet[slice(*hit.spans[0])] == "nearly all"
    assert view.search("row 0").hits[0].matches == 4000
    assert view.search(PREVIEW).total == 0


def test_what_the_model_saw_is_one_switch_away(tmp_path: Path) -> None:
    (side_folder(tmp_path) / "x.txt").write_text(FULL)
    view = session_of(tmp_path, stub("x.txt"))
    assert text_of(view, model_view=True) == stub("x.txt")
    window = view.slice(output_id(), lines=(1, 1), model_view=True)
    assert (window.text, window.total_bytes) == ("<persisted-output>\n", len(stub("x.txt")))
    assert view.find(output_id(), PREVIEW, model_view=True) is not None
    assert view.find(output_id(), PREVIEW) is None
    anchor = view.resolve(output_id())
    assert anchor.pointers == (("message", "content", 0, "content"),)
    assert anchor.digest == view.reference(output_id()).digest


def test_a_saved_output_is_measured_once_as_long_as_it_is_the_same_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[int] = []
    read = SideFile.read

    def counting(file: SideFile, offset: int, length: int) -> bytes:
        reads.append(length)
        return read(file, offset, length)

    monkeypatch.setattr(SideFile, "read", counting)
    target = side_folder(tmp_path) / "x.txt"
    target.write_text(FULL)
    measured = [session_of(tmp_path, stub("x.txt")) for _ in range(3)]
    assert len(reads) == 1
    target.write_text(FULL + "é\n")
    measured.append(session_of(tmp_path, stub("x.txt")))
    row = measured[0].row(output_id())
    lines = FULL.count("\n")
    assert [(view.bytes(row), view.lines(row)) for view in measured] == [
        *[(len(FULL.encode()), lines)] * 3,
        (len(FULL.encode()) + 3, lines + 1),
    ]


def test_bytes_that_are_no_utf8_are_replaced_and_counted_as_replaced(tmp_path: Path) -> None:
    (side_folder(tmp_path) / "x.txt").write_bytes(b"caf\xe9\r\n\xff\xfe\xe6\x97")
    view = session_of(tmp_path, stub("x.txt"))
    row = view.row(output_id())
    assert text_of(view) == "caf\ufffd\r\n\ufffd\ufffd\ufffd"
    assert (view.bytes(row), view.lines(row)) == (17, 2)
    assert view.search("caf\ufffd").total == 1


def test_windows_lie_anywhere_in_a_large_file(tmp_path: Path) -> None:
    line = "é🚀 " + "0123456789" * 9 + "\n"
    (side_folder(tmp_path) / "x.txt").write_text(line * 60_000, "utf-8")
    view = session_of(tmp_path, stub("x.txt"))
    size = len(line.encode())
    window = view.slice(output_id(), lines=(50_001, 50_002))
    assert (window.text, window.start, window.first_line) == (line * 2, 50_000 * size, 50_001)
    assert (window.total_bytes, window.total_lines) == (60_000 * size, 60_000)
    inside = view.slice(output_id(), bytes=(50_000 * size + 1, 50_000 * size + 9))
    assert (inside.text, inside.first_line, inside.starts_line) == ("🚀 01", 50_001, False)
    last = view.slice(output_id(), lines=(60_000, 70_000))
    assert (last.text, last.at_end) == (line, True)
    assert view.slice(output_id(), lines=(60_001, 60_001)).text == ""


@pytest.mark.parametrize("how", ["shorter", "gone", "another", "rewritten", "link"])
def test_a_file_that_changes_is_never_read_as_if_it_had_not(tmp_path: Path, how: str) -> None:
    file = side_folder(tmp_path) / "x.txt"
    file.write_text(FULL)
    view = session_of(tmp_path, stub("x.txt"), "another output")
    if how == "shorter":
        os.truncate(file, 100)
    elif how == "rewritten":
        os.utime(file, ns=(1, 1))
    else:
        file.unlink()
    if how == "another":
        (tmp_path / "new.txt").write_text(FULL)
        (tmp_path / "new.txt").rename(file)
    elif how == "link":
        (tmp_path / "new.txt").write_text(FULL)
        file.symlink_to(tmp_path / "new.txt")
    with pytest.raises(SourceChanged, match=r"x\.txt"):
        view.read(output_id())
    with pytest.raises(SourceChanged):
        view.slice(output_id(), bytes=(200_000 if how == "shorter" else 0, len(FULL)))
    assert text_of(view, model_view=True) == stub("x.txt")
    assert text_of(view, 1) == "another output"


def test_a_file_that_vanished_costs_no_list_and_no_search(tmp_path: Path) -> None:
    file = side_folder(tmp_path) / "x.txt"
    file.write_text(FULL)
    view = session_of(tmp_path, stub("x.txt"), "another output: nearly all")
    quoted = view.reference(output_id())
    file.unlink()
    assert len(view.evidence().items) == 5
    assert [hit.evidence.id for hit in view.search("nearly all").hits] == [output_id(1)]
    (hit,) = view.search(PREVIEW).hits
    assert (hit.evidence.id, hit.snippet) == (output_id(), PREVIEW)
    assert view.resolve(quoted).state == "changed"
    assert view.brief()


def test_a_file_that_grows_keeps_its_first_size_within_one_view(tmp_path: Path) -> None:
    file = side_folder(tmp_path) / "x.txt"
    file.write_text("first\nlast")
    view = session_of(tmp_path, stub("x.txt"))
    with file.open("a") as stream:
        stream.write(" and more\n")
    assert text_of(view) == "first\nlast"
    assert view.evidence_at(view.row(output_id())).summary == "first"
    assert view.slice(output_id(), bytes=(0, 1000)).total_bytes == 10
    assert text_of(session_of(tmp_path, stub("x.txt"))) == "first\nlast and more\n"


def test_an_empty_saved_output_is_an_empty_text(tmp_path: Path) -> None:
    (side_folder(tmp_path) / "x.txt").write_text("")
    view = session_of(tmp_path, stub("x.txt"))
    row = view.row(output_id())
    assert (text_of(view), view.bytes(row), view.lines(row)) == ("", 0, 0)
    assert view.flags(row) == Flag.PERSISTED


def test_a_marker_that_a_prompt_or_a_later_line_quotes_means_nothing(tmp_path: Path) -> None:
    (side_folder(tmp_path) / "x.txt").write_text(FULL)
    view = session_of(tmp_path, f"it said: {stub('x.txt')}", "<persisted-output>no path at all")
    assert view.flags(view.row(output_id())) == Flag(0)
    assert notice_of(view, 1) == "full output not found"


def chars(name: str, preview: str) -> str:
    """A stand-in that shows the very beginning of what was saved, as those with sizes in characters do."""
    return stub(name, preview=preview).replace("64.1KB", "4K chars").replace("first 2KB", "first 2K chars")


SAVED = "x🦉🦉 tides\r\nend"
BEGINNINGS = [("x🦉🦉 tides", False), ("x🦉\ud83e", False), (SAVED, False), ("x🦉🦉 weirs", True), (SAVED + "!", True)]


@pytest.mark.parametrize(("preview", "told"), BEGINNINGS)
def test_an_output_that_does_not_begin_as_the_log_shows_it_is_told(tmp_path: Path, preview: str, told: bool) -> None:
    (side_folder(tmp_path) / "call_a.txt").write_bytes(SAVED.encode())
    view = session_of(tmp_path, chars("call_a.txt", preview))
    row = view.row(output_id())
    assert text_of(view) == SAVED
    assert ("does not begin as the log shows it" in (view.notice(row) or "")) == told


def test_of_a_structured_output_another_beginning_is_shown(tmp_path: Path) -> None:
    (side_folder(tmp_path) / "call_a.json").write_text('[{"type":"text","text":"tides"}]')
    view = session_of(tmp_path, chars("call_a.json", "tides"))
    assert view.notice(view.row(output_id())) is None
