"""Whatever happens to the files of a home while they are looked at: who hears what is told knows what is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.follow.stirred import FAULTS, stir


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("faults", [0, FAULTS], ids=["no fault", "faults"])
def test_who_only_hears_what_is_told_knows_what_is_there(tmp_path: Path, seed: int, faults: float) -> None:
    stir(tmp_path, seed, faults)
