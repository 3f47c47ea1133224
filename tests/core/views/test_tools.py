"""Tools for agents: a compaction worker reads a session with them, within bounds, faults in one line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.core.views.growing import Growing, said
from tests.core.views.persisted import session_of, side_folder, stub
from tests.sessions import Said, view_of
from unspool.views.bounds import READ_BYTES
from unspool.views.tools import PIECES_NAMED, ToolSpec, reference_tools
from unspool.views.view import SessionView

DAY: list[Said] = [
    ("user", "The import fails since yesterday"),
    ("assistant", "I run it."),
    ("input", {"command": "shop import --all"}),
    ("output", "reading 812 rows\nrow 413: Connection refused\nstopped"),
    ("assistant", "The database refuses connections: its port is 5433 since yesterday."),
    ("user", "Then use 5433"),
    ("input", {"file_path": "shop/settings.py", "old_string": "5432", "new_string": "5433"}),
    ("output", "changed"),
    ("assistant", "Done."),
]


@pytest.fixture
def tools() -> dict[str, ToolSpec]:
    return {tool.name: tool for tool in reference_tools(view_of(DAY))}


def test_every_tool_describes_itself(tools: dict[str, ToolSpec]) -> None:
    assert list(tools) == ["search_reference", "read_reference", "resolve_reference"]
    for tool in tools.values():
        assert tool.description.endswith(".")
        assert tool.parameters["type"] == "object"
        assert tool.parameters["additionalProperties"] is False
        assert set(tool.parameters["required"]) <= set(tool.parameters["properties"])
        json.dumps(tool.parameters)
    assert list(tools["search_reference"].parameters["properties"]) == ["query", "kind", "tool_part", "limit"]
    assert {"id", "entry_range", "include_tools", "tool_part", "max_items", "max_bytes"} <= set(
        tools["read_reference"].parameters["properties"]
    )


def test_a_search_answers_with_ids_lines_and_a_total(tools: dict[str, ToolSpec]) -> None:
    search = tools["search_reference"]
    assert search({"query": "connection refused"}) == (
        "E3.0:2 output · 3 lines: row 413: Connection refused\n1 piece matches"
    )
    assert search({"query": "5433", "kind": "user"}).startswith("E5.0:1 user: Then use 5433")
    assert search({"query": "5433", "tool_part": "input"}).startswith("E6.0:1 ")
    assert search({"query": "e", "limit": 2}).endswith("7 pieces match; 5 more, raise limit")
    assert search({"query": "nowhere"}) == "0 pieces match"


def test_a_reading_is_fenced_by_ids_and_goes_on(tools: dict[str, ToolSpec]) -> None:
    read = tools["read_reference"]
    assert read({"id": "E5.0"}) == "[E5.0 user]\nThen use 5433"
    assert read({"entry_range": "E4-E6", "include_tools": False}).count("[E") == 2
    assert read({"entry_range": "E0-E9", "tool_part": "output"}).count("[E") == 2
    first = read({"entry_range": "E0-E9", "max_bytes": 50})
    found = re.search(r"\[truncated by bytes: (\d+) bytes left; go on with after=(\S+)\]\Z", first)
    assert found
    second = read({"entry_range": "E0-E9", "max_bytes": 1000, "after": found[2]})
    assert "Connection refused" not in first
    assert "Connection refused" in second
    assert "truncated" not in second


def test_a_resolved_id_is_one_json_object(tools: dict[str, ToolSpec]) -> None:
    anchor = json.loads(tools["resolve_reference"]({"id": "E3.0"}))
    assert anchor["evidence_id"] == "E3.0"
    assert anchor["pointer"] == "/message/content/0/content"
    assert anchor["byte_range"][0] > 0
    assert len(anchor["digest"]) == 64
    assert json.loads(tools["resolve_reference"]({"entry_range": "E1-E3"}))["pieces"] == ["E1.0", "E2.0", "E3.0"]
    assert tools["resolve_reference"]({"entry_range": [1, 3]}) == tools["resolve_reference"]({"entry_range": "E1-E3"})
    assert tools["read_reference"]({"entry_range": [0, 1]}) == tools["read_reference"]({"entry_range": "E0-E1"})


@pytest.mark.parametrize(
    ("name", "arguments", "fault"),
    [
        ("read_reference", {"entry_range": [1]}, "its first and last entry"),
        ("read_reference", {"entry_range": [-1, True]}, "its first and last entry"),
        ("read_reference", {"entry_range": [3, 1]}, "swap its ends"),
        ("read_reference", {"entry_range": 3}, "entry_range must be of type string or array"),
        ("search_reference", {}, "needs query"),
        ("search_reference", {"query": ""}, "empty query"),
        ("search_reference", {"query": 5}, "query must be of type string"),
        ("search_reference", {"query": "x", "limit": "5"}, "limit must be of type integer"),
        ("search_reference", {"query": "x", "limit": True}, "limit must be of type integer"),
        ("search_reference", {"query": "x", "limit": 0}, "limit is 0"),
        ("search_reference", {"query": "x", "regex": True}, "no argument 'regex'; it takes query, kind"),
        ("search_reference", {"query": "x", "kind": "no\nbody"}, "no kind"),
        ("read_reference", {}, "either id or entry_range"),
        ("read_reference", {"id": "E1.0", "entry_range": "E1-E2"}, "either id or entry_range"),
        ("read_reference", {"id": "E99.0"}, "no piece E99.0; the entries are E0 to E8"),
        ("read_reference", {"id": "first"}, "not an id or range"),
        ("read_reference", {"id": "E1.0", "max_bytes": 1}, "at least 4"),
        ("read_reference", {"id": "E1.0", "after": "x"}, "continuation"),
        ("read_reference", {"id": "E1.0", "path": "/etc/passwd"}, "no argument 'path'"),
        ("resolve_reference", {"id": "E1.0", "max_items": 5}, "no argument 'max_items'"),
    ],
)
def test_a_fault_is_told_in_one_line(
    tools: dict[str, ToolSpec], name: str, arguments: dict[str, Any], fault: str
) -> None:
    answer = tools[name](arguments)
    assert answer.startswith("error: ")
    assert fault in answer
    assert "\n" not in answer


def test_a_fault_in_a_file_of_any_name_is_told_in_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "two\nlines"
    folder.mkdir()
    view = Growing(folder, said(0, "hello") + b"\n").fresh()
    (folder / "growing.jsonl").unlink()
    assert re.fullmatch(r"error: [^\n]* is gone; [^\n]*", reference_tools(view)[1]({"id": "E0.0"}))


def test_a_null_is_an_argument_that_was_left_out(tools: dict[str, ToolSpec]) -> None:
    given = {"query": "import", "kind": None, "tool_part": None, "limit": None}
    assert tools["search_reference"](given) == tools["search_reference"]({"query": "import"})


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object"},
        {"type": "object", "properties": {}},
    ],
)
def test_a_tool_of_a_host_may_take_nothing(schema: dict[str, Any]) -> None:
    tool = ToolSpec("now", "Tell the time.", schema, lambda: "noon")
    assert tool({}) == "noon"
    assert tool({"zone": "utc"}) == "error: now has no argument 'zone'; it takes none"


@pytest.mark.parametrize(
    ("schema", "fits", "refused"),
    [
        ({"type": "number"}, [1, 1.5], ["1", True]),
        ({"type": "object"}, [{}], [[], "{}"]),
        ({"type": ["string", "null"]}, ["a"], [1]),
        ({"enum": ["a", 1]}, ["a", 1], []),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, ["a", 1], []),
        ({"type": "null"}, ["a"], []),
    ],
)
def test_a_schema_of_a_host_is_checked_by_its_types_and_what_says_none_is_for_the_tool(
    schema: dict[str, Any], fits: list[Any], refused: list[Any]
) -> None:
    tool = ToolSpec("give", "Give it back.", {"type": "object", "properties": {"it": schema}}, lambda it=None: it)
    assert [tool({"it": each}) for each in fits] == fits
    assert all(str(tool({"it": each})).startswith("error: give: it must be of type") for each in refused)


def test_answers_are_bounded_whatever_is_asked() -> None:
    view = view_of([("output", "needle " + "x" * 400)] * 600)
    search, read, resolve = reference_tools(view)
    answer = search({"query": "needle", "limit": 1000})
    assert len(answer.encode()) < READ_BYTES + 100
    assert answer.endswith("more, narrow the query")
    assert len(read({"entry_range": "E0-E599", "max_items": 10**9, "max_bytes": 10**9}).encode()) < 2 * READ_BYTES
    pieces = json.loads(resolve({"entry_range": "E0-E599"}))
    assert (len(pieces["pieces"]), pieces["more_pieces"]) == (PIECES_NAMED, 600 - PIECES_NAMED)


def test_what_a_person_would_be_told_is_told(tmp_path: Path) -> None:
    (side_folder(tmp_path) / "toolu_0.txt").write_text("all of it")
    view = session_of(tmp_path, stub("toolu_0.txt"), stub("toolu_0.txt"), stub("gone.txt"))
    read = reference_tools(view)[1]
    assert read({"id": "E2.0"}) == "[E2.0 output · 1 line]\nall of it"
    assert read({"id": "E4.0"}).startswith("[E4.0 output · 1 line · this is the saved output of call toolu_0]\n")
    assert "full output not found" in read({"id": "E6.0"}).split("\n")[0]


def compacted(view: SessionView) -> str:
    """What a compaction worker does: it starts from the brief, looks up what failed, and quotes what it says.

    In place of a model stands what one would ask for.
    """
    search, read, resolve = reference_tools(view)
    assert "Overview" in view.brief()
    failed = search({"query": "refused", "tool_part": "output", "limit": 1})
    evidence_id = failed.partition(":")[0]
    line = next(line for line in read({"id": evidence_id, "max_bytes": 4000}).split("\n") if "refused" in line)
    change = search({"query": "5433", "tool_part": "input"}).partition(":")[0]
    quotes = [json.loads(resolve({"id": each}))["digest"][:12] for each in (evidence_id, change)]
    return f"The import failed: {line} [{evidence_id}@{quotes[0]}]. Mended [{change}@{quotes[1]}]."


def test_they_replace_the_search_and_read_tools_of_a_compaction_worker() -> None:
    view = view_of(DAY)
    summary = compacted(view)
    assert summary.startswith("The import failed: row 413: Connection refused [E3.0@")
    for quoted in re.findall(r"E\d+\.\d+@[0-9a-f]{12}", summary):
        evidence_id, _, digest = quoted.partition("@")
        assert view.reference(view.id(view.row(evidence_id))).digest.startswith(digest)  # type: ignore[union-attr]
