"""An agent reads back what it was given a summary of, and what it reads is never stored again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.sessions import view_of
from unspool.blobs.content import Structured, Text
from unspool.blobs.memory import MemoryBlobStore
from unspool.ids import BlobId
from unspool.outputs.batch import into_context
from unspool.outputs.output import Inline, Stored, ToolOutput
from unspool.views.bounds import READ_BYTES, Bounds
from unspool.views.inspect_tool import inspect_tool, loop_tools
from unspool.views.tools import ToolSpec, reference_tools

LINES = "\n".join(f"row {number}" for number in range(1, 2_001))


def answered(content: object, bounds: Bounds | None = None, **arguments: object) -> str:
    """What the tool says about one stored content."""
    store = MemoryBlobStore()
    blob_id = store.store(content if isinstance(content, Text) else Structured(content))
    return inspect_tool(store, bounds)({"blob_id": str(blob_id), **arguments})


def test_the_tool_describes_itself() -> None:
    tool = inspect_tool(MemoryBlobStore())
    assert tool.name == "inspect"
    assert list(tool.parameters["properties"]) == ["blob_id", "selector", "after"]
    assert tool.parameters["required"] == ["blob_id"]
    assert tool.parameters["additionalProperties"] is False
    assert all(form in json.dumps(tool.parameters) for form in ("lines:", "tail:", "grep:", "bytes:", "slice:", "key:"))


@pytest.mark.parametrize(
    ("content", "arguments", "answer"),
    [
        (Text("a\nb\nc"), {}, "text | 3 lines | 5 bytes\na\nb\nc"),
        (Text("a\nb\nc"), {"selector": "lines:2-3"}, "text | 3 lines | 5 bytes\nb\nc"),
        (Text("a\nb\nc"), {"selector": None}, "text | 3 lines | 5 bytes\na\nb\nc"),
        ([1, 2], {"selector": "slice:1..2"}, "json_array | 2 entries | 12 bytes\n2"),
        ({"a": 1, "b": 2}, {"selector": "key:b"}, "json_object | 2 keys (a, b) | 22 bytes\n2"),
        (Text("a\nb"), {"selector": "lines:10-20"}, "text | 2 lines | 3 bytes\n(no line 10: the text has 2 lines)"),
    ],
)
def test_an_answer_says_what_the_whole_is_and_gives_the_window(
    content: object, arguments: dict[str, object], answer: str
) -> None:
    assert answered(content, **arguments) == answer


def test_of_many_keys_the_first_are_named() -> None:
    assert answered({"a\nb": 1}).startswith("json_object | 1 key (a b) |")
    assert answered({str(n): n for n in range(30)}).startswith(
        "json_object | 30 keys (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …) |"
    )


def test_a_long_output_is_read_to_its_end() -> None:
    store = MemoryBlobStore()
    tool = inspect_tool(store, Bounds(max_bytes=1_000))
    arguments = {"blob_id": str(store.store(Text(LINES)))}
    said, after = "", ""
    while after is not None:
        answer = tool(arguments | ({"after": after} if after else {}))
        heading, _, rest = answer.partition("\n")
        assert heading == f"text | 2000 lines | {len(LINES)} bytes"
        window, cut, told = rest.rpartition("\n[cut by bytes: ")
        said += window if cut else rest
        after = told.rpartition("after=")[2].removesuffix("]") if cut else None
    assert said == LINES


@pytest.mark.parametrize("selector", [None, "lines:1-9999999", "bytes:0..99999999", "tail:99999", "grep:row"])
def test_every_answer_is_bounded(selector: str | None) -> None:
    answer = answered(Text(LINES * 20), selector=selector)
    assert READ_BYTES < len(answer) < READ_BYTES + 200 or selector == "grep:row"
    assert "go on with after=" in answer[-120:]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"selector": "lines:20"}, "error: lines needs A-B, as in lines:20-50"),
        ({"selector": "key:a"}, "error: key fits objects; this is text of 3 lines: use lines:A-B"),
        ({"after": "x"}, "error: not a continuation: 'x'; pass the `next` of the answer before"),
        ({"lines": "1-2"}, "error: inspect has no argument 'lines'; it takes blob_id, selector, after"),
        ({"selector": 3}, "error: inspect: selector must be of type string"),
    ],
)
def test_a_fault_is_one_line(arguments: dict[str, object], told: str) -> None:
    assert answered(Text("a\nb\nc"), **arguments) == told


@pytest.mark.parametrize(
    "written", ["019d6f3e-52d0-7c4a-9f11-2b8d3c5e7a90", "[blob:019d6f3e-52d0-7c4a-9f11-2b8d3c5e7a90]"]
)
def test_a_dangling_id_reads_as_not_found(written: str) -> None:
    assert (
        inspect_tool(MemoryBlobStore())({"blob_id": written})
        == f"blob not found: {written[-37:].strip('[]').removeprefix('blob:')}"
    )


@pytest.mark.parametrize("written", ["[blob:../../etc/passwd]", "", "E12.0", "x" * 5_000, "[blob:]", "a\nb"])
def test_a_forged_id_reads_as_not_found(written: str) -> None:
    answer = inspect_tool(MemoryBlobStore())({"blob_id": written})
    assert answer.startswith("blob not found: ")
    assert "UUID v7" in answer
    assert len(answer) < 200
    assert "\n" not in answer


def test_what_was_read_is_never_stored_again() -> None:
    store = MemoryBlobStore()
    (context,) = into_context([LINES], store)
    blob_id = context[len("[blob:") :].partition("]")[0]
    tool = inspect_tool(store)
    answers = [
        tool({"blob_id": blob_id}),
        tool({"blob_id": blob_id, "selector": "x" * 900}),
        tool({"blob_id": "x" * 900}),
    ]
    assert into_context(answers, store) == answers
    assert list(store.ids()) == [BlobId.parse(blob_id)]


def test_what_was_read_of_a_session_is_not_stored_either() -> None:
    _, read, _ = reference_tools(view_of([("user", LINES)]))
    assert isinstance(ToolOutput.of(read({"id": "E0.0"})), Inline)


def test_a_loop_has_the_tool_exactly_when_outputs_are_stored() -> None:
    own = ToolSpec("build", "Build it.", NO_ARGUMENTS, lambda: "done")
    assert [tool.name for tool in loop_tools([own], None)] == ["build"]
    assert [tool.name for tool in loop_tools([own], MemoryBlobStore())] == ["build", "inspect"]


NO_ARGUMENTS: dict[str, Any] = {"type": "object", "properties": {}, "required": []}


def test_a_loop_stores_a_long_output_and_reads_it_back() -> None:
    """A loop in small: a tool says too much, and a model asks for the part it needs."""
    store = MemoryBlobStore()
    build = ToolSpec("build", "Build it.", NO_ARGUMENTS, lambda: LINES)
    tools = {tool.name: tool for tool in loop_tools([build], store)}
    (summary,) = into_context([tools["build"]({})], store)
    assert summary.startswith("[blob:")
    assert len(summary) < 500
    wanted = {"blob_id": summary.split(" ")[0], "selector": "grep:row 1999"}
    (read,) = into_context([tools["inspect"](wanted)], store)
    assert read == f"text | 2000 lines | {len(LINES)} bytes\n1999: row 1999"


def test_a_tool_may_give_json_and_outputs_that_were_made_before() -> None:
    store = MemoryBlobStore()
    given: list[object] = [{"rows": list(range(900))}, Stored("short", Text("long")), None]
    tools = [ToolSpec(str(number), "", NO_ARGUMENTS, lambda each=each: each) for number, each in enumerate(given)]
    results = [tool({}) for tool in loop_tools(tools, store)[:3]]
    assert results == given
    contexts = into_context(results, store)
    assert contexts[0].partition("] ")[2].startswith("json_object | 1 key | ")
    assert contexts[1].endswith("] short")
    assert contexts[2] == "null"


class Model:
    """Asks for what it was scripted to, and sees what comes back."""

    def __init__(self, *steps: list[tuple[str, dict[str, str]]]) -> None:
        self.steps = list(steps)

    def ask(self, context: list[str], tools: Iterable[ToolSpec]) -> list[SimpleNamespace]:
        assert [tool.name for tool in tools] == ["build", "inspect"]
        step = self.steps.pop(0) if self.steps else []
        seen = context[-1].split(" ")[0] if context else ""
        return [
            SimpleNamespace(name=name, arguments={key: value.format(seen=seen) for key, value in arguments.items()})
            for name, arguments in step
        ]


def test_the_example_of_the_readme_is_such_a_loop(tmp_path: Path) -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text("utf-8")
    example = next(block for block in readme.split("\n\n    ") if block.startswith("from unspool import FileBlobStore"))
    start = readme.index(example)
    lines = readme[start : readme.index("\n\n", readme.index("into_context(results"))].split("\n")
    code = "\n".join(line.removeprefix("    ") for line in lines).replace("/srv/agent/blobs", str(tmp_path / "blobs"))
    model = Model([("build", {"target": "all"})], [("inspect", {"blob_id": "{seen}", "selector": "tail:1"})])
    context: list[str] = []
    exec(
        compile(code, "README.md", "exec"), {"run_the_build": lambda target: LINES, "model": model, "context": context}
    )
    assert len(lines) <= 20
    assert [len(text) < 500 for text in context] == [True, True]
    assert context[1].endswith("\nrow 2000")
