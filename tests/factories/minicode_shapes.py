"""What stands in one session of MiniCode: every event, snips, collapses, compactions, events glued to torn ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.factories.expected import Expected
from tests.factories.minicode_lines import MiniCode, milliseconds
from tests.factories.names import Names


def minicode_events(home: Path, seed: int) -> Expected:
    """Every event: reasoning open and sealed, progress, calls with any input, results with an error, none, cleared."""
    names = Names(seed)
    lines = MiniCode(home, names)
    title, thought, progress, sealed, failed, odd, orphan = (names.needle() for _ in range(7))
    lines.user(title)
    blocks = [
        {"type": "redacted_thinking", "data": sealed},
        {"type": "thinking", "thinking": f"Think {thought}", "signature": sealed},
        {"type": "thinking", "thinking": "", "signature": sealed},
    ]
    names.rng.shuffle(blocks)
    lines.count(reasoning=1).add(lines.message("thinking", "assistant_thinking", blocks=blocks))
    lines.count(assistant=1).add(lines.message("progress", "assistant_progress", content=f"Now {progress}"))
    calls = [lines.used("read_file", {"path": f"src/{odd}.ts"}), lines.used("odd", "plain"), lines.used("none", None)]
    lines.result(calls[1], f"no {failed}", isError=True)
    lines.result(calls[0], "[Output cleared for context space]")
    lines.result(calls[2], "")
    lines.call("sleep 9")
    lines.result(names.token("toolu_"), orphan)
    lines.add(lines.message("user", "user", content=""))
    lines.answer(names.sentence())
    return lines.save().expected(
        title=title,
        cwd=lines.cwd,
        find={thought: 1, progress: 1, sealed: 0, failed: 1, odd: 1, orphan: 1},
        texts={thought: f"Think {thought}", odd: f'{{"path":"src/{odd}.ts"}}'},
        flags={"orphan": 1, "unanswered": 1, "error": 1, "shortened": 1, "reasoning": 1},
        must_not=(sealed,),
        other_records=0,
    )


def unknown_minicode_events(home: Path, seed: int) -> Expected:
    """Events of a version to come, and messages of another shape, are inert and counted; values are no events."""
    names = Names(seed)
    lines = MiniCode(home, names)
    hidden = names.needle()
    lines.user(title := names.prompt())
    inert: list[dict[str, Any]] = [
        lines.message(names.token("future_", 5), "user", content=hidden),
        lines.message("assistant", "assistant", content=[{"type": "hologram", "hologram": hidden}]),
        lines.message("thinking", "assistant_thinking", blocks=[{"type": names.token("new_", 5), "text": hidden}]),
        lines.event("content_replacement", replacement=hidden),
        {"type": 7, "uuid": names.uuid(), "message": {"content": hidden}},
        {"message": {"role": "user", "content": hidden}},
    ]
    for event in names.rng.sample(inert, len(inert)):
        lines.add(event)
    for value in (b"[1,2]", b"null", b"42"):
        lines.raw(value)
    lines.answer(names.sentence())
    return lines.save().expected(title=title, find={hidden: 0}, other_records=len(inert) + 3)


def snipped_and_collapsed(home: Path, seed: int) -> Expected:
    """What a snip or a collapse took from the model stays evidence; a snip is told, even one that removed nothing."""
    names = Names(seed)
    lines = MiniCode(home, names)
    kept, told, summary = (names.needle() for _ in range(3))
    lines.user(title := names.prompt())
    removed = [lines.answer_record(f"{names.sentence()} {kept}") for _ in range(names.rng.randrange(2, 5))]
    for event in removed:
        lines.count(assistant=1).add(event)
    ids = names.rng.choice([[event["uuid"] for event in removed], ["message-3", "message-4"], []])
    moment = milliseconds(lines.last_activity or "")
    snip = {"removedMessageIds": ids, "removedCount": len(ids), "tokensFreed": 2_100}
    message = {"role": "snip_boundary", "content": f"[Snipped] {told}", **snip, "timestamp": moment}
    event = lines.boundary("snip_boundary", message=message, snipMetadata={"type": "snip_boundary", **snip})
    event["message"]["id"] = event["uuid"]
    lines.count(system=1).add(event)
    bare = lines.boundary("snip_boundary", snipMetadata={"type": "snip_boundary", **snip, "createdAt": told})
    lines.count(system=1).add(bare)
    span = {"id": f"collapse-{moment}-0-{removed[0]['uuid']}", "messageIds": [removed[0]["uuid"]], "summary": summary}
    lines.add(
        lines.boundary("context_collapse", contextCollapseSpan={**span, "status": "committed", "reason": "manual"})
    )
    text = {"role": "context_summary", "content": f"In short {summary}", "compressedCount": 4, "timestamp": moment}
    lines.count(system=1).add(lines.event("summary", message=text))
    lines.rename("first name")
    lines.rename(renamed := f"{title} {names.needle()}")
    lines.rename("")
    lines.answer(names.sentence())
    return lines.save().expected(
        title=renamed,
        find={kept: len(removed), told: 2, summary: 1},
        texts={summary: f"In short {summary}"},
        flags={"abandoned": 0},
        other_records=4,
        last_activity=lines.last_activity,
    )


def minicode_compaction(home: Path, seed: int) -> Expected:
    """What is kept is written again, with its old ids: it counts once, and so does a summary kept by the next one."""
    names = Names(seed)
    lines = MiniCode(home, names)
    before, kept, summary, cleared = (names.needle() for _ in range(4))
    lines.user(title := f"{names.prompt()} {before}")
    prompt = lines.message("user", "user", content=f"{names.prompt()} {kept}")
    lines.count(user=1).add(prompt)
    call_id = names.token("toolu_")
    call = lines.call_record("run_command", {"command": names.command()}, call_id)
    result = lines.result_record(call_id, f"row {cleared}")
    lines.count(tool_input=1, tool_output=1).add(call)
    lines.add(result)
    short = {**result, "message": {**result["message"], "content": "[Output cleared for context space]"}}
    first = lines.compacted(f"1. Request: {summary}")
    lines.count(replayed=3).again(prompt, call, short)
    lines.answer(names.sentence())
    loaded = names.rng.random() < 0.5
    carried = {**first, "message": {**first["message"], "id": first["uuid"]}} if loaded else first
    lines.compacted("2. Go on")
    lines.count(replayed=2).again(carried, prompt)
    lines.answer(names.sentence())
    return lines.save().expected(
        title=title,
        find={before: 1, kept: 1, summary: 1, cleared: 1},
        texts={cleared: f"row {cleared}"},
        flags={"replayed": 5, "orphan": 0, "unanswered": 0, "duplicate": 0},
    )


def written_once_more(home: Path, seed: int) -> Expected:
    """An event glued to a torn one is saved; when its writer puts it down again later, it counts once."""
    names = Names(seed)
    lines = MiniCode(home, names)
    lost, glued = names.needle(), names.needle()
    lines.user(title := names.prompt())
    stub = lines.encode(lines.answer_record(f"{names.sentence()} {lost}"))
    event = lines.message("user", "user", content=f"{names.prompt()} {glued}")
    lines.bad(stub[: names.rng.randrange(1, stub.index(lost.encode()))] + lines.encode(event))
    lines.answer(names.sentence())
    lines.count(user=1, replayed=1).again(event)
    lines.answer(names.sentence())
    return lines.save().expected(title=title, find={lost: 0, glued: 1}, flags={"salvaged": 1, "replayed": 1})


def minicode_tokens(home: Path, seed: int) -> Expected:
    """A request is told once, with the first message it gave; what a compaction writes again is not asked again."""
    names = Names(seed)
    lines = MiniCode(home, names)
    output = 0
    for _ in range(names.rng.randrange(1, 4)):
        lines.user(names.prompt())
        said = names.rng.randrange(900)
        usage = {"inputTokens": names.rng.randrange(9_000), "outputTokens": said, "source": "anthropic"}
        event = lines.message("assistant", "assistant", content=names.sentence(), providerUsage=usage)
        lines.count(assistant=1).add(event)
        output += said
    lines.compacted("So far")
    event["message"] |= {"usageStale": True}
    lines.count(replayed=1).again(event)
    return lines.save().expected(output_tokens=output)
