"""`python -m tests.bench.resume`: what resuming a large log costs beside one plain decoding of all its lines.

A log of about 100 MB is written through `SessionLog` as an agent writes it, with a compaction every so often or none at
all. Printed are the seconds that the processor took for both, and how many times as long resuming takes: messages,
decisions on results, spans and the whole transcript, from one read.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from tests.bench.pairs import by_turns
from unspool.recording import ActiveLog, SessionLog

STEP = 12
"""Steps of a turn: a call and its result each."""


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m tests.bench.resume", description=__doc__)
    arguments.add_argument("--megabytes", type=int, default=100, help="how large the log is")
    arguments.add_argument("--rounds", type=int, default=3, help="how often each is timed, by turns; the best counts")
    given = arguments.parse_args()
    for compactions in (0, 20):
        with tempfile.TemporaryDirectory() as home:
            path = write(home, given.megabytes << 20, compactions)
            arms = processor(lambda path=path: decode(path)), processor(lambda path=path: resume(path))
            plain, resumed = map(min, by_turns(given.rounds, *arms))
            size = path.stat().st_size / 1e6
            print(
                f"{size:.0f} MB, {compactions} compactions: one pass of orjson {plain:.2f} s, "
                f"resumed in {resumed:.2f} s, {resumed / plain:.2f} times"
            )


def write(home: str, size: int, compactions: int) -> Path:
    """Write a log of about so many bytes; return its path."""
    log = SessionLog.of(home, "/work", "bench001")
    written = turn = compacted = 0
    while written < size:
        events = log.append(said_in(turn))
        written += sum(len(orjson.dumps(event)) for event in events)
        turn += 1
        if written * (compactions + 1) > size * (compacted + 1) and compacted < compactions:
            compacted += 1
            log.append_compact_boundary("All that was said so far.", [event["message"] for event in events[-4:]])
    return log.place.log


def said_in(turn: int) -> list[dict[str, Any]]:
    """Return what is said in one turn: outputs from a line to some dozens of KB, as tools give them."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": f"Go on with part {turn}."}]
    for step in range(STEP):
        call = {"toolUseId": f"call_{turn}_{step}", "toolName": "run_command"}
        output = f"line {step} of what the command printed, „quoted“\n" * (1 << ((turn + step) % 10))
        messages.append({"role": "assistant_tool_call", **call, "input": {"command": f"make part-{turn}-{step}"}})
        messages.append({"role": "tool_result", **call, "content": output, "isError": step == STEP - 1})
    messages.append({"role": "assistant", "content": "That is done, and this is what I found. " * 8})
    return messages


def processor(ask: Callable[[], object]) -> Callable[[], float]:
    """Return what runs a question, and tells the seconds that the processor took."""

    def run() -> float:
        began = time.process_time()
        ask()
        return time.process_time() - began

    return run


def decode(path: Path) -> int:
    """Decode every line, and keep none."""
    with path.open("rb") as lines:
        return sum(1 for line in lines if orjson.loads(line))


def resume(path: Path) -> tuple[int, int]:
    """Take everything from a log that a host needs that goes on with it and shows it."""
    active = ActiveLog.read(path)
    active.replacements()
    active.collapse_state()
    return len(active.messages()), len(active.transcript())


if __name__ == "__main__":
    main()
