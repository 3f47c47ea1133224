"""Blob ids from several processes at once: unique in all, ascending in each."""

from __future__ import annotations

import os
from itertools import pairwise

from unspool.blobs.store import new_id


def ids_of_processes(processes: int, each: int) -> list[list[int]]:
    """Let forked processes make ids at the same time; return the ids of each, as numbers, in the order made.

    The parent makes some before it forks, so that a generator which children share by accident would repeat itself.
    """
    new_id()
    pipes = []
    for _ in range(processes):
        reading, writing = os.pipe()
        if not os.fork():
            os.close(reading)
            with os.fdopen(writing, "wb") as out:
                for _ in range(each):
                    out.write(bytes.fromhex(new_id().text.replace("-", "")))
            os._exit(0)
        os.close(writing)
        pipes.append(reading)
    found = []
    for reading in pipes:
        with os.fdopen(reading, "rb") as answers:
            data = answers.read()
        found.append([int.from_bytes(data[start : start + 16]) for start in range(0, len(data), 16)])
    for _ in pipes:
        os.wait()
    return found


def faults(found: list[list[int]]) -> tuple[int, int]:
    """Return how many ids were given out twice, and how many were not greater than the one before in their process."""
    every = [number for made in found for number in made]
    repeated = len(every) - len(set(every))
    return repeated, sum(second <= first for made in found for first, second in pairwise(made))
