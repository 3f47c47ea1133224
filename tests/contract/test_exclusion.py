"""Real sessions: what a search over all passes by unread holds no match, and what it could pass by it does."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

from tests.contract.test_corpus import every_session
from unspool.library import open_library
from unspool.search.exclusion import Exclusion
from unspool.search.needle import Needle
from unspool.views.bounds import Bounds
from unspool.views.filter import Filter

EVERY: Final = Filter(reasoning=True, hidden=True)
WINDOW: Final = Bounds(1, 4_096, 4_096)
QUERIES: Final = 60
ODD: Final = ("image", "[image image/png", "412", "exit code 1", "mcp__", "__", "shell", "bash", "Bash", "ü", "→", "/")


@every_session
def test_what_is_passed_by_unread_holds_no_match(path: Path, shared: Path) -> None:
    library = open_library([str(path)])
    target = library.resolve_target(str(path))
    view = library.view(target)
    rng = random.Random(path.name)
    queries = list(ODD)
    for row in rng.choices(view.select(EVERY), k=QUERIES) if view.rows else ():
        text = view.read(view.id(row), bounds=WINDOW).pieces[0].text
        start = rng.randrange(len(text) or 1)
        queries.append(text[start : start + rng.randint(1, 12)])
        queries.append((view.tool(row) or "")[rng.randrange(3) :])

    def is_passed_by(query: str) -> bool:
        return library._reader.excluded(target.listed, Exclusion(Needle.of(query)), lambda: False) is not None

    passed = [query for query in queries if query and is_passed_by(query)]
    assert [query for query in passed if view.search(query, EVERY).total] == []
    assert is_passed_by("zqxjvkwyzq") or view.unreadable or view.pending
