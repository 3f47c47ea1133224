from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tui.hostile_text import texts
from tests.tui.reader_host import MadeUpView, Piece, call, result, windows_of
from unspool.formats.piece import Flag, Kind
from unspool.text import clean, utf8
from unspool_tui.present import failure, windows
from unspool_tui.present.lines import Line
from unspool_tui.present.opening import open_piece
from unspool_tui.present.pages import HELD, Move, Pages
from unspool_tui.present.seam import seam
from unspool_tui.present.subject import Nature, Subject
from unspool_tui.present.windows import Request, Where, Window, answer

SMALL = st.integers(min_value=8, max_value=40)
plain_texts = st.lists(st.text("ab é日 ", max_size=60), max_size=10).map("\n".join)


def asked(view: MadeUpView, where: Where, at: int = 0, **more: object) -> Window | None:
    subject = Subject(view.evidence_at(0), Nature.PLAIN)
    return answer(view, Request(subject, where, at, **more))  # type: ignore[arg-type]


def got(view: MadeUpView, where: Where, at: int = 0, **more: object) -> Window:
    window = asked(view, where, at, **more)
    assert window is not None
    return window


def lines_of(text: str) -> list[str]:
    texts_ = text.removesuffix("\n").split("\n") if text else []
    return [clean(line.removesuffix("\r"), newline=False) for line in texts_]


def shown(lines: object) -> list[str]:
    assert isinstance(lines, (list, tuple))
    return [line.text for line in lines if isinstance(line, Line)]


@given(texts.map(lambda text: utf8(text).decode()), SMALL)
def test_windows_read_on_from_the_start_are_the_text(text: str, size: int) -> None:
    view = MadeUpView([Piece(text)])
    with windows_of(size):
        window = got(view, Where.START)
        whole = window.text
        while window.stop < window.total_bytes:
            window = got(view, Where.AFTER, window.stop)
            whole += window.text

    assert whole == text


@given(texts.map(lambda text: utf8(text).decode()), SMALL)
def test_windows_read_back_from_the_end_are_the_text(text: str, size: int) -> None:
    view = MadeUpView([Piece(text)])
    with windows_of(size):
        window = got(view, Where.END, len(utf8(text)))
        whole = window.text
        while window.start > 0:
            window = got(view, Where.BEFORE, window.start)
            whole = window.text + whole

    assert whole == text


@given(plain_texts, SMALL, st.lists(st.booleans(), max_size=12), st.floats(0, 1))
def test_pages_that_grow_at_both_ends_read_as_one_text(text: str, size: int, ways: list[bool], where: float) -> None:
    view = MadeUpView([Piece(text)])
    with windows_of(size):
        pages = Pages(got(view, Where.BYTE, int(where * max(0, len(utf8(text)) - 1))))
        for onward in ways:
            if onward and not pages.at_end:
                assert pages.append(got(view, Where.AFTER, pages.last.stop)) is not None
            elif not onward and not pages.at_start:
                assert pages.prepend(got(view, Where.BEFORE, pages.first.start)) is not None
            at_hand = utf8(text)[pages.first.start : pages.last.stop].decode()
            assert shown(pages.lines) == lines_of(at_hand)
            assert pages.first_line == utf8(text)[: pages.first.start].count(b"\n") + 1


@given(plain_texts, SMALL, st.data())
def test_a_byte_of_the_text_is_found_where_it_is_drawn(text: str, size: int, data: st.DataObject) -> None:
    view = MadeUpView([Piece(text)])
    characters = [at for at, character in enumerate(text) if character != "\n"]
    if not characters:
        return
    at = data.draw(st.sampled_from(characters))
    byte = len(utf8(text[:at]))
    with windows_of(size):
        pages = Pages(got(view, Where.BYTE, byte))
        for _ in range(2):
            line, character = pages.spot_of(byte) or (-1, -1)
            assert pages.first_line + line == text[:at].count("\n") + 1
            assert pages.lines[line].text[character] == text[at]
            if not pages.at_start:
                pages.prepend(got(view, Where.BEFORE, pages.first.start))


@given(plain_texts, SMALL, st.lists(st.booleans(), max_size=10) | st.just([True] * 12))
@example("ab\n" + "a" * 300, 8, [False] * 6 + [True] * 6)
def test_a_spot_stays_with_its_character_when_windows_come_and_go(text: str, size: int, ways: list[bool]) -> None:
    view = MadeUpView([Piece(text)])
    drawn = [len(utf8(text[:at])) for at, character in enumerate(text) if character != "\n"]
    with windows_of(size):
        pages = Pages(got(view, Where.BYTE, len(utf8(text)) // 8))
        for onward in ways:
            before = {byte: spot for byte in drawn if (spot := pages.spot_of(byte)) is not None}
            move: Move | None = None
            if onward and not pages.at_end:
                move = pages.append(got(view, Where.AFTER, pages.last.stop))
            elif not onward and not pages.at_start:
                move = pages.prepend(got(view, Where.BEFORE, pages.first.start))
            for byte, spot in before.items() if move is not None else ():
                if (now := pages.spot_of(byte)) is not None:
                    assert move is not None
                    assert move.of(spot) == now


@given(plain_texts, SMALL)
def test_a_window_holds_whole_lines_unless_a_line_is_longer_than_it(text: str, size: int) -> None:
    view = MadeUpView([Piece(text)])
    with windows_of(size):
        for window in (got(view, Where.START), got(view, Where.END, len(utf8(text)))):
            if "\n" in window.text.removesuffix("\n"):
                assert window.starts_line
                assert window.ends_line


def test_only_so_many_windows_are_held() -> None:
    view = MadeUpView([Piece("line of text\n" * 100)])
    with windows_of(40):
        pages = Pages(got(view, Where.START))
        for _ in range(HELD + 3):
            pages.append(got(view, Where.AFTER, pages.last.stop))

    assert pages.bytes <= HELD * 40
    assert not pages.at_start


def test_a_window_that_does_not_follow_is_not_taken() -> None:
    view = MadeUpView([Piece("line of text\n" * 100)])
    with windows_of(40):
        pages = Pages(got(view, Where.START))

        assert pages.append(got(view, Where.AFTER, 60)) is None
        assert pages.prepend(got(view, Where.BEFORE, 60)) is None


def test_no_window_is_larger_than_its_bound_and_a_huge_line_costs_no_more_than_a_short_one() -> None:
    view = MadeUpView([Piece("x" * 20_000_000)])
    opened = open_piece(view, 0)

    assert view.slices == 2
    assert view.largest <= windows.WINDOW
    assert len(opened.window.lines[0].text) == windows.WINDOW


@given(plain_texts, SMALL, st.integers(1, 12))
def test_a_line_that_is_gone_to_is_the_target_with_three_before_it(text: str, size: int, line: int) -> None:
    view = MadeUpView([Piece(text)])
    with windows_of(size):
        window = got(view, Where.LINE, line)
    lines = lines_of(text)
    if not lines:
        return

    wanted = min(line, len(lines))
    index = window.target[0]
    assert window.first_line == max(1, wanted - windows.LINES_BEFORE)
    assert window.first_line + index == wanted or not window.ends_line or index >= len(window.lines)


@given(plain_texts, SMALL, st.data())
def test_the_match_before_a_byte_is_the_last_one_that_begins_before_it(
    text: str, size: int, data: st.DataObject
) -> None:
    view = MadeUpView([Piece(text)])
    query = data.draw(st.sampled_from(["a", "ab", "é", "日 ", "ba "]))
    before = len(utf8(text[: data.draw(st.integers(0, len(text)))]))
    with windows_of(max(size, 16)):
        window = asked(view, Where.PREVIOUS, before, query=query, case="exact")

    starts = [at for at in range(before) if utf8(text).startswith(utf8(query), at)]
    backward = [found for found in _without_overlaps(text, query) if found < before]
    if window is None:
        assert not backward
    else:
        assert window.match is not None
        assert window.match[0] in starts
        assert window.match[0] >= max(backward, default=0)


def _without_overlaps(text: str, query: str) -> list[int]:
    found, at = [], text.find(query)
    while at >= 0:
        found.append(len(utf8(text[:at])))
        at = text.find(query, at + len(query))
    return found


def test_the_next_match_comes_with_the_window_around_it() -> None:
    view = MadeUpView([Piece("".join(f"line {n}\n" for n in range(100_000)))])
    window = got(view, Where.NEXT, 0, query="line 77777", case="exact")

    line, character = window.place_of(window.match[0] if window.match else 0)
    assert window.lines[line].text[character:] == "line 77777"
    assert window.first_line + line == 77_778


# How a piece is opened.


def log(failure: str, after: int = 40) -> str:
    return "".join(f"step {n} fine\n" for n in range(60_000)) + failure + "later\n" * after


def test_a_failing_output_opens_at_its_first_failure_and_says_so() -> None:
    window = open_piece(MadeUpView([result(log("AssertionError: no\nerror: second\n"), exit_code=1)]), 0).window

    assert window.lines[3].text == "AssertionError: no"
    assert window.said == "opened at the first failure"


def test_a_failing_output_without_a_failure_opens_at_its_end_and_says_so() -> None:
    window = open_piece(MadeUpView([result(log("done\n"), flags=Flag.ERROR)]), 0).window

    assert window.stop == window.total_bytes
    assert window.target == windows.END
    assert window.said == "no failure recognised, opened at the end"


def huge(last: str) -> str:
    return "calm line\n" * 700_000 + last + "later on\n" * 2_000


def test_of_a_huge_output_the_end_is_looked_through_too_and_said() -> None:
    window = open_piece(MadeUpView([result(huge("Traceback (most recent call last):\n"), exit_code=1)]), 0).window

    assert window.lines[3].text == "Traceback (most recent call last):"
    assert window.said == "opened at the first failure in its last 1.0 MB"


def test_what_was_looked_at_is_said_when_it_held_no_failure() -> None:
    window = open_piece(MadeUpView([result(huge("done\n"), exit_code=1)]), 0).window

    assert window.target == windows.END
    assert window.said == "no failure recognised in its first 4.2 MB and last 1.0 MB, opened at the end"


def test_an_output_that_did_not_fail_opens_at_its_beginning() -> None:
    window = open_piece(MadeUpView([result(log("error: none of mine\n"), exit_code=0)]), 0).window

    assert (window.start, window.said) == (0, "")


def test_the_search_for_the_first_failure_ends_somewhere() -> None:
    view = MadeUpView([result("calm line\n" * 3_000_000, exit_code=1)])
    open_piece(view, 0)

    assert view.slices <= (windows.SEARCHED + failure.SEARCHED_LAST) / windows.WINDOW + 5


def test_a_piece_can_be_opened_at_its_first_match_or_at_a_line() -> None:
    view = MadeUpView([result(log("needle\n"), exit_code=0)])

    assert open_piece(view, 0, query="needle").window.match is not None
    assert open_piece(view, 0, line=50_000).window.first_line == 49_997
    assert open_piece(view, 0, query="not in it").window.start == 0


@pytest.mark.parametrize(
    ("piece", "nature"),
    [
        (Piece("# text"), Nature.PROSE),
        (Piece("context", Kind.SYSTEM), Nature.PROSE),
        (result("plain output"), Nature.OUTPUT),
        (result('{"a":1}'), Nature.JSON),
        (result('{\n  "a": 1\n}'), Nature.OUTPUT),
        (result("1→x = 1", tool="Read", arguments={"file_path": "a.py"}, peer=0), Nature.FILE),
        (call('{"command":"ls"}', arguments={"command": "ls"}), Nature.COMMAND),
        (call('{"pattern":"ls"}', tool="Grep", arguments={"pattern": "ls"}), Nature.JSON),
        (call("{}", arguments={"file_path": "a", "old_string": "x", "new_string": "y"}), Nature.DIFF),
        (call("*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"), Nature.DIFF),
        (call("for i in range(3): print(i)"), Nature.PLAIN),
    ],
)
def test_each_kind_of_piece_is_shown_by_its_nature(piece: Piece, nature: Nature) -> None:
    assert open_piece(MadeUpView([piece]), 0).subject.nature is nature


def test_a_call_is_drawn_from_the_record_of_its_result() -> None:
    detail = {"structuredPatch": [{"oldStart": 7, "newStart": 7, "lines": ["-a", "+b"]}]}
    view = MadeUpView([call("{}", arguments={"old_string": "a"}, peer=1), result("ok", peer=0, detail=detail)])

    patch = open_piece(view, 0).subject.patch
    assert patch is not None
    assert patch.files[0].hunks[0].old == 7


def test_the_seam_lies_where_the_preview_of_the_text_ends() -> None:
    text = "".join(f"line {n} é\n" for n in range(1000))
    seen = f"<persisted-output>\nOutput too large\n\nPreview (first 2KB):\n{text[:500]}\n...\n</persisted-output>"

    assert seam(seen, text) == len(utf8(text[:500]))
    assert seam("something else entirely", text) is None
    assert seam(text, text) is None
    assert seam(seen, "") is None


def test_what_an_agent_writes_before_an_output_steps_back() -> None:
    text = "Exit code 1\nChunk ID: d61bd2\nWall time: 0.0002 seconds\nProcess exited with code 0\nOutput:\nfine\n"
    lines = open_piece(MadeUpView([result(text, exit_code=0)]), 0).window.lines

    assert [line.cells[0][1] for line in lines] == ["faint"] * 5 + ["output"]


def test_reminders_and_wrappers_step_back_and_stay_where_they_are() -> None:
    text = "Read it\n<system-reminder>\nbe careful\n</system-reminder>\nand go on"
    lines = open_piece(MadeUpView([Piece(text, Kind.USER)]), 0).window.lines

    assert [line.text for line in lines] == text.split("\n")
    assert [line.cells[0][1] for line in lines] == ["text", "faint", "faint", "faint", "text"]
