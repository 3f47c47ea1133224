"""What stands in several files of Claude Code: side files, subagents, copies, times, the live registry."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.factories.claude_lines import Claude
from tests.factories.expected import Expected
from tests.factories.names import Names


def empty_files(home: Path, seed: int) -> Expected:
    """No bytes, only newlines, only bookkeeping: one session has content, the others are empty and no error."""
    names = Names(seed)
    cwd = names.folder()
    lines = Claude(home, names, cwd=cwd)
    lines.user(names.prompt())
    lines.answer(names.sentence())
    nothing, blanks, notes = (Claude(home, names, cwd=cwd) for _ in range(3))
    nothing.save(end=b"")
    blanks.save(end=b"\n" * names.rng.randrange(1, 9))
    notes.note("file-history-snapshot", messageId="m1", snapshot={"trackedFileBackups": {}})
    notes.save()
    empty = tuple(other.expected(empty=True) for other in (nothing, blanks, notes))
    return lines.save().expected(others=empty, cwd=cwd)


def persisted_output(home: Path, seed: int) -> Expected:
    """Outputs beside the session: found by name, by call, or refused when the way leads out of the folder."""
    names = Names(seed)
    lines = Claude(home, names)
    folder = lines.path.with_suffix("") / "tool-results"
    folder.mkdir(parents=True)
    lines.user(names.prompt())
    rows = [f"row {n:04} is fine" for n in range(names.rng.randrange(900, 2500))]
    beyond, previews, outside = names.needle(), [names.needle() for _ in range(5)], names.needle()
    rows[-100] = f"row with {beyond}"
    (home / "outside.txt").write_text(outside)
    calls = [lines.call(f"check {n}") for n in range(5)]
    found = names.rng.choice([f"{calls[0]}.txt", f"{names.token('b', 8)}.txt"])
    (folder / names.rng.choice([found, f"{calls[0]}.txt"])).write_text("\n".join(rows))
    (folder / "linked.txt").symlink_to(home / "outside.txt")
    os.mkfifo(folder / "pipe.txt")
    climb = os.path.relpath(home / "outside.txt", folder)
    for call, name, preview in zip(calls, [found, "gone.txt", climb, "linked.txt", "pipe.txt"], previews, strict=True):
        lines.result(call, _stub(names, lines.session_id, name, preview))
        lines.answer(names.sentence())
    finds = {beyond: 1, outside: 0, previews[0]: 0} | dict.fromkeys(previews[1:], 1)
    return lines.save().expected(
        find=finds, texts={beyond: "\n".join(rows)}, must_not=(outside,), flags={"persisted": 5, "missing": 4}
    )


def borrowed_output(home: Path, seed: int) -> Expected:
    """A copy of a session names side files of its origin, where they still lie; a stranger's are not opened."""
    names = Names(seed)
    origin, stranger = Claude(home, names), Claude(home, names)
    copy = Claude(home, names, cwd=origin.cwd)
    own, foreign, previews = names.needle(), names.needle(), [names.needle(), names.needle()]
    for lines, word in ((origin, own), (stranger, foreign)):
        folder = lines.path.with_suffix("") / "tool-results"
        folder.mkdir(parents=True)
        (folder / f"big-{word}.txt").write_text(f"the whole of {word}\n" * 99)
    origin.user(names.prompt())
    call = origin.call(names.command())
    origin.result(call, _stub(names, origin.session_id, f"big-{own}.txt", previews[0]))
    origin.save()
    stranger.user(names.prompt())
    stranger.save()
    for line in origin.path.read_bytes().splitlines():
        copy.add(json.loads(line) | {"sessionId": copy.session_id})
    copy.tally, copy.parent = origin.tally.copy(), origin.parent
    other = copy.call(names.command())
    copy.result(other, _stub(names, stranger.session_id, f"big-{foreign}.txt", previews[1]))
    find = {f"whole of {own}": 1, f"whole of {foreign}": 0, previews[0]: 0, previews[1]: 1}
    first = origin.expected(find={f"whole of {own}": 1}, flags={"persisted": 1, "missing": 0})
    return copy.save().expected(find=find, flags={"persisted": 2, "missing": 1}, others=(first,))


def _stub(names: Names, session_id: str, name: str, preview: str) -> str:
    machine = names.rng.choice(["/home/else/.claude/projects/-x", "C:\\Users\\Else\\.claude\\projects\\-x"])
    slash = "\\" if machine[0] == "C" else "/"
    saved = slash.join([machine, session_id, "tool-results", *name.split("/")])
    size = f"{names.rng.randrange(30, 900) / 10}KB"
    return (
        f"<persisted-output>\nOutput too large ({size}). Full output saved to: {saved}\n\n"
        f"Preview (first 2KB):\n{preview}\n...\n</persisted-output>"
    )


def resumed_copy(home: Path, seed: int) -> Expected:
    """A second file repeats the first, uuids and all, and goes on: what was copied is one hit."""
    names = Names(seed)
    first = Claude(home, names)
    copied, only = names.needle(), names.needle()
    title = f"{names.prompt()} {copied}"
    first.count(user=1).said(title)
    for _ in range(names.rng.randrange(1, 4)):
        first.answer(names.sentence())
        first.user(names.prompt())
    first.save()
    second = Claude(home, names, cwd=first.cwd)
    keeps_id = names.rng.random() < 0.5
    for line in first.path.read_bytes().splitlines():
        record = json.loads(line)
        second.add(record if keeps_id else record | {"sessionId": second.session_id})
    second.tally, second.parent = first.tally.copy(), record["uuid"]
    second.answer(f"{names.sentence()} {only}")
    origin = first.expected(find={copied: 1, only: 0}, title=title)
    here = {copied: 1, only: 1}
    return second.save().expected(find=here, everywhere=here, title=title, others=(origin,))


def subagents(home: Path, seed: int) -> Expected:
    """A child with a side file, its own child, and one of the old flat layout: each has its parent, none is listed."""
    names = Names(seed)
    main = Claude(home, names)
    main.user(names.prompt())
    folder = main.path.with_suffix("") / "subagents"
    task, inner = names.token("toolu_"), names.token("toolu_")
    child, grandchild, flat = (names.token("", 7).lower() for _ in range(3))
    main.count(tool_input=1, assistant=1).spoke({"type": "text", "text": "Two helpers."}, _task(task, child))
    main.count(tool_output=1).said(
        [{"type": "tool_result", "tool_use_id": task, "content": "surveyed"}],
        toolUseResult={"agentId": child, "totalTokens": 9},
    )
    main.answer(names.sentence())
    words = [names.needle() for _ in range(3)]
    children = [
        _child(home, main, names, folder / f"agent-{child}.jsonl", child, words[0], _task(inner, grandchild)),
        _child(home, main, names, folder / f"agent-{grandchild}.jsonl", grandchild, words[1]),
        _child(home, main, names, main.project / f"agent-{flat}.jsonl", flat, words[2]),
    ]
    for name, call in ((child, task), (grandchild, inner)):
        (folder / f"agent-{name}.meta.json").write_text(json.dumps({"agentType": "general", "toolUseId": call}))
    children[1] = replace(children[1], parent=children[0].path)
    everywhere = dict.fromkeys(words, 1)
    return main.save().expected(others=tuple(children), find=dict.fromkeys(words, 0), everywhere=everywhere)


def _task(call: str, agent: str) -> dict[str, Any]:
    given = {"description": agent, "prompt": f"Survey {agent}"}
    return {"type": "tool_use", "id": call, "name": "Task", "input": given}


def _child(
    home: Path, main: Claude, names: Names, path: Path, agent: str, word: str, task: dict[str, Any] | None = None
) -> Expected:
    lines = Claude(home, names, cwd=main.cwd, path=path, session_id=main.session_id, isSidechain=True, agentId=agent)
    lines.count(user=1).said(f"Survey {agent}")
    if task:
        lines.count(tool_input=1).spoke(task)
        lines.result(task["id"], "counted")
    lines.answer(f"{names.sentence()} {word}")
    return lines.save().expected(find={word: 1}, parent=main.path, title=f"Survey {agent}")


def activity_order(home: Path, seed: int) -> Expected:
    """The file touched last is not the session worked on last: the records tell."""
    names = Names(seed)
    cwd = names.folder()
    old = Claude(home, names, cwd=cwd)
    old.user(names.prompt())
    old.answer(names.sentence())
    old.note("ai-title", aiTitle="Old work, titled later")
    names.now += timedelta(days=names.rng.randrange(2, 30))
    new = Claude(home, names, cwd=cwd)
    new.user("Newest real work")
    new.answer(names.sentence())
    for lines, moment in ((new, datetime(2026, 12, 1, tzinfo=UTC)), (old, datetime(2026, 12, 9, tzinfo=UTC))):
        lines.save()
        os.utime(lines.path, (moment.timestamp(), moment.timestamp()))
    before = old.expected(title="Old work, titled later", last_activity=old.last_activity)
    return new.expected(title="Newest real work", cwd=cwd, last_activity=new.last_activity, others=(before,))


def live_registry(home: Path, seed: int) -> Expected:
    """A session whose process runs is live; a registry entry of a dead process says nothing."""
    names = Names(seed)
    live, dead = Claude(home, names), Claude(home, names)
    registry = home / ".claude" / "sessions"
    registry.mkdir(parents=True)
    long_ago = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
    for lines, pid in ((live, os.getpid()), (dead, 2**22 + 7)):
        lines.user(names.prompt())
        lines.answer(names.sentence())
        lines.save()
        os.utime(lines.path, (long_ago, long_ago))
        status = names.rng.choice(["idle", "busy"])
        entry = {"pid": pid, "sessionId": lines.session_id, "cwd": lines.cwd, "status": status}
        (registry / f"{pid}.json").write_text(json.dumps(entry))
    return live.expected(live=True, others=(dead.expected(live=False),))
