"""Writers that are killed while they store: what they acknowledged must be there, what is visible must be whole."""

from __future__ import annotations

import os
import random
import signal
import time
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from tests.faults.in_place import WrittenInPlace
from unspool.blobs.calls import OS, Os
from unspool.blobs.content import Text
from unspool.blobs.digests import NAME as DIGESTS
from unspool.blobs.files import FileBlobStore
from unspool.blobs.new_file import TEMPORARY
from unspool.ids import BlobId

WINDOW = 8.0
"""Milliseconds within which a writer is killed, after the last answer waited for: one or two stores on a slow disk."""

WAITED_FOR = 24
"""Answers that are waited for at most."""

NOTES = 1 << 16
"""Bytes of digests that are kept from writer to writer; then the file is begun anew."""

SIZES = (10, 900, 70_000, 700_000)
"""Bytes of the texts that are stored."""


class InPlaceOs(WrittenInPlace):
    """The control: a blob is written under its own name. It must show torn blobs, or the campaign proves nothing."""

    def write(self, descriptor: int, data: bytes | memoryview) -> int:
        return super().write(descriptor, data[:4_096])


@dataclass
class Toll:
    """What was counted over all killed writers.

    Lost: acknowledged, and not there. Torn: there, and not whole. Unnoted: acknowledged, and not good to `verify`.
    Unacknowledged: there, its writer killed before it could answer. Temporaries: left by those killed before that.
    """

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    torn: int = 0
    unnoted: int = 0
    unacknowledged: int = 0
    temporaries: int = 0

    def __str__(self) -> str:
        return ", ".join(f"{name} {number:,}" for name, number in asdict(self).items())


def campaign(root: Path, acknowledged: int, *, calls: Os = OS, seed: int = 1, kills: int | None = None) -> Toll:
    """Kill writers until so many stores were acknowledged in all (or for so many kills), and count.

    Each is killed a random while after a random number of its stores: somewhere in the next one.
    """
    toll, chance = Toll(), random.Random(seed)
    while toll.acknowledged < acknowledged if kills is None else toll.kills < kills:
        answers = _killed_writer(root, calls, chance)
        toll.kills += 1
        toll.acknowledged += len(answers)
        _count(root, answers, toll)
    return toll


def _killed_writer(root: Path, calls: Os, chance: random.Random) -> set[BlobId]:
    """Let a child store and store; kill it; return what it had acknowledged."""
    reading, writing = os.pipe()
    seed = chance.random()
    child = os.fork()
    if not child:
        os.close(reading)
        _write_for_ever(root, calls, writing, random.Random(seed))
    os.close(writing)
    with os.fdopen(reading, "rb") as answers:
        lines = [answers.readline() for _ in range(chance.randint(1, WAITED_FOR))]
        until = time.perf_counter() + chance.uniform(0, WINDOW) / 1_000
        while time.perf_counter() < until:
            pass  # no timer is fine enough
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        lines += answers.readlines()
    return {BlobId.parse(line.decode()) for line in lines if line.endswith(b"\n")}


def _write_for_ever(root: Path, calls: Os, answers: int, chance: random.Random) -> None:
    store = FileBlobStore(root, calls=calls)
    while True:
        size = chance.choice(SIZES)
        blob_id = store.store(Text(_bytes(size).decode()))
        os.write(answers, f"{blob_id}\n".encode())


@cache
def _bytes(size: int) -> bytes:
    """Return a text that a part of it, or another one's, cannot be taken for: its size stands at both ends."""
    end = f"<{size}>"
    return ((end + "." * size)[: size - len(end)] + end).encode()


def _count(root: Path, answers: set[BlobId], toll: Toll) -> None:
    store = FileBlobStore(root)
    there = set(store.ids())
    good = {check.id for check in store.verify() if check.state == "good"}
    toll.lost += len(answers - there)
    toll.unnoted += len(answers - good)
    toll.unacknowledged += len(there - answers)
    for blob_id in there:
        with store.open(blob_id) as blob:
            toll.torn += blob.size not in SIZES or blob.read(0, blob.size) != _bytes(blob.size)
        os.unlink(root / f"{blob_id}.txt")
    for name in os.listdir(root):
        if name.startswith(TEMPORARY):
            toll.temporaries += 1
            os.unlink(root / name)
    if (root / DIGESTS).stat().st_size > NOTES:
        os.unlink(root / DIGESTS)
