"""Whatever a session holds and wherever it is cut: what was numbered keeps its id and its text when it grows."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.views.growing import portrait
from tests.factories import KINDS, seeds_of
from unspool.blobs.files import FileBlobStore
from unspool.columns.side_files import SideFiles
from unspool.formats import by_agent
from unspool.formats.piece import Flag
from unspool.ids import SessionRef
from unspool.stores import by_agent as store_of
from unspool.views.bounds import Bounds
from unspool.views.view import SessionView

WHOLE = Bounds(1, 1 << 30, 1 << 30)
every_kind = pytest.mark.parametrize("kind", KINDS)
every_sort = pytest.mark.parametrize(("kind", "seed"), [(kind, seed) for kind in KINDS for seed in seeds_of(kind)])


def files(home: Path, kind: str, seed: int) -> Iterator[tuple[str, Path, bytes]]:
    """Every plain session file of a kind: agent, path, and what it holds."""
    for expected in KINDS[kind](home, seed).files():
        if expected.path.suffix == ".jsonl":
            yield expected.agent, expected.path, expected.path.read_bytes()


def opened(agent: str, path: Path) -> SessionView:
    """A view of a file with the side files that its store knows."""
    format, store = by_agent(agent), store_of(agent)
    assert format is not None
    assert store is not None
    source = store.source(str(path))
    assert source is not None
    folder = store.blobs(source)
    blobs = FileBlobStore(folder, links=False) if folder is not None else None
    side_files = SideFiles(store.artifacts(source), blobs=blobs)
    return SessionView.open(str(path), SessionRef(agent, "growing"), format, side_files)


def numbered(view: SessionView) -> list[tuple[str, str, str]]:
    """Id, kind and text of every piece."""
    rows = []
    for row in range(view.rows):
        text = view.read(view.id(row), bounds=WHOLE).pieces[0].text
        rows.append((str(view.id(row)), f"{view.kind(row)} {view.tool_part(row)}", text))
    return rows


def cuts(data: bytes, seed: int) -> list[int]:
    """Behind every LF, right before it, and in the middle of some lines."""
    ends = [place + 1 for place, byte in enumerate(data) if byte == 10]
    chance = random.Random(seed)
    inside = [chance.randrange(len(data) + 1) for _ in range(min(30, len(data)))]
    return sorted({0, *ends, *(end - 1 for end in ends), *inside})[:160]


@every_sort
def test_what_a_prefix_numbers_is_the_beginning_of_what_the_whole_numbers(kind: str, seed: int, tmp_path: Path) -> None:
    for agent, path, data in files(tmp_path, kind, seed):
        whole = numbered(opened(agent, path))
        for cut in cuts(data, seed):
            path.write_bytes(data[:cut])
            part = opened(agent, path)
            found = numbered(part)
            assert found == whole[: len(found)], cut
            unterminated = [Flag.UNTERMINATED in part.flags(row) for row in range(part.rows)]
            assert unterminated == sorted(unterminated), "only what stands on the last line"
            part.close()


@every_sort
def test_a_session_that_was_followed_equals_one_that_is_read_anew(kind: str, seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    for agent, path, data in files(tmp_path, kind, seed):
        path.write_bytes(b"")
        view = opened(agent, path)
        written = 0
        while written < len(data):
            more = data[written : written + chance.randrange(1, 700)]
            with path.open("ab") as file:
                file.write(more)
            written += len(more)
            before = numbered(view)
            newer = view.refreshed()
            assert numbered(view) == before
            view = newer
            if chance.random() < 0.2 or written == len(data):
                assert portrait(view) == portrait(opened(agent, path))


@every_kind
def test_a_piece_that_is_quoted_while_it_is_written_is_found_when_all_is_written(kind: str, tmp_path: Path) -> None:
    for agent, path, data in files(tmp_path, kind, 1):
        middle = data.find(b"\n", len(data) // 2) + 1
        path.write_bytes(data[:middle])
        part = opened(agent, path)
        quotes = [part.reference(part.id(row)) for row in range(part.rows)]
        path.write_bytes(data)
        whole = opened(agent, path)
        assert [(whole.resolve(quote).state, whole.resolve(quote).evidence_id) for quote in quotes] == [
            ("intact", part.id(row)) for row in range(part.rows)
        ]
