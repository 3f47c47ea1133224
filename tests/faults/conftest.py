from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults import IN_MEMORY


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one: what fails or is cut off is made up, and waits for no disk."""
    if not os.path.isdir(IN_MEMORY):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        yield Path(folder)
