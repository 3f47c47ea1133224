"""A search and a list cost what is searched and listed: twice as many pieces, however they lie, cost twice as much."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import pytest

from tests.sessions import view_of_lines
from unspool.views.view import SessionView


def message(number: int, *blocks: dict[str, Any]) -> str:
    return json.dumps({"type": "user", "uuid": f"u{number}", "message": {"content": list(blocks)}})


def word(number: int) -> dict[str, Any]:
    return {"type": "text", "text": f"word {number}"}


def result(call: str, number: int) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call, "content": f"word {number}"}


def call(arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": "t", "name": "Ls", "input": arguments}


def apart(count: int) -> list[str]:
    return [message(number, word(number)) for number in range(count)]


def in_one_record(count: int) -> list[str]:
    return [message(0, *(result(f"t{number}", number) for number in range(count)))]


def in_one_line(count: int) -> list[str]:
    return ["".join(apart(count))]


def behind_tears(count: int) -> list[str]:
    return ["".join(line[:45] + line for line in apart(count))]


def of_one_call(count: int) -> list[str]:
    calls = json.dumps({"type": "assistant", "uuid": "a", "message": {"content": [call({})]}})
    return [calls, *(message(number, result("t", number)) for number in range(count))]


def in_one_value(count: int) -> list[str]:
    value = {f"key {number}": f"word {number}" for number in range(count)}
    return [json.dumps({"type": "assistant", "uuid": "a", "message": {"content": [call(value)]}})]


def steps(work: Callable[[], object]) -> int:
    """Count the lines of code that some work runs."""
    count = 0

    def line(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        count += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def questions(view: SessionView) -> Iterator[Callable[[], object]]:
    yield lambda: view.search("word", limit=1000)
    yield lambda: view.search("no such words")
    yield lambda: view.evidence(limit=None)


@pytest.mark.parametrize("shape", [apart, in_one_record, in_one_line, behind_tears, of_one_call, in_one_value])
def test_twice_as_many_pieces_cost_twice_as_much(
    tmp_path_factory: pytest.TempPathFactory, shape: Callable[[int], list[str]]
) -> None:
    few, many = (view_of_lines(shape(count), tmp_path_factory.mktemp("cost")) for count in (100, 400))
    for small, large in zip(questions(few), questions(many), strict=True):
        assert steps(large) < 5 * steps(small) + 2000
    few.close()
    many.close()
