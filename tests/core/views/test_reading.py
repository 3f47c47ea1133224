"""What is read is bounded, says what it left out, and goes on where it stopped."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.views.growing import Growing, answered, called, said
from tests.properties.laws import law
from tests.sessions import CLAUDE_CODE, CODEX, Said, claude_records, codex_records, view_of
from unspool.errors import BadQuery, BadReference, NotFound, Unreadable
from unspool.ids import EntryRange, EvidenceId, Reference, SessionRef
from unspool.views.bounds import Bounds
from unspool.views.reading import RawPiece, Reading
from unspool.views.view import SessionView

SPOKEN: list[Said] = [
    ("user", "zero"),
    ("assistant", "one"),
    ("input", {"command": "ls", "n": [1, 2]}),
    ("output", "first line\nsecond line"),
    ("reasoning", "four"),
    ("assistant", "five"),
]


@pytest.fixture
def view() -> SessionView:
    return view_of(SPOKEN)


def texts(reading: Reading) -> list[str]:
    return [piece.text for piece in reading.pieces]


def test_a_range_is_read_whole_and_in_order(view: SessionView) -> None:
    assert texts(view.read("E0-E3")) == ["zero", "one", '{"command":"ls","n":[1,2]}', "first line\nsecond line"]
    assert texts(view.read(EntryRange(4, 5))) == ["four", "five"]
    assert texts(view.read(EvidenceId(1, 0))) == texts(view.read("e1")) == ["one"]
    assert texts(view.read(view.reference(EvidenceId(0, 0)))) == texts(view.read("claude:memory/E0.0#L1")) == ["zero"]


def test_tools_may_be_left_out_or_only_one_half_of_them_read(view: SessionView) -> None:
    assert texts(view.read("E0-E9", include_tools=False)) == ["zero", "one", "four", "five"]
    assert texts(view.read("E0-E9", tool_part="output")) == ["first line\nsecond line"]
    assert texts(view.read("E0-E9", tool_part="in")) == ['{"command":"ls","n":[1,2]}']
    assert view.read("E2", include_tools=False).pieces == ()
    with pytest.raises(BadQuery, match="middle"):
        view.read("E0", tool_part="middle")


def test_compact_detail_says_sizes_instead_of_contents(view: SessionView) -> None:
    assert texts(view.read("E1-E3", detail="compact")) == [
        "one",
        "Bash · ls (arguments 26 bytes, 1 line)",
        "output · 2 lines (content 22 bytes, 2 lines)",
    ]
    stopped = view.read("E1-E3", detail="compact", bounds=Bounds(max_items=1)).truncation
    assert (stopped.omitted_items, stopped.omitted_bytes) == (2, 84)
    with pytest.raises(BadQuery, match="'short'"):
        view.read("E1", detail="short")


@pytest.mark.parametrize(
    ("bounds", "shown", "reason", "items", "left", "following"),
    [
        (Bounds(max_items=2), ["zero", "one"], "items", 2, 48, "E2.0+0"),
        (Bounds(max_bytes=7), ["zero", "one"], "bytes", 2, 48, "E2.0+0"),
        (Bounds(max_bytes=9), ["zero", "one", '{"'], "bytes", 1, 46, "E2.0+2"),
        (Bounds(max_tokens=1), ["zero"], "tokens", 3, 51, "E1.0+0"),
        (Bounds(max_tokens=3), ["zero", "one", '{"co'], "tokens", 1, 44, "E2.0+4"),
        (Bounds(max_tokens=5, tokens=len), ["zero", "o"], "tokens", 2, 50, "E1.0+1"),
    ],
)
def test_whichever_bound_is_met_first_stops_the_reading(
    view: SessionView, bounds: Bounds, shown: list[str], reason: str, items: int, left: int, following: str
) -> None:
    reading = view.read("E0-E3", bounds=bounds)
    assert texts(reading) == shown
    assert reading.truncation.to_json() == {
        "truncated": True,
        "reason": reason,
        "shown": len(shown),
        "omitted_items": items,
        "omitted_bytes": left,
        "next": following,
    }


def test_a_reading_that_holds_everything_says_so(view: SessionView) -> None:
    truncation = view.read("E0-E9").truncation
    assert (truncation.truncated, truncation.reason, truncation.next) == (False, None, None)
    assert (truncation.omitted_items, truncation.omitted_bytes, truncation.shown) == (0, 0, 6)


@pytest.mark.parametrize(
    "wrong", [{"max_items": 0}, {"max_bytes": 3}, {"max_tokens": 0}, {"max_bytes": -1}, {"max_items": -5}]
)
def test_a_bound_below_its_minimum_is_an_error(wrong: dict[str, int]) -> None:
    with pytest.raises(BadQuery, match=rf"{next(iter(wrong))} is .*; it must be at least \d"):
        Bounds(**wrong)


def test_one_character_too_many_tokens_is_an_error_and_no_standstill() -> None:
    with pytest.raises(BadQuery, match="max_tokens"):
        view_of([("user", "é")]).read("E0", bounds=Bounds(max_tokens=1, tokens=lambda text: 2 * len(text)))


@pytest.mark.parametrize("after", ["E1", "E1.0", "E1.0+", "+5", "E1.0+x", "E1.0-5", ""])
def test_a_token_that_no_reading_gave_is_refused(view: SessionView, after: str) -> None:
    with pytest.raises(BadQuery, match="continuation"):
        view.read("E0-E9", after=after)


def test_a_token_whose_piece_is_not_wanted_goes_on_at_the_next(view: SessionView) -> None:
    assert texts(view.read("E0-E9", after="E2.0+5", include_tools=False)) == ["four", "five"]
    assert texts(view.read("E0-E9", after="E1.7+2", include_tools=False)) == ["four", "five"]
    assert texts(view.read("E0-E9", after="E9.0+2")) == []


@pytest.mark.parametrize("target", ["E9", "E7-E9", "E9.0"])
def test_what_is_not_there_is_not_found_in_one_line(view: SessionView, target: str) -> None:
    for question in (view.read, view.slice, view.row):
        with pytest.raises(NotFound, match=r"\A[^\n]*E0 to E5\Z"):
            question(target)
    assert view.resolve(target).state == "missing"
    with pytest.raises(BadReference):
        view.read("here")


def test_a_question_about_one_piece_names_those_there_are() -> None:
    record = {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}
    view = SessionView.of([{"type": "assistant", "uuid": "u", "message": record}], CLAUDE_CODE)
    with pytest.raises(NotFound, match=r"E0 has 2 pieces; name one: E0\.0, E0\.1"):
        view.slice("E0")
    assert view.slice("E0.1").text == "b"


def test_a_slice_needs_room_for_a_character(view: SessionView) -> None:
    with pytest.raises(BadQuery, match="at least 4"):
        view.slice("E0.0", max_bytes=3)
    with pytest.raises(BadQuery, match="count from 1"):
        view.slice("E0.0", lines=(0, 1))
    with pytest.raises(BadQuery, match="go up"):
        view.slice("E0.0", lines=(3, 2))


def test_a_slice_of_many_lines_ends_with_a_line() -> None:
    view = view_of([("output", "".join(f"line {number}\n" for number in range(1000)))])
    window = view.slice("E0.0", lines=(10, 900), max_bytes=1000)
    assert window.text.startswith("line 9\n")
    assert window.text.endswith("\n")
    assert 500 <= len(window.text) <= 1000
    assert not window.at_end


@pytest.fixture
def mixed(tmp_path: Path) -> Growing:
    """Lines of every sort: a spread record, a glued one, a torn one, a blank one, an other record."""
    spread = said(1, "spread\nover\nlines").replace(b"\\n", b"\n")
    glued = b'{"type": "mode", "mode": "plan"}' + called(5, "t1") + answered(6, "t1", "glued")
    torn = said(7, "torn")[:50]
    other = b'{"type": "mode", "mode": "normal"}'
    return Growing(tmp_path, b"\n".join([said(0, "zero"), spread, glued, torn, b"", other, said(8, "last")]) + b"\n")


def test_the_record_of_a_piece_is_found_wherever_it_stands(mixed: Growing) -> None:
    view, data = mixed.fresh(), mixed.path.read_bytes()
    assert [str(view.id(row)) for row in range(view.rows)] == ["E0.0", "E1.0", "E4.1", "E4.2", "E8.0"]
    assert [view.read(view.id(row)).pieces[0].text for row in range(view.rows)] == [
        "zero",
        "spread\nover\nlines",
        '{"command":"t1"}',
        "glued",
        "last",
    ]
    for row in range(view.rows):
        byte_range = view.resolve(view.id(row)).byte_range
        assert byte_range is not None
        assert view.slice(view.id(row), raw=True).text.encode() == data[slice(*byte_range)]


def test_lines_are_read_raw_and_a_spread_record_is_one(mixed: Growing) -> None:
    view, lines = mixed.fresh(), mixed.path.read_bytes().decode().split("\n")
    pieces = view.read("E0-E99", raw=True, bounds=Bounds(100)).pieces
    assert all(isinstance(piece, RawPiece) for piece in pieces)
    assert [piece.text for piece in pieces] == [lines[0], "\n".join(lines[1:4]), *lines[4:-1]]
    assert [piece.entry for piece in pieces if isinstance(piece, RawPiece)] == [0, 1, 4, 5, 6, 7, 8]
    assert texts(view.read("E1", raw=True)) == ["\n".join(lines[1:4])]
    assert texts(view.read("E2-E3", raw=True)) == lines[2:4]
    with pytest.raises(NotFound, match="the last is E8"):
        view.read("E9", raw=True)


@law
@given(st.integers(1, 4), st.integers(4, 90))
def test_raw_windows_read_with_next_are_the_lines(
    tmp_path_factory: pytest.TempPathFactory, items: int, size: int
) -> None:
    spread = said(1, "spread\nover é🚀").replace(b"\\n", b"\n")
    file = Growing(tmp_path_factory.mktemp("raw"), b"\n".join([said(0, "zero"), spread, b"caf\xe9 {broken", b"", b"x"]))
    view, found, after = file.fresh(), dict[int, str](), None
    while True:
        reading = view.read("E0-E9", raw=True, bounds=Bounds(items, size), after=after)
        assert len(reading.pieces) <= items
        assert sum(len(piece.text.encode()) for piece in reading.pieces) <= size
        for piece in reading.pieces:
            assert isinstance(piece, RawPiece)
            assert piece.offset == len(found.get(piece.entry, "").encode())
            found[piece.entry] = found.get(piece.entry, "") + piece.text
        after = reading.truncation.next
        if after is None:
            break
        assert reading.truncation.omitted_items >= 0
    assert found == {
        0: said(0, "zero").decode(),
        1: spread.decode(),
        3: "caf\ufffd {broken",
        4: "",
        5: "x",
    }


def test_the_record_of_a_result_tells_the_agents_own_form_of_it() -> None:
    block = {"type": "tool_result", "tool_use_id": "t", "content": "ok"}
    record = {"type": "user", "uuid": "u", "message": {"content": [block]}, "toolUseResult": {"stdout": "ok"}}
    view = SessionView.of([record], CLAUDE_CODE)
    assert view.result_detail(0) == {"stdout": "ok"}
    assert view.arguments(0) is None


def test_a_reference_carries_lines_and_the_digest_of_the_whole_piece(view: SessionView) -> None:
    reference = view.reference(EvidenceId(3, 0), (2, 2))
    assert str(reference).startswith("claude:memory/E3.0#L2-2@")
    assert view.resolve(Reference.parse(str(reference))).state == "intact"
    assert view.resolve(Reference.parse("claude:memory/E3.0#L2")).state == "unverified"
    assert view.resolve(Reference.parse("claude:memory/E3.0@" + "0" * 12)).state == "changed"
    moved = Reference.parse(str(view.reference(EvidenceId(1, 0))).replace("E1.0", "E77.0"))
    found = view.resolve(moved)
    assert (found.state, str(found.evidence_id)) == ("intact", "E1.0")


def test_records_in_memory_tell_whose_they_are() -> None:
    spoken: list[Said] = [("user", "hello"), ("assistant", "world")]
    claude = SessionView.of({"version": "2.1.50"} | record for record in claude_records(spoken))
    codex = SessionView.of(codex_records(spoken))
    assert (str(claude.ref), str(codex.ref)) == ("claude:memory", "codex:memory")
    for view in (claude, codex):
        assert [texts(view.read(view.id(row))) for row in range(2)] == [["hello"], ["world"]]
    named = SessionView.of(codex_records(spoken), CODEX, SessionRef("codex", "mine"))
    assert (str(named.ref), named.source_path) == ("codex:mine", "(memory)")
    with pytest.raises(Unreadable, match="name their format"):
        SessionView.of([{"role": "user", "content": "hello"}])
    assert SessionView.of([], CODEX).rows == 0


def test_a_range_is_resolved_with_its_pieces_and_bytes(view: SessionView) -> None:
    anchor = view.resolve("E1-E3")
    assert [str(piece) for piece in anchor.pieces] == ["E1.0", "E2.0", "E3.0"]
    assert (anchor.state, anchor.digest, anchor.pointers) == ("unverified", None, ())
    assert anchor.to_json()["entry_range"] == [1, 3]
    assert anchor.byte_range is not None
    assert anchor.byte_range[0] < anchor.byte_range[1]
