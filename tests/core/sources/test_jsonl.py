"""A session file as it is opened, read, changed under the reader, and grown."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.snapshots import entries_of
from unspool.errors import SourceChanged, Unreadable
from unspool.sources.jsonl import JsonLines
from unspool.sources.record import decode_record

RECORD = b'{"type":"user","text":"hello"}\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "session.jsonl"
    path.write_bytes(RECORD * 3)
    return path


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as target:
        target.write(data)


def test_what_cannot_be_a_session_file_is_refused_in_one_line(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path, reason in (
        (tmp_path / "missing", "does not exist"),
        (tmp_path, "is a folder"),
        (tmp_path / "pipe", "is no regular file"),
        (Path("/dev/null"), "is no regular file"),
        (tmp_path / "loop", "cannot be opened"),
        (tmp_path / "file" / "below", "does not exist"),
    ):
        with pytest.raises(Unreadable, match=reason) as caught:
            JsonLines.open(path)
        assert caught.value.path == str(path)
        assert "\n" not in str(caught.value)


def test_a_file_without_permission_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", forbidden)
    with pytest.raises(Unreadable, match="cannot be opened: Permission denied"):
        JsonLines.open(file)


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 8,
        b"\x7fELF\2\1\1" + b"\0" * 20_000 + bytes(range(1, 256)) * 4,
        b"\x28\xb5\x2f\xfd" + bytes(range(128, 256)) * 8,
        '{"type":"user"}\n'.encode("utf-16"),
    ],
    ids=["PNG", "ELF", "compressed", "UTF-16"],
)
def test_a_binary_file_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(data)
    with pytest.raises(Unreadable, match=r"not a text file|UTF-16"):
        JsonLines.open(path)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"\0" * 100_000,
        b"\0" * 4096 + RECORD + b"\0" * 4096,
        RECORD + bytes(range(128, 256)) * 1000,
        b"\xef\xbb\xbf" + RECORD,
        b"no records, yet plain text\n" * 10,
        "日本語のメモ\n".encode() * 10_000,
        b'{"torn":"' + b"\xff" * 1000 + b"\n" + RECORD,
    ],
)
def test_text_and_padding_are_no_binary_file(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(data)
    with JsonLines.open(path) as lines:
        assert lines.size == len(data)
        assert sum(len(entry.records) for entry in lines.entries()) == data.count(RECORD)


def test_a_snapshot_ends_where_the_file_ended(file: Path) -> None:
    with JsonLines.open(str(file)) as lines:
        append(file, RECORD)
        assert len(list(lines.entries())) == 3
        assert lines.size == len(RECORD) * 3
        assert lines.read(len(RECORD), len(RECORD)) == RECORD
        with pytest.raises(SourceChanged):
            lines.read(len(RECORD) * 3, 1)


def test_reading_never_touches_the_file(file: Path) -> None:
    os.utime(file, ns=(1, 1))
    with JsonLines.open(file) as lines:
        list(lines.entries())
        lines.read(0, 5)
        assert lines.grown() is None
    assert file.stat().st_mtime_ns == 1
    assert file.read_bytes() == RECORD * 3


def test_the_bytes_of_an_entry_are_not_read_from_the_file_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with JsonLines.open(file) as lines:
        with monkeypatch.context() as patched:
            patched.delattr(os, "pread")
            read = [lines.read(entry.offset, entry.length) for entry in lines.entries()]
        assert read == [RECORD[:-1]] * 3
        assert lines.read(0, len(RECORD)) == RECORD


def test_growth_gives_a_new_snapshot_and_leaves_the_old_one(file: Path) -> None:
    with JsonLines.open(file) as lines:
        assert lines.grown() is None
        append(file, b'{"type":"assistant"}\n')
        lines.check()
        newer = lines.grown()
        assert newer is not None
        with newer:
            assert [entry.number for entry in newer.entries(3, lines.size)] == [3]
            assert newer.identity.inode == lines.identity.inode
            assert newer.grown() is None
        assert len(list(lines.entries())) == 3


def truncated(path: Path) -> None:
    os.truncate(path, len(RECORD) * 2)


def rewritten(path: Path) -> None:
    with path.open("r+b") as target:
        target.write(b'{"type":"user","text":"HELLO"}\n' * 3)


def truncated_and_grown(path: Path) -> None:
    path.write_bytes(b'{"type":"user","text":"other"}\n' * 4)


def replaced(path: Path) -> None:
    other = path.with_suffix(".new")
    other.write_bytes(path.read_bytes() + RECORD)
    other.rename(path)


def removed(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize(
    ("change", "how"),
    [
        (truncated, "is shorter"),
        (rewritten, "was rewritten"),
        (truncated_and_grown, "was rewritten"),
        (replaced, "was replaced"),
        (removed, "is gone"),
    ],
)
def test_a_file_changed_under_us_is_noticed_at_every_look(file: Path, change: Callable[[Path], None], how: str) -> None:
    with JsonLines.open(file) as lines:
        change(file)
        for look in (lines.check, lines.grown, lambda: lines.read(0, 5)):
            with pytest.raises(SourceChanged, match=how) as caught:
                look()
            assert caught.value.path == str(file)
            assert "\n" not in str(caught.value)


def test_a_file_that_shrinks_while_it_is_read_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(RECORD * 10)
    with JsonLines.open(path) as lines:
        entries = lines.entries(block=len(RECORD))
        next(entries)
        os.truncate(path, len(RECORD) * 2)
        with pytest.raises(SourceChanged):
            list(entries)


def test_a_touched_file_with_the_same_bytes_is_the_same(file: Path) -> None:
    with JsonLines.open(file) as lines:
        os.utime(file)
        assert lines.read(0, 5) == RECORD[:5]
        assert lines.grown() is None


HELD = """
import sys
from unspool.sources import jsonl
jsonl.held = jsonl.JsonLines.open(sys.argv[1])
sys.module = jsonl
"""


def test_a_file_that_is_held_to_the_end_of_the_program_is_closed_without_a_word(file: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", HELD, str(file)], capture_output=True, text=True, timeout=60)

    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_closed_file_cannot_be_read(file: Path) -> None:
    lines = JsonLines.open(file)
    lines.close()
    lines.close()
    with pytest.raises(Unreadable, match="Bad file descriptor"):
        lines.read(0, 1)


def test_no_descriptor_is_left_behind(tmp_path: Path, file: Path) -> None:
    def descriptors() -> int:
        return len(os.listdir("/dev/fd"))

    before = descriptors()
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    for path in (tmp_path / "binary", tmp_path, tmp_path / "missing"):
        with pytest.raises(Unreadable):
            JsonLines.open(path)
    with JsonLines.open(file) as lines:
        append(file, RECORD)
        newer = lines.grown()
        assert newer is not None
        newer.close()
    assert descriptors() == before


def test_a_line_beyond_the_limit_is_located_and_clipped() -> None:
    long = b'{"type":"x","text":"' + b"y" * 200_000 + b'","n":1}'
    data = RECORD + long + b"\n" + RECORD
    whole = entries_of(data)
    entries = entries_of(data, limit=100_000, block=1000)
    assert [entry._replace(records=()) for entry in entries] == [entry._replace(records=()) for entry in whole]
    (record,) = entries[1].records
    assert (record.offset, record.length) == (len(RECORD), len(long))
    assert record.value["n"] == 1
    assert record.value["text"] == "y" * 4096
    assert record.value["text"].span == (20, 200_020)
    assert entries[0] == whole[0]
    assert entries[2] == whole[2]


def test_faults_of_lines_beyond_the_limit_are_found_like_those_of_others() -> None:
    good = b'{"type":"x","text":"' + b"y" * 500 + b'"}'
    stub = good[:300]
    for line in (
        good,
        good + RECORD,
        stub,
        stub + good,
        stub + good + good,
        good + stub,
        b"\0" * 900 + good,
        b"z" * 900,
    ):
        data = RECORD + line.removesuffix(b"\n") + b"\n" + RECORD
        assert [
            (entry._replace(records=()), list(entry.records)) for entry in entries_of(data, limit=200, block=64)
        ] == [(entry._replace(records=()), list(entry.records)) for entry in entries_of(data)]


def test_a_hole_of_zeros_costs_no_more_memory_than_a_line_and_hides_nothing(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(RECORD)
    with path.open("r+b") as target:
        target.truncate(200 << 20)
        target.seek(0, os.SEEK_END)
        target.write(RECORD)
    tracemalloc.start()
    try:
        with JsonLines.open(path) as lines:
            first, second = lines.entries()
        assert tracemalloc.get_traced_memory()[1] < 24 << 20
    finally:
        tracemalloc.stop()
    assert first.records[0].value == second.records[0].value
    assert second.records[0].offset == 200 << 20
    assert (second.records[0].salvaged, second.unreadable) == (False, ())


def test_a_record_decodes_again_with_its_numbers_as_written() -> None:
    data = b'{"a":1.10,"b":-0,"c":123456789012345678901234567890}'
    read = lambda offset, length: data[offset : offset + length]  # noqa: E731
    assert decode_record(read, 0, len(data), 99, exact=True) == {
        "a": "1.10",
        "b": "-0",
        "c": "123456789012345678901234567890",
    }
    assert decode_record(read, 0, len(data), 99)["a"] == 1.1
