"""Figures of a session: each is counted once, and all of them from the records."""

from __future__ import annotations

from pathlib import Path

from tests.core.views.growing import Growing, said
from tests.core.views.persisted import session_of, side_folder, stub
from tests.sessions import CLAUDE_CODE, view_of
from unspool.views.stats import WORST
from unspool.views.view import SessionView


def test_sizes_are_told_by_kind_and_tool() -> None:
    view = view_of(
        [
            ("user", "go"),
            ("reasoning", "hidden words"),
            ("input", {"command": "a"}),
            ("output", "12345"),
            ("input", {"command": "b"}),
            ("output", "x" * 100),
            ("assistant", "é"),
        ]
    )
    stats = view.stats().to_json()
    assert stats["bytes_by_kind"] == {"user": 2, "tool_input": 30, "tool_output": 105, "assistant": 2}
    assert stats["tools"] == {"Bash": {"calls": 2, "outputs": 2, "bytes": 105, "model_bytes": 105}}
    assert stats["outputs"] == {"outputs": 2, "bytes": 105, "model_bytes": 105}
    assert [row["id"] for row in stats["worst"]] == ["E5.0", "E3.0"]
    assert (stats["entries"], stats["bytes"], stats["reasoning"]) == (7, view.size, 1)
    assert stats["tokens"] is None


def test_only_the_largest_outputs_are_named() -> None:
    view = view_of([("output", "x" * size) for size in range(30)])
    worst = view.stats().worst
    assert [row.bytes for row in worst] == list(range(29, 29 - WORST, -1))


def test_stored_and_failed_outputs_are_counted_with_their_full_sizes(tmp_path: Path) -> None:
    (side_folder(tmp_path) / "x.txt").write_text("y" * 9999)
    stats = session_of(tmp_path, stub("x.txt"), stub("gone.txt"), "plain").stats()
    assert stats.stored == 2
    assert stats.worst[0].bytes == 9999
    assert stats.by_kind["tool_output"] == 9999 + len(stub("gone.txt")) + 5


def test_what_is_no_evidence_is_listed(tmp_path: Path) -> None:
    other = b'{"type": "mode", "mode": "plan", "sessionId": "s"}'
    unheard = b'{"type": "unheard-of", "sessionId": "s"}'
    lines = [said(0, "go"), other, unheard, other, b"{broken", b"[1]", said(1, "half")[:40]]
    stats = Growing(tmp_path, b"\n".join(lines)).fresh().stats().to_json()
    assert stats["other_records"] == {"mode": 2, "unheard-of": 1, "(no object)": 1}
    assert stats["unknown_records"] == {"unheard-of": 1}
    (bad,) = stats["unreadable"]
    start, stop = bad["byte_range"]
    assert (bad["line"], bad["reason"], stop - start) == (5, "syntax", 7)
    assert stats["counts"]["user"] == 1


def test_tokens_are_counted_once_for_each_message() -> None:
    usage = {"input_tokens": 3, "output_tokens": 40, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 7}
    records = [
        {
            "type": "assistant",
            "uuid": f"u{number}",
            "version": "2.1.50",
            "message": {
                "id": "m",
                "model": "a-model",
                "usage": usage,
                "content": [{"type": "text", "text": f"part {number}"}],
            },
        }
        for number in range(3)
    ]
    stats = SessionView.of(records, CLAUDE_CODE).stats().to_json()
    assert stats["tokens"] == {"input": 3, "output": 40, "cache_read": 5, "cache_write": 7}
    assert (stats["models"], stats["versions"]) == (["a-model"], ["2.1.50"])
