"""The sessions to measure on: made once for a size and a density, and kept.

They are written by the project's own factories, or by `bench/gen_sessions.py` of the sample data where that lies beside
the project.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from tests.shared_data import SHARED

Density = Literal["heavy", "real"]
"""Huge tool outputs, or lines of the sizes that genuine sessions have."""

MB: Final = 10**6
GB: Final = 10**9
SESSION: Final = ".claude/projects/-work-bench/bench.jsonl"
"""Where in its home a session lies that is measured alone."""
ROLLOUT: Final = ".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-01961e1e-7a00-7000-8000-000000000001.jsonl"
"""Where one of Codex lies."""

NEEDLE: Final = "needle_rare_7f3a"
"""What stands in few pieces of every session, as both makers plant it."""

SIDE_FILES: Final = 20
"""Outputs that lie beside a session that is full of needles."""

RESULTS: Final[dict[Density, tuple[tuple[int, ...], tuple[int, ...]]]] = {
    "heavy": ((20, 200, 1_000, 4_000, 14_000, 30_000, 200_000, 1_000_000), (12, 25, 25, 25, 7, 3, 2, 1)),
    "real": ((20, 200, 700, 2_000, 5_000, 18_000, 40_000), (12, 25, 25, 20, 12, 5, 1)),
}
"""Characters of tool outputs that the factories write, and how often each comes in a hundred."""

BLOCK: Final = 2 * MB
"""Bytes that the factories hold at once."""

ROW: Final = 1_000
"""Bytes of a record that is one row of a long list."""

TURN: Final = 2_000
"""Bytes of a turn without its output."""


def generator() -> Path | None:
    """Return the generator of the sample data, if it is there."""
    path = SHARED / "bench" / "gen_sessions.py" if SHARED is not None else None
    return path if path is not None and path.is_file() else None


def usual_folder() -> Path:
    """Return where sessions are kept unless somebody says otherwise."""
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "unspool-bench"


class Sessions:
    """Sessions below a folder; without a `maker` the factories write them."""

    def __init__(self, folder: Path, maker: Path | None) -> None:
        self._maker = maker
        made_by = hashlib.sha256(maker.read_bytes()).hexdigest()[:8] if maker else "factories"
        self._folder = folder / made_by

    def one(self, density: Density, size: int) -> Path:
        """Return the file of a session of about so many bytes."""
        return self._made(f"{density}-{size}", lambda home: self._write(home / SESSION, density, size)) / SESSION

    def rollout(self, density: Density, size: int) -> Path:
        """Return the file of a session of Codex of about so many bytes."""
        home = self._made(f"{density}-{size}-codex", lambda home: self._write_rollout(home / ROLLOUT, density, size))
        return home / ROLLOUT

    def many(self, density: Density, size: int) -> Path:
        """Return a home of as many sessions as megabytes, at least two."""
        count = max(2, size // MB)
        return self._made(f"{density}-{size}-many", lambda home: self._write_many(home, density, size, count))

    def planted(self, density: Density, size: int) -> Path:
        """Return the file of a session with needles everywhere; of the generator's, some outputs lie beside it."""
        if self._maker is None:
            return self.one(density, size)
        beside = "--persisted", str(SIDE_FILES)
        name = f"{density}-{size}-planted"
        return (
            self._made(name, lambda home: self._generate("session", density, size, home / SESSION, *beside)) / SESSION
        )

    def rows(self, count: int) -> Path:
        """Return the file of a session of so many pieces, prompts and answers by turns, each in a record of `ROW`."""
        return self._made(f"rows-{count}", lambda home: _write_rows(home / SESSION, count)) / SESSION

    def _made(self, name: str, write: Callable[[Path], None]) -> Path:
        """Return a home, written if it is not there yet; one that was left half written is none."""
        home = self._folder / name
        if not home.is_dir():
            print(f"making {name} ...", flush=True)
            self._folder.mkdir(parents=True, exist_ok=True)
            unfinished = Path(tempfile.mkdtemp(prefix=f"{name}.", dir=self._folder))
            try:
                write(unfinished)
                unfinished.rename(home)
            except BaseException:
                shutil.rmtree(unfinished)
                raise
        return home

    def _write(self, path: Path, density: Density, size: int) -> None:
        if self._maker is None:
            write_session(path, density, size)
        else:
            self._generate("session", density, size, path)

    def _write_rollout(self, path: Path, density: Density, size: int) -> None:
        if self._maker is None:
            write_rollout(path, density, size)
        else:
            self._generate("session", density, size, path, "--agent", "codex")

    def _write_many(self, home: Path, density: Density, size: int, count: int) -> None:
        if self._maker is not None:
            self._generate("corpus", density, size, home, "--sessions", str(count))
            return
        for number in range(count):
            write_session(
                home / ".claude/projects/-work-bench" / f"bench{number}.jsonl", density, size // count, number
            )

    def _generate(self, what: str, density: Density, size: int, out: Path, *more: str) -> None:
        command = [sys.executable, str(self._maker), what, "--density", density, "--size", str(size), "-o", str(out)]
        subprocess.run([*command, *more], capture_output=True, check=True)


def needles_in(path: Path) -> dict[str, int]:
    """Return how often each needle was planted in a session, by its text."""
    manifest = Path(f"{path}.manifest.json")
    if not manifest.is_file():
        return {NEEDLE: path.read_bytes().count(NEEDLE.encode())}
    truth = json.loads(manifest.read_bytes())
    planted = Counter[str]()
    for place, count in truth["needles"].items():
        planted[place.partition(":")[0]] += count
    return {truth["needle_text"][name]: count for name, count in planted.items()}


def write_session(path: Path, density: Density, size: int, seed: int = 0) -> None:
    """Write a session of Claude Code of about so many bytes, a block at a time."""
    _write_turns(path, density, size, seed, lambda names: Claude(path.parent, names, session_id=path.stem))


def write_rollout(path: Path, density: Density, size: int) -> None:
    """Write a session of Codex of about so many bytes, a block at a time."""
    _write_turns(path, density, size, 0, lambda names: Codex(path.parent, names, bare=path.stat().st_size > 0))


def _write_turns(
    path: Path, density: Density, size: int, seed: int, lines_of: Callable[[Names], Claude | Codex]
) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    block = path.with_suffix(".block")
    with path.open("wb", buffering=0) as file:
        while file.tell() < size:
            lines = lines_of(Names(hash((seed, file.tell()))))
            lines.path = block
            _take_turns(lines, density, min(BLOCK, size - file.tell()))
            file.write(lines.save().path.read_bytes())
    block.unlink()


def _take_turns(lines: Claude | Codex, density: Density, size: int) -> None:
    """Add turns of about so many bytes; the needle stands in the output of the first."""
    names, written = lines.names, 0
    lengths, shares = RESULTS[density]
    while written < size:
        lines.user(names.prompt())
        call = lines.call(names.command())
        words = f"{names.sentence()}\n" * (names.rng.choices(lengths, shares)[0] // 20)
        lines.result(call, words if written else f"{words}{NEEDLE}\n")
        lines.answer(names.sentence())
        written += len(words) + TURN


def _write_rows(path: Path, count: int) -> None:
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        file.writelines(map(_row, range(count)))


def _row(number: int) -> bytes:
    type_ = "assistant" if number % 2 else "user"
    message = {"role": type_, "content": [{"type": "text", "text": f"line {number} "}]}
    value = {"type": type_, "uuid": f"u{number}", "sessionId": "bench", "message": message}
    line = json.dumps(value | {"timestamp": "2026-03-01T10:00:00Z"})
    return (line.replace("line", "line ".ljust(ROW + 3 - len(line), "."), 1) + "\n").encode()
