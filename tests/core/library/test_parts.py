"""A session that is made of several files is one row, with its parts in order."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.core.formats.yoi_walk import message, record, said, start, text, typed
from unspool.errors import Ambiguous, NotFound, NotResumable
from unspool.ids import SessionRef
from unspool.library import Library, open_library
from unspool.library.resuming import resume_command

SESSION = "019f9a4a-7a00-724b-8aa4-cafde667de83"
FIRST, SECOND = "019f9a4a-7a00-752b-a01a-da63bee38edd", "019f9a58-35a0-70d4-8592-5ef89fa16b61"
WHOLE = SessionRef("yoi", SESSION)
DAY = 86_400_000


def write(path: Path, *records: dict[str, Any], later: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps({**each, "ts": each["ts"] + later}) + "\n" for each in records)
    path.write_text("".join(lines), "utf-8")
    return path


def write_session(home: Path, session: str = SESSION, first: str = FIRST, second: str = SECOND) -> Path:
    folder = home / "sessions" / session
    begun = start("segment_start", session_id=session)
    write(folder / f"{first}.jsonl", begun, typed(text("Build the kiln")), said("It stands."), said("And burns."))
    seed = [message("system", "Summary"), message("user", "Build the kiln"), message("assistant", "It stands.")]
    again = start("segment_start", *seed, session_id=session, compacted_from={"segment_id": first, "at_turn_index": 1})
    failed = record("tool_result", item={"kind": "tool_result", "call_id": "c", "summary": "no", "is_error": True})
    write(folder / f"{second}.jsonl", again, typed(text("Fire it")), failed, later=DAY)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_session(tmp_path / "yoi")


@pytest.fixture
def library(folder: Path) -> Library:
    return open_library([str(folder.parent.parent)], folder=str(folder))


def test_it_is_one_row_that_begins_as_its_first_part_and_ends_as_its_newest(library: Library, folder: Path) -> None:
    [row] = library.sessions()
    assert (row.ref, row.part, row.title) == (WHOLE, None, "Build the kiln")
    assert row.parts == (SessionRef("yoi", SESSION, FIRST), SessionRef("yoi", SESSION, SECOND))
    assert row.bytes == sum(file.stat().st_size for file in folder.iterdir())
    assert row.path == str(folder / f"{SECOND}.jsonl")
    assert row.started_at is not None
    assert row.last_activity == row.started_at + DAY
    assert row.to_json()["parts"] == [f"yoi:{SESSION}.{FIRST}", f"yoi:{SESSION}.{SECOND}"]


def test_its_figures_are_those_of_all_its_parts(library: Library) -> None:
    [row] = library.sessions(full=True)
    assert row.counts is not None
    assert (row.counts.user, row.counts.assistant, row.counts.tool_output, row.counts.replayed) == (2, 2, 1, 3)
    assert (row.entries, row.errors, row.unreadable) == (7, 1, 0)
    assert library.summary(WHOLE, full=True).counts == row.counts


def test_parts_are_in_the_order_in_which_they_were_begun_whatever_their_names(tmp_path: Path) -> None:
    write_session(tmp_path / "yoi", first=SECOND, second=FIRST)
    assert open_library([str(tmp_path / "yoi")]).parts(WHOLE) == [
        SessionRef("yoi", SESSION, SECOND),
        SessionRef("yoi", SESSION, FIRST),
    ]


@pytest.mark.parametrize("named", [WHOLE, f"yoi:{SESSION}", SESSION[:9], "last", f"yoi:{SESSION}.{SECOND}"])
def test_the_newest_part_is_what_a_session_opens(library: Library, named: str | SessionRef) -> None:
    view = library.view(named)
    assert view.ref == SessionRef("yoi", SESSION, SECOND)
    assert view.read("E1.0").pieces[0].text == "Fire it"


def test_a_part_opens_by_the_beginning_of_its_id_and_by_its_path(library: Library, folder: Path) -> None:
    for named in (f"yoi:{SESSION}.{FIRST[:13]}", str(folder / f"{FIRST}.jsonl")):
        assert library.view(named).ref == SessionRef("yoi", SESSION, FIRST)
    assert library.view(str(folder)).ref.part == SECOND
    assert str(library.view(f"yoi:{SESSION}.{FIRST}").reference(library.view(WHOLE).id(3))).startswith("yoi:")


def test_a_beginning_without_a_dot_names_sessions_only(tmp_path: Path, library: Library) -> None:
    with pytest.raises(NotFound):
        library.view(SECOND)
    with pytest.raises(Ambiguous):
        library.view(f"yoi:{SESSION}.019f")


def test_a_session_is_searched_in_all_its_parts_and_a_part_alone(library: Library) -> None:
    def found(refs: list[SessionRef] | None) -> list[tuple[str | None, str]]:
        return [(summary.ref.part, hit.snippet) for summary, hit in library.search("i", refs=refs)]

    every = [(FIRST, "Build the kiln"), (FIRST, "It stands."), (SECOND, "Fire it")]
    assert found([WHOLE]) == found(None) == every
    assert found([SessionRef("yoi", SESSION, SECOND)]) == every[2:]
    assert found([WHOLE, SessionRef("yoi", SESSION, SECOND)]) == every


def test_what_was_quoted_is_found_in_whichever_part_it_stands(library: Library) -> None:
    first = library.view(SessionRef("yoi", SESSION, FIRST))
    quote = first.reference(first.id(2))
    for quoted in (str(quote), f"yoi:{SESSION}/E3.0@{quote.digest}", f"yoi:{SESSION}/E1.0@{quote.digest}"):
        anchor = library.resolve(quoted)
        assert (anchor.state, anchor.session.part, str(anchor.evidence_id)) == ("intact", FIRST, "E3.0")
    lost = library.resolve(f"yoi:{SESSION}/E1.0@{'0' * 12}")
    assert (lost.state, lost.session.part) == ("changed", SECOND)


def test_short_references_tell_sessions_and_parts_apart(library: Library) -> None:
    assert str(library.short(WHOLE)) == "yoi:019f9a4a"
    assert str(library.short(SessionRef("yoi", SESSION, FIRST))) == "yoi:019f9a4a.019f9a4a"


def test_the_same_session_in_two_roots_is_two_whole_sessions(tmp_path: Path, folder: Path) -> None:
    copy = write_session(tmp_path / "copied" / "yoi")
    third = write(copy / f"{SECOND[:-1]}0.jsonl", start("segment_start"), typed(text("Third")), later=2 * DAY)
    old = 1_600_000_000
    for file in folder.iterdir():
        os.utime(file, (old, old))
    library = open_library([str(folder.parent.parent), str(copy.parent.parent)])
    rows = {str(row.ref): [part.part for part in row.parts] for row in library.sessions()}
    assert rows == {
        f"yoi:{SESSION}": [FIRST, SECOND, third.stem],
        f"yoi:{SESSION}~2": [FIRST, SECOND],
    }
    assert library.view(f"yoi:{SESSION}~2").ref == SessionRef("yoi", SESSION, SECOND, 2)
    assert sum("~2" in line.text for line in library.doctor()) == 2


def test_a_flat_session_of_the_same_id_stands_beside_it(tmp_path: Path, folder: Path) -> None:
    write(folder.parent / f"{SESSION}.jsonl", start(), typed(text("Flat")))
    rows = list(open_library([str(folder.parent.parent)]).sessions())
    assert sorted(len(row.parts) for row in rows) == [0, 2]
    assert len({row.ref for row in rows}) == 2


def test_a_part_that_is_gone_leaves_the_others(library: Library, folder: Path) -> None:
    (folder / f"{SECOND}.jsonl").unlink()
    [row] = library.sessions()
    assert [part.part for part in row.parts] == [FIRST]
    assert library.view(WHOLE).ref.part == FIRST


def test_a_part_without_a_record_neither_empties_a_session_nor_is_what_it_opens(library: Library, folder: Path) -> None:
    write(folder / f"{SECOND[:-1]}f.jsonl")
    [row] = library.sessions()
    assert not row.empty
    assert len(row.parts) == 3
    assert library.view(WHOLE).ref.part == SECOND


def test_going_on_is_refused_in_words_that_fit(library: Library) -> None:
    [row] = library.sessions()
    for left in (row, library.view(WHOLE)):
        with pytest.raises(NotResumable, match="no command"):
            resume_command(left)


def test_the_newest_part_of_a_session_is_told_when_it_has_begun(library: Library, folder: Path) -> None:
    first, second, third = (SessionRef("yoi", SESSION, part) for part in (FIRST, SECOND, SECOND[:-1] + "2"))
    assert (library.newest_part(first), library.newest_part(second)) == (second, second)
    path = folder / f"{third.part}.jsonl"
    path.touch()
    assert library.newest_part(second, again=True) == second
    write(path, start("segment_start", session_id=SESSION), said("On."), later=2 * DAY)
    assert library.newest_part(second, again=True) == third
    assert library.newest_part(WHOLE) is None
