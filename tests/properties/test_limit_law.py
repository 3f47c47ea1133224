"""What a record is does not depend on whether it is held: read by windows it has the same pieces, texts and hits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sessions import CLAUDE_CODE, CODEX
from unspool.columns import piece_text
from unspool.columns.side_files import SideFiles
from unspool.formats.base import Format
from unspool.ids import SessionRef
from unspool.search import windows
from unspool.sources import structure
from unspool.sources.jsonl import JsonLines
from unspool.sources.lines import LINE_LIMIT
from unspool.views.bounds import Bounds
from unspool.views.filter import Filter
from unspool.views.opened import Opened
from unspool.views.view import SessionView

WHOLE = Bounds(1, 1 << 20, 1 << 20)
EVERY = Filter(reasoning=True, hidden=True)
PICTURE = "data:image/png;base64," + "QUJD" * 40 + "QQ=="

numbers = st.sampled_from(["0", "-0", "1.10", "1.5", "1e400", "-1E-7", "NaN", "18446744073709551616", "9" * 40, "true"])
strings = st.lists(
    st.sampled_from(
        [
            "a",
            "Key",
            "é",
            "日",
            "🚀",
            " ",
            '\\"',
            "\\\\",
            "\\/",
            "\\n",
            "\\u00e9",
            "\\ud83d\\ude80",
            "\\ud800",
            "\\u0000",
            "{",
            "[",
            ":",
            ",",
            "needle",
            "\t",
            "x" * 70,
            PICTURE,
        ]
    ),
    max_size=6,
).map(lambda parts: '"' + "".join(parts) + '"')
keys = st.sampled_from(['"a"', '"Key"', '"k\\u0065y"', '"data"', '"\\n"', '""'])


def listed(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    objects = st.lists(st.tuples(keys, inner).map(":".join), max_size=4).map(
        lambda members: "{" + ", ".join(members) + "}"
    )
    return objects | st.lists(inner, max_size=3).map(lambda members: "[" + ",".join(members) + "]")


values = st.recursive(numbers | strings, listed, max_leaves=8)
SHAPES: dict[Format, list[str]] = {
    CLAUDE_CODE: [
        '{"type":"assistant","uuid":"%d","message":{"content":[{"type":"tool_use","id":"t","name":"N","input":%s}]}}',
        '{"type":"user","uuid":"%d","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":%s}]}}',
        '{"type":"user","uuid":"%d","message":{"content":%s}}',
        '{"type":"user","uuid":"%d","message":{"content":[{"type":"image","source":{"type":"base64","data":%s}}]}}',
    ],
    CODEX: [
        '{"type":"response_item","payload":{"type":"local_shell_call","call_id":"%d","action":%s}}',
        '{"type":"response_item","payload":{"type":"function_call_output","call_id":"%d","output":%s}}',
        '{"type":"event_msg","payload":{"type":"user_message","n":%d,"message":"see","images":[%s]}}',
    ],
}
ENCODED = '{"type":"response_item","payload":{"type":"function_call","name":"f","call_id":"%d","arguments":%s}}'


@st.composite
def sessions(draw: st.DrawFn) -> tuple[Format, bytes]:
    format = draw(st.sampled_from([CLAUDE_CODE, CODEX]))
    lines = []
    for number in range(draw(st.integers(1, 4))):
        shape = draw(st.sampled_from(SHAPES[format] + [ENCODED] * (format is CODEX)))
        value = draw(values)
        lines.append(shape % (number, json.dumps(value) if shape is ENCODED else value))
    joined = draw(st.sampled_from(["\n", "\n", "", "\n\0\0", '\n{"type":"user","te']))
    return format, (joined.join(lines) + "\n").encode()


def opened(path: Path, format: Format, limit: int) -> SessionView:
    lines = JsonLines.open(path, limit)
    return SessionView(SessionRef(format.agent, "x"), Opened.of(lines, format, SideFiles(None)))


def told(view: SessionView) -> list[Any]:
    """All that a view says of its pieces."""
    pieces = []
    for row in range(view.rows):
        text = view.read(view.id(row), bounds=WHOLE).pieces[0].text
        windows = [view.slice(view.id(row), bytes=(start, start + 9)) for start in range(0, view.bytes(row), 31)]
        pieces.append((view.evidence_at(row).to_json(), text, windows, view.resolve(view.id(row)).to_json()))
    hits = [
        hit.to_json()
        for query in (
            "needle",
            "NEEDLE",
            "1.1",
            "1.10",
            "key",
            "é",
            "\ufffd",
            '"',
            "\\",
            "QUJD",
            "[image",
            "xx",
            "0",
            ":",
        )
        for hit in view.search(query, EVERY, limit=1000).hits
    ]
    stats = view.stats().to_json()
    return [view.counts, view.unreadable, view.other_records, pieces, hits, stats]


@settings(max_examples=150, deadline=None)
@given(sessions(), st.integers(1, 300), st.sampled_from([1, 7, 64]))
def test_records_read_by_windows_are_what_they_are_when_held(
    tmp_path_factory: pytest.TempPathFactory, session: tuple[Format, bytes], limit: int, clip: int
) -> None:
    format, data = session
    path = tmp_path_factory.mktemp("limit") / "session.jsonl"
    path.write_bytes(data)
    held = told(opened(path, format, LINE_LIMIT))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(structure, "CLIP", clip)
        patch.setattr(piece_text, "BLOCK", 64)
        patch.setattr(windows, "WINDOW", clip)
        assert told(opened(path, format, limit)) == held


def test_a_record_just_over_the_limit_is_measured_and_found_like_a_shorter_one(tmp_path: Path) -> None:
    for over in (-1, 0, 1, 1 << 19):
        arguments = json.dumps({"c": 'é "q"\n' + "A" * 9_000_000, "f": 1.10})
        line = (
            '{"type":"response_item","payload":{"type":"local_shell_call","call_id":"c","action":{"c":"%s","f":1.10}}}'
        )
        size = LINE_LIMIT + over - len(line) + 2
        path = tmp_path / "session.jsonl"
        path.write_text(line % ("A" * size) + "\n" + ENCODED.replace("%d", "d") % json.dumps(arguments) + "\n")
        view = opened(path, CODEX, LINE_LIMIT)
        assert view.bytes(0) == len('{"c":"","f":1.10}') + size
        assert [str(hit.evidence.id) for hit in view.search("1.10").hits] == ["E0.0"]
        assert view.slice("E0.0", bytes=(size, size + 99)).text.endswith('AA","f":1.10}')
        assert view.search('é "q"').total == 1
