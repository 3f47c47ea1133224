"""Sizes of saved texts: the same however often a text was measured while it grew, and for little reading."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.follow.meter import Meter
from tests.properties.laws import short_law
from unspool.columns.measured import Measures
from unspool.stores.artifacts import ArtifactFolder, SideFile

PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            [b"\n", b"line\n", b"\r\n", "日本".encode(), "日".encode()[:1], "日".encode()[1:], b"\xff", b""]
        ),
        st.binary(max_size=9),
        st.integers(4_000, 5_000).map(lambda size: b"x" * size),
    ),
    max_size=12,
)


def found(folder: Path) -> SideFile:
    """The side file as it is now."""
    file = ArtifactFolder(str(folder), ("saved",)).find("t.txt")
    assert file is not None
    return file


def written(folder: Path, data: bytes) -> Path:
    """A side file with some bytes in it."""
    path = folder / "saved" / "t.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    return path


def plain(data: bytes) -> tuple[int, int]:
    """Bytes and lines, counted by hand."""
    text = data.decode(errors="replace")
    return len(text.encode()), text.count("\n") + (bool(text) and not text.endswith("\n"))


@short_law
@given(PIECES)
def test_a_text_that_was_measured_while_it_grew_measures_as_one_that_is_read_anew(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes]
) -> None:
    folder = tmp_path_factory.mktemp("measured")
    path, measures, data = written(folder, b""), Measures(), b""
    for piece in pieces:
        data += piece
        with path.open("ab") as file:
            file.write(piece)
        assert measures.of(found(folder)) == plain(data)


def test_what_was_added_to_a_long_text_is_all_that_is_read_of_it_once_it_grew(tmp_path: Path) -> None:
    path, measures = written(tmp_path, b"a line of a long output\n" * 100_000), Measures()
    for number in range(3):
        meter = Meter()
        with meter.counting():
            assert measures.of(found(tmp_path)) == (2_400_000 + 9 * number, 100_000 + number)
        with path.open("ab") as file:
            file.write(b"one more\n")
    assert meter.bytes < 65_536


def test_a_text_that_was_written_anew_is_measured_anew(tmp_path: Path) -> None:
    path, measures = written(tmp_path, b"one\ntwo\n"), Measures()
    assert measures.of(found(tmp_path)) == (8, 2)
    path.write_bytes(b"1\n2\n3\n4\n5\n6\n")
    assert measures.of(found(tmp_path)) == (12, 6)
    state = path.stat()
    path.write_bytes(b"1\n2\n3\n4\n5\n67")
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns + 1))
    assert measures.of(found(tmp_path)) == (12, 6)


def test_no_more_texts_are_remembered_than_there_is_room_for(tmp_path: Path) -> None:
    measures = Measures(limit=1)
    written(tmp_path, b"one\n")
    (tmp_path / "other").mkdir()
    written(tmp_path / "other", b"two\n\n")
    for _ in range(3):
        assert measures.of(found(tmp_path)) == (4, 1)
        assert measures.of(found(tmp_path / "other")) == (5, 2)
