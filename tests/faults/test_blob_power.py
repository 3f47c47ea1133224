from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.blob_power import MISTAKES, RUNS, Act, explore
from tests.faults.power import RecordingOs


@pytest.mark.parametrize("act", RUNS)
def test_no_state_that_a_loss_of_power_may_leave_is_a_bad_one(act: Act, quick: Path) -> None:
    tally = explore(act, RecordingOs(), quick)
    assert tally.states > 50
    assert tally.bad == 0, tally


@pytest.mark.parametrize(("mistake", "act", "fault"), MISTAKES)
def test_a_planted_mistake_of_the_protocol_is_found(
    mistake: type[RecordingOs], act: Act, fault: str, quick: Path
) -> None:
    tally = explore(act, mistake(), quick)
    assert getattr(tally, fault), tally
