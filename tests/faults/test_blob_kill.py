from __future__ import annotations

from pathlib import Path

from tests.faults.ids import faults, ids_of_processes
from tests.faults.kill import InPlaceOs, campaign


def test_a_killed_writer_loses_nothing_that_it_acknowledged_and_leaves_nothing_torn(tmp_path: Path) -> None:
    toll = campaign(tmp_path / "blobs", 0, kills=25)
    assert toll.acknowledged >= 25
    assert (toll.lost, toll.torn) == (0, 0), toll


def test_writing_in_place_does_leave_torn_blobs_so_that_the_campaign_would_see_them(tmp_path: Path) -> None:
    seen = 0
    for seed in range(40):
        seen += campaign(tmp_path / "blobs", 0, kills=10, seed=seed, calls=InPlaceOs()).torn
        if seen:
            break
    assert seen


def test_ids_are_unique_over_processes_and_ascend_in_each() -> None:
    found = ids_of_processes(4, 5_000)
    assert [len(made) for made in found] == [5_000] * 4
    assert faults(found) == (0, 0)
