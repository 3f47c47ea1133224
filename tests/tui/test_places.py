"""What is said of the folders in which sessions were looked for: what keeps unspool out, not every file beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.tui.conftest import WIDE
from tests.tui.driving import Grid, settle
from unspool.library import Library, open_library
from unspool.library.roots import RootReport
from unspool.stores.base import ScanError
from unspool_tui.app import UnspoolApp
from unspool_tui.gateway.places import places_of


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A folder with a session, and a file that no agent wrote."""
    lines = Claude(tmp_path, Names(1), path=tmp_path / "kept" / "session.jsonl")
    lines.user("Mend the fence")
    lines.save()
    (tmp_path / "kept" / "figures.jsonl").write_text('{"posts": 12}\n')
    return tmp_path / "kept"


async def test_a_file_that_no_agent_wrote_is_no_trouble_beside_a_session(mixed: Path) -> None:
    app = UnspoolApp(open_library([str(mixed)]))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        grid = Grid(app)
        assert grid.has("Mend the fence")
        assert "cannot read" not in grid[-1]
        assert " y copy ref " in grid[-1]


def test_alone_it_says_why_nothing_was_found(tmp_path: Path) -> None:
    (tmp_path / "figures.jsonl").write_text('{"posts": 12}\n')
    (place,) = places_of(_listed(tmp_path))
    assert place.trouble is not None
    assert place.trouble.reason == "no session that unspool knows"


async def test_what_cannot_be_read_is_named_itself(mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = RootReport(str(mixed), True, None, {"claude": 1}, (ScanError(f"{mixed}/locked", "Permission denied"),))
    monkeypatch.setattr(Library, "scanned", lambda _: [report])
    app = UnspoolApp(open_library([str(mixed)]))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        assert Grid(app)[-1].endswith("/kept/locked  Permission denied ")


def _listed(folder: Path) -> Library:
    library = open_library([str(folder)])
    assert list(library.sessions()) == []
    return library
