from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.formats.codex_walk import (
    call,
    completed,
    event,
    header,
    image,
    item,
    message,
    output,
    pieces,
    prompt,
    reasoning,
    record,
    said,
    thought,
)
from unspool.formats.codex import CODEX
from unspool.formats.piece import Flag, ImagePart, JsonPart, TextPart
from unspool.sources.json_value import Clipped, Number

PNG = "data:image/png;base64,iVBORw0KGgo="
TEXT = {"type": "input_text", "text": "ok"}
AGENT_WORD = [{"type": "input_text", "text": "Start."}, {"type": "encrypted_content", "encrypted_content": "x"}]
TWO_IMAGES = event("user_message", message="Look", images=[PNG], local_images=["/tmp/a.JPG"])
HISTORY = [{"type": "message", "role": "user", "content": [TEXT]}]


def content(role: str, *blocks: Any) -> dict[str, Any]:
    return item("message", role=role, content=list(blocks))


def made(result: str | None) -> dict[str, Any]:
    return item("image_generation_call", id="ig1", status="completed", revised_prompt="A kiln", result=result)


def mcp(**told: Any) -> dict[str, Any]:
    return item("mcp_call", id="m1", name="add", server_label="sums", arguments='{"a":1}', **told)


RECORDS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("an answer", message("assistant", "Done."), ["assistant: Done."]),
    ("two answers", message("assistant", "One.", "", "Two."), ["assistant: One.", "assistant: Two."]),
    ("a prompt of several blocks", message("user", "Look", "here"), ["user: Look\nhere"]),
    ("a developer text", message("developer", "Ask first.", "Be kind."), ["system: Ask first.\nBe kind."]),
    ("a system text", message("system", "Be kind."), ["system: Be kind."]),
    ("a refusal", content("assistant", {"type": "refusal", "refusal": "No."}), ["assistant: No."]),
    ("a content that is a string", item("message", role="user", content="Hi"), ["user: Hi"]),
    ("an empty message", message("assistant", ""), []),
    ("an image alone", content("user", image(PNG)), ["user: [image image/png 8]"]),
    ("an image by its id", content("user", {"type": "input_image", "file_id": "file-1"}), ["user: [image ?]"]),
    ("an image that is not there", content("user", image(None)), ["user: [image ?]"]),
    ("reasoning", reasoning("Look first.", "Then act."), ["assistant: Look first.\nThen act."]),
    ("raw reasoning", item("reasoning", content=[{"type": "reasoning_text", "text": "Hm."}]), ["assistant: Hm."]),
    ("encrypted reasoning", item("reasoning", summary=[], encrypted_content="b3BhcXVl"), []),
    ("another agent's word", item("agent_message", content=AGENT_WORD), ["system: Start."]),
    ("the same, in its own record", record("inter_agent_communication", content="Start."), ["system: Start."]),
    ("a call", call('{ "cmd": "ls",\n "n": 1 }'), ['input: {"cmd":"ls","n":1}']),
    ("a call with broken arguments", call('{"command":["cat"'), ['input: {"command":["cat"']),
    ("a call without arguments", call(None), ["input: "]),
    ("a patch", item("custom_tool_call", input="*** Begin Patch\n+a"), ["input: *** Begin Patch\n+a"]),
    ("a shell call of the API", item("local_shell_call", action={"command": ["pwd"]}), ['input: {"command":["pwd"]}']),
    ("a web search", item("web_search_call", action={"query": "kiln"}), ['input: {"query":"kiln"}']),
    ("a search for tools", item("tool_search_call", arguments={"query": "mail"}), ['input: {"query":"mail"}']),
    ("the tools that were found", item("tool_search_output", tools=[{"name": "mail"}]), ['output: [{"name":"mail"}]']),
    ("an output", output("a\nb"), ["output: a\nb"]),
    ("an empty output", output(""), ["output: "]),
    ("a missing output", output(None), ["output: "]),
    ("an output in blocks", output([TEXT, image(PNG)]), ["output: ok\n[image image/png 8]"]),
    ("an output of another tool", item("custom_tool_call_output", output=[TEXT]), ["output: ok"]),
    ("an output that is one block", output(TEXT), ["output: ok"]),
    ("an output with its success", output({"content": "no", "success": False}), ["output: no"]),
    ("a structured output", output({"rows": [1, 2]}), ['output: {"rows":[1,2]}']),
    ("an image that was made", made("iVBORw0KGgo="), ["input: A kiln", "output: [image image/png 8]"]),
    ("an image that is kept elsewhere", made(""), ["input: A kiln", "output: "]),
    ("an image that is being made", made(None), ["input: A kiln"]),
    ("a call of an MCP server", mcp(output="3"), ['input: {"a":1}', "output: 3"]),
    ("a call of an MCP server that failed", mcp(error="gone"), ['input: {"a":1}', "output: gone"]),
    ("a call of an MCP server that is not over", mcp(output=None), ['input: {"a":1}']),
    ("what an MCP server said", item("mcp_tool_call_output", call_id="c", output="3"), ["output: 3"]),
    ("a snapshot", item("ghost_snapshot", ghost_commit={"id": "1"}), []),
    ("an encrypted compaction", item("compaction", id="cmp_1", encrypted_content="x"), ["system: "]),
    ("a compaction that says nothing", record("compacted", message="", replacement_history=HISTORY), ["system: "]),
    ("a prompt event", prompt("Look here"), ["user: Look here"]),
    ("a prompt event with images", TWO_IMAGES, ["user: Look\n[image image/png 8]\n[image image/jpeg]"]),
    ("a context event", event("user_message", message="Hi", kind="user_instructions"), ["system: Hi"]),
    ("an answer event", said("Done."), ["assistant: Done."]),
    ("a reasoning event", thought("Look first."), ["assistant: Look first."]),
    ("a completed prompt", completed("UserMessage", content=[{"type": "text", "text": "Hi"}]), ["user: Hi"]),
    ("a completed answer", completed("AgentMessage", content=[{"type": "Text", "text": "Yes"}]), ["assistant: Yes"]),
    ("completed reasoning", completed("Reasoning", summary_text=["Hm."], raw_content=[]), ["assistant: Hm."]),
    ("a completed plan", completed("Plan", text="1. Dig"), ["assistant: 1. Dig"]),
    ("a completed command", completed("CommandExecution", stdout="a"), []),
    ("an error", event("error", message="overloaded"), ["system: overloaded"]),
    ("a turn that failed", event("task_complete", error={"message": "overloaded"}), ["system: overloaded"]),
    ("a turn that ended", event("task_complete", last_agent_message="Done."), ["assistant: Done."]),
    ("a notice", event("undo_completed", success=True, message="Undone."), ["system: Undone."]),
    ("a review that begins", event("entered_review_mode", user_facing_hint="commit 1"), ["system: commit 1"]),
    ("a review that ends", event("exited_review_mode", review_output={"findings": []}), ['system: {"findings":[]}']),
    ("a review that was left", event("exited_review_mode", review_output=None), []),
    ("results of a web search", event("web_search_end", results=[{"n": 1}]), ['output: [{"n":1}]']),
    ("the end of a web search", event("web_search_end", call_id="ws1", query="kiln"), []),
    ("a richer copy of an output", event("exec_command_end", call_id="c", stdout="a"), []),
    ("an interruption", event("turn_aborted", reason="interrupted"), []),
    ("a bare boundary", event("context_compacted"), []),
    ("a summary", record("compacted", message="So far: dug.", replacement_history=HISTORY), ["system: So far: dug."]),
    (
        "a boundary",
        record("compacted", message="", window_id="w", number=1.10, left={"n": 1}, replacement_history=HISTORY, x=None),
        ['system: w\n1.1\n{"n":1}'],
    ),
    ("a header", header("s1", base_instructions={"text": "You are Codex."}), []),
    ("a turn context", record("turn_context", cwd="/src", model="m", user_instructions="be kind"), []),
    ("the state of the world", record("world_state", full=True, state={"agents_md": {"text": "be kind"}}), []),
    ("a bare header", {"id": "s1", "timestamp": "2025-06-01T10:00:00Z", "instructions": "be kind"}, []),
    ("a bare state", {"record_type": "state"}, []),
    ("a bare message", message("assistant", "Done.")["payload"], ["assistant: Done."]),
    ("a bare call", call("{}")["payload"], ["input: {}"]),
]


@pytest.mark.parametrize(("value", "expected"), [row[1:] for row in RECORDS], ids=[row[0] for row in RECORDS])
def test_every_record_gives_the_pieces_of_its_kind(value: dict[str, Any], expected: list[str]) -> None:
    assert pieces(value) == expected
    assert CODEX.decode(value).known


def test_a_call_of_an_mcp_server_is_answered_in_itself() -> None:
    call, result = CODEX.decode(mcp(error="gone")).pieces
    assert (call.tool, call.call_id, result.call_id, result.number) == ("mcp__sums__add", "m1", "m1", 1)
    assert Flag.ERROR in result.flags
    assert result.parts == (TextPart(("payload", "error"), "gone"),)


def test_pointers_lead_to_the_text_in_the_envelope_and_without_it() -> None:
    value = call('{"n":1}')
    assert CODEX.decode(value).pieces[0].parts == (JsonPart(("payload", "arguments"), {"n": 1}, encoded=True),)
    assert CODEX.decode(value["payload"]).pieces[0].parts == (JsonPart(("arguments",), {"n": 1}, encoded=True),)
    assert CODEX.decode(content("user", TEXT, image(PNG))).pieces[0].parts == (
        TextPart(("payload", "content", 0, "text"), "ok"),
        ImagePart(("payload", "content", 1, "image_url"), "image/png", 8),
    )


def test_the_pointers_of_a_boundary_lead_to_its_metadata_and_to_nothing_else() -> None:
    value = record("compacted", message="", window_id="w", replacement_history=HISTORY, number=3)
    assert CODEX.decode(value).pieces[0].parts == (
        TextPart(("payload", "window_id"), "w"),
        JsonPart(("payload", "number"), 3),
    )


def test_arguments_keep_the_numbers_that_were_written() -> None:
    assert pieces(call('{"n":1.10,"m":-0}')) == ['input: {"n":1.10,"m":-0}']


def test_a_clipped_string_is_handed_on_as_it_is() -> None:
    clipped = Clipped.of('{"cmd":"', (90, 5_000_000))
    for value in (
        call(clipped),
        output(clipped),
        message("user", clipped),
    ):
        [part] = CODEX.decode(value).pieces[0].parts
        assert isinstance(part, (TextPart, JsonPart))
        assert part.value is clipped


def test_a_clipped_image_is_of_unknown_size_until_someone_reads_on() -> None:
    head = Clipped.of(PNG, (200, 4_000_200))
    (part,) = CODEX.decode(content("user", image(head))).pieces[0].parts
    assert isinstance(part, ImagePart)
    assert (part.media_type, part.size, part.clipped) == ("image/png", None, head)


def test_a_tool_in_a_namespace_is_named_as_older_versions_named_it() -> None:
    def name(**fields: Any) -> str | None:
        return CODEX.decode(item("function_call", arguments="{}", call_id="c", **fields)).pieces[0].tool

    assert name(name="exec_command", namespace=None) == "exec_command"
    assert name(name="_fetch_pr", namespace="mcp__forge") == "mcp__forge__fetch_pr"
    assert name(name=7) is None


def test_native_ids_are_those_of_items_alone() -> None:
    assert CODEX.decode(item("message", id="msg_1", role="assistant", content="Yes.")).pieces[0].native_id == "msg_1"
    done = event(
        "item_completed", item={"type": "AgentMessage", "id": "msg_1", "content": [{"type": "Text", "text": "Yes."}]}
    )
    assert CODEX.decode(done).pieces[0].native_id is None


def test_unknown_types_and_blocks_are_inert_and_said_to_be_unknown() -> None:
    for value in (
        record("brand_new", text="x"),
        item("brand_new", text="x"),
        event("brand_new", message="x"),
        completed("BrandNew"),
        {"hello": "world"},
        {},
    ):
        decoded = CODEX.decode(value)
        assert (decoded.known, decoded.pieces) == (False, ())


def test_an_unknown_block_keeps_its_number() -> None:
    decoded = CODEX.decode(content("assistant", {"type": "brand_new", "text": "x"}, TEXT))
    assert not decoded.known
    assert [(piece.number, piece.text()) for piece in decoded.pieces] == [(1, "ok")]


def test_records_are_named_by_envelope_and_type() -> None:
    names = {
        "event_msg/token_count": event("token_count", info=None),
        "response_item/ghost_snapshot": item("ghost_snapshot"),
        "turn_context": record("turn_context"),
        "session_meta": {"id": "s", "timestamp": "2025-06-01", "instructions": None},
        "response_item/reasoning": {"type": "reasoning", "summary": []},
    }
    assert {name: CODEX.decode(value).type for name, value in names.items()} == {name: name for name in names}


def test_times_are_read_from_the_envelope() -> None:
    assert CODEX.decode(item("ghost_snapshot", "2026-05-01T10:00:00.250Z")).time == 1_777_629_600_250
    assert CODEX.decode({"type": "reasoning", "summary": []}).time is None


def test_rollouts_are_known_by_their_first_records() -> None:
    assert CODEX.detect([header("s1")])
    assert CODEX.detect([{"id": "s1", "timestamp": "2025-06-01T10:00:00Z", "instructions": None}])
    assert not CODEX.detect([{"type": "compaction", "summary": "x", "id": "1"}, {"type": "reasoning", "summary": []}])
    assert not CODEX.detect([])
    assert not CODEX.detect([{"type": "user", "message": {"role": "user", "content": "Hi"}, "sessionId": "s"}])
    assert not CODEX.detect([{"type": "session", "version": 3, "id": "s1", "timestamp": "2026-05-01T10:00:00Z"}])
    assert not CODEX.detect([{"type": "message", "id": "1", "message": {"role": "user", "content": "Hi"}}])


HEADLINES = [
    ("exec_command", {"cmd": "ls  -la\n", "workdir": "/src"}, "ls -la"),
    ("shell", {"command": ["bash", "-lc", "wc -l a.txt"], "timeout": 5}, "wc -l a.txt"),
    ("shell", {"command": ["ls", "-la"]}, "ls -la"),
    ("shell", {"command": ["apply_patch", "*** Begin Patch\n*** Update File: a.py\n*** End Patch"]}, "a.py +0 −0"),
    (
        "apply_patch",
        "*** Begin Patch\n*** Add File: a.py\n+x\n*** Delete File: b.py\n*** End Patch",
        "a.py, b.py +1 −0",
    ),
    ("patch", {"input": "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n+z\n*** End Patch"}, "a.py +2 −1"),
    ("apply_patch", "*** Begin Patch\n*** Update File: " + "d/" * 200 + "a.py\n-x\n", "d/" * 79 + "d… +0 −1"),
    ("note", "*** Begin Patch is how one begins", "*** Begin Patch is how one begins"),
    ("view_image", {"path": "/tmp/a.png"}, "/tmp/a.png"),
    ("web_search", {"type": "search", "query": "kiln"}, "kiln"),
    ("update_plan", {"explanation": "First dig", "plan": []}, "First dig"),
    ("js", "const a = 1\nconst b = 2", "const a = 1 const b = 2"),
    ("wait", {"ids": [1, 2]}, ""),
    ("wait", None, ""),
    ("wait", [1, {"cmd": "x"}], ""),
]


@pytest.mark.parametrize(("tool", "arguments", "expected"), HEADLINES)
def test_the_headline_is_the_argument_that_tells_most(tool: str, arguments: Any, expected: str) -> None:
    assert CODEX.headline(tool, arguments) == expected


def test_the_files_of_a_call_are_those_of_its_patch_and_its_paths() -> None:
    patch = "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@\n*** Update File: a.py\n*** End Patch"
    assert CODEX.files("apply_patch", patch) == ("a.py", "b.py")
    assert CODEX.files("shell", {"command": ["apply_patch", patch]}) == ("a.py", "b.py")
    assert CODEX.files("view_image", {"path": "/tmp/a.png", "detail": "low"}) == ("/tmp/a.png",)
    assert CODEX.files("exec_command", {"cmd": "cat a.py"}) == ()
    assert CODEX.files("wait", 7) == ()


SCALARS = (None, True, 0, -1, 2**70, 1.5, "", "text", "{}", "{", PNG, "data:", "user", "input_text", Number("1e999"))


def anything(rng: Random, depth: int = 0) -> Any:
    """A JSON value of any shape."""
    shape = rng.randrange(6) if depth < 3 else 0
    if shape == 4:
        return [anything(rng, depth + 1) for _ in range(rng.randrange(3))]
    if shape == 5:
        return {rng.choice(("type", "text", "content", "url", "id")): anything(rng, depth + 1) for _ in range(3)}
    return rng.choice(SCALARS)


def mangled(rng: Random, value: Any) -> Any:
    """The same record with some of its values replaced by others."""
    if rng.random() < 0.15:
        return anything(rng)
    if isinstance(value, dict):
        return {key: mangled(rng, inner) for key, inner in value.items() if rng.random() < 0.95}
    return [mangled(rng, inner) for inner in value] if isinstance(value, list) else value


def mangled_record(rng: Random) -> dict[str, Any]:
    value = mangled(rng, rng.choice(ALL_RECORDS))
    return value if isinstance(value, dict) else {"type": value}


ALL_RECORDS = [row[1] for row in RECORDS] + [
    event("token_count", info={"total_token_usage": {"input_tokens": 5}, "last_token_usage": {"total_tokens": 5}}),
    event("thread_rolled_back", num_turns=1),
    event("task_started", started_at=1_777_629_600, model_context_window=9),
    event("thread_name_updated", thread_id="s1", thread_name="Kiln"),
    event("collab_agent_spawn_end", new_thread_id="t", call_id="c"),
    header("s2", source={"subagent": {"thread_spawn": {"parent_thread_id": "p"}}}),
]


@given(st.integers(0, 2**32))
def test_no_record_whatever_its_types_stops_the_reader(seed: int) -> None:
    rng = Random(seed)
    records = [mangled_record(rng) for _ in range(12)]
    fold = CODEX.fold()
    row = 0
    for value in records:
        decoded = CODEX.decode(value)
        numbers = [piece.number for piece in decoded.pieces]
        assert numbers == sorted(set(numbers))
        assert all(isinstance(piece.text(), str) for piece in decoded.pieces)
        rows = range(row, row + len(numbers))
        marks = list(fold.add(value, decoded, rows))
        row = rows.stop
        assert all(0 <= mark.row < row for mark in marks)
    CODEX.detect(records)


@given(st.integers(0, 2**32))
def test_headline_and_files_take_any_arguments(seed: int) -> None:
    arguments = mangled(Random(seed), {"cmd": "ls", "command": ["bash", "-lc", "ls"], "path": "a", "paths": ["b"]})
    assert "\n" not in CODEX.headline("t", arguments)
    assert all(CODEX.files("t", arguments))
