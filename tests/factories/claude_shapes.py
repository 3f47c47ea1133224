"""What stands in one file of Claude Code: shapes of content, calls, copies, compaction, rewound branches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.factories.claude_lines import Claude, image_block, text_block
from tests.factories.expected import Expected
from tests.factories.names import Names


def unknown_records(home: Path, seed: int) -> Expected:
    """Types of a version to come are inert and counted; a rename beats a generated title beats the first prompt."""
    names = Names(seed)
    lines = Claude(home, names)
    hidden = names.needle()
    inert: list[dict[str, Any]] = [
        {"type": "mode", "mode": "normal"},
        {"type": "ai-title", "aiTitle": names.prompt()},
        {"type": names.token("type-", 6), "payload": {"note": hidden}},
        {"type": "file-history-delta", "backup": {}},
        {"type": "agent-name", "agentName": names.needle()},
        {"type": "cost-state", "totalCostUSD": 0.5},
        {"x": 1},
    ]
    names.rng.shuffle(inert)
    title, answer = names.prompt() + " at last", names.needle()
    lines.user(names.prompt())
    for record in inert[:4]:
        lines.add(record)
    lines.raw(b'["a", "list"]')
    lines.add(lines.chained("attachment", attachment={"type": names.token("news_", 5), "name": "Pip"}))
    lines.count(assistant=1).spoke({"type": names.token("block_", 5), "data": hidden}, text_block(answer))
    lines.note("custom-title", customTitle=names.prompt())
    for record in inert[4:]:
        lines.add(record)
    lines.note("custom-title", customTitle=title)
    return lines.save().expected(find={answer: 1, hidden: 0}, title=title, other_records=11)


def content_shapes(home: Path, seed: int) -> Expected:
    """Strings, lists, nothing at all; pictures; results of parallel calls; several blocks in one record."""
    names = Names(seed)
    lines = Claude(home, names)
    picture, line, encoded = image_block(names)
    thought, listed, old = names.needle(), names.needle(), names.needle()
    lines.count(user=1).said([text_block("Look at "), picture, text_block(listed)])
    calls = [names.token("toolu_") for _ in range(5)]
    lines.count(reasoning=1, assistant=1, tool_input=5).spoke(
        {"type": "thinking", "thinking": f"A plan {thought}", "signature": encoded},
        text_block("Starting."),
        *[{"type": "tool_use", "id": call, "name": "Probe", "input": {"n": n}} for n, call in enumerate(calls)],
    )
    alone, spoken = names.needle(), names.needle()
    given: list[dict[str, Any]] = [
        {"content": names.rng.choice([alone, text_block(alone)])},
        {"content": [text_block("shot"), picture]},
        {"content": None, "is_error": True},
        {},
        {"content": [{"type": "tool_reference", "tool_name": "Grep"}]},
    ]
    names.rng.shuffle(given)
    for call, fields in zip(names.rng.sample(calls, 5), given, strict=True):
        lines.count(tool_output=1).said([{"type": "tool_result", "tool_use_id": call} | fields])
    lines.count(assistant=1).add(lines.chained("assistant", message={"role": "assistant", "content": f"Old {old}"}))
    lines.count(assistant=1, user=1).add(lines.assistant(text_block(f"Alone {spoken}")))
    lines.said(text_block(f"{names.prompt()} {spoken}"))
    lines.spoke({"type": "thinking", "thinking": "", "signature": "c2ln"}, {"type": "redacted_thinking", "data": "eA"})
    lines.said(None)
    return lines.save().expected(
        find={thought: 1, listed: 1, old: 1, encoded[:40]: 0, line: 2, alone: 1, spoken: 2},
        must_not=(encoded[:40],),
        flags={"error": 1},
        texts={listed: f"Look at \n{line}\n{listed}", "shot": f"shot\n{line}"},
    )


def server_tools(home: Path, seed: int) -> Expected:
    """Blocks of tools that run at the model's side, and what MCP embeds: words are found, data never."""
    names = Names(seed)
    lines = Claude(home, names)
    lines.user(names.prompt())
    picture, line, encoded = image_block(names)
    words = [names.needle() for _ in range(7)]
    page = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": words[1]}}
    blob = {"uri": "kiln://door", "mimeType": "image/png", "blob": encoded}
    results: list[tuple[str, Any]] = [
        ("web_search_tool_result", [{"type": "web_search_result", "title": words[0], "encrypted_content": encoded}]),
        ("web_fetch_tool_result", {"type": "web_fetch_result", "url": "https://kiln.example", "content": page}),
        ("bash_code_execution_tool_result", {"type": "bash_code_execution_result", "stdout": words[2], "content": []}),
        ("mcp_tool_result", [{"type": "resource", "resource": {"uri": "kiln://log", "text": words[3]}}]),
        ("mcp_tool_result", [{"type": "resource", "resource": blob}, {"type": "resource_link", "uri": words[4]}]),
        (
            "mcp_tool_result",
            [{"type": "search_result", "source": "s", "title": "t", "content": [text_block(words[5])]}],
        ),
        (
            "mcp_tool_result",
            [{"type": "audio", "data": encoded, "mimeType": "image/png"}, picture, text_block(words[6])],
        ),
    ]
    for kind, content in names.rng.sample(results, len(results)):
        call = {
            "type": names.rng.choice(["server_tool_use", "mcp_tool_use"]),
            "id": names.token("srvtoolu_"),
            "input": {},
        }
        lines.count(tool_input=1, tool_output=1).spoke(
            call | {"name": "probe"}, {"type": kind, "tool_use_id": call["id"], "content": content}
        )
    return lines.save().expected(
        find=dict.fromkeys(words, 1) | {encoded[:40]: 0, line: 2, "kiln.example": 1},
        must_not=(encoded[:40],),
        flags={"orphan": 0, "unanswered": 0},
    )


def tool_pairing(home: Path, seed: int) -> Expected:
    """Results out of order, twice, for no call, and none: pairing goes by id alone."""
    names = Names(seed)
    lines = Claude(home, names)
    lines.user(names.prompt())
    calls: list[Any] = [names.token("toolu_"), names.rng.randrange(1, 99), names.rng.random() < 0.5]
    names.rng.shuffle(calls)
    lines.count(tool_input=3).spoke(
        *[{"type": "tool_use", "id": call, "name": f"Tool{n}", "input": {}} for n, call in enumerate(calls)]
    )
    outputs, note = [names.needle() for _ in range(4)], names.needle()
    lines.count(tool_output=2, user=1).said(
        [
            {"type": "tool_result", "tool_use_id": calls[1], "content": outputs[1]},
            {"type": "tool_result", "tool_use_id": calls[0], "content": outputs[0]},
            text_block(f"and a note {note}"),
        ]
    )
    lines.result(names.token("toolu_"), outputs[3])
    lines.result(calls[0], f"again {outputs[0]}")
    lines.system([text_block("[Request interrupted by user for tool use]")])
    return lines.save().expected(
        find={note: 1, outputs[0]: 2, outputs[1]: 1, outputs[3]: 1},
        flags={"orphan": 1, "duplicate": 1, "unanswered": 1},
    )


def split_message(home: Path, seed: int) -> Expected:
    """One answer of the API on several lines that repeat its usage: tokens once, from the fullest line."""
    names = Names(seed)
    lines = Claude(home, names)
    lines.user(names.prompt())
    first, second, call = names.token("msg_"), names.token("msg_"), names.token("toolu_")
    full = names.rng.randrange(100, 900)
    lines.spoke({"type": "thinking", "thinking": "Hm."}, message_id=first, output_tokens=1)
    lines.spoke(text_block("Opening it."), message_id=first, output_tokens=1)
    lines.spoke({"type": "tool_use", "id": call, "name": "Read", "input": {}}, message_id=first, output_tokens=full)
    lines.count(reasoning=1, assistant=1, tool_input=1).result(call, "x")
    lines.spoke(text_block(""), message_id=second, output_tokens=50)
    lines.count(assistant=1).spoke(text_block("Done."), message_id=second, output_tokens=50)
    return lines.save().expected(find={"Opening it.": 1}, output_tokens=full + 50)


def cumulative_lines(home: Path, seed: int) -> Expected:
    """Later lines of one answer repeat its earlier blocks: the copies are replays, the call is one call."""
    names = Names(seed)
    lines = Claude(home, names)
    lines.user(names.prompt())
    said, call = names.needle(), names.token("toolu_")
    blocks = [
        {"type": "thinking", "thinking": f"A plan {said}"},
        text_block(f"Opening {said}"),
        {"type": "tool_use", "id": call, "name": "Read", "input": {"path": said}},
    ]
    message_id = names.token("msg_")
    for upto in range(1, 4):
        lines.spoke(*blocks[:upto], message_id=message_id, output_tokens=upto)
    lines.count(reasoning=1, assistant=1, tool_input=1, replayed=3).result(call, "x")
    lines.answer(f"Opening {said}")
    return lines.save().expected(find={said: 4}, flags={"replayed": 3, "unanswered": 0}, output_tokens=3 + 7)


def words_said_twice(home: Path, seed: int) -> Expected:
    """One answer of the API says the same words again after a call: two pieces; a second writing is one."""
    names = Names(seed)
    lines = Claude(home, names)
    lines.user(names.prompt())
    said, message_id = names.needle(), names.token("msg_")
    rounds = names.rng.randrange(2, 5)
    for _ in range(rounds):
        call = names.token("toolu_")
        again = lines.assistant([text_block(f"Again {said}")], message_id)
        lines.count(assistant=1).add(again)
        if names.rng.random() < 0.5:
            lines.count(replayed=1).add(again | {"uuid": names.uuid()})
        lines.count(tool_input=1).spoke(
            {"type": "tool_use", "id": call, "name": "Look", "input": {}}, message_id=message_id
        )
        lines.result(call, "x")
    return lines.save().expected(find={said: rounds}, output_tokens=7)


def compaction(home: Path, seed: int) -> Expected:
    """A boundary, with text or only metadata, and a summary are system; records written again are replays."""
    names = Names(seed)
    lines = Claude(home, names)
    title, kept, asked, summary = names.prompt(), names.needle(), names.needle(), names.needle()
    lines.count(user=1).said(title)
    prompt = lines.chained("user", message={"role": "user", "content": f"{names.prompt()} {asked}"})
    answer = lines.answer_record(f"{names.sentence()} {kept}")
    lines.count(user=1, assistant=1).add(prompt)
    lines.add(answer)
    metadata = {"trigger": "auto", "preTokens": names.rng.randrange(90_000, 190_000)}
    spoken = names.rng.choice([{"content": "Conversation compacted"}, {}])
    lines.parent = None
    boundary = lines.chained("system", subtype="compact_boundary", compactMetadata=metadata, **spoken)
    lines.count(system=1).add(boundary)
    lines.system(f"This session is being continued from a previous conversation. {summary}", isCompactSummary=True)
    lines.count(replayed=2).add(prompt)
    lines.add(answer)
    lines.user(names.prompt())
    find = {kept: 1, asked: 1, summary: 1, "preTokens": 0 if spoken else 1}
    return lines.save().expected(find=find, title=title, flags={"replayed": 2})


def retracted_message(home: Path, seed: int) -> Expected:
    """An answer that a later record takes back by its uuid is abandoned."""
    names = Names(seed)
    lines = Claude(home, names)
    lines.user(names.prompt())
    dead, notice = names.needle(), names.needle()
    answer = lines.answer_record(f"{names.sentence()} {dead}")
    lines.count(abandoned=1).add(answer)
    fields = {"subtype": "model_refusal_fallback", "retractedMessageUuids": [answer["uuid"]]}
    lines.count(system=1).add(lines.chained("system", content=f"Another model answers. {notice}", **fields))
    lines.answer(names.sentence())
    return lines.save().expected(find={dead: 1, notice: 1}, flags={"abandoned": 1})


def summarised_session(home: Path, seed: int) -> Expected:
    """A summary is the title of the session that its leaf belongs to, and of no other."""
    names = Names(seed)
    lines = Claude(home, names)
    title = names.prompt() + " summed up"
    lines.add({"type": "summary", "summary": "Of another session", "leafUuid": names.uuid()})
    lines.user(names.prompt())
    lines.answer(names.sentence())
    lines.add({"type": "summary", "summary": title, "leafUuid": lines.parent})
    lines.add({"type": "summary", "summary": "Of a third one", "leafUuid": names.uuid()})
    return lines.save().expected(title=title, find={"summed up": 0, "of another": 0}, other_records=3)


def rewound_branch(home: Path, seed: int) -> Expected:
    """A prompt that was taken back is abandoned with all that followed it; parallel results and gaps never are."""
    names = Names(seed)
    lines = Claude(home, names)
    title, dead, alive = names.prompt(), names.needle(), names.needle()
    lines.count(user=1).said(title)
    lines.answer(names.sentence())
    calls = [names.token("toolu_") for _ in range(2)]
    lines.count(tool_input=2)
    parents = []
    for call in calls:
        lines.spoke({"type": "tool_use", "id": call, "name": "Read", "input": {}})
        parents.append(lines.parent)
    for call, parent in zip(reversed(calls), reversed(parents), strict=True):
        lines.parent = parent
        lines.result(call, names.sentence())
    lines.answer(names.sentence())
    fork = lines.parent
    lines.said(f"{names.prompt()} {dead}")
    rounds = names.rng.randrange(1, 4)
    for _ in range(rounds):
        lines.spoke(text_block(f"{names.sentence()} {dead}"))
        call = names.token("toolu_")
        lines.spoke({"type": "tool_use", "id": call, "name": "Bash", "input": {"command": dead}})
        lines.said([{"type": "tool_result", "tool_use_id": call, "content": dead}])
    lines.count(abandoned=1 + 3 * rounds)
    lines.add(lines.chained("system", subtype="turn_duration", durationMs=9))
    lines.parent = fork
    lines.user(f"{names.prompt()} {alive}")
    lines.answer(f"{names.sentence()} {alive}")
    lines.parent = names.uuid()  # hangs on a record that is not there
    lines.user(names.prompt())
    lines.answer(names.sentence())
    return lines.save().expected(
        find={dead: 1 + 3 * rounds, alive: 2}, title=title, flags={"abandoned": 1 + 3 * rounds}
    )
