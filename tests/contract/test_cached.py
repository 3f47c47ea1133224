"""Real sessions open from the cache as they are read, and go on from there."""

from __future__ import annotations

from pathlib import Path

from tests.contract.test_corpus import every_plain_session, every_session, opened
from tests.core.views.growing import portrait
from unspool.cache.sessions import SessionCache
from unspool.views.opened import Opened
from unspool.views.view import SessionView


def kept(cache: SessionCache, path: Path, like: SessionView) -> SessionView:
    """A view of what is kept of a file, with the side files of another."""
    builder = like._opened.builder
    found = cache.find(str(path), builder.format, builder.side_files)
    assert found is not None
    return SessionView(like.ref, found)


@every_session
def test_a_session_from_the_cache_is_the_session(path: Path, shared: Path, tmp_path: Path) -> None:
    cache, view = SessionCache(str(tmp_path), kept_from=0), opened(path)
    builder = view._opened.builder
    cache.open(str(path), builder.format, builder.side_files)
    assert portrait(kept(cache, path, view)) == portrait(view)


@every_plain_session
def test_a_session_that_has_grown_goes_on_from_what_was_kept(path: Path, shared: Path, tmp_path: Path) -> None:
    cache, view, copy = SessionCache(str(tmp_path / "cache"), kept_from=0), opened(path), tmp_path / path.name
    builder, data = view._opened.builder, path.read_bytes()
    copy.write_bytes(data[: len(data) // 2])
    cache.open(str(copy), builder.format, builder.side_files)
    copy.write_bytes(data)
    fresh = SessionView(view.ref, Opened.open(str(copy), builder.format, builder.side_files))
    assert portrait(kept(cache, copy, view)) == portrait(fresh)
