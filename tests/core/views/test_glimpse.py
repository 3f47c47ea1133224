"""A glimpse of a file shows what a view of its beginning shows, and says nothing of what is no such file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from unspool.library.opening import open_library
from unspool.views.glimpse import glimpse

MOST = 65_536


@pytest.fixture
def file(tmp_path: Path) -> Path:
    script = Claude(tmp_path, Names(1))
    script.user("Sort the list")
    script.result(script.call("sort"), "done")
    script.answer("Sorted")
    script.save()
    return next(tmp_path.rglob("*.jsonl"))


def test_it_shows_what_the_library_shows(file: Path) -> None:
    seen, found = glimpse(str(file), MOST), open_library([str(file)], environ={}).view(str(file))
    assert seen is not None
    assert (seen.ref, seen.agent, seen.rows, seen.size) == (found.ref, found.agent, found.rows, found.size)
    assert [seen.evidence_at(row) for row in range(seen.rows)] == [found.evidence_at(row) for row in range(found.rows)]
    seen.close()


def test_it_reads_no_further_than_it_may(file: Path) -> None:
    size = sum(map(len, file.read_bytes().splitlines(keepends=True)[:2]))
    seen = glimpse(str(file), size + 5)
    assert seen is not None
    assert (seen.size, seen.rows) == (size, 2)
    assert glimpse(str(file), 5) is None


def test_it_reads_no_more_lines_than_are_asked_for(file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    for number in (1, 2, len(lines), len(lines) + 1):
        seen = glimpse(str(file), MOST, number)
        assert seen is not None
        assert seen.size == sum(map(len, lines[:number]))
    seen = glimpse(str(file), len(lines[0]) + 5, 2)
    assert seen is not None
    assert seen.size == len(lines[0])


def test_whose_a_file_is_may_be_told_by_a_later_record(file: Path) -> None:
    file.write_bytes(b'{"a": 1}\n' * 12 + file.read_bytes())
    seen = glimpse(str(file), MOST)
    assert seen is not None
    assert (seen.agent, seen.rows) == ("claude", 4)


@pytest.mark.parametrize("content", [b"", b'{"a": 1}\n', b"plain words\n"])
def test_what_is_of_no_known_agent_is_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(content)
    assert glimpse(str(path), MOST) is None


def test_what_is_no_file_of_lines_is_none(file: Path) -> None:
    assert glimpse(str(file.parent), MOST) is None
    assert glimpse(str(file.with_name("missing.jsonl")), MOST) is None
    other = file.with_name("session.json")
    other.write_bytes(file.read_bytes())
    assert glimpse(str(other), MOST) is None
