"""What stands in one rollout of Codex: twins, injected context, shapes of calls, compaction, rolled-back turns."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from tests.factories.codex_lines import Codex
from tests.factories.expected import Expected
from tests.factories.names import Names


def double_messages(home: Path, seed: int) -> Expected:
    """Each message is logged as event and item, in either order; what is logged once, as old files do, stays."""
    names = Names(seed)
    lines = Codex(home, names)
    title, once, legacy, opaque = names.prompt(), names.needle(), names.needle(), names.token("gAAAA", 40)
    lines.count(user=1, twin=1)
    if names.rng.random() < 0.5:
        lines.message("user", title)
        lines.event("user_message", message=title, images=[])
    else:
        lines.event("user_message", message=title, images=[])
        lines.message("user", title)
    summaries = [f"**Step {n}**\n\nLooking {names.needle()}" for n in range(names.rng.randrange(1, 4))]
    item = {"summary": [{"type": "summary_text", "text": text} for text in summaries], "encrypted_content": opaque}
    if names.rng.random() < 0.5:
        lines.count(reasoning=1, twin=len(summaries)).item("reasoning", **item)
    for text in summaries:
        lines.event("agent_reasoning", text=text)
    if not lines.tally["reasoning"]:
        lines.count(reasoning=len(summaries), twin=1).item("reasoning", **item)
    lines.item("reasoning", summary=[], encrypted_content=opaque)
    lines.result(lines.call(names.command()), "app.toml")
    lines.answer(f"They are two. {once}")
    for _ in range(2):
        lines.user("go on")
        lines.answer("Done again.")
    lines.user("go on")
    lines.count(user=1).event("user_message", message="go on", images=[])  # said again at once, and logged once
    lines.count(user=1).event("user_message", message="and only an event", images=[])
    lines.count(assistant=1).event("agent_message", message=f"answered once {legacy}")
    lines.event("token_count", info=None)
    return lines.save().expected(
        title=title,
        must_not=(opaque,),
        find={once: 1, legacy: 1, "go on": 4, "looking": lines.tally["reasoning"], opaque: 0},
    )


def late_first_prompt(home: Path, seed: int) -> Expected:
    """The first prompt stands behind a hundred kilobytes of injected context, and is the title all the same."""
    names = Names(seed)
    lines = Codex(home, names, base_instructions={"text": "Keep the house. " * names.rng.randrange(500, 3000)})
    title = names.prompt() + " behind it all"
    lines.count(system=3)
    lines.message("developer", "<permissions instructions>\nAsk first.", "<collaboration_mode>Default")
    rules = "Keep functions short.\n" * 4000
    lines.message(
        "user",
        f"# AGENTS.md instructions for {lines.cwd}\n\n<INSTRUCTIONS>\n{rules}</INSTRUCTIONS>",
        f"<environment_context>\n  <cwd>{lines.cwd}</cwd>\n</environment_context>",
    )
    name, text = names.rng.choice([("user_instructions", "Be kind"), ("turn_aborted", "The person stopped it.")])
    lines.message("user", f"<{name}>\n{text}\n</{name}>")
    lines.user(title)
    lines.answer(names.sentence())
    return lines.save().expected(title=title, find={"behind it all": 1, "keep the house": 0}, cwd=lines.cwd)


def typed_marks(home: Path, seed: int) -> Expected:
    """What a person types is theirs, though it looks like context: by its shape, by its event, beside real context."""
    names = Names(seed)
    lines = Codex(home, names)
    asked, known, mixed = (names.needle() for _ in range(3))
    whole = f"<environment_context>\n  <cwd>{lines.cwd}</cwd>\n</environment_context>"
    shapes = [
        f"<instructions>\nMend {asked}\n</instructions>",
        f"# AGENTS.md instructions are outdated, rewrite {asked}",
        f"# AGENTS.md instructions for /src\n\nare outdated, rewrite {asked}",
        f"<skill>{asked}</skill>",
        f"<plugins>\n{asked}\n</plugins>",
        f"<user_instructions>\nwhere do they come from? {asked}",
        f"<turn_aborted>\nwhy?\n</turn_aborted> {asked}",
        f"Warning: apply_patch was requested via {asked}, what does it mean?",
    ]
    title, *others = names.rng.sample(shapes, 4)
    title = " ".join(title.split())
    lines.count(system=1).message("user", whole)
    lines.user(title)
    lines.answer(names.sentence())
    for text in others:
        lines.count(user=1).message("user", text)  # as sessions without events have it
        lines.answer(names.sentence())
    copied = f"<turn_aborted>\n{known}\n</turn_aborted>"
    lines.count(user=1, twin=1)
    for side in names.rng.sample(("item", "event"), 2):
        if side == "item":
            lines.message("user", copied)
        else:
            lines.event("user_message", message=copied, images=[])
    lines.answer(names.sentence())
    lines.count(system=1, user=1, twin=1).message("user", whole, f"Then {mixed}")
    lines.event("user_message", message=f"Then {mixed}", images=[])
    lines.answer(names.sentence())
    return lines.save().expected(title=title, find={asked: 4, known: 1, mixed: 1}, texts={mixed: f"Then {mixed}"})


def tool_shapes(home: Path, seed: int) -> Expected:
    """Arguments as JSON, as a patch, broken; outputs as text, list, object, picture; an orphan; one unanswered."""
    names = Names(seed)
    lines = Codex(home, names)
    lines.user(names.prompt())
    words = {name: names.needle() for name in ("patch", "list", "object", "web", "orphan", "broken", "old", "mcp")}
    picture, end = names.rng.randbytes(500), names.rng.choice(("output", "error"))
    encoded = base64.b64encode(picture).decode()
    calls = [names.token("call_") for _ in range(7)]
    patch = f"*** Begin Patch\n*** Add File: b.txt\n+{words['patch']}\n*** End Patch"
    pairs: list[tuple[dict[str, Any], Any]] = [
        ({"type": "function_call", "name": "exec_command", "arguments": '{"cmd":"ls"}'}, "a.txt"),
        ({"type": "custom_tool_call", "name": "apply_patch", "input": patch}, [_input_text(words["list"])]),
        (
            {"type": "function_call", "name": "shell", "arguments": f'{{"command":["{words["broken"]}"'},
            _input_text(words["object"]) | {"detail": None, "image_url": None},
        ),
        (
            {"type": "function_call", "name": "view_image", "arguments": '{"path":"/tmp/a.png"}'},
            [{"type": "input_image", "image_url": f"data:image/png;base64,{encoded}"}],
        ),
        (
            {"type": "local_shell_call", "action": {"type": "exec", "command": ["pwd"]}},
            json.dumps({"output": words["old"] + "\n", "metadata": {"exit_code": 3}}),
        ),
        (
            {"type": "function_call", "name": "exec_command", "arguments": "{}"},
            "Chunk ID: 1\nWall time: 2 seconds\nProcess exited with code 2\nOutput:\nProcess exited with code 0",
        ),
    ]
    for (call, output), call_id in zip(names.rng.sample(pairs, 6), calls, strict=False):
        lines.count(tool_input=1).record("response_item", call_id=call_id, **call)
        custom = call["type"] == "custom_tool_call"
        answer = "custom_tool_call_output" if custom else "function_call_output"
        if output == "a.txt":
            ends = [("exec_command_end", {"exit_code": 1}), ("patch_apply_end", {"success": False}),
                    ("mcp_tool_call_end", {"result": {"Err": "no"}})]  # fmt: skip
            event, told = names.rng.choice(ends)
            lines.event(event, call_id=call_id, **told)
        lines.count(tool_output=1).item(answer, call_id=call_id, output=output)
    lines.count(tool_input=1).item("web_search_call", id="ws1", action={"type": "search", "query": words["web"]})
    lines.count(tool_input=1, tool_output=1).item(
        "mcp_call", id="m1", name="add", server_label="sums", arguments='{"a":1}', **{end: words["mcp"]}
    )
    lines.count(tool_input=1).item("function_call", name="exec_command", arguments='{"cmd":"sleep"}', call_id=calls[6])
    lines.result(names.token("call_"), words["orphan"])
    lines.event("turn_aborted", reason="interrupted")
    line = f"[image image/png {len(picture)}]"
    return lines.save().expected(
        find=dict.fromkeys(words.values(), 1) | {encoded[:40]: 0, line: 1},
        must_not=(encoded[:40],),
        texts={words["patch"]: patch},
        flags={"orphan": 1, "unanswered": 1, "error": 3 + (end == "error")},
    )


def _input_text(text: str) -> dict[str, Any]:
    return {"type": "input_text", "text": text}


def compacted_history(home: Path, seed: int) -> Expected:
    """A compaction is one system piece, with its summary or only metadata; the history it copies is not read again."""
    names = Names(seed)
    lines = Codex(home, names)
    asked, summary = names.needle(), names.needle()
    title = f"{names.prompt()} {asked}"
    lines.user(title)
    item = {"role": "assistant", "content": [{"type": "output_text", "text": f"Kept {(kept := names.needle())}"}]}
    kept_id = names.token("msg_")
    lines.count(assistant=1).item("message", id=kept_id, **item)
    history: list[dict[str, Any]] = [{"type": "message", "role": "user", "content": [_input_text(title)]}]
    window = names.needle()
    metadata = {"window": {"id": window}, "previous": None}
    lines.count(system=2)
    lines.record("compacted", message=f"So far: {summary}", replacement_history=history, **metadata)
    lines.event("context_compacted")
    lines.count(replayed=1).item("message", id=kept_id, **item)
    lines.answer(names.sentence())
    lines.record("compacted", message="", replacement_history=history * names.rng.randrange(1, 4), **metadata)
    lines.user(names.prompt())
    return lines.save().expected(
        title=title,
        find={asked: 1, summary: 1, window: 1, kept: 1},
        texts={window: f'{{"id":"{window}"}}'},
    )


def rolled_back_turns(home: Path, seed: int) -> Expected:
    """The last turns were undone: all they hold is abandoned, found, and out of the counts."""
    names = Names(seed)
    lines = Codex(home, names)
    title, dead, alive = names.prompt(), names.needle(), names.needle()
    lines.user(title)
    lines.answer(names.sentence())
    turns = names.rng.randrange(1, 4)
    for _ in range(turns):
        lines.message("user", text := f"{names.prompt()} {dead}")
        lines.event("user_message", message=text, images=[])
        lines.event("agent_message", message=f"{names.sentence()} {dead}")
        call = names.token("call_")
        lines.item("function_call", name="exec_command", arguments=json.dumps({"cmd": dead}), call_id=call)
        lines.item("function_call_output", call_id=call, output=dead)
    lines.count(abandoned=4 * turns, twin=turns)
    lines.event("thread_rolled_back", num_turns=turns)
    lines.user(f"{names.prompt()} {alive}")
    lines.answer(names.sentence())
    return lines.save().expected(title=title, find={dead: 4 * turns, alive: 1})


def running_totals(home: Path, seed: int) -> Expected:
    """Totals are repeated with every limit update and start again on resume: each answer is counted once."""
    names = Names(seed)
    lines = Codex(home, names)
    lines.user(names.prompt())
    output = 0
    for _ in range(2):
        total = 0
        for _ in range(names.rng.randrange(2, 5)):
            last = names.rng.randrange(5, 400)
            total, output = total + last, output + last
            info = {"total_token_usage": _usage(total), "last_token_usage": _usage(last)}
            for _ in range(names.rng.randrange(1, 3)):
                lines.event("token_count", info=info, rate_limits={"plan_type": "pro"})
            lines.event("token_count", info=None)
        lines.header(id=lines.session_id)
    return lines.save().expected(output_tokens=output)


def _usage(output: int) -> dict[str, int]:
    return {"input_tokens": 10 * output, "cached_input_tokens": 4 * output, "output_tokens": output}


def unknown_rollout_records(home: Path, seed: int) -> Expected:
    """Events, items and envelopes of a version to come are inert and counted."""
    names = Names(seed)
    lines = Codex(home, names)
    hidden = names.needle()
    lines.user(title := names.prompt())
    inert = [
        ("event_msg", {"type": names.token("ev_", 5), "message": hidden}),
        (names.token("env_", 5), {"a": hidden}),
        ("response_item", {"type": names.token("it_", 5), "text": hidden}),
        ("world_state", {"state": hidden}),
    ]
    for envelope, payload in names.rng.sample(inert, len(inert)):
        lines.add(lines.envelope(envelope, payload))
    lines.answer(answer := names.sentence())
    lines.event("task_complete", last_agent_message=answer)
    lines.count(assistant=1).event("task_complete", last_agent_message=(alone := names.needle()))
    return lines.save().expected(title=title, find={hidden: 0, alone: 1}, other_records=3 + len(inert))


def renamed_thread(home: Path, seed: int) -> Expected:
    """A name that the person gave is the title, the last one given."""
    names = Names(seed)
    lines = Codex(home, names)
    lines.user(names.prompt())
    lines.event("thread_name_updated", thread_id=lines.session_id, thread_name="A first name")
    lines.answer(names.sentence())
    title = names.prompt() + " renamed"
    lines.event("thread_name_updated", thread_id=lines.session_id, thread_name=title)
    return lines.save().expected(title=title)


def oldest_rollout(home: Path, seed: int) -> Expected:
    """The oldest format has a bare header, bare items and state lines."""
    return _oldest(home, seed, ".jsonl")


def document_rollout(home: Path, seed: int) -> Expected:
    """Before that a session was one document of a header and items, on one line or on many."""
    expected = _oldest(home, seed, ".json")
    header, *items = (json.loads(line) for line in expected.path.read_bytes().splitlines())
    indent = Names(seed).rng.choice((None, 2))
    expected.path.write_text(json.dumps({"session": header, "items": items}, indent=indent), "utf-8")
    return expected


def _oldest(home: Path, seed: int, suffix: str) -> Expected:
    names = Names(seed)
    lines = Codex(home, names, bare=True, suffix=suffix)
    title, output = names.prompt(), names.needle()
    told = names.rng.choice((f"  <cwd>{lines.cwd}</cwd>", f"Current working directory: {lines.cwd}"))
    context = f"<environment_context>\n{told}\n</environment_context>"
    lines.add({"id": lines.session_id, "timestamp": names.time(), "instructions": "Be short.", "git": {}})
    bare: list[dict[str, Any]] = [
        {"type": "message", "role": "user", "content": [_input_text(context)]},
        {"type": "message", "role": "user", "content": [_input_text(title)]},
        {"record_type": "state"},
        {"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}', "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": json.dumps({"output": output, "metadata": {}})},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Listed."}]},
    ]
    for record in bare:
        lines.add(record)
    return (
        lines.count(user=1, system=1, assistant=1, tool_input=1, tool_output=1)
        .save()
        .expected(title=title, find={output: 1, "be short": 0}, cwd=lines.cwd)
    )
