"""A source is recognised as it was, or grown; never when any of the bytes that are looked at is another."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from unspool.cache.mark import SAMPLE_BYTES, SAMPLES, Mark
from unspool.dataclass import replace
from unspool.sources.jsonl import JsonLines

SIZE = 3 * SAMPLES * SAMPLE_BYTES


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"{}\n" * (SIZE // 3))
    return path


@pytest.fixture
def mark(path: Path) -> Mark:
    with JsonLines.open(path) as lines:
        mark = Mark.of(lines)
    assert mark is not None
    return mark


def sizes(mark: Mark, path: Path) -> tuple[int, int] | None:
    """Bytes of the source as it was opened again, and as the file knows itself."""
    lines = mark.reopened(str(path))
    if lines is None:
        return None
    with lines:
        return lines.size, lines.identity.size


def test_a_source_is_opened_as_it_was(mark: Mark, path: Path) -> None:
    assert sizes(mark, path) == (SIZE, SIZE)
    with path.open("ab") as file:
        file.write(b"{}\n" * 1000)
    assert sizes(mark, path) == (SIZE, SIZE)


def test_another_number_of_the_same_device_is_no_other_file(mark: Mark, path: Path) -> None:
    moved = mark._replace(identity=replace(mark.identity, device=mark.identity.device + 1))
    assert sizes(moved, path) == (SIZE, SIZE)


def test_a_longer_copy_in_its_place_is_another_source(mark: Mark, path: Path) -> None:
    copy = path.with_suffix(".copy")
    copy.write_bytes(path.read_bytes() + b"{}\n")
    copy.replace(path)
    assert sizes(mark, path) is None


@pytest.mark.parametrize("number", [0, 1, SAMPLES // 2, SAMPLES - 1])
@pytest.mark.parametrize("grows", [False, True])
def test_other_bytes_in_a_sample_are_another_source(mark: Mark, path: Path, number: int, grows: bool) -> None:
    with path.open("r+b") as file:
        file.seek((SIZE - SAMPLE_BYTES) * number // (SAMPLES - 1) + SAMPLE_BYTES // 2)
        file.write(b"X")
        file.seek(0, os.SEEK_END)
        file.write(b"{}\n" * grows)
    assert sizes(mark, path) is None


def test_what_was_written_since_it_was_opened_may_not_be_what_was_read(path: Path) -> None:
    with JsonLines.open(path) as lines:
        with path.open("ab") as file:
            file.write(b"{}\n")
        assert Mark.of(lines) is not None, "it was only appended to"
    with JsonLines.open(path) as lines:
        path.write_bytes(b"[]\n" * (SIZE // 3 + 1))
        assert Mark.of(lines) is None
