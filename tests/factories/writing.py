"""A file that is written line by line, and what a reader must find in it."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from tests.factories.expected import NAMES, Expected
from tests.factories.names import Names


class Lines:
    """Lines of one session file. Every method that adds a line returns its 1-based number.

    `tally` counts what a reader must count; the methods of the agents' builders keep it, `raw` does not.
    """

    agent = ""

    def __init__(self, path: Path, names: Names, session_id: str) -> None:
        self.path, self.names, self.session_id = path, names, session_id
        self.tally: Counter[str] = Counter()
        self.unreadable: list[int] = []
        self.last_activity: str | None = None
        self._lines: list[bytes] = []
        self._order = random.Random(names.rng.random())
        self._shuffles = names.rng.random() < 0.5
        self._separators = names.rng.choice([(",", ":"), (", ", ": ")])
        self._ascii = names.rng.random() < 0.5

    def __len__(self) -> int:
        return len(self._lines)

    def raw(self, line: bytes) -> int:
        """Add bytes as they are; they may hold LFs and so be several lines."""
        first = len(self._lines) + 1
        self._lines += line.split(b"\n")
        return first

    def bad(self, line: bytes) -> int:
        """Add a line that no reader can read."""
        self.unreadable.append(self.raw(line))
        return len(self._lines)

    def add(self, record: dict[str, Any]) -> int:
        """Add a record."""
        return self.raw(self.encode(record))

    def encode(self, record: dict[str, Any]) -> bytes:
        """Write a record as this file writes all of them: blanks, escapes, and the order of the outer keys."""
        held = {key: record[key] for key in ("message", "payload", "item") if isinstance(record.get(key), dict)}
        inner = {key: self._ordered(value) for key, value in held.items()}
        text = json.dumps(self._ordered(record | inner), ensure_ascii=self._ascii, separators=self._separators)
        return text.encode("utf-8")

    def _ordered(self, record: dict[str, Any]) -> dict[str, Any]:
        keys = list(record)
        if self._shuffles:
            self._order.shuffle(keys)
        return {key: record[key] for key in keys}

    def patch(self, old: bytes, new: bytes) -> Self:
        """Replace bytes in every line; a newline in `new` makes more lines of one."""
        self._lines = b"\n".join(self._lines).replace(old, new).split(b"\n")
        return self

    def count(self, **pieces: int) -> Self:
        """Count pieces that were added as raw records."""
        self.tally.update(pieces)
        return self

    def save(self, *, start: bytes = b"", newline: bytes = b"\n", end: bytes = b"\n") -> Self:
        """Write the file."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(start + newline.join(self._lines) + end)
        return self

    def expected(self, **more: Any) -> Expected:
        """The figures of what was written, and what the kind adds to them."""
        counts = {name: self.tally[name] for name in NAMES}
        return replace(Expected(self.agent, self.path, self.session_id, counts, list(self.unreadable)), **more)

    # What every agent can write; a kind of fault that is none of one agent's own is built on these alone.

    def user(self, text: str) -> int:
        """Add a prompt."""
        raise NotImplementedError

    def answer(self, text: str) -> int:
        """Add a text of the model."""
        raise NotImplementedError

    def call(self, command: str) -> str:
        """Add a call of the shell; return its id."""
        raise NotImplementedError

    def result(self, call_id: str, text: str) -> int:
        """Add the result of a call."""
        raise NotImplementedError

    def answer_record(self, text: str) -> dict[str, Any]:
        """A record with one text of the model, not added."""
        raise NotImplementedError
