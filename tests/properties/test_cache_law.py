"""Whatever a session holds and however it grows: from the cache it opens as one that is read anew."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.core.cache.short_frames import shorten_frames
from tests.core.views.growing import portrait
from tests.properties.test_prefix_law import every_sort, files, opened
from unspool.cache import kept_columns
from unspool.cache.sessions import SessionCache
from unspool.views.view import SessionView


@every_sort
def test_a_session_that_was_kept_equals_one_that_is_read_anew(
    kind: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_columns, "FEW", seed % 4)
    shorten_frames(monkeypatch, 1 + seed % 5)
    chance, cache = random.Random(seed), SessionCache(str(tmp_path / "cache"), kept_from=0)
    for agent, path, data in files(tmp_path / "home", kind, seed):
        places = sorted({chance.randrange(len(data) + 1) for _ in range(6)} | {len(data)})
        path.write_bytes(b"")
        for begin, end in zip([0, *places], places, strict=False):
            with path.open("ab") as file:
                file.write(data[begin:end])
            fresh = opened(agent, path)
            builder = fresh._opened.builder
            cache.open(str(path), builder.format, builder.side_files)
            kept = cache.find(str(path), builder.format, builder.side_files)
            assert kept is not None
            assert portrait(SessionView(fresh.ref, kept)) == portrait(fresh)
