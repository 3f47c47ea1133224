"""A search in a long session that was never read gives what its newest lines hold before it reads it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.core.views.growing import said
from unspool.cache import KEPT_FROM
from unspool.library import Library, open_library, reader
from unspool.library.searching import SessionHits
from unspool.views.opened import Opened

NAME = "5f1d9b0e-77aa-4c43-9a59-0c4b3e1d2a10"
SAID = [said(number, f"needle {number}") for number in (1, 2, 3)]
SAID.insert(1, said(9, "x" * KEPT_FROM, "assistant"))
LINES = [line.replace(b"{", b'{"userType":"external",', 1) + b"\n" for line in SAID]


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Library]:
    """Open a library, as another process would, to which the session is long, and its last two lines its newest."""
    path = tmp_path / "home" / ".claude" / "projects" / "-srv-shop" / f"{NAME}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"".join(LINES))
    monkeypatch.setattr(reader, "LONG", KEPT_FROM)
    monkeypatch.setattr(reader, "END_BYTES", sum(map(len, LINES[-2:])) + 1)
    return lambda: open_library(environ={}, home=str(tmp_path / "home"), cache=str(tmp_path / "cache"))


def searched(library: Library, *, hurried: bool = True, limit: int = 9, after: str | None = None) -> list[SessionHits]:
    ref = library.resolve_target(NAME).ref
    return list(library.searching("needle", refs=[ref]).hits(limit, after, hurried=hurried))


def ids(found: SessionHits) -> list[str]:
    return [str(hit.evidence.id) for hit in found.result.hits]


def test_the_newest_lines_come_first_and_then_all_in_order(library: Callable[[], Library]) -> None:
    early, whole = searched(library())
    assert (early.early, ids(early), early.result.total) == (True, ["E2.0", "E3.0"], 2)
    assert (whole.early, ids(whole), whole.result.total) == (False, ["E0.0", "E2.0", "E3.0"], 3)
    assert early.result.searched.begin == sum(map(len, LINES[:2]))


def test_nothing_of_it_is_read_before_they_are_given(
    library: Callable[[], Library], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Opened, "of", lambda *_: pytest.fail("read from its beginning"))
    opened = library()
    hits = opened.searching("needle", refs=[opened.resolve_target(NAME).ref]).hits(9, hurried=True)
    assert ids(next(hits)) == ["E2.0", "E3.0"]


def test_they_take_no_room_of_what_is_asked_for(library: Callable[[], Library]) -> None:
    early, whole = searched(library(), limit=1)
    assert (ids(early), ids(whole), whole.result.next) == (["E2.0"], ["E0.0"], "E0.0+1")


def test_who_goes_on_gets_what_follows_alone(library: Callable[[], Library]) -> None:
    assert [ids(each) for each in searched(library(), after="E0.0+1")] == [["E2.0", "E3.0"]]


def test_who_is_in_no_hurry_gets_all_in_order_alone(library: Callable[[], Library]) -> None:
    assert [ids(each) for each in searched(library(), hurried=False)] == [["E0.0", "E2.0", "E3.0"]]


def test_of_a_session_that_was_kept_nothing_comes_early(library: Callable[[], Library]) -> None:
    library().view(NAME)
    assert [each.early for each in searched(library())] == [False]


def test_of_a_short_session_nothing_comes_early(
    library: Callable[[], Library], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "LONG", sum(map(len, LINES)) + 1)
    assert [each.early for each in searched(library())] == [False]
