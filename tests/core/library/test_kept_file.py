"""What is learned of files outlives a process, and is never taken for what another file or program would tell."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from unspool.library import Library, SessionSummary, kept_file, open_library
from unspool.library import glance as glance_module
from unspool.library.glance import Glance
from unspool.library.glances import NAME
from unspool.library.kept_file import KeptFile

LATER = 4_000_000_000_000
"""Milliseconds: long after every file of a test was written."""


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def written(home: Path, seed: int, said: str) -> Claude:
    lines = Claude(home, Names(seed), cwd="/srv/shop")
    lines.user(said)
    lines.result(lines.call("ls"), "a\nb")
    lines.answer("Done")
    lines.save()
    return lines


def library(home: Path, cache: Path) -> Library:
    return open_library([str(home)], now=lambda: LATER, cache=str(cache))


def listed(home: Path, cache: Path) -> list[SessionSummary]:
    return list(library(home, cache).sessions())


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of files that were really looked at."""
    names: list[str] = []
    take = glance_module.take_glance

    def noted(source: object, format: object) -> Glance:
        names.append(os.path.basename(source.path))  # type: ignore[attr-defined]
        return take(source, format)  # type: ignore[arg-type]

    monkeypatch.setattr(glance_module, "take_glance", noted)
    return names


def test_a_second_list_looks_at_nothing_and_says_the_same(home: Path, cache: Path, looked: list[str]) -> None:
    for seed in range(3):
        written(home, seed, f"Prompt {seed}")
    first = listed(home, cache)
    looked.clear()
    assert listed(home, cache) == first
    assert looked == []


def test_only_what_changed_is_looked_at_again(home: Path, cache: Path, looked: list[str]) -> None:
    changed, _ = written(home, 1, "one"), written(home, 2, "two")
    listed(home, cache)
    changed.note("custom-title", customTitle="A new name", sessionId=changed.session_id)
    changed.save()
    looked.clear()
    assert "A new name" in {each.title for each in listed(home, cache)}
    assert looked == [changed.path.name]
    looked.clear()
    listed(home, cache)
    assert looked == []


def test_another_file_of_the_same_name_size_and_time_is_looked_at(home: Path, cache: Path, looked: list[str]) -> None:
    lines = written(home, 1, "before")
    listed(home, cache)
    before, other = lines.path.stat(), lines.path.with_name("other")
    other.write_bytes(lines.path.read_bytes().replace(b"before", b"behind"))
    os.utime(other, ns=(before.st_mtime_ns, before.st_mtime_ns))
    other.replace(lines.path)
    assert [each.title for each in listed(home, cache)] == ["behind"]


def test_a_file_written_a_moment_ago_is_not_remembered(home: Path, cache: Path, looked: list[str]) -> None:
    path = written(home, 1, "one").path
    now = path.stat().st_mtime_ns // 1_000_000 + 500
    for _ in range(2):
        list(open_library([str(home)], now=lambda: now, cache=str(cache)).sessions())
    assert looked == [path.name, path.name]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: os.urandom(len(data)),
        lambda data: data.replace(b"one", b"two"),
        lambda data: data.replace(b"unspool", b"another", 1),
        lambda data: data + b"\n\t\t\nrubbish\tto\tcome\n00000000\t\xff\n",
    ],
    ids=["empty", "torn", "garbage", "altered", "another version", "rubbish behind"],
)
def test_what_was_spoilt_costs_only_time(home: Path, cache: Path, spoil: object, looked: list[str]) -> None:
    written(home, 1, "one")
    first = listed(home, cache)
    file = cache / NAME
    file.write_bytes(spoil(file.read_bytes()))  # type: ignore[operator]
    assert listed(home, cache) == first
    looked.clear()
    assert listed(home, cache) == first
    assert looked == []


def test_the_file_is_for_one_person_alone(home: Path, cache: Path) -> None:
    written(home, 1, "one")
    listed(home, cache)
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    assert stat.S_IMODE((cache / NAME).stat().st_mode) == 0o600
    assert [each.name for each in cache.iterdir()] == [NAME]


@pytest.mark.parametrize("place", ["a file", "a link to nothing"])
def test_a_cache_that_cannot_be_written_costs_only_time(home: Path, cache: Path, place: str) -> None:
    written(home, 1, "one")
    if place == "a file":
        cache.write_text("mine")
    else:
        cache.symlink_to(cache.parent / "nowhere" / "deep")
    assert [each.title for each in listed(home, cache)] == ["one"]
    assert cache.is_symlink() or cache.read_text() == "mine"


def test_nothing_is_remembered_among_an_agents_own_files(home: Path) -> None:
    lines = written(home, 1, "one")
    before = sorted(home.rglob("*"))
    listed(home, lines.path.parent / "cache")
    assert sorted(home.rglob("*")) == before


@pytest.mark.parametrize("odd", ["half \ud83d of it", 1 << 70])
def test_what_cannot_be_written_is_looked_at_each_time(home: Path, cache: Path, odd: object) -> None:
    written(home, 1, "one"), written(home, 2, "two")
    one, two = (each.source for each in library(home, cache)._shelf.catalogue().listed.values())
    KeptFile(str(cache), "odd").add([(one, odd), (two, ["two"])])
    file = KeptFile(str(cache), "odd")
    assert (file.find(one), file.find(two)) == (None, ["two"])


def test_a_file_of_mostly_outdated_lines_is_written_anew(
    home: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, looked: list[str]
) -> None:
    monkeypatch.setattr(kept_file, "_SLACK", 0)
    lines, gone = written(home, 1, "one"), written(home, 2, "two")
    for number in range(8):
        lines.answer(f"answer {number}")
        lines.save()
        listed(home, cache)
    gone.path.unlink()
    lines.answer("the last")
    lines.save()
    listed(home, cache)
    looked.clear()
    listed(home, cache)
    assert looked == []
    kept = (cache / NAME).read_bytes()
    assert kept.count(lines.path.name.encode()) <= 3


def test_programs_that_write_at_once_lose_nothing(home: Path, cache: Path, looked: list[str]) -> None:
    written(home, 1, "one")
    listed(home, cache)
    first, second = library(home, cache), library(home, cache)
    written(home, 2, "two")
    list(first.sessions())
    written(home, 3, "three")
    list(second.sessions())
    looked.clear()
    assert len(listed(home, cache)) == 3
    assert looked == []


def test_what_is_gone_is_forgotten_by_who_asks_for_most_of_what_is_known(
    home: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [written(home, seed, f"prompt {seed}").path for seed in range(5)]
    listed(home, cache)
    files[0].unlink()
    looks: list[object] = []
    there = os.path.lexists
    monkeypatch.setattr(os.path, "lexists", lambda path: looks.append(path) or there(path))
    library(files[1], cache).sessions()
    assert looks == []
    assert b"prompt 0" in (cache / NAME).read_bytes()
    every = library(home, cache)
    assert len(list(every.sessions())) == 4
    assert b"prompt 0" not in (cache / NAME).read_bytes()
    looks.clear()
    assert len(list(every.sessions())) == 4
    assert looks == []
