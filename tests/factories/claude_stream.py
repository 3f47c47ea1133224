"""Sessions as Claude Code streams them: no times, ids with underlines, and a result at the end of each run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.factories.claude_lines import Claude
from tests.factories.expected import Expected
from tests.factories.names import Names


def streamed_runs(home: Path, seed: int) -> Expected:
    """Runs with partial messages, hooks, a boundary and results: a last answer counts once, an error by itself."""
    names = Names(seed)
    lines = Claude(home, names)
    stream = _Stream(lines)
    stream.add("system", subtype="init", cwd=lines.cwd, tools=["Bash"], model="claude-sonnet-4-5-20250929")
    stream.add("system", subtype="hook_response", hook_name="SessionStart", output="", stdout="Be quick.", exit_code=0)
    lines.count(system=1)
    said, output = "", 0
    for _ in range(names.rng.randrange(1, 4)):
        said = names.needle()
        stream.add("stream_event", event={"type": "content_block_delta", "delta": {"text": said}})
        stream.spoke(said)
        call = names.token("toolu_")
        stream.spoke({"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "ls"}})
        result = {"type": "tool_result", "tool_use_id": call, "content": "a"}
        stream.add("user", parent_tool_use_id=None, message={"role": "user", "content": [result]})
        stream.spoke("aside", parent_tool_use_id=call)
        lines.count(tool_input=1, tool_output=1)
        output += 100
        stream.result(said, output)
    if names.rng.random() < 0.5:
        stream.add("system", subtype="compact_boundary", compact_metadata={"trigger": "auto", "pre_tokens": 9})
        lines.count(system=1)
    alone = names.needle()
    stream.result(alone, output, is_error=True, errors=["It broke off"])
    lines.count(system=2)
    return lines.save().expected(find={said: 1, alone: 1}, flags={"error": 2}, output_tokens=output)


class _Stream:
    """Adds records to a file as the stream has them."""

    def __init__(self, lines: Claude) -> None:
        self.lines = lines

    def add(self, type_: str, **fields: Any) -> None:
        """Add a record."""
        ids = {"session_id": self.lines.session_id, "uuid": self.lines.names.uuid()}
        self.lines.add({"type": type_, **ids, **fields})

    def spoke(self, block: str | dict[str, Any], parent_tool_use_id: str | None = None) -> None:
        """Add a message with one block, before its tokens are counted."""
        if isinstance(block, str):
            self.lines.count(assistant=1)
            block = {"type": "text", "text": block}
        message = {
            "id": self.lines.names.token("msg_"),
            "model": "claude-sonnet-4-5-20250929",
            "content": [block],
            "usage": {"input_tokens": 3, "output_tokens": 1},
        }
        self.add("assistant", parent_tool_use_id=parent_tool_use_id, message=message)

    def result(self, said: str, output: int, *, is_error: bool = False, **more: Any) -> None:
        """Add the end of a run, which tells what all of them used."""
        used = {"m": {"inputTokens": 5, "outputTokens": output, "contextWindow": 200_000}}
        ends = {"subtype": "error_during_execution" if is_error else "success", "is_error": is_error}
        self.add("result", **ends, result=said, total_cost_usd=0.1, num_turns=1, modelUsage=used, **more)
