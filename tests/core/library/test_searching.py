"""Searching all sessions: newest first, and what was copied is found once, where it was written first."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from unspool.errors import BadQuery
from unspool.ids import SessionRef
from unspool.library import Library, open_library
from unspool.views.view import SessionView


def resumed(home: Path, names: Names, origin: Claude | None, said: str) -> Claude:
    """Write a session that begins with all lines of another, under its own name, and says one thing more."""
    lines = Claude(home, names, cwd="/srv/shop")
    if origin is not None:
        lines._lines = [line.replace(origin.session_id.encode(), lines.session_id.encode()) for line in origin._lines]
        lines.parent = origin.parent
    lines.user(f"prompt {said}")
    lines.answer(f"answer {said}")
    lines.save()
    return lines


def found(home: Path, query: str, refs: list[SessionRef] | None = None) -> list[tuple[str, str]]:
    """Return (session id, piece) of every hit."""
    hits = open_library([str(home)]).search(query, refs=refs, limit=100)
    return [(summary.session_id, str(hit.evidence.id)) for summary, hit in hits]


def test_every_generation_of_a_resumed_session_gives_its_own_words_only(home: Path) -> None:
    names = Names(1)
    first = resumed(home, names, None, "one")
    second = resumed(home, names, first, "two")
    third = resumed(home, names, second, "three")
    assert found(home, "prompt") == [
        (third.session_id, "E4.0"),
        (second.session_id, "E2.0"),
        (first.session_id, "E0.0"),
    ]


def test_a_copy_is_found_where_its_origin_is_not_searched(home: Path) -> None:
    names = Names(1)
    first = resumed(home, names, None, "one")
    second = resumed(home, names, first, "two")
    refs = [SessionRef("claude", second.session_id)]
    assert found(home, "one", refs) == [(second.session_id, "E0.0"), (second.session_id, "E1.0")]


def test_the_same_words_said_again_are_no_copy(home: Path) -> None:
    names = Names(1)
    first = resumed(home, names, None, "go on")
    second = resumed(home, names, first, "go on")
    assert len(found(home, "prompt go on")) == 2
    assert second.session_id in {session for session, _ in found(home, "prompt go on")}


def test_a_file_that_lies_in_two_places_gives_its_hits_once(home: Path, tmp_path: Path) -> None:
    first = resumed(home, Names(1), None, "one")
    copy = tmp_path / ".claude/projects/-x" / first.path.name
    copy.parent.mkdir(parents=True)
    copy.write_bytes(first.path.read_bytes())
    library = open_library([str(home), str(tmp_path)])
    assert len(list(library.search("prompt"))) == 1


def test_a_session_that_vanishes_meanwhile_costs_only_its_own_hits(home: Path) -> None:
    names = Names(1)
    resumed(home, names, None, "one")
    gone = resumed(home, names, None, "two")
    library = open_library([str(home)])
    searching = library.searching("prompt")
    gone.path.unlink()
    results = list(searching.hits(10))
    assert [len(each.result.hits) for each in results] == [1]
    assert len(searching.faults) == 1


def test_a_session_without_a_word_is_looked_into_only_for_what_is_no_piece(home: Path) -> None:
    spoken, silent = Claude(home, Names(1)), Claude(home, Names(2))
    spoken.user("a plan")
    silent.note("mode", mode="plan")
    for lines in (spoken, silent):
        lines.save()
    library = open_library([str(home)])

    def searched(raw: bool) -> dict[str, int]:
        found = library.searching("plan", raw=raw).hits(9)
        return {each.summary.session_id: each.result.total + len(each.result.raw) for each in found}

    assert searched(raw=False) == {spoken.session_id: 1}
    assert searched(raw=True) == {spoken.session_id: 1, silent.session_id: 1}


def test_a_search_ends_when_it_is_cancelled(home: Path) -> None:
    resumed(home, Names(1), None, "one")
    assert list(open_library([str(home)]).search("prompt", cancelled=lambda: True)) == []


def test_an_empty_query_is_refused_before_anything_is_read(home: Path) -> None:
    with pytest.raises(BadQuery):
        open_library([str(home)]).search("")


def persisted(home: Path, names: Names, saved: str) -> Claude:
    """Write a session with an output that lies in a file of its own."""
    lines = Claude(home, names, cwd="/srv/shop")
    lines.user("prompt")
    call = lines.call("make")
    path = lines.path.with_suffix("") / "tool-results" / f"{call}.txt"
    path.parent.mkdir(parents=True)
    path.write_text(saved, "utf-8")
    lines.result(
        call, f"<persisted-output>\nOutput too large (9KB). Full output saved to: {path}\n\nPreview (first 2KB):"
    )
    lines.save()
    return lines


def test_what_stands_only_in_a_saved_output_is_found(home: Path) -> None:
    names = Names(1)
    lines, _ = persisted(home, names, "noise\n" * 200_000 + "the needle"), persisted(home, names, "noise\n" * 2_000)
    assert found(home, "The Needle") == [(lines.session_id, "E2.0")]


def test_sessions_whose_bytes_hold_nothing_alike_are_not_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = Names(1)
    for said in ("one", "two", "three"):
        resumed(home, names, None, said)
    persisted(home, names, "four")
    opened: list[SessionRef] = []
    view = Library.view

    def noted(library: Library, ref: SessionRef) -> SessionView:
        opened.append(ref)
        return view(library, ref)

    monkeypatch.setattr(Library, "view", noted)
    searching = open_library([str(home)]).searching("two")
    searched = {each.summary.ref: (each.result.searched.bytes, each.summary.bytes) for each in searching.hits(10)}
    assert len(opened) == 1
    assert len(searched) == 4
    assert all(size == whole for ref, (size, whole) in searched.items() if ref not in opened)


def test_a_search_that_is_cancelled_while_it_passes_sessions_by_leaves_them(home: Path) -> None:
    names = Names(1)
    for said in ("one", "two"):
        resumed(home, names, None, said)
    asked = iter([False, True, True])
    searching = open_library([str(home)]).searching("nothing alike", cancelled=lambda: next(asked))
    assert list(searching.hits(10)) == []
    assert len(searching.left) == 2
