"""How long it is waited after a look that nothing asked for."""

from __future__ import annotations

import pytest

from tests.core.follow.followed import Clock
from unspool.follow import effort
from unspool.follow.effort import COST_RATIO, WAITED_RATIO, Effort


@pytest.fixture
def spent(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """What the processor has worked for this thread."""
    clock = Clock()
    monkeypatch.setattr(effort.time, "thread_time", clock)
    return clock


def test_a_look_waits_at_least_so_long_and_so_many_times_what_the_processor_worked(spent: Clock) -> None:
    clock = Clock()
    look = Effort(clock)
    assert look.pause(2.0) == 2.0
    spent.now += 0.5
    assert look.pause(2.0) == 0.5 * COST_RATIO
    assert look.pause(2.0, 20) == 10.0


def test_on_a_busy_machine_the_time_of_the_clock_counts_less(spent: Clock) -> None:
    clock = Clock()
    look = Effort(clock)
    spent.now += 0.01
    clock.now += 3.0
    assert look.pause(1.0) == 3.0 * WAITED_RATIO
    assert look.pause(1.0, 2) == 6.0
