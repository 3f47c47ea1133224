"""A session that was kept opens as one that is read anew, whatever became of its file and of what was kept."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.core.cache.short_frames import shorten_frames
from tests.core.views.growing import answered, called, portrait, said
from tests.core.views.persisted import SESSION, output_id, session_of, side_folder, stub
from tests.core.views.test_stored_blobs import view_of
from unspool.blobs.content import Text
from unspool.blobs.files import FileBlobStore
from unspool.cache import KEPT_FROM, sessions, version
from unspool.cache.sessions import SessionCache
from unspool.columns.records import decode
from unspool.columns.side_files import SideFiles
from unspool.formats.base import Format
from unspool.formats.claude_code import CLAUDE_CODE
from unspool.formats.yoi import YOI
from unspool.ids import SessionRef
from unspool.outputs.marker import blob_marker
from unspool.stores.artifacts import ArtifactFolder
from unspool.views.opened import Opened
from unspool.views.view import SessionView

LINES = [said(1, "Check everything"), called(2, "toolu_1"), answered(3, "toolu_1", "a\nb"), said(4, "so", "assistant")]
NO_FILES = SideFiles(None)


@pytest.fixture(autouse=True, params=["whole", "in frames"])
def _framed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every session is kept as a short one is, and as a long one."""
    if request.param == "in frames":
        shorten_frames(monkeypatch)


class Session:
    """A file, and a cache that keeps whatever is read of it."""

    def __init__(self, folder: Path, side_files: SideFiles = NO_FILES, format: Format = CLAUDE_CODE) -> None:
        self.path = folder / f"{SESSION}.jsonl"
        self.folder = folder / "cache"
        self.side_files = side_files
        self.format = format
        if not self.path.exists():
            self.write(b"".join(line + b"\n" for line in LINES))

    @property
    def cache(self) -> SessionCache:
        return SessionCache(str(self.folder), kept_from=0)

    @property
    def kept(self) -> Path:
        """The one file of the cache."""
        (file,) = self.folder.iterdir()
        return file

    def write(self, data: bytes) -> None:
        self.path.write_bytes(data)

    def append(self, *lines: bytes, begin: bytes = b"", end: bytes = b"\n") -> None:
        with self.path.open("ab") as file:
            file.write(begin + b"\n".join(lines) + end)

    def open(self) -> SessionView:
        return self._view(self.cache.open(str(self.path), self.format, self.side_files))

    def found(self) -> SessionView | None:
        opened = self.cache.find(str(self.path), self.format, self.side_files)
        return None if opened is None else self._view(opened)

    def fresh(self) -> SessionView:
        return self._view(Opened.open(str(self.path), self.format, self.side_files))

    def _view(self, opened: Opened) -> SessionView:
        return SessionView(SessionRef(self.format.agent, SESSION), opened)


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Where the records lie that were decoded for columns since the test last cleared the list."""
    offsets: list[int] = []

    def counted(*given: object) -> object:
        offsets.append(given[3])  # type: ignore[arg-type]
        return decode(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("unspool.columns.build.decode", counted)
    return offsets


def test_a_session_that_was_read_is_not_decoded_again(session: Session, decoded: list[int]) -> None:
    before = portrait(session.open())
    assert len(decoded) == len(LINES)
    decoded.clear()
    again = session.open()
    assert decoded == []
    assert portrait(again) == before


@pytest.mark.parametrize(
    ("begin", "end"),
    [(b"", b"\n"), (b"\n", b""), (b'}\n{"a":1}', b"\n{"), (b"", b'\n{"type":"us')],
    ids=["whole lines", "no LF yet", "a line goes on", "a torn line"],
)
def test_only_what_was_appended_is_decoded(session: Session, decoded: list[int], begin: bytes, end: bytes) -> None:
    session.append(said(5, "and"), end=end)
    session.open()
    for number in range(6, 9):
        decoded.clear()
        size = session.path.stat().st_size
        call = called(number, f"toolu_{number}"), answered(number, f"toolu_{number}", "c")
        session.append(*call, begin=begin, end=end)
        view = session.open()
        assert decoded
        assert min(decoded) > size - 300
        assert portrait(view) == portrait(session.fresh())


def test_a_session_that_was_made_ready_goes_on_with_nothing_more_of_the_cache(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.open()
    view = session.found()
    assert view is not None
    view.prepare()
    monkeypatch.setattr("unspool.cache.kept.unpack", lambda *_, **__: pytest.fail("that was to be done before"))
    session.append(said(5, "and"))
    assert portrait(view.refreshed()) == portrait(session.fresh())


def test_what_was_kept_and_is_of_no_use_is_read_anew_when_it_is_gone_on_with(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.open()
    view = session.found()
    assert view is not None
    with monkeypatch.context() as broken:
        broken.setattr("unspool.cache.kept.unpack", lambda *_, **__: {}["fold"])
        view.prepare()
    session.append(said(5, "and"))
    assert portrait(view.refreshed()) == portrait(session.fresh())


def test_a_session_from_the_cache_goes_on_as_one_that_was_read(session: Session) -> None:
    session.append(called(5, "toolu_9"))
    session.open()
    view, fresh = session.found(), session.fresh()
    assert view is not None
    for number in range(6, 9):
        session.append(answered(number, "toolu_9", "late"), said(number + 10, "words"), said(3, "again"))
        view, fresh = view.refreshed(), fresh.refreshed()
        assert portrait(view) == portrait(fresh) == portrait(session.fresh())


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 30)


def rewritten(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"Check everything", b"Leave everything"))


def same_size(path: Path) -> None:
    """Change bytes in place, and let neither size nor time of the content tell."""
    found = path.stat()
    data = path.read_bytes()
    with path.open("r+b") as file:
        file.write(data.replace(b"everything", b"absolutely"))
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


def replaced(path: Path) -> None:
    other = path.with_suffix(".new")
    other.write_bytes(path.read_bytes())
    other.replace(path)


def rewritten_and_longer(path: Path) -> None:
    rewritten(path)
    with path.open("ab") as file:
        file.write(said(9, "more") + b"\n")


def gone_and_back(path: Path) -> None:
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data.replace(b"everything", b"absolutely"))


CHANGES: list[Callable[[Path], None]] = [cut, rewritten, same_size, replaced, rewritten_and_longer, gone_and_back]


@pytest.mark.parametrize("change", CHANGES, ids=lambda each: each.__name__)
def test_a_session_that_was_not_only_appended_to_is_read_anew(session: Session, change: Callable[[Path], None]) -> None:
    session.open()
    change(session.path)
    assert session.found() is None
    assert portrait(session.open()) == portrait(session.fresh())
    assert session.found() is not None, "and kept again"


def test_what_is_rewritten_while_it_is_read_is_not_kept(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Opened.open

    def read_in_change(*given: object) -> Opened:
        opened = read(*given)  # type: ignore[arg-type]
        rewritten(session.path)
        return opened

    monkeypatch.setattr(Opened, "open", read_in_change)
    session.open()
    assert not session.folder.exists()


def flipped(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


class Payload:
    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, ("made-by-a-pickle",)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        flipped,
        lambda data: bytes(len(data)),
        lambda data: os.urandom(1000),
        lambda data: pickle.dumps(Payload()),
        lambda data: data[:24] + pickle.dumps(Payload()),
    ],
    ids=["empty", "cut", "half", "flipped", "zeros", "noise", "pickle", "pickle behind the head"],
)
def test_a_damaged_file_costs_only_time(
    session: Session, damage: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    session.open()
    whole = session.kept.read_bytes()
    session.kept.write_bytes(damage(whole))
    assert session.found() is None
    assert portrait(session.open()) == portrait(session.fresh())
    assert session.found() is not None
    assert not (tmp_path / "made-by-a-pickle").exists()


@pytest.mark.parametrize(
    "damage", [lambda data: b"", lambda data: data[:-9], pickle.dumps], ids=["none", "cut", "pickle"]
)
def test_damaged_parts_behind_a_check_that_holds_cost_only_time(
    session: Session, damage: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        session.folder.exists() and session.kept.unlink()
        with monkeypatch.context() as patch:
            blocks = sessions._blocks
            patch.setattr(
                sessions,
                "_blocks",
                lambda parts, number=number, blocks=blocks: blocks(
                    tuple(damage(part) if place == number else part for place, part in enumerate(parts))
                ),
            )
            session.open()
        session.append(said(20 + number, "more"))  # what only going on needs is looked at then
        assert session.found() is None
        assert portrait(session.open()) == portrait(session.fresh())


def test_what_other_code_made_is_not_read(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    session.open()
    with monkeypatch.context() as patch:
        patch.setattr(sessions, "version", lambda: bytes(16))
        assert session.found() is None
    assert session.found() is not None


def test_the_version_is_another_once_a_module_is(monkeypatch: pytest.MonkeyPatch) -> None:
    code, made = version._code, version.version.__wrapped__
    before = made()
    assert len(before) == len(version.version())
    monkeypatch.setattr(version, "_code", lambda folder: [(name, size, time + 1) for name, size, time in code(folder)])
    assert made() != before


def test_the_file_of_another_session_is_not_taken_for_this_one(tmp_path: Path) -> None:
    one, other = Session(tmp_path), Session(tmp_path)
    other.path = tmp_path / "other.jsonl"
    one.open()
    theirs = one.kept.read_bytes()
    one.kept.unlink()
    other.write(b"".join(line.replace(b"everything", b"absolutely") + b"\n" for line in LINES))
    other.open()
    other.kept.write_bytes(theirs)
    assert other.found() is None
    assert portrait(other.open()) == portrait(other.fresh())


def test_a_short_session_is_not_kept(session: Session) -> None:
    SessionCache(str(session.folder)).open(str(session.path), CLAUDE_CODE, NO_FILES)
    assert not session.folder.exists()
    session.write(said(1, "x" * KEPT_FROM) + b"\n")
    SessionCache(str(session.folder)).open(str(session.path), CLAUDE_CODE, NO_FILES)
    assert session.found() is not None


def test_a_session_is_kept_again_once_much_was_read_anew(session: Session, decoded: list[int]) -> None:
    session.write(b"".join(said(number, "x" * 1000) + b"\n" for number in range(200)))
    session.open()
    kept = session.kept.read_bytes()
    session.append(said(200, "a few words"))
    session.open()
    assert session.kept.read_bytes() == kept
    session.append(*(said(number, "x" * 1000) for number in range(200, 210)))
    session.open()
    assert session.kept.read_bytes() != kept
    decoded.clear()
    session.open()
    assert decoded == []


def beside(tmp_path: Path) -> Session:
    """A session whose outputs are saved: the first one, and one that is missing."""
    side_folder(tmp_path).joinpath("toolu_0.txt").write_text("full\ntext", "utf-8")
    session_of(tmp_path, stub("toolu_0.txt"), stub("toolu_1.txt")).close()
    return Session(tmp_path, SideFiles(ArtifactFolder(str(tmp_path), (SESSION, "tool-results"))))


def test_saved_texts_are_looked_at_again(tmp_path: Path) -> None:
    session = beside(tmp_path)
    assert portrait(session.open()) == portrait(session.fresh())
    for change in (
        lambda: side_folder(tmp_path).joinpath("toolu_1.txt").write_text("late", "utf-8"),
        lambda: side_folder(tmp_path).joinpath("toolu_0.txt").write_text("another\nfull\ntext", "utf-8"),
        lambda: side_folder(tmp_path).joinpath("toolu_0.txt").unlink(),
    ):
        change()
        view = session.found()
        assert view is not None
        assert portrait(view) == portrait(session.fresh())
        assert view.text(output_id()).size == session.fresh().text(output_id()).size


def test_a_saved_text_that_came_late_is_kept_with_the_session(tmp_path: Path) -> None:
    session = beside(tmp_path)
    session.open()
    before = session.kept.read_bytes()
    assert session.found() is not None
    assert session.kept.read_bytes() == before
    side_folder(tmp_path).joinpath("toolu_1.txt").write_text("late", "utf-8")
    assert session.found() is not None
    late = session.kept.read_bytes()
    assert late != before
    assert session.found() is not None
    assert session.kept.read_bytes() == late


def test_what_is_kept_of_one_folder_of_saved_texts_is_not_shown_for_another(tmp_path: Path) -> None:
    session = beside(tmp_path)
    session.open()
    session.side_files = NO_FILES
    assert session.found() is None
    assert portrait(session.open()) == portrait(session.fresh())


def test_a_blob_that_is_gone_is_told(tmp_path: Path) -> None:
    store = FileBlobStore(tmp_path / "blobs")
    kept = store.store(Text("row\n" * 400))
    view_of(tmp_path, store, f"{blob_marker(kept)}text | 400 lines").close()
    session = Session(tmp_path, SideFiles(None, blobs=store), YOI)
    session.path = tmp_path / "session.jsonl"
    assert session.open().notice(1) is None
    assert session.found() is not None
    store.delete(kept)
    assert session.found() is None
    assert portrait(session.open()) == portrait(session.fresh())
    assert session.open().notice(1) == "blob not found"
