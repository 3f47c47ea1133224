"""What stands in several files of yoi: forks, compactions, segments of one session, blobs beside the sessions."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

from tests.factories.expected import Expected
from tests.factories.names import Names
from tests.factories.yoi_lines import Yoi


def copied_beginning(home: Path, seed: int) -> Expected:
    """A fork or compaction in a file of its own begins with what it took over: replayed, and found once."""
    names = Names(seed)
    origin = Yoi(home, names, era=names.rng.choice(["chained", "logged"]))
    copied, summary, only = (names.needle() for _ in range(3))
    title = f"{names.prompt()} {copied}"
    origin.user(title)
    origin.result(origin.call(names.command()), copied)
    head = origin.answer(names.sentence())
    origin.save()
    how = names.rng.choice(["forked_from", "compacted_from"])
    history = [
        origin.message("system", f"So far: {summary}"),
        origin.message("user", title),
        {origin.tag: "tool_call", "call_id": "c", "name": "bash", "arguments": "{}"},
        {origin.tag: "tool_result", "call_id": "c", "summary": copied},
    ]
    told = {how: {"session_id": origin.session_id, "at_hash": origin.newest, "line": head}}
    fork = Yoi(home, names, era=origin.era, sessions=origin.sessions, history=history, **told)
    fork.count(replayed=len(history))
    own = f"{names.prompt()} {only}"
    fork.user(own)
    fork.answer(names.sentence())
    older = origin.expected(title=title, find={copied: 2, only: 0}, broken_links=[])
    return fork.save().expected(
        title=own,
        find={copied: 0, summary: 0, only: 1},
        everywhere={copied: 2, only: 1},
        broken_links=[],
        others=(older,),
    )


def given_beginning(home: Path, seed: int) -> Expected:
    """A history that names no origin was never elsewhere: it is evidence."""
    names = Names(seed)
    needle = names.needle()
    plain = Yoi(home, names, era="flat")
    lines = Yoi(home, names, era="flat", history=[plain.message("user", needle), plain.message("assistant", "Yes.")])
    lines.count(user=1, assistant=1).user(names.prompt())
    return lines.save().expected(title=needle, find={needle: 1})


def session_in_segments(home: Path, seed: int) -> Expected:
    """Compactions and forks are segments of one session: one row, searched over all, what was copied found once."""
    names = Names(seed)
    first = Yoi(home, names, era="segments")
    every, copied, ends = names.needle(), names.needle(), []
    title = f"{names.prompt()} {every}"
    first.user(title)
    first.answer(f"{names.sentence()} {copied}")
    first.entry("turn_end", turn_count=1)
    parts = [first.save().expected(title=title, find={every: 1, copied: 1})]
    for _ in range(names.rng.randrange(1, 4)):
        history = [first.message("system", "So far"), first.message("assistant", copied)]
        how = names.rng.choice(["forked_from", "compacted_from"])
        told = {how: {"segment_id": first.segment_id, "at_turn_index": 1}}
        later = Yoi(home, names, era="segments", sessions=first.sessions, session_id=first.session_id,
                    history=history, **told)  # fmt: skip
        later.count(replayed=2).user(f"{names.prompt()} {every}")
        later.entry("future_entry", item=names.needle())
        ends.append(end := names.needle())
        later.answer(f"{names.sentence()} {end}")
        parts.append(later.save().expected(find={every: 1, copied: 0, end: 1}))
    tally = Counter[str]()
    for part in parts:
        tally.update(part.counts)
    whole = replace(parts[-1], counts={name: tally[name] for name in parts[0].counts}, parts=tuple(parts))
    find = {every: len(parts), copied: 1} | dict.fromkeys(ends, 1)
    return replace(whole, title=title, find=find, everywhere=find, cwd=None)


def stored_blobs(home: Path, seed: int) -> Expected:
    """Outputs that lie in blobs, with summaries of either form; one gone, forged ones, a link that leads out."""
    names = Names(seed)
    lines = Yoi(home, names, era=names.rng.choice(["flat", "chained"]))
    blobs = lines.sessions.parent / "blobs"
    blobs.mkdir(parents=True)
    inside, value, gone, outside = (names.needle() for _ in range(4))
    full = "".join(f"潮 {n}\r\n" for n in range(60)) + f"end {inside}\n"
    lines.user(title := names.prompt())
    size = len(full.encode())
    header = names.rng.choice(["text | 61 lines", f"text | 61 lines | {size} bytes"])
    text = names.ordered_uuid()
    (blobs / f"{text}.txt").write_bytes(full.encode())
    (blobs / f"{text}.json").write_text('"never this one"', "utf-8")
    lines.result(lines.call("tides"), f"[blob:{text}] {header}\n── head ──\n潮 0\n── tail ──\nshort {gone}\n")
    structured = names.ordered_uuid()
    pretty = json.dumps([{"port": value}], indent=2)
    (blobs / f"{structured}.json").write_text(pretty, "utf-8")
    lines.result(lines.call("ports"), f"[blob:{structured.upper()}] json_array | 1 entries\n── head ──\n")
    missing = names.ordered_uuid()
    lines.result(lines.call("lost"), f"[blob:{missing}] text | 1 lines\n── head ──\nonly {gone}\n")
    (home / "outside.txt").write_text(outside, "utf-8")
    linked = names.ordered_uuid()
    (blobs / f"{linked}.txt").symlink_to(home / "outside.txt")
    for forged in (f"[blob:{linked}] ", "[blob:../../../outside] ", f"[blob:{names.uuid()}] ", "[blob:] "):
        lines.result(lines.call("echo"), f"{forged}text | 1 lines")
    lines.result(lines.call("echo"), f"see [blob:{text}] above")
    return lines.save().expected(
        title=title,
        find={inside: 1, value: 1, gone: 1, outside: 0, "never this": 0, "潮 59\r\n": 1},
        texts={inside: full, value: pretty},
        flags={"persisted": 7, "missing": 5},
        must_not=(outside,),
    )
