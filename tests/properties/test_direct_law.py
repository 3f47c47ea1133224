"""The direct way to read common records says, to the last field, what the general way says; or it says nothing.

One that is wrong is worse than none: so it is tried with all that sessions hold, and with records of its own shapes in
which each value in turn is missing, or is what nobody writes.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.factories import KINDS, seeds_of
from tests.properties.laws import TEXT, VALUES, law
from unspool.columns.build import Builder
from unspool.columns.side_files import SideFiles
from unspool.columns.table import Columns
from unspool.formats.base import Direct, Format
from unspool.formats.claude_code import CLAUDE_CODE, ClaudeCode
from unspool.formats.claude_fold import ClaudeFold
from unspool.formats.codex import CODEX, CodexFormat
from unspool.formats.codex_fold import CodexFold
from unspool.formats.decoded import Decoded
from unspool.formats.row import Stepping
from unspool.sources.json_value import Clipped, Number, compact
from unspool.sources.jsonl import JsonLines
from unspool.views.opened import Opened

Record = dict[str, Any]

FORMATS: dict[str, tuple[Format, Format]]


class GeneralClaudeCode(ClaudeCode):
    """Claude Code's format, the general way alone."""

    def decode(self, record: Any) -> Decoded:
        return self.decode_any(record)

    def fold(self) -> ClaudeFold:
        return ClaudeFold()


class GeneralCodex(CodexFormat):
    """Codex's format, the general way alone."""

    def decode(self, record: Any) -> Decoded:
        return self.decode_any(record)

    def fold(self) -> CodexFold:
        return CodexFold()


FORMATS = {"claude": (CLAUDE_CODE, GeneralClaudeCode()), "codex": (CODEX, GeneralCodex())}
"""By agent: the format as it is, and the general way alone."""

COMMON = {"parentUuid": "u-0", "isSidechain": False, "uuid": "u-1", "timestamp": "2026-05-01T10:00:00.250Z"}
PLACE = {"sessionId": "s", "version": "2.1", "gitBranch": "main", "cwd": "/src"}


def claude(kind: str, block: Any, **fields: Any) -> Record:
    """A record of one block with all fields that the direct way looks at."""
    unusual = {"isApiErrorMessage": False, "isCompactSummary": False, "forkedFrom": None, "toolUseResult": {}}
    message = {"id": "m", "model": "model", "role": kind, "content": [block]}
    return {**COMMON, "type": kind, "message": message, **unusual, **fields}


def silent(kind: str, **fields: Any) -> Record:
    """A record that says nothing, with all fields that the direct way looks at."""
    unusual = {"message": None, "isCompactSummary": False, "forkedFrom": None}
    return {**COMMON, "type": kind, "content": "words", **unusual, **fields}


RESULT: Record = {"type": "tool_result", "tool_use_id": "t", "toolUseID": "t-2", "content": "words", "is_error": False}
CALL: Record = {"type": "tool_use", "id": "t", "tool_use_id": "t-2", "name": "Bash", "input": {"command": "ls"}}
CUT = "one\n\n... [12 lines truncated] ...\n\nlast"


def codex(kind: str, name: str, /, **fields: Any) -> Record:
    """A record of a common shape in its envelope."""
    return {"timestamp": COMMON["timestamp"], "type": kind, "payload": {"type": name, **fields}}


def item(name: str, /, **fields: Any) -> Record:
    return codex("response_item", name, id="i", **fields)


def event(name: str, /, **fields: Any) -> Record:
    return codex("event_msg", name, **fields)


def texts(*told: str) -> list[Record]:
    return [{"type": "input_text", "text": text} for text in told]


FAILED = "Exit code: 1\nWall time: 1 seconds\nOutput:\nno"
CONTEXT = "<environment_context>\n  <cwd>/src</cwd>\n</environment_context>"
COMMAND = "<user_shell_command>\n<command>\nls\n</command>\n</user_shell_command>"

SHAPES: dict[str, list[Record]] = {
    "codex": [
        item("function_call", name="shell", arguments='{"command": ["ls", "-l"], "timeout": 1.50}', call_id="c"),
        item("function_call", name="shell", arguments="no json", call_id="c", namespace="mcp__docs"),
        item("function_call", name="shell", arguments='{"command":["ls","-l"]}', call_id="c"),
        item("function_call", name="shell", arguments='{"command": "ls", "timeout": 15}', call_id="c"),
        item("message", role="assistant", content=texts("words")),
        item("reasoning", summary=texts("words"), content=None, encrypted_content="x"),
        item("custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="c", status="completed"),
        item("function_call_output", call_id="c", output="words"),
        item("function_call_output", call_id="c", output=FAILED, name="shell"),
        item("custom_tool_call_output", call_id="c", output=FAILED),
        item("message", role="assistant", content=texts("words", "more")),
        item("message", role="developer", content=texts("words")),
        item("message", role="user", content=texts(CONTEXT, "words", COMMAND)),
        item("reasoning", summary=texts("words", "more"), content=None, encrypted_content="x"),
        item("reasoning", summary=[], content=[{"type": "reasoning_text", "text": "words"}]),
        item("message", role="user", content=texts("words"), item={"content": texts("a", "b")}),
        event("user_message", message="words", kind="plain", images=[], local_images=None),
        event("user_message", message=COMMAND, images=[], local_images=[]),
        event("agent_message", message="words"),
        event("agent_reasoning", text="words", id="e"),
        event("token_count", info={"total_token_usage": {"input_tokens": 1}}, id="e", content=texts("a", "b")),
        event("patch_apply_end", call_id="c", changes={"a.py": {"type": "add", "content": "x"}}, success=True),
        codex("turn_context", "x", cwd="/src", id="t"),
        codex("session_meta", "x", id="s"),
        codex("compacted", "message", message="words"),
    ],
    "claude": [
        claude("user", RESULT),
        claude("user", RESULT, toolUseResult={"stdout": CUT, "truncated": False, "is_error": False, "content": "x"}),
        claude("user", {**RESULT, "content": CUT}, toolUseResult={"stdout": CUT}),
        claude("user", {**RESULT, "content": CUT, "is_error": True}, toolUseResult={"stdout": CUT}),
        claude("user", {**RESULT, "content": "<tool_use_error>no</tool_use_error>"}),
        claude("user", {**RESULT, "content": [{"type": "text", "text": "words"}]}),
        claude("user", {"type": "text", "text": "words"}),
        claude("assistant", CALL),
        claude("assistant", {"type": "text", "text": "words"}),
        claude("assistant", {"type": "thinking", "thinking": "words", "signature": "s"}),
        claude("assistant", RESULT),
        claude("user", CALL),
        silent("last-prompt", lastPrompt="words"),
        silent("progress", data={"type": "hook_progress"}, parentToolUseID="t"),
        silent("queue-operation", operation="enqueue"),
        silent("queue-operation", operation="dequeue"),
        silent("attachment", attachment={"type": "auto_mode", "content": "words"}),
        silent("attachment", attachment={"type": "hook_success", "content": "words"}),
        silent("custom-title", customTitle="words"),
        claude("assistant", {"type": "thinking", "thinking": "", "signature": "s"}),
    ],
}
"""By agent: records of the shapes that the direct way reads, and of some that look like them."""
UNUSUAL = (
    "isApiErrorMessage",
    "isCompactSummary",
    "forkedFrom",
    "parent_tool_use_id",
    "session_id",
    "tool_use_result",
    "retractedMessageUuids",
)
SHAPES["claude"] += [{key: shape[key] for key in shape if key not in UNUSUAL} for shape in SHAPES["claude"]]

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 1.5, "", "x", [], {}, ["x"], {"x": "x"}, [[]], [{}], [{}, {}], {"type": "x_error"}),
    *("user", "assistant", "text", "thinking", "tool_use", "tool_result", "<synthetic>", "<tool_use_error>"),
    *("event_msg", "response_item", "turn_context", "message", "reasoning", "user", "developer", "system", "tool"),
    *("function_call", "function_call_output", "custom_tool_call", "image_generation_call", "token_count"),
    *("user_message", "agent_message", "input_image", "input_text", "encrypted_content", "user_instructions"),
    *("patch_apply_end", CONTEXT, COMMAND, FAILED, [CONTEXT], [{"type": "input_image", "image_url": "a.png"}]),
    *("attachment", "enqueue", "file", "progress", "queued_command", {"content": [{"type": "text", "text": "x"}] * 2}),
    *("2026-05-01T10:00:00Z", "2026", 1_780_000_000, CUT, {"sessionId": "s"}, [{"type": "text", "text": ""}]),
    *([{"type": "text", "text": "x"}], [{"type": "image"}], [{"type": "text", "text": "x"}, {"type": "image"}]),
    *(Number("1.10"), Clipped.of("words", (0, 9)), {"stdout": "x"}, {"truncated": True}, {"is_error": True}),
)
"""What may stand anywhere: whatever any check is about, one of these is the other case."""


def told(decoded: Decoded) -> str:
    """Everything that is said of a record, the classes of its values included: `Kind.USER` is equal to 0."""
    return repr((decoded, [type(part) for piece in decoded.pieces for part in piece.parts]))


def assert_same(agent: str, record: Any) -> bool:
    """Hold the direct way against the general one; say whether it went."""
    format = FORMATS[agent][0]
    assert isinstance(format, Direct)
    plain, whole = format.plain(record), format.decode_any(record)
    assert plain is None or (plain == whole and told(plain) == told(whole))
    return plain is not None


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield (container, key) of everything inside a value."""
    for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield value, key
        if isinstance(inner, (dict, list)):
            yield from places(inner)


def mutants(shape: Record) -> Iterator[Record]:
    """Yield the record with each of its values left out, or another, in turn."""
    for number in range(sum(1 for _ in places(shape))):
        for odd in (..., *ODD):
            record = copy.deepcopy(shape)
            container, key = [*places(record)][number]
            if odd is ...:
                del container[key]
            else:
                container[key] = copy.deepcopy(odd)
            yield record


@pytest.mark.parametrize("agent", FORMATS)
def test_whatever_one_value_of_a_common_record_is_both_ways_say_the_same(agent: str) -> None:
    for shape in SHAPES[agent]:
        for record in mutants(shape):
            assert_same(agent, record)


@pytest.mark.parametrize("agent", FORMATS)
def test_common_records_go_the_direct_way(agent: str) -> None:
    went = [assert_same(agent, shape) for shape in SHAPES[agent]]
    assert sum(went) >= len(went) // 2


@given(st.data())
@law
def test_both_ways_say_the_same_of_records_with_several_odd_values(data: st.DataObject) -> None:
    agent = data.draw(st.sampled_from(sorted(FORMATS)))
    record = copy.deepcopy(data.draw(st.sampled_from(SHAPES[agent])))
    for _ in range(data.draw(st.integers(1, 4))):
        found = [*places(record)]
        if found:
            container, key = data.draw(st.sampled_from(found))
            container[key] = copy.deepcopy(data.draw(st.sampled_from(ODD) | VALUES))
    record = dict(data.draw(st.permutations(list(record.items()))))
    assert_same(agent, {**record, **data.draw(st.dictionaries(TEXT, VALUES, max_size=2))})


def session(agent: str, records: list[Record]) -> list[Record]:
    """Records in a session that has begun: those of the same session and tree are taken in one step."""
    if agent == "codex":
        return [codex("session_meta", "x", id="s"), item("message", role="developer", content=texts("words")), *records]
    begun = {**COMMON, **PLACE, "parentUuid": None, "uuid": "u-0", "type": "user", "message": {"content": "words"}}
    return [begun, *({**PLACE, **record} for record in records)]


def assert_same_folds(agent: str, records: list[Record]) -> None:
    """Hold all that columns and facts say of a session by either way against the other."""
    direct, general = (Opened.of_records(session(agent, records), format).builder for format in FORMATS[agent])
    assert vars_of(direct) == vars_of(general)


@pytest.mark.parametrize("agent", FORMATS)
def test_whatever_one_value_of_a_common_record_is_a_session_is_the_same_in_steps(agent: str) -> None:
    for shape in SHAPES[agent]:
        placed = {**PLACE, **shape}
        unusual = [{**placed, key: odd} for key in UNUSUAL if key not in placed for odd in ODD]
        assert_same_folds(agent, [json.loads(json.dumps(record)) for record in (*mutants(placed), *unusual)])


@pytest.mark.parametrize("agent", FORMATS)
def test_common_records_behind_each_other_are_the_same_in_steps(agent: str) -> None:
    for first, second in product(SHAPES[agent], repeat=2):
        for uuid, parent in product(("u-1", "u-2"), ("u-0", "u-1")):
            again = {**second, "uuid": "u-3", "parentUuid": "u-2"}
            assert_same_folds(agent, [first, {**second, "uuid": uuid, "parentUuid": parent}, again, first])


IDS: dict[str, tuple[Any, ...]] = {
    "uuid": ("u-1", "u-2", "u-3", None),
    "parentUuid": ("u-0", "u-1", "u-2", "u-9", None),
    "isSidechain": (False, False, True),
    "sessionId": ("s", "s", "s", "s-2"),
    "id": ("m", "m-2", "t", "t-2"),
    "tool_use_id": ("t", "t-2"),
    "call_id": ("c", "c-2"),
    "stop_reason": ("end_turn", "tool_use"),
    "text": ("words", "more", "<persisted-output>"),
    "output_tokens": (0, 1, 5),
    "name": ("Bash", "AskUserQuestion"),
}
"""Values of which each says something about other records where it comes again."""
USED = {"stop_reason": "tool_use", "usage": {"input_tokens": 2, "output_tokens": 3}}


@given(st.data())
@law
def test_sessions_whose_records_say_something_about_each_other_are_the_same_in_steps(data: st.DataObject) -> None:
    agent = data.draw(st.sampled_from(sorted(FORMATS)))
    records = []
    for shape in data.draw(st.lists(st.sampled_from(SHAPES[agent]), min_size=2, max_size=8)):
        record = copy.deepcopy({**PLACE, **shape} if agent == "claude" else shape)
        if isinstance(record.get("message"), dict):
            record["message"].update(USED)
        for container, key in [*places(record)]:
            if key in IDS and data.draw(st.booleans()):
                container[key] = data.draw(st.sampled_from(IDS[key]))
        records.append(
            {**record, **data.draw(st.dictionaries(st.sampled_from(UNUSUAL), st.sampled_from(ODD), max_size=1))}
        )
    assert_same_folds(agent, records)


RAW: dict[str, tuple[bytes, bytes]] = {
    "an escape that need not be one": (b"words", b"w\\u006frds"),
    "a slash that is escaped": (b"words", b"w\\/rds"),
    "capital digits": (b"words", b"\\u001B"),
    "an escape as it is written": (b"words", b'\\u001b\\n\\t\\\\ \\"'),
    "letters of other scripts": (b"words", "слова 語 😀".encode()),
    "a pair": (b"words", b"\\ud83d\\ude00"),
    "half a pair": (b"words", b"\\ud83d"),
    "no UTF-8": (b"words", b"w\xffrds"),
    "a NUL": (b"words", b"w\x00rds"),
    "a tab": (b"words", b"w\trds"),
    "no escape": (b"words", b"w\\xrds"),
    "an end of a line before the end": (b"}\n", b"}\r\n"),
    "blanks": (b":", b" : "),
    "a number of many digits": (b'"words"', b"123456789012345678901234567890"),
    "an exact number": (b'"command":"ls"', b'"command":1.50'),
    "a key that comes twice": (b'"type":"text"', b'"type":"image","type":"text"'),
    "an id that comes twice": (b'"uuid":"u-1"', b'"uuid":"u-2","uuid":"u-1"'),
    "base64": (b'"command":"ls"', b'"data":"data:image/png;base64,' + b"QUJD" * 30 + b'"'),
    "no time": (b"2026-05-01", b"2026-55-01"),
}
"""What may be written in another way: bytes, and what stands in their place."""


@pytest.mark.parametrize("agent", FORMATS)
@pytest.mark.parametrize("how", RAW)
def test_however_common_records_are_written_a_session_is_the_same_in_steps(
    agent: str, how: str, tmp_path: Path
) -> None:
    lines = [compact(record).encode() + b"\n" for record in session(agent, SHAPES[agent])]
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"".join(lines).replace(*RAW[how]) + b"".join(lines))
    assert_same_columns(agent, path)


@pytest.mark.parametrize("agent", FORMATS)
def test_common_records_are_taken_in_one_step(agent: str) -> None:
    fold = FORMATS[agent][0].fold()
    assert isinstance(fold, Stepping)
    taken = 0
    for row, record in enumerate(session(agent, SHAPES[agent])):
        if fold.step(record, row) is None:
            decoded = FORMATS[agent][0].decode(record)
            fold.add(record, decoded, range(row, row + len(decoded.pieces)))
        else:
            taken += 1
    assert taken >= STEPS[agent]


STEPS = {"claude": 14, "codex": 8}
"""How many of the shapes are taken in one step, at least."""


def assert_same_columns(agent: str, path: Path) -> None:
    """Hold all that opening a file makes of it by either way against the other."""
    direct, general = (of(path, format) for format in FORMATS[agent])
    assert vars_of(direct) == vars_of(general)


def of(path: Path, format: Format) -> Builder:
    with JsonLines.open(str(path)) as lines:
        return Opened.of(lines, format, SideFiles(None)).builder


def vars_of(builder: Builder) -> dict[str, Any]:
    """Everything that a builder has told of its source."""
    columns = {name: getattr(builder.columns, name) for name in Columns.__slots__}
    verbatim = {name: getattr(builder.verbatim, name) for name in ("forms", "lengths", "spare", "starts", "texts")}
    names = ("other_records", "unknown_records", "unreadable", "first_time", "last_time", "stored")
    return {**columns, **verbatim, **{name: getattr(builder, name) for name in names}, "facts": builder.fold.facts}


@pytest.mark.parametrize(("kind", "seed"), [(kind, seed) for kind in KINDS for seed in seeds_of(kind)])
def test_all_kinds_of_sessions_become_the_same_columns(kind: str, seed: int, tmp_path: Path) -> None:
    for expected in KINDS[kind](tmp_path, seed).files():
        if expected.agent in FORMATS and expected.path.suffix == ".jsonl":
            assert_same_columns(expected.agent, expected.path)


@pytest.mark.parametrize("agent", FORMATS)
def test_sample_sessions_become_the_same_columns_and_go_the_direct_way(agent: str, shared: Path) -> None:
    went: list[bool] = []
    for path in sorted((shared / "corpus" / agent).rglob("*.jsonl")):
        assert_same_columns(agent, path)
        with JsonLines.open(path) as lines:
            went += [assert_same(agent, record.value) for entry in lines.entries() for record in entry.records]
    print(f"{agent}: {sum(went)} of {len(went)} records of the sample sessions go the direct way")
    assert sum(went) > len(went) // 4
