"""Whatever happens to a file that is followed: after each look the view equals one that is read anew."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.core.follow.followed import Followed
from tests.core.views.growing import SORTS

VARIABLE: Final = "UNSPOOL_FOLLOWED"
"""Names how many times something is done to a file; by default some hundreds."""

STEPS: Final = 25

records = st.lists(st.sampled_from(SORTS), min_size=1, max_size=4).map(lambda lines: b"\n".join(lines) + b"\n")


class Changes(RuleBasedStateMachine):
    """A file, and what is done to it."""

    @initialize(begin=records)
    def begin(self, begin: bytes) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.followed = Followed(Path(self.folder.name), begin)

    @rule(data=records)
    def append(self, data: bytes) -> None:
        self.followed.append(data)

    @rule(data=records, cut=st.integers(0, 900))
    def append_in_two(self, data: bytes, cut: int) -> None:
        self.followed.append(data[:cut])
        self.followed.append(data[cut:])

    @rule(data=records)
    def leave_unfinished(self, data: bytes) -> None:
        self.followed.append(data[:-1])

    @rule(how=st.sampled_from(["truncate", "replace", "overwrite", "recreate"]), data=records, cut=st.integers(0))
    def write_anew(self, how: str, data: bytes, cut: int) -> None:
        self.followed.change(how, data, cut)

    @rule(how=st.sampled_from(["delete", "move", "rewrite", "touch"]))
    def change(self, how: str) -> None:
        self.followed.change(how)

    @invariant()
    def equals_a_fresh_view(self) -> None:
        if hasattr(self, "followed"):
            self.followed.check()

    def teardown(self) -> None:
        if hasattr(self, "followed"):
            self.folder.cleanup()


TestChanges = Changes.TestCase
TestChanges.settings = settings(
    max_examples=max(1, int(os.environ.get(VARIABLE, "300")) // STEPS),
    stateful_step_count=STEPS,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
