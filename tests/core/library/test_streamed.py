"""A session that streams in is followed from its beginning: nobody has seen what came before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.views.growing import said
from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from unspool.errors import BadReference
from unspool.follow.events import EvidenceAdded
from unspool.library import open_library


def test_what_had_come_before_it_was_looked_at_is_told_too(tmp_path: Path) -> None:
    lines = Claude(tmp_path, Names(1))
    lines.user("one")
    lines.save()
    path = lines.path.rename(tmp_path / "collected")
    library = open_library([], environ={}, home=str(tmp_path), stream=lambda: str(path))
    ref = library.resolve_target("-").listed.ref
    with library.follow([ref]) as following:
        events = following.step(0)
        with path.open("ab") as file:
            file.write(said(1, "two") + b"\n")
        while len(events) < 2:
            events += following.step(0.05)
    assert [str(each.evidence.id) for each in events if isinstance(each, EvidenceAdded)] == ["E0.0", "E1.0"]


def test_where_nothing_streams_in_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadReference, match="no session streams in"):
        open_library([str(tmp_path)]).resolve_target("-")
