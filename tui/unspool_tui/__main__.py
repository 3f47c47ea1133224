"""Run the command as `python -m unspool_tui`."""

from __future__ import annotations

import sys

from unspool_tui.cli import main

if __name__ == "__main__":
    sys.exit(main())
