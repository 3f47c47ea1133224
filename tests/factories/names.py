"""Invented words, ids and places, the same for the same seed."""

from __future__ import annotations

import random
import string
import uuid
from datetime import UTC, datetime, timedelta

_THINGS = ("gearbox", "ledger", "harbour", "kiln", "orchard", "sextant", "trellis", "weir", "lantern", "quarry")
_CREATURES = ("quoll", "tern", "newt", "zebu", "ibis", "vole", "lynx", "crane", "otter", "shrew")
_VERBS = ("Tidy", "Measure", "Rename", "Split", "Explain", "Simplify", "Check", "Document")
_PARTS = ("parser", "retry loop", "importer", "cache", "scheduler", "exporter", "lock", "report")


class Names:
    """A source of names; every `needle` is a word that stands nowhere else."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.now = datetime(2026, 3, 1, 8, tzinfo=UTC) + timedelta(minutes=self.rng.randrange(400_000))
        self._needles: set[str] = set()

    def uuid(self) -> str:
        """A UUID in canonical form."""
        return str(uuid.UUID(int=self.rng.getrandbits(128), version=4))

    def ordered_uuid(self) -> str:
        """A UUID v7: a later one is greater."""
        milliseconds = int(self.now.timestamp() * 1000)
        self.now += timedelta(seconds=1)
        random_bits = self.rng.getrandbits(74)
        high = milliseconds << 16 | 7 << 12 | random_bits >> 62
        return str(uuid.UUID(int=high << 64 | 2 << 62 | random_bits & (1 << 62) - 1))

    def token(self, prefix: str, size: int = 20) -> str:
        """An id as the agents make them: a prefix and letters."""
        return prefix + "".join(self.rng.choices(string.ascii_letters + string.digits, k=size))

    def needle(self) -> str:
        """A word to search for, never given twice."""
        word = f"{self.rng.choice(_CREATURES)}-{self.rng.randrange(16**6):06x}-{self.rng.choice(_CREATURES)}"
        if word in self._needles:
            return self.needle()
        self._needles.add(word)
        return word

    def prompt(self) -> str:
        """A sentence that a person could type."""
        return f"{self.rng.choice(_VERBS)} the {self.rng.choice(_THINGS)} {self.rng.choice(_PARTS)}"

    def sentence(self) -> str:
        """A sentence that a model could answer."""
        return f"The {self.rng.choice(_THINGS)} {self.rng.choice(_PARTS)} is done."

    def folder(self) -> str:
        """A project folder of some machine."""
        top = self.rng.choice(("/srv", "/home/pat/src", "/opt/team.d", "/Users/sam/Code"))
        return f"{top}/{self.rng.choice(_THINGS)}-{self.rng.choice(_CREATURES)}"

    def command(self) -> str:
        """A shell line."""
        return f"{self.rng.choice(('cat', 'wc -l', 'stat', 'file'))} {self.rng.choice(_THINGS)}.txt"

    def time(self) -> str:
        """The next moment, some seconds after the last one."""
        self.now += timedelta(seconds=self.rng.randrange(1, 90))
        return self.now.strftime("%Y-%m-%dT%H:%M:%S.") + f"{self.rng.randrange(1000):03d}Z"
