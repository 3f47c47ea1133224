"""Random histories of an agent that records its session, with what the agent itself knows at every moment."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from unspool.blobs.calls import Os
from unspool.recording import ActiveLog, ReplacementState, ResultLimits, SessionLog, SessionPlace, ToolResult
from unspool.recording.stand_in import write_stand_in

LIMITS: Final = ResultLimits(threshold=300, by_tool={"run_command": 200, "read_file": float("inf")}, batch=900)
"""Small, so that many results are over them."""

ROUNDS: Final = 2
"""How often every kind of step comes in one history."""

_ALPHABET: Final = "ab \n日😀\u2028\x85\\\"'<>\x07"
_TOOLS: Final = ("run_command", "grep_files", "read_file", "web_fetch", "mcp__a__b")
_IDS: Final = ("call_{}", "call/{}", "../..\\{}", "Call.{}", "{} ", "ключ{}")

Message = dict[str, Any]


class UnflushedOs(Os):
    """Flushes nothing: what is told here has no power to lose."""

    def fsync(self, descriptor: int) -> None:
        pass


class Agent:
    """An agent at work: `context` is what its model sees, `said` the ids of all that was ever said, in order.

    `outputs` holds what tools gave under each call, whole.
    """

    def __init__(self, project: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.log = SessionLog(SessionPlace(project, "1a2b3c4d"), cwd="/work", calls=UnflushedOs())
        self.store = self.log.result_store(LIMITS)
        self.state = ReplacementState()
        self.context: list[Message] = []
        self.spans: list[dict[str, Any]] = []
        self.said: list[str] = []
        self.outputs: dict[str, ToolResult] = {}
        self.title: str | None = None
        self.steps: Counter[str] = Counter()
        self._number = 0

    def live(self) -> None:
        """Take every kind of step so many times, in any order."""
        self.take("user")
        deck = [kind for kind in STEPS for _ in range(ROUNDS)]
        self.chance.shuffle(deck)
        for kind in deck:
            self.take(kind)

    def take(self, kind: str) -> None:
        """Take a step."""
        self.steps[kind] += 1
        STEPS[kind](self)

    def text(self, least: int = 0, most: int = 40) -> str:
        return "".join(self.chance.choices(_ALPHABET, k=self.chance.randint(least, most)))

    def say(self, *messages: Message) -> None:
        """Append messages; they are in the context from then on."""
        for event in self.log.append(messages):
            self.context.append(event["message"])
            if event["type"] not in ("tool_result", "thinking"):
                self.said.append(event["uuid"])

    def run(self, *contents: Any, is_error: bool = False) -> None:
        """Let a step's tools give results."""
        results = [self._result(content, is_error) for content in contents]
        self.outputs |= {each.tool_use_id: each for each in results}
        fitted = self.store.settle(results, self.state)
        self.say(*(_call(each) for each in fitted), *(_answer(each) for each in fitted))

    def removed(self, ids: set[str], stands_for_them: Message) -> None:
        """Take messages out of the context, and the other halves of their pairs; one stands where the first was."""
        first = next(place for place, message in enumerate(self.context) if message["id"] in ids)
        before = [each for each in self.context[:first] if each["id"] not in ids]
        after = [each for each in self.context[first:] if each["id"] not in ids]
        self.context = whole_pairs([*before, stands_for_them, *after])

    def some(self) -> list[Message]:
        """Return some messages that follow one another, none of them a snip's; something is said if need be."""
        if all(message["role"] == "snip_boundary" for message in self.context):
            self.take("user")
        runs: list[list[Message]] = [[]]
        for message in self.context:
            if message["role"] == "snip_boundary":
                runs.append([])
            else:
                runs[-1].append(message)
        run = self.chance.choice([each for each in runs if each])
        first = self.chance.randrange(len(run))
        return run[first : first + self.chance.randint(1, 6)]

    def results(self) -> Iterator[Message]:
        """Yield the results that the model sees."""
        return (message for message in self.context if message["role"] == "tool_result")

    def _result(self, content: Any, is_error: bool) -> ToolResult:
        self._number += 1
        own_id = self.chance.choice(_IDS).format(self._number)
        return ToolResult(own_id, self.chance.choice(_TOOLS), content, is_error)


def whole_pairs(messages: list[Message]) -> list[Message]:
    """Return messages without calls that have no result and results that have no call."""
    calls = {each["toolUseId"] for each in messages if each["role"] == "assistant_tool_call"}
    results = {each["toolUseId"] for each in messages if each["role"] == "tool_result"}
    return [each for each in messages if each.get("toolUseId") is None or each["toolUseId"] in calls & results]


def _call(result: ToolResult) -> Message:
    called = {"toolUseId": result.tool_use_id, "toolName": result.tool_name}
    return {"role": "assistant_tool_call", **called, "input": {"of": result.tool_use_id}}


def _answer(result: ToolResult) -> Message:
    called = {"toolUseId": result.tool_use_id, "toolName": result.tool_name}
    return {"role": "tool_result", **called, "content": result.content, "isError": result.is_error}


def _user(agent: Agent) -> None:
    agent.say({"role": "user", "content": agent.text()})


def _assistant(agent: Agent) -> None:
    agent.say({"role": "assistant", "content": agent.text(), "providerUsage": {"inputTokens": 1}})


def _progress(agent: Agent) -> None:
    agent.say({"role": "assistant_progress", "content": agent.text()})


def _thinking(agent: Agent) -> None:
    agent.say({"role": "assistant_thinking", "blocks": [{"type": "thinking", "thinking": agent.text()}]})


def _summary(agent: Agent) -> None:
    agent.say({"role": "context_summary", "content": agent.text(), "compressedCount": 2, "timestamp": 5})


def _small(agent: Agent) -> None:
    agent.run(agent.text(1))


def _error(agent: Agent) -> None:
    agent.run(agent.text(1, 400), is_error=True)


def _oversized(agent: Agent) -> None:
    agent.run(agent.text(301, 3_000))


def _structured(agent: Agent) -> None:
    blocks = [{"type": "text", "text": agent.text(0, 300)} for _ in range(agent.chance.randint(1, 4))]
    agent.run([*blocks, {"type": "image", "data": "…"}])


def _batch(agent: Agent) -> None:
    agent.run(*(agent.text(150, 300) for _ in range(agent.chance.randint(4, 9))))


def _nothing(agent: Agent) -> None:
    agent.run(agent.chance.choice(["", " \n", None]))


def _spoof(agent: Agent) -> None:
    known = agent.chance.choice([*agent.outputs, "call_0"])
    agent.run(write_stand_in(path=f"{agent.store.folder}/{known}.txt", text=agent.text(9), size=9, preview_units=5))


def _snip(agent: Agent) -> None:
    removed = [message["id"] for message in agent.some()]
    event = agent.log.append_snip(removed, 7)
    agent.said.append(event["uuid"])
    agent.removed({*removed}, event["message"])


def _collapse(agent: Agent) -> None:
    event = agent.log.append_collapse([message["id"] for message in agent.some()], agent.text())
    agent.spans.append(event["contextCollapseSpan"])


def _compaction(agent: Agent) -> None:
    kept = agent.context[len(agent.context) - agent.chance.randint(0, min(8, len(agent.context))) :]
    kept = [message for message in kept if message["role"] != "snip_boundary"]
    boundary, summary, *again = agent.log.append_compact_boundary(agent.text(), kept, pre_tokens=9, post_tokens=4)
    agent.said += [boundary["uuid"], summary["uuid"]]
    agent.context = whole_pairs([{**summary["message"], "id": summary["uuid"]}, *(each["message"] for each in again)])
    agent.spans = []


def _rename(agent: Agent) -> None:
    agent.title = agent.text(1) + "!"
    agent.log.rename(agent.title)


def _fork(agent: Agent) -> None:
    agent.log = agent.log.fork()
    active = ActiveLog.read(agent.log)
    agent.store, agent.title = active.result_store(LIMITS), active.title
    agent.said = [entry.id or "" for entry in active.transcript()]


def _resume(agent: Agent) -> None:
    active = ActiveLog.read(agent.log)
    agent.log = SessionLog(agent.log.place, calls=UnflushedOs())
    agent.store, agent.state = active.result_store(LIMITS), active.replacements()


STEPS: Final[dict[str, Callable[[Agent], None]]] = {
    "user": _user,
    "assistant": _assistant,
    "progress": _progress,
    "thinking": _thinking,
    "summary": _summary,
    "small result": _small,
    "error": _error,
    "oversized result": _oversized,
    "structured result": _structured,
    "batch": _batch,
    "no output": _nothing,
    "spoof": _spoof,
    "snip": _snip,
    "collapse": _collapse,
    "compaction": _compaction,
    "rename": _rename,
    "fork": _fork,
    "resume": _resume,
}
