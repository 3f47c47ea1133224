"""An exported file is the person's own, and never lands on something else."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from tests.sessions import view_of, view_of_lines
from unspool.errors import AlreadyThere, SourceChanged, Unwritable
from unspool.export import export_file, file_name, format_of
from unspool.ids import SessionRef
from unspool.library import open_library
from unspool.views.view import SessionView


@pytest.fixture
def view() -> SessionView:
    """A small session."""
    return view_of([("user", "Why?"), ("assistant", "So.")])


def left_in(folder: Path) -> list[str]:
    """Return the names of all that lies in a folder."""
    return sorted(path.name for path in folder.iterdir())


def test_only_its_owner_may_read_it(view: SessionView, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        export_file(view, str(tmp_path / "a.md"))
        export_file(view, str(tmp_path / "a.md"), force=True)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.md").stat().st_mode) == 0o600


def test_its_name_tells_the_format_unless_another_is_named(view: SessionView, tmp_path: Path) -> None:
    for name, format in (("a.md", "md"), ("a.HTML", "html"), ("a.htm", "html"), ("a.json", "json"), ("a.txt", "md")):
        assert export_file(view, str(tmp_path / name)).format == format
    assert export_file(view, str(tmp_path / "b.txt"), "json").format == "json"
    assert (tmp_path / "a.HTML").read_text().startswith("<!doctype html>")
    assert format_of("a.md.gz") is None


def test_what_is_there_is_replaced_only_by_force(view: SessionView, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("mine")
    with pytest.raises(Unwritable, match="is there already; --force replaces it"):
        export_file(view, str(path))
    assert path.read_text() == "mine"
    export_file(view, str(path), force=True)
    assert path.read_text().startswith("# Why?")
    assert left_in(tmp_path) == ["a.md"]


def test_a_link_is_not_written_through(view: SessionView, tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "a.md"
    target.write_text("mine")
    link.symlink_to(target)
    for force in (False, True):
        with pytest.raises(Unwritable):
            export_file(view, str(link), force=force)
    assert target.read_text() == "mine"
    assert link.is_symlink()


def test_what_is_no_plain_file_is_not_replaced(view: SessionView, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        for force in (False, True):
            with pytest.raises(Unwritable):
                export_file(view, str(tmp_path / name), force=force)
    assert left_in(tmp_path) == ["folder", "pipe"]


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("name", ["folder", "folder/", "way"])
def test_a_folder_is_told_as_such_and_never_offered_to_be_replaced(
    view: SessionView, tmp_path: Path, name: str, force: bool
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "way").symlink_to(tmp_path / "folder")
    with pytest.raises(Unwritable, match=r"is a folder; name a file in it|is no plain file") as error:
        export_file(view, f"{tmp_path}/{name}", force=force)
    assert not isinstance(error.value, AlreadyThere)
    assert left_in(tmp_path / "folder") == []


@pytest.mark.parametrize("name", ["pipe", "link", "nowhere"])
def test_what_cannot_be_replaced_is_not_offered_to_be(view: SessionView, tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    (tmp_path / "target").write_text("mine")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    with pytest.raises(Unwritable, match="is no plain file and is not replaced") as error:
        export_file(view, str(tmp_path / name))
    assert not isinstance(error.value, AlreadyThere)
    assert not (tmp_path / "gone").exists()


@pytest.mark.parametrize("force", [False, True])
def test_a_place_that_only_can_be_read_is_told_in_one_line(
    view: SessionView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, force: bool
) -> None:
    (tmp_path / "a.md").write_text("mine")
    (tmp_path / "file").write_text("")

    def refused(path: str, flags: int, *more: object, **named: object) -> int:
        if flags & os.O_CREAT:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
        return opened(path, flags, *more, **named)  # type: ignore[arg-type]

    with pytest.raises(Unwritable, match="cannot be written: Not a directory"):
        export_file(view, str(tmp_path / "file" / "a.md"), force=force)
    opened = os.open
    monkeypatch.setattr(os, "open", refused)
    name = "a.md" if force else "b.md"
    with pytest.raises(Unwritable, match=rf"{name} cannot be written: Read-only file system"):
        export_file(view, str(tmp_path / name), force=force)
    assert left_in(tmp_path) == ["a.md", "file"]
    assert (tmp_path / "a.md").read_text() == "mine"


@pytest.mark.parametrize("force", [False, True])
def test_a_disk_that_fills_up_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, force: bool
) -> None:
    view = view_of([("user", "word " * 50_000)])
    if force:
        (tmp_path / "a.md").write_text("mine")

    def full(exported: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(Unwritable, match=r"a\.md cannot be written: No space left on device"):
        export_file(view, str(tmp_path / "a.md"), force=force, progress=full)
    assert left_in(tmp_path) == (["a.md"] if force else [])
    assert not force or (tmp_path / "a.md").read_text() == "mine"


def test_a_folder_that_is_not_there_is_told_in_one_line(view: SessionView, tmp_path: Path) -> None:
    with pytest.raises(Unwritable, match=r"a\.md cannot be written: No such file or directory"):
        export_file(view, str(tmp_path / "gone" / "a.md"))


def test_nothing_is_written_into_an_agents_folders(view: SessionView, home: Path, tmp_path: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user("Go")
    lines.save()
    inside = [home / ".claude" / "a.md", lines.project / "a.json", home / ".codex" / "sessions" / "a.md"]
    for path in inside:
        path.parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "way").symlink_to(lines.project)
    for path in (*inside, tmp_path / "way" / "a.md"):
        with pytest.raises(Unwritable, match=r"belongs to (claude|codex); write somewhere else"):
            export_file(view, str(path), force=True)
        assert not path.exists()
    export_file(view, str(home / "a.md"))
    assert (home / "a.md").exists()


@pytest.mark.parametrize("agent", ["claude", "codex"])
@pytest.mark.parametrize("way", ["copy of the home", "deep inside", "through ..", "relative", "through a link"])
def test_an_agents_folder_is_known_wherever_it_lies_and_however_it_is_reached(
    view: SessionView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: str, way: str
) -> None:
    script = (Claude if agent == "claude" else Codex)(tmp_path / "old home", Names(1))
    script.user("Go")
    session = script.save().path
    own = tmp_path / "old home" / (".claude" if agent == "claude" else ".codex")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "way").symlink_to(session.parent)
    monkeypatch.chdir(session.parent)
    path = {
        "copy of the home": str(own / "a.md"),
        "deep inside": str(session.parent / "a.md"),
        "through ..": f"{elsewhere}/../old home/{session.parent.relative_to(tmp_path / 'old home')}/a.md",
        "relative": "a.md",
        "through a link": str(elsewhere / "way" / "a.md"),
    }[way]
    with pytest.raises(Unwritable, match=f"belongs to {agent}; write somewhere else"):
        export_file(view, path, force=True, environ={"HOME": str(elsewhere)})
    assert not list(tmp_path.rglob("a.md"))


def test_folders_that_variables_name_are_the_agents_too(view: SessionView, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    environ = {"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path / "own")}
    with pytest.raises(Unwritable, match="belongs to claude"):
        export_file(view, str(tmp_path / "own" / "a.md"), environ=environ)


def test_the_session_itself_is_not_replaced(tmp_path: Path) -> None:
    view = view_of_lines(['{"type":"user","message":{"role":"user","content":"Go"}}'], tmp_path)
    before = (tmp_path / "session.jsonl").read_bytes()
    with pytest.raises(Unwritable, match="is the session itself"):
        export_file(view, str(tmp_path / "session.jsonl"), force=True)
    assert (tmp_path / "session.jsonl").read_bytes() == before


@pytest.mark.parametrize("force", [False, True])
def test_a_file_that_was_not_written_whole_is_gone(tmp_path: Path, force: bool) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    out.mkdir()
    record = '{"type":"user","uuid":"u%d","message":{"role":"user","content":"Go %d"}}'
    view = view_of_lines([record % (number, number) for number in range(5)], folder)
    if force:
        (out / "a.md").write_text("mine")
    (folder / "session.jsonl").write_text("{}\n")
    with pytest.raises(SourceChanged):
        export_file(view, str(out / "a.md"), force=force)
    assert left_in(out) == (["a.md"] if force else [])
    assert not force or (out / "a.md").read_text() == "mine"


def test_an_export_that_is_given_up_leaves_nothing(view: SessionView, tmp_path: Path) -> None:
    asked: list[bool] = []

    def cancelled() -> bool:
        asked.append(True)
        return len(asked) > 3

    exported = export_file(view, str(tmp_path / "a.md"), cancelled=cancelled)
    assert not exported.complete
    assert left_in(tmp_path) == []


def test_a_file_is_named_after_agent_and_session() -> None:
    assert file_name(SessionRef("claude", "7c41e0d2-aaaa-bbbb"), "md") == "claude-7c41e0d2.md"
    assert file_name(SessionRef("codex", "../..\x1b[x", "a/b"), "html") == "codex--x-a-b.html"


def test_a_file_holds_characters_that_are_no_text(home: Path, tmp_path: Path) -> None:
    lines = Claude(home, Names(1), cwd="/srv/a\udcff")
    lines.user("x \ud800 y")
    path = lines.save().path
    view = open_library([str(home)]).view(str(path))
    for name in ("a.md", "a.html", "a.json"):
        export_file(view, str(tmp_path / name))
        (tmp_path / name).read_text("utf-8")


@pytest.mark.parametrize("name", ["a.md", "a.html", "a.json"])
def test_one_that_is_given_up_before_its_last_word_leaves_nothing_either(
    view: SessionView, tmp_path: Path, name: str
) -> None:
    whole: list[int] = []
    export_file(view, str(tmp_path / name), progress=lambda _: whole.append(1))
    (tmp_path / name).unlink()
    written: list[int] = []
    exported = export_file(
        view,
        str(tmp_path / name),
        progress=lambda _: written.append(1),
        cancelled=lambda: len(written) == len(whole) - 1,
    )
    assert not exported.complete
    assert left_in(tmp_path) == []


def test_what_is_there_is_an_error_of_its_own(view: SessionView, tmp_path: Path) -> None:
    (tmp_path / "a.md").touch()
    with pytest.raises(AlreadyThere):
        export_file(view, str(tmp_path / "a.md"))
    with pytest.raises(Unwritable) as error:
        export_file(view, str(tmp_path / "gone" / "a.md"))
    assert not isinstance(error.value, AlreadyThere)


def test_who_waits_for_an_export_is_told_how_far_it_is(view: SessionView, tmp_path: Path) -> None:
    told: list[int] = []
    export_file(view, str(tmp_path / "a.md"), progress=lambda exported: told.append(exported.pieces))
    assert told == sorted(told)
    assert {0, 1, 2} <= set(told)
