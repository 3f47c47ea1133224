from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.ids import ids_of_processes, ids_while_the_clock_steps
from tests.faults.kill import InPlaceOs, campaign
from tests.faults.steps import delete, die_at_each_step, store
from unspool.blobs.files import FileBlobStore
from unspool.ids import BlobId


def test_a_killed_writer_loses_nothing_that_it_acknowledged_and_leaves_nothing_torn(tmp_path: Path) -> None:
    toll = campaign(tmp_path / "blobs", 0, kills=25)
    assert toll.acknowledged >= 25
    assert (toll.lost, toll.torn, toll.unnoted) == (0, 0, 0), toll


def test_writing_in_place_does_leave_torn_blobs_so_that_the_campaign_would_see_them(quick: Path) -> None:
    seen = 0
    for seed in range(40):
        seen += campaign(quick / "blobs", 0, kills=10, seed=seed, calls=InPlaceOs()).torn
        if seen:
            break
    assert seen


@pytest.mark.parametrize("act", [store, delete])
def test_a_writer_may_die_at_any_step_and_what_it_tried_succeeds_when_it_is_tried_again(
    act: Callable[[FileBlobStore, BlobId], None], quick: Path
) -> None:
    found = die_at_each_step(quick, act)
    assert found.steps > 10
    assert found.bad == 0, found


def test_ids_are_unique_over_processes_and_ascend_in_each() -> None:
    made = ids_of_processes(4, 5_000)
    assert (made.ids, made.repeated, made.not_ascending) == (20_000, 0, 0)


def test_ids_ascend_while_the_clock_steps_to_and_fro() -> None:
    made = ids_while_the_clock_steps(4, 5_000)
    if made is None:
        return  # no libfaketime here; the campaign says so
    assert (made.ids, made.repeated, made.not_ascending) == (20_000, 0, 0)
    assert made.steps_back > 0
