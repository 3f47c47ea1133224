"""Records that an agent chained: those that were changed or moved are told, and are evidence all the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.core.formats.yoi_walk import chained, message, record, said, start, text, typed
from unspool.formats.yoi import YOI
from unspool.ids import SessionRef
from unspool.views.view import SessionView

RECORDS = chained(start(), typed(text("Go")), said("One"), said("Two"), record("turn_end", turn_count=1))


def view_of(folder: Path, *lines: bytes) -> SessionView:
    path = folder / "session.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return SessionView.open(str(path), SessionRef("yoi", "x"), YOI)


def written(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


LINES = [written(value) for value in RECORDS]


def faults(view: SessionView) -> list[tuple[int, str]]:
    assert view.broken_links is not None
    return [(link.line, link.reason) for link in view.broken_links]


def test_a_whole_chain_has_no_broken_link(tmp_path: Path) -> None:
    assert faults(view_of(tmp_path, *LINES)) == []


def test_a_changed_record_is_told_and_read(tmp_path: Path) -> None:
    view = view_of(tmp_path, *LINES[:2], LINES[2].replace(b"One", b"Won"), *LINES[3:])
    assert faults(view) == [(3, "content")]
    assert view.search("Won").total == 1
    assert view.stats().to_json()["broken_links"] == [
        {"line": 3, "byte_range": list(view.resolve("E2").byte_range or ()), "reason": "content"}
    ]


def test_what_was_taken_out_put_in_or_moved_is_told_where_the_order_breaks(tmp_path: Path) -> None:
    assert faults(view_of(tmp_path, *LINES[:2], *LINES[3:])) == [(3, "order")]
    assert faults(view_of(tmp_path, LINES[1], *LINES[1:])) == [(1, "order"), (2, "order")]
    swapped = view_of(tmp_path, LINES[0], LINES[2], LINES[1], *LINES[3:])
    assert faults(swapped) == [(2, "order"), (3, "order"), (4, "order")]


def test_the_record_behind_a_torn_one_is_told_and_a_torn_tail_breaks_nothing(tmp_path: Path) -> None:
    view = view_of(tmp_path, *LINES[:2], LINES[2][:200], *LINES[3:])
    assert faults(view) == [(4, "order")]
    assert [line.line for line in view.unreadable] == [3]
    path = Path(view.source_path)
    path.write_bytes(b"\n".join(LINES[:4]) + b"\n" + LINES[4][:-1] + b"\xe3")
    torn = SessionView.open(str(path), SessionRef("yoi", "x"), YOI)
    assert faults(torn) == []
    assert torn.pending is not None


def test_a_record_glued_behind_half_a_character_is_told_by_its_own_line(tmp_path: Path) -> None:
    view = view_of(tmp_path, *LINES[:2], LINES[2][:-9] + b"\xe2\x80" + LINES[3], LINES[4])
    assert faults(view) == [(3, "order")]
    assert view.search("Two").total == 1


def test_a_session_without_hashes_has_no_chain_to_break(tmp_path: Path) -> None:
    view = view_of(tmp_path, written(start("segment_start")), written(said("Hi")))
    assert view.broken_links is None
    assert "broken_links" not in view.stats().to_json()


def test_a_chain_is_followed_while_the_session_grows(tmp_path: Path) -> None:
    view = view_of(tmp_path, *LINES[:2])
    path = Path(view.source_path)
    with path.open("ab") as file:
        file.write(LINES[2][:300])
    half = view.refreshed()
    with path.open("ab") as file:
        file.write(LINES[2][300:] + b"\n" + LINES[4] + b"\n")
    assert faults(half) == []
    assert faults(half.refreshed()) == [(4, "order")]
    assert faults(view) == []


def test_a_long_record_is_judged_by_its_bytes(tmp_path: Path) -> None:
    history = message("user", "x" * (9 << 20))
    lines = [written(value) for value in chained(start("session_start", history), said("Hi"))]
    assert faults(view_of(tmp_path, *lines)) == []
    assert faults(view_of(tmp_path, lines[0].replace(b"xxxx", b"xxyx", 1), lines[1])) == [(1, "content")]
