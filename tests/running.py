"""Running the command in this process, and what it answered."""

from __future__ import annotations

import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from unspool_tui.cli import main


@dataclass(frozen=True)
class Answer:
    """Exit code, and all that was printed."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The JSON objects, one a line."""
        return [json.loads(line) for line in self.out.split("\n") if line]

    @property
    def object(self) -> dict[str, Any]:
        """The only JSON object."""
        (only,) = self.objects
        return only

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The objects of a list, without the summary that ends it."""
        *rows, last = self.objects
        assert "summary" in last, last
        return rows

    @property
    def summary(self) -> dict[str, Any]:
        """What ends a list."""
        found: dict[str, Any] = self.objects[-1]["summary"]
        return found


def unspool(*arguments: str | Path) -> Answer:
    """Run the command with these arguments."""
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        code = main([str(argument) for argument in arguments])
    return Answer(code, out.getvalue(), err.getvalue())
