from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.core.formats.codex_walk import Record, completed, event
from unspool.formats.codex import CODEX
from unspool.ids import EvidenceId, SessionRef
from unspool.sources.json_value import Clipped
from unspool.views.view import SessionView

DIFF = "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
UPDATE = {"type": "update", "unified_diff": DIFF, "move_path": None}
NEW = {"type": "add", "content": "a\n"}


def ended(changes: Any, **fields: Any) -> Record:
    return event("patch_apply_end", call_id="c", changes=changes, **{"success": True, **fields})


TOLD = [
    ("at its end", ended({"a.py": UPDATE}), {"a.py": {"type": "update", "unified_diff": DIFF}}),
    ("where it begins", event("patch_apply_begin", call_id="c", changes={"b.py": NEW}), {"b.py": NEW}),
    ("in older versions", ended({"a.py": {"update": {"unified_diff": DIFF}}, "b.py": {"add": {"content": "a\n"}}}),
     {"a.py": {"type": "update", "unified_diff": DIFF}, "b.py": NEW}),
    ("of a file that was moved", ended({"a.py": {**UPDATE, "move_path": "b.py"}}),
     {"a.py": {"type": "update", "unified_diff": DIFF, "move_path": "b.py"}}),
    ("as an item", completed("FileChange", changes={"b.py": NEW}, status="completed"), {"b.py": NEW}),
    ("as a list", completed("FileChange", changes=[{"path": "a.py", "kind": {"type": "update"}, "diff": DIFF}]),
     {"a.py": {"type": "update", "unified_diff": DIFF}}),
]  # fmt: skip


@pytest.mark.parametrize(("record", "changes"), [row[1:] for row in TOLD], ids=[row[0] for row in TOLD])
def test_what_an_edit_changed_is_told_of_its_call(record: Record, changes: dict[str, Any]) -> None:
    assert CODEX.decode(record).detail_of in ("c", "i1")
    assert CODEX.detail(record) == {"changes": changes}


FAILED = [ended({"a.py": UPDATE}, success=False), ended({"a.py": UPDATE}, status="failed"),
          completed("FileChange", changes={"a.py": NEW}, status="declined")]  # fmt: skip


@pytest.mark.parametrize("record", FAILED)
def test_an_edit_that_failed_takes_back_what_was_told_before(record: Record) -> None:
    assert CODEX.decode(record).detail_of is not None
    assert CODEX.detail(record) is None


@pytest.mark.parametrize("changes", [None, {}, [], "a.py", 7])
def test_an_end_without_changes_leaves_what_was_told_before(changes: Any) -> None:
    assert CODEX.decode(ended(changes)).detail_of is None
    assert CODEX.detail(ended(changes)) is None


@pytest.mark.parametrize("change", [None, {}, [], {"type": "update"}, {"unified_diff": 7}, {"update": None}])
def test_changes_that_cannot_be_shown_whole_are_not_shown(change: Any) -> None:
    assert CODEX.detail(ended({"a.py": UPDATE, "b.py": change})) is None
    long = Clipped.of("@@", (10, 9_000_000))
    assert CODEX.detail(ended({"a.py": {**UPDATE, "unified_diff": long}})) is None


def test_other_records_tell_nothing_of_a_call() -> None:
    for record in (event("exec_command_end", call_id="c", changes={"a": NEW}), completed("CommandExecution"), {}):
        assert CODEX.decode(record).detail_of is None
        assert CODEX.detail(record) is None


def edit(call_id: str) -> list[Record]:
    call = {"type": "custom_tool_call", "name": "apply_patch", "call_id": call_id, "input": "*** Begin Patch"}
    output = {"type": "custom_tool_call_output", "call_id": call_id, "output": "Done"}
    return [{"type": "response_item", "payload": call}, {"type": "response_item", "payload": output}]


def test_a_view_gives_the_newest_changes_of_a_call_to_its_call_and_its_result() -> None:
    call, result = edit("c")
    began = event("patch_apply_begin", call_id="c", changes={"a.py": NEW})
    view = SessionView.of([call, began, ended({"b.py": UPDATE}), result, *edit("d")], CODEX)
    rows = [view.row(EvidenceId(entry, 0)) for entry in (0, 3, 4, 5)]
    told = {"changes": {"b.py": {"type": "update", "unified_diff": DIFF}}}
    assert [view.result_detail(row) for row in rows] == [told, told, None, None]


def test_an_older_view_is_not_told_what_was_written_later(tmp_path: Path) -> None:
    path = tmp_path / "rollout-1.jsonl"
    lines = [json.dumps(record) + "\n" for record in [*edit("c"), ended({"b.py": NEW})]]
    path.write_text("".join(lines[:2]), "utf-8")
    before = SessionView.open(str(path), SessionRef("codex", "x"), CODEX)
    with path.open("a", encoding="utf-8") as log:
        log.write(lines[2])
    after = before.refreshed()
    assert after.result_detail(1) == {"changes": {"b.py": NEW}}
    assert before.result_detail(1) is None
