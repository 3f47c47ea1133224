"""Token use is what the answers of this very session cost, however its counters are told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.core.formats.codex_walk import Record, event, header, message, record, walk
from unspool.formats.facts import Usage

Numbers = tuple[int, int, int]
"""Input with what was cached of it, what was cached, output."""

OTHERS = [
    event("token_count", info=None, rate_limits={"primary": {"used_percent": 3.0}}),
    event("token_count", info={}),
    event("token_count"),
    record("compacted", message="So far: dug."),
    event("context_compacted"),
    event("thread_rolled_back", num_turns=1),
    message("assistant", "ok"),
]


def usage(numbers: Numbers) -> dict[str, int]:
    given, cached, output = numbers
    told = {"input_tokens": given, "cached_input_tokens": cached, "output_tokens": output}
    return {**told, "reasoning_output_tokens": output // 2, "total_tokens": given + output}


def counted(total: Numbers, last: Numbers, time: str = "2026-05-01T10:00:00.000Z") -> Record:
    return event("token_count", time, info={"total_token_usage": usage(total), "last_token_usage": usage(last)})


def added(one: Numbers, other: Numbers) -> Numbers:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def expected(total: Numbers) -> Usage:
    return Usage(input=total[0] - total[1], output=total[2], cache_read=total[1])


ANSWER = st.tuples(st.integers(1, 500), st.integers(0, 400), st.integers(1, 90)).map(
    lambda told: (told[0] + told[1], told[1], told[2])
)
RUN = st.lists(st.tuples(ANSWER, st.integers(1, 3), st.sampled_from(OTHERS)), min_size=1, max_size=6)


@given(st.lists(RUN, min_size=1, max_size=4))
def test_each_answer_is_counted_once_over_repeats_resumes_and_compactions(
    runs: list[list[tuple[Numbers, int, Any]]],
) -> None:
    records, used, before = [header("s1")], (0, 0, 0), (0, 0, 0)
    for run in runs:
        total = (0, 0, 0)
        for last, times, other in run:
            total = added(total, last)
            assume(total != before)  # a resume that begins with the very numbers of before looks like a repeat
            used = added(used, last)
            records += [counted(total, last)] * times + [other]
            before = total
        records.append(header("s1"))
    assert walk(*records).facts.usage == expected(used)


def test_the_estimate_after_a_compaction_is_no_use_but_fills_the_context() -> None:
    estimate = {"total_token_usage": usage((900, 100, 50)), "last_token_usage": {"total_tokens": 77}}
    facts = walk(counted((900, 100, 50), (900, 100, 50)), event("token_count", info=estimate)).facts
    assert (facts.usage, facts.context_tokens) == (Usage(800, 50, 100), 77)


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("counts_copied", [False, True])
def test_a_fork_counts_what_it_used_itself(restarts: bool, counts_copied: bool) -> None:
    copied = "2026-05-01T10:00:05.100Z"
    live = ["2026-05-01T10:00:09.000Z", "2026-05-01T10:00:19.000Z"]
    first, second = (70, 20, 7), (90, 60, 9)
    start = (0, 0, 0) if restarts else (1_000, 600, 100)
    walked = walk(
        header("s2", "2026-05-01T10:00:00.000Z", forked_from_id="s1"),
        header("s1", copied, timestamp="2026-04-01T08:00:00.000Z"),
        *([counted((1_000, 600, 100), (400, 300, 40), copied)] if counts_copied else []),
        counted(added(start, first), first, live[0]),
        counted(added(added(start, first), second), second, live[1]),
    )
    assert walked.facts.usage == expected(added(first, second))
