"""Whose folder a path lies in."""

from __future__ import annotations

from pathlib import Path

from unspool.stores.ownership import Owner, owner_of


def test_what_lies_in_an_agents_folder_is_the_agents_through_links_too(home: Path, tmp_path: Path) -> None:
    environ = {"HOME": str(home)}
    folder = home / ".claude" / "projects" / "-srv-shop"
    folder.mkdir(parents=True)
    (tmp_path / "way").symlink_to(folder)
    claude = Owner("claude", str(home / ".claude"))
    assert owner_of(str(folder / "a.md"), environ) == claude
    assert owner_of(str(tmp_path / "way" / "a.md"), environ) == claude
    assert owner_of(str(home / ".codex" / "a.md"), environ) == Owner("codex", str(home / ".codex"))


def test_what_lies_beside_is_nobodys(home: Path, tmp_path: Path) -> None:
    environ = {"HOME": str(home)}
    (home / ".claude").mkdir()
    for path in (home / "a.md", home / ".claude.md", home / ".claudeX" / "a.md", tmp_path / "a.md"):
        assert owner_of(str(path), environ) is None
