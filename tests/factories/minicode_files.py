"""What stands in several files of MiniCode: saved outputs, those of first versions and of gone logs, forks."""

from __future__ import annotations

import json
from pathlib import Path

from tests.factories.expected import Expected
from tests.factories.minicode_lines import MiniCode
from tests.factories.names import Names


def minicode_saved_outputs(home: Path, seed: int) -> Expected:
    """Saved beside the session, structured or not, or by a first version; forged, linked and lost ones open nothing."""
    names = Names(seed)
    lines = MiniCode(home, names)
    inside, value, old, outside, foreign = (names.needle() for _ in range(5))
    previews = [names.needle() for _ in range(4)]
    lines.user(title := names.prompt())
    full = "".join(f"潮 {n}\r\n" for n in range(60)) + f"end {inside}\n"
    lines.saved(lines.call("tides"), full, "潮 0\r\n潮 1")
    pretty = json.dumps([{"type": "text", "text": value}], indent=2)
    unsafe = names.rng.choice(["call/a", "../..\\evil/name", ".."]) + names.token("")
    lines.used("mcp__x__list", {}, unsafe)
    lines.saved(unsafe, pretty, value, name=f"___{names.token('')}.json")
    run = lines.home / "tool-results" / names.uuid()
    run.mkdir(parents=True)
    first = lines.used("web_fetch", {"url": "https://example.org"})
    (run / f"{first}.txt").write_text(f"the old {old}", "utf-8")
    (run / "other.txt").write_text(foreign, "utf-8")
    lines.result(first, lines.stand_in(f"{first}.txt", "the old", folder=f"tool-results/{run.name}"))
    (home / "outside.txt").write_text(outside, "utf-8")
    (lines.home / "settings.json").write_text(json.dumps(outside), "utf-8")
    beside = lines.path.with_suffix("") / "tool-results"
    (beside / "linked.txt").symlink_to(home / "outside.txt")
    forged = [("linked.txt", ""), ("settings.json", "."), ("other.txt", f"tool-results/{run.name}"), ("gone.txt", "")]
    for preview, (name, folder) in zip(previews, forged, strict=True):
        lines.result(lines.call("echo"), lines.stand_in(name, preview, folder=folder))
    lines.result(lines.call("echo"), f"see <persisted-output> {foreign[:-1]}")
    ephemeral = lines.project / f"ephemeral-{names.uuid()}" / "tool-results"
    ephemeral.mkdir(parents=True)
    (ephemeral / f"{names.token('toolu_')}.txt").write_text(foreign, "utf-8")
    return lines.save().expected(
        title=title,
        find={inside: 1, value: 1, old: 1, outside: 0, foreign: 0, "潮 59\r\n": 1} | dict.fromkeys(previews, 1),
        texts={inside: full, value: pretty, old: f"the old {old}"},
        flags={"persisted": 7, "missing": 4},
        must_not=(outside, foreign),
    )


def minicode_fork(home: Path, seed: int) -> Expected:
    """A fork holds the messages of its source under their ids, and points to saved outputs that lie with the source."""
    names = Names(seed)
    source = MiniCode(home, names)
    copied, full, only = (names.needle() for _ in range(3))
    title = f"{names.prompt()} {copied}"
    call_id = names.token("toolu_")
    source.save_output(f"{call_id}.txt", f"the whole of {full}\n" * 9)
    events = [
        source.message("user", "user", content=title),
        source.call_record("run_command", {"command": "all"}, call_id),
        source.result_record(call_id, source.stand_in(f"{call_id}.txt", "the whole")),
    ]
    for event in events:
        source.add(event)
    source.count(user=1, tool_input=1, tool_output=1)
    fork = MiniCode(home, names, cwd=source.cwd)
    fork.tally = source.tally.copy()
    moment = names.time()
    for event in events:
        fork.add(event | {"sessionId": fork.session_id, "timestamp": moment})
    fork.last_activity = moment
    name = f"{title}_fork{names.rng.randrange(1, 12)}"
    fork.rename(name, at_once=True)
    fork.user(f"{names.prompt()} {only}")
    fork.answer(names.sentence())
    gone = seed % 2 == 0
    older = () if gone else (source.save().expected(title=title, find={f"whole of {full}": 1}),)
    return fork.save().expected(
        title=name,
        find={copied: 1, f"whole of {full}": 1, only: 1},
        everywhere={copied: 1, f"whole of {full}": 1, only: 1},
        flags={"persisted": 1, "missing": 0},
        others=older,
        cwd=fork.cwd,
    )


def shared_project_folder(home: Path, seed: int) -> Expected:
    """Two projects whose paths become one folder name are told apart by their records; one is of the root itself."""
    names = Names(seed)
    thing = names.rng.choice(["notes", "web.d"])
    lines, other = MiniCode(home, names, cwd=f"/a/{thing}-app"), MiniCode(home, names, cwd=f"/a-{thing}/app")
    root = MiniCode(home, names, cwd="/")
    for each in (lines, other, root):
        each.user(names.prompt())
        each.answer(names.sentence())
        each.save()
    others = (other.expected(cwd=other.cwd), root.expected(cwd="/"))
    return lines.expected(cwd=lines.cwd, others=others)
