"""The command where the toolkit of the app cannot be imported: what is shown then was shown before."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType


class Missing:
    """Finds everything but one package."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] == "textual":
            raise ModuleNotFoundError(f"no {name} here")
        return None


if __name__ == "__main__":
    from unspool_tui.cli import main

    sys.meta_path.insert(0, Missing())
    sys.exit(main())
