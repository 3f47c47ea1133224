"""A folder of cached files: private, bounded, and whatever is wrong with it costs only time."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from threading import Thread

import pytest

from unspool.cache import folder as module
from unspool.cache.folder import CacheFolder


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def used(path: Path, *names: str) -> None:
    """Let files have been used in an order, long ago."""
    for number, name in enumerate(names):
        os.utime(path / name, (number, number))


def test_what_was_kept_is_read_again_and_is_nobody_elses(tmp_path: Path) -> None:
    path = tmp_path / "cache" / "unspool"
    folder = CacheFolder(str(path))
    assert (folder.read("one"), folder.held()) == (None, (0, 0))
    assert folder.keep("one", [b"a", b"b"])
    assert folder.keep("one", [b"abc"])
    assert (folder.read("one"), folder.held(), os.listdir(path)) == (b"abc", (1, 3), ["one"])
    assert (mode(path.parent), mode(path), mode(path / "one")) == (0o700, 0o700, 0o600)


def test_a_folder_or_file_that_others_may_write_to_is_not_used(tmp_path: Path) -> None:
    folder = CacheFolder(str(tmp_path / "cache"))
    folder.keep("one", [b"abc"])
    (tmp_path / "cache" / "one").chmod(0o620)
    assert folder.read("one") is None
    (tmp_path / "cache" / "one").chmod(0o600)
    (tmp_path / "cache").chmod(0o707)
    assert folder.read("one") is None
    assert not folder.keep("two", [b"abc"])


def test_what_belongs_to_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = CacheFolder(str(tmp_path / "cache"))
    folder.keep("one", [b"abc"])
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    assert (folder.read("one"), folder.keep("two", [b"abc"]), folder.held()) == (None, False, (0, 0))


def test_a_file_that_is_larger_than_any_that_is_kept_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = CacheFolder(str(tmp_path / "cache"))
    folder.keep("one", [b"abc"])
    monkeypatch.setattr(module, "LARGEST", 3)
    assert folder.read("one") == b"abc"
    with (tmp_path / "cache" / "one").open("ab") as file:
        file.write(b"d")
    assert folder.read("one") is None


def test_links_are_not_followed(tmp_path: Path) -> None:
    real = CacheFolder(str(tmp_path / "real"))
    real.keep("one", [b"abc"])
    (tmp_path / "link").symlink_to(tmp_path / "real")
    linked = CacheFolder(str(tmp_path / "link"))
    assert (linked.read("one"), linked.keep("two", [b""]), linked.held()) == (None, False, (0, 0))
    (tmp_path / "real" / "two").symlink_to(tmp_path / "real" / "one")
    assert real.read("two") is None
    assert real.keep("two", [b"new"])
    assert (real.read("one"), real.read("two")) == (b"abc", b"new")


def test_what_cannot_be_a_folder_costs_only_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / ("x" * 300)):
        folder = CacheFolder(str(path))
        assert (folder.read("one"), folder.keep("one", [b""]), folder.held()) == (None, False, (0, 0))


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = CacheFolder(str(tmp_path / "cache"))
    folder.keep("one", [b"abc"])

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "rename", full)
    assert not folder.keep("one", [b"new"])
    assert (folder.read("one"), os.listdir(tmp_path / "cache")) == (b"abc", ["one"])


def test_a_folder_that_may_only_be_read_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = CacheFolder(str(tmp_path / "cache"))
    folder.keep("one", [b"abc"])

    def forbidden(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "utime", forbidden)
    assert folder.read("one") == b"abc"


def test_whoever_reads_while_others_write_gets_something_whole(tmp_path: Path) -> None:
    folder = CacheFolder(str(tmp_path / "cache"))
    written = [bytes([number]) * (1 << 10 + number) for number in range(8)]
    folder.keep("one", [written[0]])
    writers = [Thread(target=folder.keep, args=("one", [data])) for data in written * 4]
    for each in writers:
        each.start()
    found = {folder.read("one") for _ in range(100)}
    for each in writers:
        each.join()
    assert found <= set(written)
    assert os.listdir(folder.path) == ["one"]


def test_no_pipe_is_waited_for(tmp_path: Path) -> None:
    folder = CacheFolder(str(tmp_path / "cache"))
    folder.keep("one", [b"abc"])
    os.mkfifo(tmp_path / "cache" / "pipe", 0o600)
    assert folder.read("pipe") is None


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, limit in (("MOST_BYTES", 100), ("MOST_FILES", 3), ("SPARED", 1)):
        monkeypatch.setattr(module, name, limit)
    folder = CacheFolder(str(tmp_path))
    tmp_path.chmod(0o700)
    for name in ("one", "two", "three"):
        folder.keep(name, [bytes(30)])
    used(tmp_path, "one", "two", "three")
    assert folder.read("one") == bytes(30)  # used now
    folder.keep("four", [bytes(30)])
    assert sorted(os.listdir(tmp_path)) == ["four", "one", "three"], "too many files"
    used(tmp_path, "three", "one", "four")
    folder.keep("five", [bytes(70)])
    assert sorted(os.listdir(tmp_path)) == ["five", "four"], "too many bytes"


def test_room_is_made_for_some_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, limit in (("MOST_BYTES", 1000), ("MOST_FILES", 80), ("SPARED", 1 / 2)):
        monkeypatch.setattr(module, name, limit)
    looks: list[int] = []
    prune = module._pruned
    monkeypatch.setattr(module, "_pruned", lambda folder: looks.append(len(os.listdir(folder))) or prune(folder))
    folder = CacheFolder(str(tmp_path / "cache"))
    for number in range(100):
        folder.keep(str(number), [b"x"])
    assert looks == [1, 81]
    assert folder.held() == (40 + 19, 59)
    for number in range(9):
        folder.keep(str(number), [bytes(120)])
    assert looks == [1, 81, 59 + 8]
    assert folder.held().bytes <= 1000


def test_what_a_dead_writer_left_goes_too(tmp_path: Path) -> None:
    folder = CacheFolder(str(tmp_path / "cache"))
    folder.keep("one", [b"abc"])
    for name, age in ((".tmp-dead", 0), (".tmp-alive", None)):
        (tmp_path / "cache" / name).write_bytes(b"half")
        if age is not None:
            os.utime(tmp_path / "cache" / name, (age, age))
    CacheFolder(folder.path).keep("two", [b"abc"])
    assert sorted(os.listdir(tmp_path / "cache")) == [".tmp-alive", "one", "two"]
