from __future__ import annotations

from pathlib import Path

from tests.faults.retention_swaps import campaign


def test_links_that_are_put_in_the_place_of_folders_lead_retention_nowhere(quick: Path) -> None:
    toll = campaign(quick, 250)
    assert toll.harmed == 0, toll
    assert toll.applied == 250
    assert toll.swaps > 20
    assert toll.gone > 20
