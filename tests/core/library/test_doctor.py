"""What was not understood is said: where, how much of it, and how to see it."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.minicode_lines import MiniCode
from tests.factories.names import Names
from tests.factories.yoi_lines import Yoi
from unspool.library import open_library
from unspool.library.glance import HEAD_BYTES

if sys.version_info >= (3, 14):
    from compression.zstd import CompressionParameter, compress
else:
    from backports.zstd import CompressionParameter, compress


TAIL = "-0000-7000-8000-000000000000"


@pytest.fixture
def roots(tmp_path: Path) -> list[str]:
    """Two homes: in the first two damaged sessions and records of unknown types far behind the head."""
    first, second = tmp_path / "first", tmp_path / "second"
    for number in (1, 2):
        lines = Claude(first, Names(number), session_id=f"aaaa000{number}")
        lines.user("Go")
        for _ in range(300):
            lines.answer("x" * 500)
        lines.bad(b'{"type":"user","mess')
        lines.note("hologram", depth=3)
        for _ in range(300):
            lines.answer("x" * 500)
        lines.save()
    lines = Claude(first, Names(3), session_id="aaaa0003")
    lines.user("Go")
    lines.bad(b'{"a": nonsense}')
    lines.bad(b'{"type":"user","mess')
    lines.save()
    other = Codex(second, Names(4))
    other.user("Go")
    other.answer("Gone")
    other.save()
    return [str(first), str(second)]


def test_unreadable_lines_are_counted_under_their_root(roots: list[str]) -> None:
    told = [line for line in open_library(roots).doctor() if line.level == "unread"]
    assert [line.text for line in told] == [
        f"{roots[0]}: 4 unreadable lines in 3 sessions (torn 3, syntax 1)",
        "claude:aaaa0003: lines 2, 3 are unreadable; `unspool read claude:aaaa0003/E1 --raw` shows the first",
        "claude:aaaa0001: line 302 is unreadable; `unspool read claude:aaaa0001/E301 --raw` shows it",
        "claude:aaaa0002: line 302 is unreadable; `unspool read claude:aaaa0002/E301 --raw` shows it",
    ]
    assert told[0].path == roots[0]
    assert told[1].path is not None
    assert told[1].path.endswith("aaaa0003.jsonl")


def test_records_of_unknown_types_are_counted_under_their_root(roots: list[str]) -> None:
    told = [line.text for line in open_library(roots).doctor() if line.level == "note"]
    assert told == [
        f"{roots[0]}: record types of claude not known: hologram (2); kept as they are, `unspool stats` counts them"
    ]


def test_a_quick_look_reads_only_heads_and_tails_and_says_so(roots: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unspool.library.reader.SessionReader.view", lambda *_: pytest.fail("read whole"))
    told = [line.text for line in open_library(roots).doctor(quick=True)]
    assert not [line for line in told if "unreadable" in line and "not" not in line]
    assert told[-1] == "only heads and tails were read: unreadable lines were not counted"


def test_a_doctor_tells_how_far_it_is(roots: list[str]) -> None:
    seen: list[tuple[int, int]] = []
    open_library(roots).doctor(progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_file_that_vanishes_while_it_is_examined_costs_only_itself(
    roots: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = sorted(Path(roots[0]).rglob("*.jsonl"))
    told = open_library(roots).doctor(progress=lambda done, total: paths[-1].unlink(missing_ok=True))
    assert any("unreadable lines in" in line.text for line in told)


def archive(home: Path, words: str, damage: str) -> Path:
    """Write an archived rollout and damage it."""
    lines = Codex(home, Names(1), archived=True, suffix=".jsonl.zst")
    lines.user("Go")
    lines.answer(words)
    path = lines.save().path
    data = bytearray(compress(path.read_bytes(), options={CompressionParameter.checksum_flag: 1}))
    if damage == "torn":
        del data[-9:]
    elif damage == "corrupt":
        data[-4:] = b"\0\0\0\0"
    elif damage == "no archive":
        data[:] = path.read_bytes()
    path.write_bytes(data)
    return path


DAMAGES = {
    "torn": "ends inside its archive; it is torn, or still being written",
    "corrupt": "is no sound zstd archive (Restored data doesn't match checksum)",
    "no archive": "is no sound zstd archive (Unknown frame descriptor)",
}


def long_words() -> str:
    """A text that does not shrink, so long that its damage lies far behind what a glance reads."""
    return random.Random(2).randbytes(HEAD_BYTES * 2).hex()


@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_archive_is_named_once_with_its_fault(tmp_path: Path, damage: str, quick: bool) -> None:
    path = archive(tmp_path, random.Random(1).randbytes(3000).hex(), damage)
    (told,) = [line for line in open_library([str(tmp_path)]).doctor(quick=quick) if line.level == "unread"]
    assert told.path == str(path)
    assert told.text.startswith(f"{path} {DAMAGES[damage]}")


@pytest.mark.parametrize("damage", ["torn", "corrupt"])
def test_damage_behind_what_a_glance_reads_is_found_when_all_is_read(tmp_path: Path, damage: str) -> None:
    path = archive(tmp_path, long_words(), damage)
    (told,) = [line for line in open_library([str(tmp_path)]).doctor() if line.level == "unread"]
    assert told.text.startswith(f"{path} {DAMAGES[damage]}")


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_list_says_that_an_archive_cannot_be_read(tmp_path: Path, damage: str) -> None:
    archive(tmp_path, random.Random(1).randbytes(3000).hex(), damage)
    for full in (False, True):
        (listed,) = open_library([str(tmp_path)]).sessions(full=full)
        assert listed.fault is not None
        assert DAMAGES[damage] in listed.fault
        assert listed.to_json()["fault"] == listed.fault
        assert not listed.empty


def test_a_full_list_finds_the_damage_that_a_glance_cannot_see(tmp_path: Path) -> None:
    archive(tmp_path, long_words(), "torn")
    assert [each.fault for each in open_library([str(tmp_path)]).sessions()] == [None]
    (listed,) = open_library([str(tmp_path)]).sessions(full=True)
    assert listed.fault is not None
    assert listed.title == "Go"


def test_a_sound_archive_has_no_fault(tmp_path: Path) -> None:
    archive(tmp_path, "Gone", "nothing")
    library = open_library([str(tmp_path)])
    assert [each.fault for each in library.sessions(full=True)] == [None]
    assert [line.level for line in library.doctor()] == ["found"]


def test_records_out_of_their_chain_and_half_ones_at_the_end_are_told(tmp_path: Path) -> None:
    whole, changed = (Yoi(tmp_path, Names(seed), era="chained", session_id=f"aaaa000{seed}{TAIL}") for seed in (1, 2))
    for lines in (whole, changed):
        lines.user("Go")
        lines.answer("Gone")
        lines.answer("Home")
    changed.patch(b"Gone", b"Went").save(end=b'\n{"kind":"user_in')
    whole.save()
    told = open_library([str(tmp_path)]).doctor()
    assert [line.text for line in told if line.level == "unread"] == [
        "yoi:aaaa0002: line 3 does not fit into the chain of its records; `unspool stats yoi:aaaa0002` says why"
    ]
    assert [line.text for line in told if line.level == "note"] == [
        f"{tmp_path}: 1 log with half a record at the end, being written or torn: yoi:aaaa0002"
    ]


def test_saved_outputs_that_are_no_sessions_are_told(tmp_path: Path) -> None:
    lines = MiniCode(tmp_path, Names(1))
    lines.user("Go")
    lines.save_output("t.txt", "beside its session")
    lines.save()
    for folder in (lines.project / "4a2b3c4d", lines.project / "ephemeral-x", lines.home):
        (folder / "tool-results" / "r").mkdir(parents=True)
        (folder / "tool-results" / "r" / "t.txt").write_text("1,234", "utf-8")
    told = [line.text for line in open_library([str(tmp_path)]).doctor() if "saved output" in line.text]
    held = "1 saved output, 5 bytes"
    assert told == [
        f"{lines.project / '4a2b3c4d'}: {held}; the log of their session is gone, a fork of it may still point to them",
        f"{lines.project / 'ephemeral-x'}: {held}; their run kept no log",
        f"{lines.home / 'tool-results'}: {held}; of first versions, which kept those of all sessions here",
    ]
