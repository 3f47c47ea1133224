"""The command as it is until its first frame: what was imported by then is written to the file that is named first."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

if __name__ == "__main__":
    from unspool_tui.cli import main

    def told(*_: object) -> NoReturn:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(sorted(sys.modules)))
        os._exit(0)

    path = sys.argv.pop(1)
    from unspool_tui.held import Held

    Held.take = told  # type: ignore[method-assign]
    sys.exit(main())
