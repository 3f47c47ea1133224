"""A session that its raw bytes exclude from a search holds no match, however its texts are written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties.test_search_law import EVERY, HOSTILE, formats, searched, sessions
from tests.sessions import CLAUDE_CODE, CODEX, YOI, Said, records_of, view_of_lines
from unspool.columns.side_files import SideFiles
from unspool.errors import SourceChanged
from unspool.formats.base import Format
from unspool.search import exclusion
from unspool.search.exclusion import Exclusion
from unspool.search.needle import Needle
from unspool.sources.raw_bytes import RawBytes


def written(spoken: list[Said], format: Format, escaped: bool, solidus: bool) -> list[str]:
    lines = [json.dumps(record, ensure_ascii=escaped) for record in records_of(spoken, format)]
    return [line.replace("/", "\\/") for line in lines] if solidus else lines


def is_excluded(path: Path, query: str, format: Format, case: Any = "ignore", *, raw: bool = False) -> bool:
    return Exclusion(Needle.of(query, case), raw=raw).excludes(str(path), format, SideFiles(None)) is not None


@settings(max_examples=400, deadline=None)
@given(sessions, formats, st.data(), st.sampled_from(["ignore", "exact"]), st.booleans(), st.booleans())
def test_what_is_excluded_holds_no_match(
    tmp_path_factory: pytest.TempPathFactory,
    spoken: list[Said], format: Format, data: st.DataObject, case: Any, escaped: bool, solidus: bool,
) -> None:  # fmt: skip
    folder = tmp_path_factory.mktemp("lines")
    view = view_of_lines(written(spoken, format, escaped, solidus), folder, format)
    known = "".join(text for row in view.select(EVERY) for text in searched(view, row))
    inside = st.integers(0, max(0, len(known) - 1)).flatmap(
        lambda start: st.integers(1, 6).map(lambda size: known[start : start + size])
    )
    query = data.draw(inside | st.text(st.sampled_from(HOSTILE), min_size=1, max_size=4))
    if query and is_excluded(folder / "session.jsonl", query, format, case):
        assert view.search(query, EVERY, case=case).total == 0


@pytest.mark.parametrize("size", [3, 17, 64, 1 << 18])
def test_it_matters_not_where_blocks_end(tmp_path: Path, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exclusion, "BLOCK", size)
    spoken: list[Said] = [("user", "before"), ("assistant", "ein schöner Müßiggang / zwei"), ("user", "behind")]
    for escaped in (False, True):
        view_of_lines(written(spoken, CLAUDE_CODE, escaped, True), tmp_path)
        for query in ("MÜSSIGGANG", "schöner", "gang / z", "behind"):
            assert not is_excluded(tmp_path / "session.jsonl", query, CLAUDE_CODE)
        for query in ("müssiggänger", "schoner", "gang / y", "behinde"):
            assert is_excluded(tmp_path / "session.jsonl", query, CLAUDE_CODE)


def test_a_search_of_raw_bytes_excludes_nothing_that_is_no_evidence(tmp_path: Path) -> None:
    (tmp_path / "session.jsonl").write_text('{"type":"odd","x":"sch\\u00f6n"}\n{"torn": "half of', "utf-8")
    for query in ("schön", "half of"):
        assert not is_excluded(tmp_path / "session.jsonl", query, CLAUDE_CODE, raw=True)
    assert is_excluded(tmp_path / "session.jsonl", "quarter", CLAUDE_CODE)


def test_what_is_asked_to_stop_excludes_nothing(tmp_path: Path) -> None:
    view_of_lines(written([("user", "words")], CLAUDE_CODE, False, False), tmp_path)
    path, exclusion = str(tmp_path / "session.jsonl"), Exclusion(Needle.of("other"))
    assert exclusion.excludes(path, CLAUDE_CODE, SideFiles(None), lambda: True) is None
    assert exclusion.excludes(path, CLAUDE_CODE, SideFiles(None)) is not None


def test_what_is_written_meanwhile_excludes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    view_of_lines(written([("user", "words")], CLAUDE_CODE, False, False), tmp_path)
    path, read = tmp_path / "session.jsonl", RawBytes.read_into

    def written_behind(file: RawBytes, room: memoryview, offset: int) -> memoryview:
        found = read(file, room, offset)
        path.write_bytes(path.read_bytes().replace(b"words", b"other words"))
        return found

    monkeypatch.setattr(RawBytes, "read_into", written_behind)
    with pytest.raises(SourceChanged):
        is_excluded(path, "other", CLAUDE_CODE)


IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo" * 9}}
UNTYPED = {"type": "input_image", "image_url": "https://example.org/a.jpg"}


def claude(content: Any) -> dict[str, Any]:
    return {"type": "user", "uuid": "u", "message": {"content": content}}


def codex(**payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-03-01T10:00:00.000Z", "type": "response_item", "payload": payload}


@pytest.mark.parametrize(
    ("format", "record", "queries"),
    [
        (CLAUDE_CODE, claude([{"type": "text", "text": "see"}, IMAGE]), ("[image", "mage image/png", "/png 7", "74]")),
        (CODEX, codex(type="message", role="user", content=[UNTYPED]), ("[image image/jpeg]", "image/jpeg", "jpeg]")),
        (CLAUDE_CODE, claude("<bash-input>ls</bash-input>"), ("Bash",)),
        (
            CODEX,
            codex(type="function_call", name="create_issue", namespace="mcp__github", call_id="c", arguments="{}"),
            ("github__create", "b__c", "_issue"),
        ),
        (
            CODEX,
            codex(type="mcp_call", id="m", name="open", server_label="github", arguments="{}"),
            ("mcp__github__o",),
        ),
        (
            YOI,
            {
                "kind": "user_input",
                "ts": 1,
                "segments": [{"kind": "text", "content": "see "}, {"kind": "file_ref", "path": "a.py"}],
            },
            ("see @a", "@a.py"),
        ),
    ],
)
def test_what_no_record_holds_as_it_reads_is_not_excluded(
    tmp_path: Path, format: Format, record: dict[str, Any], queries: tuple[str, ...]
) -> None:
    view = view_of_lines([json.dumps(record)], tmp_path, format)
    for query in queries:
        assert view.search(query, EVERY, case="exact").total == 1, query
        assert not is_excluded(tmp_path / "session.jsonl", query, format, "exact"), query
    assert is_excluded(tmp_path / "session.jsonl", "nothing alike", format)
