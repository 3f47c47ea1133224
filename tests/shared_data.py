"""Where the sample sessions lie that are not part of the project."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parent.parent
"""The root of the project."""

VARIABLE: Final = "UNSPOOL_SHARED"
"""Names the folder with `cases/` and `corpus/`; without it, `shared` beside the project is used."""


def shared_root() -> Path | None:
    """Return the folder with `cases/` and `corpus/`, or None when there is none."""
    named = os.environ.get(VARIABLE)
    root = Path(named) if named else PROJECT.parent / "shared"
    return root.resolve() if root.is_dir() else None


SHARED: Final = shared_root()
"""The folder with `cases/` and `corpus/` as the run began, for tests that are made one per file; else None."""
