"""What stands in one file of yoi: items, segments of input, injected items, notes, a chain of hashes."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from tests.factories.expected import Expected
from tests.factories.names import Names
from tests.factories.yoi_lines import Yoi


def yoi_items(home: Path, seed: int) -> Expected:
    """Messages of several parts, reasoning open and sealed, calls of all sorts, results with summary, image, error."""
    names = Names(seed)
    lines = Yoi(home, names)
    title, refused, thought, broken, orphan = names.prompt(), *(names.needle() for _ in range(4))
    sealed, picture = names.token("gAAAA", 40), names.rng.randbytes(500)
    encoded = base64.b64encode(picture).decode()
    lines.user(title)
    message = lines.message("assistant", "I would", "")
    message["content"].insert(2, {lines.tag: "refusal", "refusal": f"rather not {refused}"})
    lines.count(reasoning=2, assistant=1).items(
        "assistant_item",
        {lines.tag: "reasoning", "text": "", "summary": [f"Think {thought}", "twice"], "encrypted_content": sealed},
        {lines.tag: "reasoning", "text": "Then act", "signature": sealed},
        {lines.tag: "reasoning", "text": "", "encrypted_content": sealed},
        message,
    )
    image = {"kind": "image", "mime_type": "image/png", "data": encoded}
    whole, content = lines.call(names.command()), "".join(f"row {n} {names.needle()}\n" for n in range(40))
    lines.result(whole, f"40 lines | {content[:20]}…", content=content)
    lines.result(lines.function("look", "{}"), "seen", attachments=[image])
    lines.result(lines.function("bash", f'{{"command": "{broken}'), "denied", is_error=True)
    lines.result(lines.function("quiet", ""), "")
    lines.call("sleep 9")
    lines.result(names.token("call_"), orphan)
    first = content.partition("\n")[0]
    return lines.save().expected(
        title=title,
        find={refused: 1, thought: 1, broken: 1, orphan: 1, sealed: 0, encoded[:40]: 0, "[image image/png 500]": 1},
        texts={
            refused: f"I would\nrather not {refused}",
            thought: f"Think {thought}\ntwice",
            first[-20:]: f"40 lines | {content[:20]}…\n{content}",
        },
        flags={"orphan": 1, "unanswered": 1, "error": 1},
        must_not=(encoded[:40], sealed),
    )


def typed_references(home: Path, seed: int) -> Expected:
    """Input in segments is one text; what stands for a reference is found where the text has it, over every seam."""
    names = Names(seed)
    lines = Yoi(home, names, era=names.rng.choice(["logged", "segments"]))
    path, pasted, flow = f"src/{names.needle()}.rs", names.needle(), names.needle()
    unreadable = "[unknown input segment]" if lines.is_chained else ""
    segments: list[tuple[dict[str, Any], str]] = [
        ({"kind": "text", "content": "Hold "}, "Hold "),
        ({"kind": "file_ref", "path": path}, f"@{path}"),
        ({"kind": "text", "content": " against "}, " against "),
        ({"kind": "paste", "id": 1, "chars": 9, "lines": 2, "content": f"{pasted}\n北\n"}, f"{pasted}\n北\n"),
        ({"kind": "knowledge_ref", "slug": "naming"}, "#naming"),
        ({"kind": "workflow_invoke", "slug": "review"}, "/review"),
        ({"kind": "flow", "selector": flow}, f"[Flow: {flow}]"),
        ({"kind": "unknown"}, unreadable),
    ]
    names.rng.shuffle(segments)
    text = "".join(written for _, written in segments)
    lines.count(user=1).entry("user_input", segments=[segment for segment, _ in segments])
    lines.answer(names.sentence())
    seams = {text[at - 4 : at + 4]: 1 for at in range(8, len(text) - 8, 5)}
    return lines.save().expected(
        title=" ".join(text.split()),
        find={f"@{path}": 1, f"[flow: {flow}]": 1, "#naming": 1, **seams},
        texts={pasted: text},
    )


def put_into_history(home: Path, seed: int) -> Expected:
    """What a hook or yoi itself put into the history is system; an item of a version to come is inert."""
    names = Names(seed)
    lines = Yoi(home, names, era=names.rng.choice(["logged", "segments"]))
    note, body, raw, unknown = (names.needle() for _ in range(4))
    lines.user(title := names.prompt())
    lines.count(system=1).entry("hook_injected_items", items=[lines.message("user", f"note {note}")])
    kinds = ["notification", "worker_event", "pod_event", "file_attachment", "skill_activation", "task_reminder",
             "interrupt", "knowledge", "workflow"]  # fmt: skip
    items = [{"kind": kind, "message": raw, "body": f"[{kind}] {body}"} for kind in names.rng.sample(kinds, 9)]
    lines.count(system=9).items("system_item", *items)
    lines.entry("system_item", item={"kind": "knowledge", "slug": raw})
    lines.entry("system_item", item={"kind": names.token("new_", 5), "body": unknown})
    lines.answer(names.sentence())
    return lines.save().expected(
        title=title, find={note: 1, body: 9, raw: 0, unknown: 0}, texts={note: f"note {note}"}, other_records=2
    )


def unknown_yoi_records(home: Path, seed: int) -> Expected:
    """Notes of yoi's own and kinds of a version to come are inert and counted; a mistaken time is none."""
    names = Names(seed)
    lines = Yoi(home, names)
    hidden = names.needle()
    lines.user(title := names.prompt())
    inert: list[dict[str, Any]] = [
        {"kind": names.token("future_", 5), "ts": 1, "item": lines.message("user", hidden)},
        lines.record("run_errored", interrupted=True, message=hidden),
        lines.record("run_outcome", interrupted=True, outcome={"error": {"message": hidden}}),
        lines.record("extension", domain="memory", payload={"body": hidden}),
        lines.record("turn_end", turn_count=1),
        lines.record("assistant_item", item={"kind": names.token("new_", 5), "text": hidden}),
    ]
    for record in names.rng.sample(inert, len(inert)):
        lines.add(record)
    lines.answer(names.sentence())
    return lines.save().expected(
        title=title, find={hidden: 0}, other_records=1 + len(inert), last_activity=lines.last_activity
    )


def yoi_tokens(home: Path, seed: int) -> Expected:
    """Each request is noted once, with the whole of its prompt."""
    names = Names(seed)
    lines = Yoi(home, names)
    output = 0
    for _ in range(names.rng.randrange(1, 5)):
        lines.user(names.prompt())
        used, read, written, said = (names.rng.randrange(9_000) for _ in range(4))
        usage = {"cache_read_tokens": read, "cache_write_tokens": written, "output_tokens": said}
        lines.entry("llm_usage", history_len=3, input_total_tokens=used + read + written, **usage)
        output += said
        lines.answer(names.sentence())
    return lines.save().expected(output_tokens=output)


def hash_chain(home: Path, seed: int) -> Expected:
    """A record that was changed, one that was taken out, a torn one: each break is told, and all the rest is read."""
    names = Names(seed)
    lines = Yoi(home, names, era=names.rng.choice(["chained", "logged"]))
    changed, gone, after = (names.needle() for _ in range(3))
    lines.user(title := names.prompt())
    lines.answer(names.sentence())
    place = lines.answer(f"It was {changed}")
    lines.patch(f"It was {changed}".encode(), f"It is {changed}".encode())
    lines.entry("extension", domain="numbers", payload={"a": 0.5, "b": -0.0, "c": 1e-07, "d": 10**25})
    lines.linked(lines.encode(lines.answer_record(gone)))
    missing = lines.user(f"{names.prompt()} {after}")
    torn = lines.linked(lines.encode(lines.answer_record(gone)))
    lines.bad(torn[: names.rng.randrange(200, len(torn) - 2)])
    behind = lines.answer(names.sentence())
    lines.answer(names.sentence())
    return lines.save().expected(
        title=title, find={changed: 1, gone: 0, after: 1}, broken_links=[place, missing, behind]
    )


def half_characters(home: Path, seed: int) -> Expected:
    """Half a character was written, then the next record behind it; the last line ends in the first byte of one."""
    names = Names(seed)
    lines = Yoi(home, names)
    glued, lost = names.needle(), names.needle()
    lines.user(title := names.prompt())
    stub = lines.encode(lines.answer_record(f"{lost} DASH and more"))
    start = names.rng.choice([b"\xe2\x80", b"\xe2", b"\xf0\x9f\x9a"])
    lines.bad(stub[: stub.index(b"DASH")] + start + lines.encode(lines.answer_record(f"Whole {glued}")))
    lines.count(assistant=1).answer(names.sentence())
    end = names.rng.choice([b"\xe3", stub[: stub.index(b"DASH")] + b"\xe3"])
    return lines.save(end=b"\n" + end).expected(
        title=title, find={glued: 1, lost: 0}, flags={"salvaged": 1}, pending=True
    )


def nested_arguments(home: Path, seed: int) -> Expected:
    """Arguments are a JSON string in JSON: quotes, newlines and escapes are found as they were meant."""
    names = Names(seed)
    lines = Yoi(home, names)
    lines.user(names.prompt())
    needle, key = names.needle(), names.needle()
    arguments = {"command": f"echo \"{needle}\"\nprintf 'a\\tb'  # café/x", key: [1, True, None]}
    encoded = json.dumps(arguments, ensure_ascii=names.rng.random() < 0.5)
    lines.result(lines.function("bash", encoded.replace("/", r"\/")), "ok")
    compact = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
    return lines.save().expected(
        find={f'"{needle}"\nprintf': 1, "a\\tb": 1, "café/x": 1, key: 1, '\\"': 0, "bash": 1}, texts={needle: compact}
    )
