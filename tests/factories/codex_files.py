"""What stands in several rollouts of Codex: compressed ones, forks, spawned agents."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from backports import zstd

from tests.factories.codex_lines import Codex
from tests.factories.expected import Expected
from tests.factories.names import Names


def compressed_rollout(home: Path, seed: int) -> Expected:
    """An archived rollout that is only there compressed reads as any other."""
    names = Names(seed)
    lines = Codex(home, names, archived=True, suffix=".jsonl.zst")
    title, needle = names.prompt(), names.needle()
    lines.user(title)
    for _ in range(names.rng.randrange(1, 30)):
        lines.result(lines.call(names.command()), names.sentence())
    lines.answer(f"{names.sentence()} {needle}")
    lines.save()
    _compress(lines.path, lines.path)
    return lines.expected(title=title, find={needle: 1})


def compressed_twin(home: Path, seed: int) -> Expected:
    """A plain rollout and its compressed twin are one session; the plain one is read."""
    names = Names(seed)
    lines = Codex(home, names, archived=names.rng.random() < 0.5)
    needle = names.needle()
    lines.user(names.prompt())
    lines.answer(f"{names.sentence()} {needle}")
    plain = lines.save().expected(find={needle: 1}, everywhere={needle: 1})
    packed = lines.path.with_name(f"{lines.path.name}.zst")
    _compress(lines.path, packed)
    return replace(plain, others=(replace(plain, path=packed),))


def _compress(source: Path, target: Path) -> None:
    target.write_bytes(zstd.compress(source.read_bytes(), 3))


def forked_rollout(home: Path, seed: int) -> Expected:
    """A fork begins with a copy of its parent, header included: the first header is its own."""
    names = Names(seed)
    parent = Codex(home, names)
    copied, only, title = names.needle(), names.needle(), names.prompt()
    parent.user(title)
    parent.answer(f"{names.sentence()} {copied}")
    parent.save()
    names.now = names.now.replace(second=0)
    fork = Codex(home, names, forked_from_id=parent.session_id)
    for line in parent.path.read_bytes().splitlines():
        fork.add(json.loads(line) | {"timestamp": names.time()})
    fork.tally = parent.tally.copy()
    fork.answer(f"{names.sentence()} {only}")
    origin = parent.expected(title=title, find={copied: 1, only: 0})
    return fork.save().expected(title=title, find={copied: 1, only: 1}, others=(origin,))


def spawned_agent(home: Path, seed: int) -> Expected:
    """A rollout that another thread spawned has that thread as its parent."""
    names = Names(seed)
    parent = Codex(home, names)
    parent.user(names.prompt())
    spawn = parent.function("spawn_agent", json.dumps({"message": "Count pages"}))
    needle = names.needle()
    source = {"subagent": {"thread_spawn": {"parent_thread_id": parent.session_id, "depth": 1}}}
    child = Codex(home, names, source=source, parent_thread_id=parent.session_id, thread_source="subagent")
    child.user("Count pages")
    child.answer(f"{names.sentence()} {needle}")
    parent.result(spawn, json.dumps({"agent_id": child.session_id}))
    parent.save()
    spawned = child.save().expected(find={needle: 1}, parent=parent.path)
    return parent.expected(find={needle: 0}, everywhere={needle: 1}, others=(spawned,))
