"""Compressed session files: read like plain ones, refused when they are torn."""

from __future__ import annotations

import os
import random
import sys
import tempfile
from pathlib import Path

import pytest

from unspool.errors import SourceChanged, Unreadable
from unspool.sources import zstd
from unspool.sources.jsonl import JsonLines

if sys.version_info >= (3, 14):
    from compression.zstd import compress
else:
    from backports.zstd import compress

LINES = b"".join(b'{"type":"event","text":"%d"}\n' % random.Random(1).getrandbits(9000) for _ in range(2000))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rollout.jsonl.zst"
    path.write_bytes(compress(LINES))
    return path


def test_a_compressed_file_reads_like_the_plain_one(file: Path, tmp_path: Path) -> None:
    plain = tmp_path / "rollout.jsonl"
    plain.write_bytes(LINES)
    with JsonLines.open(file) as lines, JsonLines.open(plain) as expected:
        assert list(lines.entries()) == list(expected.entries())
        assert lines.size == len(LINES)
        assert lines.read(1000, 5000) == LINES[1000:6000]
        assert lines.identity.size == file.stat().st_size
        assert lines.grown() is None


def test_frames_one_behind_the_other_are_one_file(file: Path) -> None:
    file.write_bytes(compress(LINES) + compress(b"") + compress(LINES))
    with JsonLines.open(file) as lines:
        assert lines.read(0, lines.size) == LINES * 2
        file.write_bytes(file.read_bytes() + compress(b'{"type":"more"}\n'))
        newer = lines.grown()
        assert newer is not None
        with newer:
            assert newer.size == lines.size + 16


def test_an_empty_compressed_file_has_no_entries(file: Path) -> None:
    file.write_bytes(compress(b""))
    with JsonLines.open(file) as lines:
        assert list(lines.entries()) == []


def test_a_torn_or_broken_archive_is_refused_in_one_line(file: Path) -> None:
    whole = file.read_bytes()
    for data in (whole[: len(whole) // 2], whole[:-1], whole[:3], b"no archive", whole + b"rest", whole + whole[:-5]):
        file.write_bytes(data)
        with pytest.raises(Unreadable, match="archive") as caught:
            JsonLines.open(file)
        assert "\n" not in str(caught.value)


def beginning_of(file: Path, limit: int) -> tuple[bytes, bool, str | None]:
    """Return the first bytes of an archive, whether they are all, and what is wrong with it."""
    descriptor = os.open(file, os.O_RDONLY)
    try:
        head = zstd.beginning(descriptor, str(file), limit)
    finally:
        os.close(descriptor)
    with open(head.descriptor, "rb") as data:
        data.seek(0)
        return data.read(), head.whole, str(head.fault) if head.fault else None


def test_the_beginning_of_an_archive_goes_over_its_frames(file: Path) -> None:
    file.write_bytes(compress(LINES[:500]) + compress(b"") + compress(LINES[500:]))
    assert beginning_of(file, 1 << 30) == (LINES, True, None)
    data, whole, fault = beginning_of(file, 1000)
    assert (whole, fault) == (False, None)
    assert data == LINES[: len(data)]
    assert len(data) >= 1000


def test_of_a_torn_or_broken_archive_the_beginning_is_had_and_the_fault_is_told(file: Path) -> None:
    whole = file.read_bytes()
    broken = bytearray(whole)
    broken[-4:] = b"rest"
    for data, told in (
        (whole[:-9], "ends inside its archive"),
        (bytes(broken), "is no sound zstd archive"),
        (b"no archive", "is no sound zstd archive (Unknown frame descriptor)"),
        (whole + b"rest", "archive"),
        (whole + whole[:-5], "ends inside its archive"),
    ):
        file.write_bytes(data)
        read, all_of_it, fault = beginning_of(file, 1 << 30)
        assert not all_of_it
        assert fault is not None
        assert fault.startswith(f"{file} ")
        assert told in fault
        assert LINES.startswith(read[: len(LINES)])


def test_an_archive_that_would_fill_the_disk_is_refused(file: Path) -> None:
    file.write_bytes(compress(bytes(64 << 20)))
    descriptor = os.open(file, os.O_RDONLY)
    try:
        with pytest.raises(Unreadable, match="more than"):
            zstd.decompressed(descriptor, str(file), limit=1 << 20)
    finally:
        os.close(descriptor)


def test_a_replaced_archive_is_noticed(file: Path) -> None:
    with JsonLines.open(file) as lines:
        file.write_bytes(compress(LINES[:1000]))
        with pytest.raises(SourceChanged):
            lines.read(0, 10)


def test_what_was_decompressed_has_no_name_and_leaves_nothing_behind(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    with JsonLines.open(file) as lines:
        assert lines.size
        assert not list(folder.iterdir())
    file.write_bytes(b"no archive")
    with pytest.raises(Unreadable):
        JsonLines.open(file)
    assert not list(folder.iterdir())
