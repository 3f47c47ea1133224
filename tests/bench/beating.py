"""The app with a heart: `python -m tests.bench.beating REPORT FILE` opens a session as the command does.

It leaves when all of the session is listed. Then the longest gap of the screen's thread, in seconds from where the app
answers keys, stands in the file REPORT, and `BEATEN` on the terminal.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Final

from tests.bench.heartbeat import Heartbeat
from unspool_tui import app, cli
from unspool_tui.app import UnspoolApp
from unspool_tui.screens.browse import BrowseScreen

BEATEN: Final = "the heart has beaten"


class BeatingApp(UnspoolApp):
    """Asks for a turn all the time, until so many bytes are listed."""

    CSS_PATH = Path(app.__file__).with_name("app.tcss")
    wanted = 0

    def on_ready(self) -> None:
        """Begin to beat."""
        self._beating = asyncio.create_task(self._beat())

    async def _beat(self) -> None:
        self.heart = Heartbeat()
        await self.heart.beat()
        while not self._is_all_there():
            await self.heart.beat()
        self.exit(0)

    def _is_all_there(self) -> bool:
        view = self.screen.view if isinstance(self.screen, BrowseScreen) else None
        return view is not None and view.size >= self.wanted and self.screen.settled


def main(report: str, path: str) -> None:
    """Open a session, and report."""
    begun: list[BeatingApp] = []

    class Reporting(BeatingApp):
        wanted = os.path.getsize(path)

        def on_load(self) -> None:
            begun.append(self)

    app.UnspoolApp = Reporting  # type: ignore[misc]
    code = cli.main(["open", path])
    Path(report).write_text(str(max(begun[0].heart.gaps)), encoding="utf-8")
    print(BEATEN)
    sys.exit(code)


if __name__ == "__main__":
    main(*sys.argv[1:])
