"""Copies across sessions: each piece is found once, where it was first, and nothing that stands only in one is lost."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from backports import zstd

from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from unspool.library import elders as elders_module
from unspool.library import open_library
from unspool.library.mentions import mentions


def told(home: Path, names: Names, count: int, *, padding: int = 0, **extra: Any) -> Claude:
    """Write a session of some messages, `word 0`, `word 1`, …, each as long as wanted."""
    lines = Claude(home, names, cwd="/srv/shop", **extra)
    for number in range(count):
        said = f"word {number}." + "x" * padding
        lines.user(said) if number % 2 == 0 else lines.answer(said)
    lines.save()
    return lines


def fork(home: Path, names: Names, origin: Claude, part: slice, before: Sequence[str] = ()) -> Claude:
    """Write a session that holds some lines of another, own words in front of them, and one word more."""
    lines = Claude(home, names, cwd="/srv/shop")
    for said in before:
        lines.user(said)
    lines._lines += [
        line.replace(origin.session_id.encode(), lines.session_id.encode()) for line in origin._lines[part]
    ]
    lines.user("a word of its own")
    lines.save()
    return lines


def found(home: Path, query: str, *more: Path, **options: Any) -> list[tuple[str, str]]:
    """Return (session, piece) of every hit."""
    hits = open_library([str(home), *map(str, more)]).search(query, limit=1_000, **options)
    return [(str(summary.ref), str(hit.evidence.id)) for summary, hit in hits]


def origins(home: Path, *, full: bool = False) -> dict[str, str | None]:
    """Return what each session says of its origin, by id."""
    return {each["session_id"]: each["forked_from"] for each in rows(home, full=full)}


def rows(home: Path, *, full: bool = False) -> list[dict[str, Any]]:
    """Return the list as JSON objects."""
    return [each.to_json() for each in open_library([str(home)]).sessions(full=full)]


PARTS = {
    "behind the beginning": slice(10, None),
    "the middle": slice(8, 14),
    "all": slice(None),
    "one line": slice(9, 10),
}


@pytest.mark.parametrize("before", [(), ("my own first", "my own second")], ids=["", "own words first"])
@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
@pytest.mark.parametrize("padding", [0, 9_000], ids=["short", "long"])
def test_a_fork_is_known_wherever_it_was_cut(home: Path, part: slice, before: tuple[str, ...], padding: int) -> None:
    names = Names(1)
    origin = told(home, names, 20, padding=padding)
    copy = fork(home, names, origin, part, before)
    assert found(home, "word 9.") == [(f"claude:{origin.session_id}", "E9.0")]
    assert len(found(home, "word")) == 20 + 1
    assert len(found(home, "of its own")) == 1
    assert origins(home, full=True) == {copy.session_id: f"claude:{origin.session_id}", origin.session_id: None}


def test_a_short_fork_is_known_without_a_full_read(home: Path) -> None:
    names = Names(1)
    origin = told(home, names, 20)
    copy = fork(home, names, origin, slice(10, 15))
    assert origins(home)[copy.session_id] == f"claude:{origin.session_id}"


def test_an_origin_that_went_on_after_its_fork_keeps_its_words(home: Path) -> None:
    names = Names(1)
    origin = told(home, names, 20)
    copy = fork(home, names, origin, slice(4, 12))
    for number in range(20, 24):
        origin.user(f"word {number}.")
    origin.save()
    assert found(home, "word 5.") == [(f"claude:{origin.session_id}", "E5.0")]
    assert origins(home)[copy.session_id] == f"claude:{origin.session_id}"


def test_sessions_of_one_time_that_share_nothing_lose_nothing(home: Path) -> None:
    moment = Names(0).now
    for seed in range(1, 6):
        names = Names(seed)
        names.now = moment
        told(home, names, 10)
    assert len(found(home, "word 3.")) == 5
    assert set(origins(home, full=True).values()) == {None}


def test_what_forks_name_one_another_as_origins_is_shown_by_one_of_them(home: Path) -> None:
    names = Names(1)
    first, second = Codex(home, names), Codex(home, names)
    for lines, other in ((first, second), (second, first)):
        lines._lines[0] = lines._lines[0].replace(b'"cwd"', b'"forked_from_id":"%b","cwd"' % other.session_id.encode())
        lines.add({"type": "response_item", "payload": {"type": "message", "role": "assistant", "id": "msg_1"}
                   | {"content": [{"type": "output_text", "text": "both said it"}]}})  # fmt: skip
        lines.save()
    assert len(found(home, "both said it")) == 1
    assert all(origins(home).values())


def test_forks_of_a_session_that_is_gone_share_its_words(home: Path) -> None:
    origin = Codex(home, Names(1))
    origin.user("needle of the origin")
    origin.answer("needle, the answer")
    for number in range(3):
        names = Names(number + 2)
        copy = Codex(home, names, forked_from_id=origin.session_id)
        for line in origin._lines:
            copy.add(json.loads(line) | {"timestamp": copy.last_activity or names.time()})
        copy.user(f"needle of fork {number}")
        copy.save()
    assert len(found(home, "needle")) == 2 + 3
    assert set(origins(home).values()) == {f"codex:{origin.session_id}"}
    origin.save()
    assert len(found(home, "needle")) == 2 + 3


def test_a_subagent_that_was_given_what_was_said_before_is_no_fork(home: Path) -> None:
    names = Names(1)
    parent = Codex(home, names, cwd="/srv/shop")
    for number in range(40):
        text = [{"type": "input_text", "text": f"word {number} " + "x" * 9_000}]
        parent.item("message", role="user", id=f"msg_{number:030}", content=text)
    parent.save()
    started = {"parent_thread_id": parent.session_id, "thread_source": "subagent"}
    child = Codex(home, names, cwd="/srv/shop", **started)
    child._lines += parent._lines[20:30]
    child.user("Look")
    child.save()
    told = {each["session_id"]: (each["parent"], each["forked_from"]) for each in rows(home, full=True)}
    assert told == {parent.session_id: (None, None), child.session_id: (f"codex:{parent.session_id}", None)}


def message(text: str, **more: Any) -> dict[str, Any]:
    """A record of Codex with one text of the model, and no id."""
    payload = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}], **more}
    return {"timestamp": "2026-06-01T09:00:00Z", "type": "response_item", "payload": payload}


def doubled(home: Path, plain: Sequence[str], compressed: Sequence[str]) -> Codex:
    """Write one rollout twice, plain and compressed, with these texts in them."""
    lines = Codex(home, Names(1))
    head = lines._lines[:1]
    lines._lines = head + [json.dumps(message(text)).encode() for text in compressed]
    lines.save()
    data = lines.path.read_bytes()
    lines.path.with_name(lines.path.name + ".zst").write_bytes(zstd.compress(data))
    lines._lines = head + [json.dumps(message(text)).encode() for text in plain]
    lines.save()
    return lines


def test_two_files_of_one_id_give_what_both_hold_once_and_what_one_holds_too(home: Path) -> None:
    lines = doubled(home, ["alpha needle 1", "beta needle 2"], ["alpha needle 1", "gamma needle 3"])
    ref = f"codex:{lines.session_id}"
    assert {piece for _, piece in found(home, "needle")} == {"E1.0", "E2.0"}
    assert sorted(found(home, "needle")) == [(ref, "E1.0"), (ref, "E2.0"), (f"{ref}~2", "E2.0")]


def test_what_one_file_says_twice_and_the_other_once_is_found_twice(home: Path) -> None:
    lines = doubled(home, ["yes, needle"], ["yes, needle", "no", "yes, needle"])
    ref = f"codex:{lines.session_id}"
    assert sorted(found(home, "needle")) == [(ref, "E1.0"), (f"{ref}~2", "E3.0")]


def test_words_of_its_own_are_no_copy_because_an_origin_said_the_same(home: Path) -> None:
    lines = doubled(home, ["needle"], ["needle", "needle"])
    origin = Codex(home, Names(2), session_id=lines.session_id.replace(lines.session_id[0], "0", 1))
    origin._lines = origin._lines[:1] + [json.dumps(message("needle")).encode()] * 3
    origin.save()
    for path in lines.path.parent.glob(f"*{lines.session_id}*"):
        data = path.read_bytes() if path.suffix == ".jsonl" else zstd.decompress(path.read_bytes())
        data = data.replace(b'"cwd"', b'"forked_from_id":"%b","cwd"' % origin.session_id.encode(), 1)
        path.write_bytes(data if path.suffix == ".jsonl" else zstd.compress(data))
    assert len(found(home, "needle")) == 3 + 1 + 1


def random_family(home: Path, rng: random.Random) -> set[str]:
    """Write sessions that hold parts of one another, some in two folders; return the ids of all that was said."""
    names, written = Names(rng.randrange(1 << 30)), list[list[bytes]]()
    padding = rng.choice([0, 0, 3_000, 15_000])
    for _ in range(rng.randrange(1, 6)):
        lines = Claude(home, names, cwd="/srv/shop")
        for place in ("front", "copied", "own"):
            if place == "copied" and written:
                held = rng.choice(written)
                start = rng.randrange(len(held) + 1)
                lines._lines += held[start : rng.choice([len(held), rng.randrange(start, len(held) + 1)])]
            for _ in range(rng.randrange(3 if place == "front" else 8) if place != "copied" else 0):
                lines.answer(rng.choice(["needle", f"needle {rng.random()}"]) + "x" * padding)
        lines._lines = [re.sub(rb'"sessionId": ?"[^"]*"', b'"sessionId":"%b"' % lines.session_id.encode(), line)
                        for line in lines._lines]  # fmt: skip
        lines.save()
        written.append([*lines._lines])
        if rng.random() < 0.3:
            lines._lines = lines._lines[: rng.randrange(len(lines._lines) + 1)]
            lines.answer("needle, only here")
            lines.path = lines.path.parents[1] / "-other" / lines.path.name
            lines.save()
            written.append([*lines._lines])
    return {json.loads(line)["uuid"] for lines in written for line in lines}


@pytest.mark.parametrize("seed", range(25))
def test_in_any_family_of_forks_and_doubled_files_every_piece_is_found_just_once(home: Path, seed: int) -> None:
    said = random_family(home, random.Random(seed))
    hits = open_library([str(home)]).search("needle", limit=1_000)
    assert sorted(said) == sorted(hit.evidence.native_id or "" for _, hit in hits)


def test_texts_of_one_length_are_told_apart(home: Path) -> None:
    lines = doubled(home, ["needle a"], ["needle b"])
    assert len(found(home, "needle")) == 2
    assert found(home, "needle b") == [(f"codex:{lines.session_id}~2", "E1.0")]


def test_three_files_of_one_id_defer_to_all_that_come_before(home: Path, tmp_path: Path) -> None:
    lines = doubled(home, ["needle a"], ["needle a", "needle b"])
    third = tmp_path / "third" / lines.path.name
    third.parent.mkdir()
    shutil.copy(lines.path.with_name(lines.path.name + ".zst"), third.with_name(third.name + ".zst"))
    assert len(found(home, "needle", third.parent)) == 2


def test_the_same_id_with_other_words_is_no_copy(home: Path) -> None:
    names = Names(1)
    origin = told(home, names, 12)
    copy = fork(home, names, origin, slice(None))
    copy._lines[4] = copy._lines[4].replace(b"word 4.", b"word 4 was edited.")
    copy.save()
    assert len(found(home, "word 4")) == 2
    assert len(found(home, "word 5")) == 1


def test_records_without_ids_are_copies_when_text_and_time_are_the_same(home: Path) -> None:
    names = Names(1)
    origin = told(home, names, 4)
    queued = {"type": "attachment", "isSidechain": False, "sessionId": origin.session_id, "timestamp": names.time()}
    origin.add(
        queued | {"attachment": {"type": "queued_command", "prompt": "typed meanwhile", "commandMode": "prompt"}}
    )
    origin.save()
    copy = fork(home, names, origin, slice(None))
    again = queued | {"timestamp": names.time(), "sessionId": copy.session_id}
    copy.add(again | {"attachment": {"type": "queued_command", "prompt": "typed meanwhile", "commandMode": "prompt"}})
    copy.save()
    assert sorted(found(home, "typed meanwhile")) == sorted(
        [(f"claude:{origin.session_id}", "E4.0"), (f"claude:{copy.session_id}", "E6.0")]
    )


def test_a_copy_is_shown_when_the_older_session_cannot_be_read(home: Path) -> None:
    names = Names(1)
    origin = told(home, names, 4)
    copy = fork(home, names, origin, slice(None))
    library = open_library([str(home)])
    searching = library.searching("word 2.")
    os.truncate(origin.path, 0)
    origin.path.write_bytes(b"\x7fELF" + b"\0" * 64)
    assert [str(each.summary.ref) for each in searching.hits(9) if each.result.hits] == [f"claude:{copy.session_id}"]


def test_no_more_than_a_bounded_number_of_bytes_is_asked_for_ids(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = Names(1)
    origin = told(home, names, 20, padding=9_000)
    fork(home, names, origin, slice(8, 14))
    monkeypatch.setattr(elders_module, "ASKED_BYTES", 1_000)
    assert len(found(home, "word 9.")) == 2


def test_older_sessions_of_other_places_and_times_are_not_asked(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told(home, Names(1), 12, padding=9_000)
    told(home, Names(2), 12, padding=9_000)
    elsewhere = Claude(home, Names(3), cwd="/srv/elsewhere")
    elsewhere.user("word 3.")
    elsewhere.save()
    asked: list[str] = []
    monkeypatch.setattr(elders_module, "mentions", lambda path, ids: asked.append(path))
    assert len(found(home, "word 3.")) == 3
    assert asked == []


@pytest.mark.parametrize("count", [1, 40])
@pytest.mark.parametrize("offset", [0, 5, (1 << 20) - 20, (1 << 20) + 7])
def test_an_id_is_found_wherever_it_stands(tmp_path: Path, count: int, offset: int) -> None:
    names = Names(1)
    ids = [names.uuid() for _ in range(count)]
    path = tmp_path / "log"
    path.write_text("x" * offset + f'"a", "{ids[-1]}"' + "y" * 50)
    assert mentions(str(path), ids)
    path.write_text("x" * offset + f'"a", "{ids[-1]}z", "z{ids[-1]}"' + "y" * 50)
    assert not mentions(str(path), ids)
    assert not mentions(str(path), [])
    assert not mentions(str(tmp_path / "gone"), ids)


@pytest.mark.parametrize(
    ("project", "cwd", "hits"),
    [(None, "/srv/other", 1), ("-elsewhere", "/srv/shop", 1), ("-elsewhere", "/srv/other", 2)],
    ids=["one folder", "begun in one folder", "neither"],
)
def test_a_copy_is_looked_for_where_its_session_lies_and_where_it_began(
    home: Path, project: str | None, cwd: str, hits: int
) -> None:
    names = Names(1)
    origin = told(home, names, 20, padding=9_000)
    folder = origin.path.parent if project is None else origin.path.parent.with_name(project)
    copy = Claude(home, names, path=folder / f"{names.uuid()}.jsonl", cwd=cwd)
    copy.user("my own first")
    copy._lines += [line.replace(b"/srv/shop", cwd.encode()) for line in origin._lines[8:11]]
    copy.save()
    assert len(found(home, "word 9.")) == hits
