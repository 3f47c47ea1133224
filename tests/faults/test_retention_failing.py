from __future__ import annotations

import errno
from pathlib import Path

import pytest

from tests.faults.failing import ARMS, Arm
from tests.faults.retention_failing import fail_each_call


@pytest.mark.parametrize("arm", ARMS)
def test_whichever_call_fails_a_session_is_whole_somewhere_and_the_next_run_completes_it(arm: Arm, quick: Path) -> None:
    toll = fail_each_call(quick, errno.EIO, arm, step=9)
    assert toll.bad == 0, toll
    assert toll.failures > 20
    assert toll.refused
