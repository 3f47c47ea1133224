from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.blob_power import RUNS, Run, explore
from tests.faults.power import MISTAKES, RecordingOs


@pytest.mark.parametrize("act", RUNS)
def test_no_state_that_a_loss_of_power_may_leave_is_a_bad_one(act: Callable[[Run], None], tmp_path: Path) -> None:
    tally = explore(act, RecordingOs(), tmp_path)
    assert tally.states > 50
    assert tally.bad == 0, tally


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_planted_mistake_of_the_protocol_is_found(mistake: type[RecordingOs], tmp_path: Path) -> None:
    tally = explore(RUNS[0], mistake(), tmp_path)
    assert tally.torn or tally.lost, tally
