"""A line longer than what is held in memory is read, searched and quoted like any other, by windows."""

from __future__ import annotations

import json
import os
import random
import tracemalloc
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.sessions import CLAUDE_CODE, CODEX, view_of_lines
from unspool.columns.piece_text import BLOCK
from unspool.columns.side_files import SideFiles
from unspool.columns.source import LineSource
from unspool.errors import SourceChanged
from unspool.formats.piece import Flag
from unspool.ids import SessionRef
from unspool.sources.json_value import compact
from unspool.sources.jsonl import JsonLines
from unspool.sources.lines import LINE_LIMIT
from unspool.views.bounds import Bounds
from unspool.views.opened import Opened
from unspool.views.view import SessionView


def numbered(size: int) -> str:
    """A text of about so many bytes, each line with its number and everything that JSON writes in its own way."""
    return "".join(f'{number:06} é🚀 "quoted" back\\slash\ttab\n' for number in range(size // 40))


MEMORY = 32 << 20
"""Traced bytes at the most: a few blocks, their characters four bytes each; never the line."""
TEXT = numbered(LINE_LIMIT + (1 << 20))
DATA = TEXT.encode()
CONTENT = {"path": "/srv/shop/big.txt", "content": TEXT, "after": {"rate": "1.10", "list": [1, None]}}
SHOWN = compact(CONTENT)
SHOWN_DATA = SHOWN.encode()


def record(number: int, *blocks: dict[str, Any]) -> dict[str, Any]:
    return {"type": "assistant", "uuid": f"u{number}", "message": {"content": list(blocks)}}


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> SessionView:
    """A small record, a long text in escapes, a call with a long argument as it is, and another small record."""
    records = [
        record(0, {"type": "text", "text": "before"}),
        record(1, {"type": "text", "text": TEXT}),
        record(2, {"type": "tool_use", "id": "t", "name": "Write", "input": CONTENT}),
        record(3, {"type": "text", "text": "behind"}),
    ]
    lines = [json.dumps(each, ensure_ascii=number == 1) for number, each in enumerate(records)]
    assert all(len(line.encode()) > LINE_LIMIT for line in lines[1:3])
    return view_of_lines(lines, tmp_path_factory.mktemp("long"), CLAUDE_CODE)


@pytest.fixture
def whole(request: pytest.FixtureRequest) -> tuple[str, bytes]:
    """The id and the text of the piece that a test is about."""
    return ("E1.0", DATA) if request.param == "text" else ("E2.0", SHOWN_DATA)


both = pytest.mark.parametrize("whole", ["text", "arguments"], indirect=True)


@both
def test_a_long_line_is_measured_exactly(view: SessionView, whole: tuple[str, bytes]) -> None:
    row = view.row(whole[0])
    data = whole[1]
    assert view.rows == 4
    assert (view.bytes(row), view.lines(row)) == (len(data), data.count(b"\n") + (not data.endswith(b"\n")))
    assert view.unreadable == ()


@both
def test_its_windows_read_with_next_are_its_text(view: SessionView, whole: tuple[str, bytes]) -> None:
    digest, size, after = sha256(), 0, None
    while True:
        reading = view.read(whole[0], bounds=Bounds(1, 3_000_001, 1 << 30), after=after)
        data = reading.pieces[0].text.encode()
        digest.update(data)
        size += len(data)
        after = reading.truncation.next
        if after is None:
            break
        assert reading.truncation.omitted_bytes == len(whole[1]) - size
    assert digest.digest() == sha256(whole[1]).digest()


@both
def test_a_window_anywhere_is_that_of_the_text(view: SessionView, whole: tuple[str, bytes]) -> None:
    target, data = whole
    around = [place + shift for place in range(0, len(data), BLOCK) for shift in (-7, -1, 0, 1, 12)]
    places = random.Random(4).sample(around, 40)
    for place in places:
        window = view.slice(target, bytes=(place, place + 60))
        wanted = data[max(0, place) : place + 60].decode(errors="ignore")
        assert window.text == wanted
        assert window.first_line == data.count(b"\n", 0, window.start) + 1


def test_lines_deep_inside_are_read_by_number(view: SessionView) -> None:
    lines = TEXT.split("\n")
    for number in (1, 2, 200_000, len(lines) - 1):
        window = view.slice("E1.0", lines=(number, number))
        assert (window.text, window.first_line) == (lines[number - 1] + "\n", number)
    assert view.slice("E1.0", lines=(len(lines), len(lines))).text == ""


@pytest.mark.parametrize("query", ["000000 é", "200000 É🚀", 'quoted" back\\slash\tTAB\n200001'])
def test_a_search_inside_finds_the_place(view: SessionView, query: str) -> None:
    at = TEXT.casefold().index(query.casefold())
    offset = len(TEXT[:at].encode())
    text, arguments = view.search(query).hits
    assert (str(text.evidence.id), text.matches, text.offset) == ("E1.0", 1, offset)
    assert text.line == TEXT.count("\n", 0, at) + 1
    assert text.column == at - TEXT.rfind("\n", 0, at)
    inside = SHOWN.index("000000 ") + len(compact(TEXT[:at])) - 2
    assert (str(arguments.evidence.id), arguments.matches, arguments.line) == ("E2.0", 1, 1)
    assert arguments.offset == len(SHOWN[:inside].encode())
    assert arguments.column == inside + 1


@pytest.mark.parametrize("query", ["big.txt", "after", "1.10", "null"])
def test_leaves_around_a_long_one_are_found_where_they_stand(view: SessionView, query: str) -> None:
    (hit,) = view.search(query, tool_part="input").hits
    assert hit.matches == 1
    assert SHOWN_DATA[hit.offset :].startswith(query.encode())
    assert view.search('"after"', tool_part="input").total == 0


def test_every_match_in_a_long_line_is_counted(view: SessionView) -> None:
    assert [hit.matches for hit in view.search("QUOTED").hits] == [TEXT.count("quoted")] * 2
    assert view.search("no such words").total == 0


def test_the_next_match_is_found_from_any_place_on(view: SessionView) -> None:
    start = 5 * BLOCK - 3
    assert view.find("E1.0", "back\\slash", start=start) == (DATA.index(b"back\\slash", start), 10)
    assert view.find("E1.0", "before") is None


def test_a_long_line_is_listed_and_quoted(view: SessionView) -> None:
    text, call = view.evidence_rows([1, 2])
    assert text.summary == TEXT.split("\n", 1)[0].strip()
    assert call.files == ("/srv/shop/big.txt",)
    assert call.label.startswith("Write · ")
    assert view.arguments(2) is None
    anchor = view.resolve("E1.0")
    assert anchor.digest == sha256(DATA).hexdigest()
    assert view.resolve(view.reference(view.id(2))).state == "intact"


def test_a_long_record_is_looked_at_once_for_many_questions(view: SessionView, monkeypatch: pytest.MonkeyPatch) -> None:
    again = SessionView.open(view.source_path, view.ref, CLAUDE_CODE)
    decoded: list[int] = []
    decode = LineSource.record

    def counting(source: LineSource, offset: int, length: int, *, exact: bool = False) -> dict[str, Any]:
        decoded.append(length)
        return decode(source, offset, length, exact=exact)

    monkeypatch.setattr(LineSource, "record", counting)
    for start in range(0, 3 * BLOCK, BLOCK):
        assert again.slice("E1.0", bytes=(start, start + 60)).text
    again.evidence_rows([1, 1])
    assert again.find("E1.0", "000100") is not None
    again.close()
    assert len(decoded) == 1


def test_neighbours_of_long_lines_are_none_of_their_cost(view: SessionView) -> None:
    assert [view.read(f"E{entry}.0").pieces[0].text for entry in (0, 3)] == ["before", "behind"]
    raw = view.slice("E2.0", raw=True, bytes=(0, 40))
    assert raw.text == '{"type": "assistant", "uuid": "u2", "mes'
    assert raw.total_bytes > LINE_LIMIT


def test_arguments_inside_a_long_string_are_arguments_all_the_same(tmp_path: Path) -> None:
    written = json.dumps(CONTENT, indent=1).replace('"1.10"', "1.10")
    payload = {"type": "function_call", "name": "write", "call_id": "c", "arguments": written}
    raw = {**payload, "call_id": "d", "arguments": "{" + TEXT}
    lines = [json.dumps({"type": "response_item", "payload": each}) for each in (payload, raw)]
    view = view_of_lines(lines, tmp_path, CODEX)
    shown = SHOWN.replace('"1.10"', "1.10")
    assert (view.bytes(0), view.bytes(1)) == (len(shown.encode()), len(DATA) + 1)
    whole = view.read("E0.0", bounds=Bounds(1, 1 << 30, 1 << 30)).pieces[0].text
    assert sha256(whole.encode()).digest() == sha256(shown.encode()).digest()
    query = '200000 é🚀 "quoted" back\\slash\ttab'
    at = len(shown[: shown.index(compact(query)[1:-1])].encode())
    assert [(str(hit.evidence.id), hit.offset, hit.matches) for hit in view.search(query).hits] == [
        ("E0.0", at, 1),
        ("E1.0", len(TEXT[: TEXT.index(query)].encode()) + 1, 1),
    ]
    assert view.search("1.10", tool_part="input").total == 1
    assert view.search('"after"').total == 0
    assert view.evidence_at(0).files == ("/srv/shop/big.txt",)
    window = view.slice("E0.0", bytes=(5 * BLOCK - 9, 5 * BLOCK + 9))
    assert window.text == shown.encode()[window.start : window.stop].decode()


def test_memory_is_bounded_by_windows_and_not_by_lines(tmp_path: Path) -> None:
    content = {"path": "big.txt", "content": numbered(20 << 20)}
    line = json.dumps(record(0, {"type": "tool_use", "id": "t", "name": "Write", "input": content}))
    written = view_of_lines([line, json.dumps(record(1, {"type": "text", "text": "behind"}))], tmp_path)
    path = written.source_path
    written.close()
    del content, line
    tracemalloc.start()
    try:
        view = SessionView.open(path, SessionRef("claude", "x"), CLAUDE_CODE)
        assert view.slice("E0.0", bytes=(15 << 20, (15 << 20) + 100)).text
        assert view.search("400000 é").total == 1
        assert view.read("E0.0", bounds=Bounds(1, 65_536, 65_536)).truncation.truncated
        assert view.evidence().total == 2
        assert view.resolve("E0.0").digest
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    view.close()
    assert peak < MEMORY


def test_a_long_record_that_is_rewritten_in_place_is_told_from_what_it_was(tmp_path: Path) -> None:
    texts = ["before", "x" * 9_000, "y" * 9_000]
    path = tmp_path / "session.jsonl"
    lines = [json.dumps(record(number, {"type": "text", "text": text})) for number, text in enumerate(texts)]
    path.write_text("\n".join(lines) + "\n")
    source = JsonLines.open(path, limit=1_000)
    view = SessionView(SessionRef("claude", "x"), Opened.of(source, CLAUDE_CODE, SideFiles(None)))
    with path.open("r+b") as target:
        target.seek(len(lines[0]) + 6_000)
        target.write(b"z")
        target.seek(0, os.SEEK_END)
        target.write(lines[0].encode() + b"\n")
    for question in (
        lambda: view.slice("E1.0"),
        lambda: view.slice("E1.0", bytes=(10, 20)),
        lambda: view.slice("E1.0", raw=True),
        lambda: view.read("E1.0"),
        lambda: view.search("xxx"),
        lambda: view.find("E1.0", "xxx"),
    ):
        with pytest.raises(SourceChanged):
            question()
    assert view.slice("E0.0").text == texts[0]
    assert view.slice("E2.0", bytes=(8_000, 9_000)).text == "y" * 1_000
    view.close()


LONG = "z" * (LINE_LIMIT + 1)


def folder(above: Path, name: str) -> Path:
    (above / name).mkdir()
    return above / name


def codex(kind: str, **payload: Any) -> str:
    return json.dumps({"type": kind, "payload": payload})


def test_the_end_of_a_long_text_tells_who_wrote_it_and_how_it_ended(tmp_path: Path) -> None:
    def users(text: str) -> str:
        return json.dumps({"type": "user", "uuid": text[-9:], "message": {"content": text}})

    reminder, command = f"<system-reminder>{LONG}</system-reminder>", f"<bash-input>{LONG}</bash-input>"
    claude = [users(text + end) for text in (reminder, command) for end in ("\n", " my own words")]
    view = view_of_lines(claude, folder(tmp_path, "claude"), CLAUDE_CODE)
    assert [str(view.kind(row)) for row in range(view.rows)] == ["system", "user", "tool", "user"]
    context = f"<environment_context>{LONG}</environment_context>"
    items = [
        codex("response_item", type="message", role="user", content=[{"type": "input_text", "text": context + end}])
        for end in ("\n", " my own words")
    ]
    items += [
        codex("response_item", type="function_call_output", call_id=f"{code}", output=json.dumps(told))
        for code in (0, 2)
        for told in [{"output": LONG, "metadata": {"exit_code": code, "duration_seconds": 1.0}}]
    ]
    view = view_of_lines(items, folder(tmp_path, "codex"), CODEX)
    assert [str(view.kind(row)) for row in range(2)] == ["system", "user"]
    assert [Flag.ERROR in view.flags(row) for row in (2, 3)] == [False, True]


def test_long_texts_that_differ_at_the_end_alone_are_two(tmp_path: Path) -> None:
    def answer(text: str) -> tuple[str, str]:
        block = {"type": "output_text", "text": text}
        item = codex("response_item", type="message", role="assistant", id="i", content=[block])
        return item, codex("event_msg", type="agent_message", message=text)

    (item, event), (other, other_event) = answer(f"{LONG} 1"), answer(f"{LONG} 2")
    view = view_of_lines([item, other_event, other, event], tmp_path, CODEX)
    assert [view.flags(row) for row in range(4)] == [Flag(0), Flag(0), Flag.TWIN, Flag.TWIN]
    assert view.counts.assistant == 2


def test_a_long_prompt_that_waited_is_delivered_by_its_own_words_alone(tmp_path: Path) -> None:
    waits = json.dumps({"type": "queue-operation", "operation": "enqueue", "content": f"{LONG} 1"})
    sent = [json.dumps({"type": "user", "uuid": end, "message": {"content": f"{LONG} {end}"}}) for end in "21"]
    assert view_of_lines([waits, sent[0]], folder(tmp_path, "other"), CLAUDE_CODE).counts.twin == 0
    assert view_of_lines([waits, sent[1]], folder(tmp_path, "same"), CLAUDE_CODE).counts.twin == 1
