"""`unspool inspect` on stored outputs: one by its id or file, a folder of them as a list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from tests.factories.yoi_lines import Yoi
from tests.running import unspool
from unspool.blobs.content import Structured, Text
from unspool.blobs.files import FileBlobStore
from unspool.ids import BlobId

LINES = "".join(f"row {number}\n" for number in range(1, 2_001))
MISSING = "019d6f3e-52d0-7c4a-9f11-2b8d3c5e7a90"


@pytest.fixture
def store(tmp_path: Path) -> FileBlobStore:
    return FileBlobStore(tmp_path / "blobs")


@pytest.fixture
def text(store: FileBlobStore) -> BlobId:
    return store.store(Text(LINES))


def test_a_blob_is_looked_into_by_its_id(store: FileBlobStore, text: BlobId) -> None:
    answer = unspool("inspect", str(text), "lines:7-8", "--blobs", store.root)
    assert (answer.code, answer.out) == (0, "row 7\nrow 8\n")
    assert answer.err == "text | 2,000 lines | 17 KB\n"


@pytest.mark.parametrize("named", ["[blob:{id}]", "{id}", "{root}/{id}", "{root}/{id}.txt", "blob:{id}"])
def test_a_blob_is_named_as_people_find_it(store: FileBlobStore, text: BlobId, named: str) -> None:
    word = named.format(id=text, root=store.root)
    options = [] if "/" in word else ["--blobs", str(store.root)]
    assert unspool("inspect", word, "tail:1", *options).out == "row 2000\n"


def test_the_fields_of_an_answer_are_those_that_are_promised(store: FileBlobStore, text: BlobId) -> None:
    answer = unspool("inspect", str(text), "--blobs", store.root, "--json", "--max-bytes", "12").object
    assert answer == {
        "id": str(text),
        "type": "text",
        "bytes": len(LINES),
        "lines": 2_000,
        "text": "row 1\nrow 2\n",
        "truncation": {
            "truncated": True,
            "reason": "bytes",
            "shown": 1,
            "omitted_items": 0,
            "omitted_bytes": len(LINES) - 12,
            "next": f"bytes:12..{len(LINES)}",
        },
    }


@pytest.mark.parametrize("selector", [None, "lines:1-5000", "bytes:0..99999", "tail:5000"])
def test_a_blob_is_read_to_its_end(
    store: FileBlobStore, text: BlobId, selector: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unspool_tui.arguments.WINDOW_BYTES", 5_000)
    asked = ["inspect", str(text), *([selector] if selector else []), "--blobs", str(store.root)]
    assert unspool(*asked, "--all").out == LINES
    said, after = "", None
    while True:
        answer = unspool(*asked, "--json", "--max-bytes", "5000", *(["--after", after] if after else [])).object
        said, after = said + answer["text"], answer["truncation"]["next"]
        if after is None:
            break
    assert said == LINES


def test_members_of_json_are_chosen(store: FileBlobStore) -> None:
    blob = str(store.store(Structured({"rows": [1, 2, 3], "note": "a\nb"})))
    assert unspool("inspect", blob, "key:note", "--blobs", store.root).out == "a\nb\n"
    assert unspool("inspect", blob, "key:rows", "--blobs", store.root).out == "[1,2,3]\n"
    answer = unspool("inspect", blob, "slice:0..1", "--blobs", store.root)
    assert (answer.code, answer.out) == (2, "")
    assert "use key:NAME" in answer.err


def test_what_is_not_found_in_a_blob_is_exit_one(store: FileBlobStore, text: BlobId) -> None:
    answer = unspool("inspect", str(text), "grep:nowhere", "--blobs", store.root)
    assert (answer.code, answer.out) == (1, "")
    assert "no line holds 'nowhere'; 2,000 lines searched" in answer.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([MISSING, "--blobs", "{root}"], f"blob not found: {MISSING}"),
        ([MISSING, "lines:9-", "--blobs", "{root}"], f"blob not found: {MISSING}; lines needs A-B"),
        (["019d6f3e", "--blobs", "{root}"], "not a blob id: '019d6f3e'"),
        (["[blob:../../etc/passwd]", "--blobs", "{root}"], "not a blob id: '../../etc/passwd'"),
        (["[blob:x]"], "not a blob id: 'x'"),
        ([MISSING], f"blob not found: {MISSING}; --blobs DIR says where it lies"),
        (["{root}/" + MISSING], f"blob not found: {MISSING}"),
        ([MISSING, "--blobs", "{root}/nowhere"], "is not there; --blobs names a folder of blobs"),
        (["--blobs", "{root}/{id}.txt"], "is no folder; --blobs names a folder of blobs"),
        ([], "nothing is named; write REF/ID, a blob's id with --blobs DIR, or a folder of blobs"),
        (["{root}", "lines:1-2"], "lines:1-2 chooses a part of one output; name it by its id"),
        (["{root}", "--after", "x"], "not a blob id: 'x'"),
    ],
)
def test_a_fault_is_one_line_with_the_way_out(
    home: Path, store: FileBlobStore, text: BlobId, arguments: list[str], told: str
) -> None:
    answer = unspool("inspect", *(each.format(root=store.root, id=text) for each in arguments))
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert told in answer.err


@pytest.mark.parametrize("by_option", [True, False])
def test_a_folder_of_blobs_is_listed_newest_first(store: FileBlobStore, text: BlobId, by_option: bool) -> None:
    value = store.store(Structured({"a": [1, 2]}))
    answer = unspool("inspect", *(["--blobs"] if by_option else []), store.root)
    rows = answer.out.split("\n")[:-1]
    assert answer.code == 0
    assert rows[0].startswith(f"{value}  ")
    assert rows[0].endswith('  json    29 B  { "a": [ 1, 2 ] }')
    assert rows[1].startswith(f"{text}  ")
    assert rows[1].endswith("  text   17 KB  row 1")


def test_a_list_is_bounded_and_goes_on(store: FileBlobStore) -> None:
    made = [store.store(Text(str(number))) for number in range(7)]
    listed: list[str] = []
    after: list[str] = []
    while True:
        answer = unspool("inspect", store.root, "--json", "--max-items", "3", *after)
        listed += [row["id"] for row in answer.rows]
        assert answer.summary["total"] == 7
        assert len(answer.rows) <= 3
        if answer.summary["next"] is None:
            break
        after = ["--after", answer.summary["next"]]
    assert listed == [str(blob) for blob in reversed(made)]
    assert len(unspool("inspect", store.root, "--json", "--all").rows) == 7
    told = unspool("inspect", store.root, "--max-items", "3")
    assert f"3 of 7 outputs shown; --after {made[4]} goes on, --all gives everything" in told.out + told.err


def test_a_row_tells_what_a_blob_is(store: FileBlobStore, text: BlobId) -> None:
    (row,) = unspool("inspect", store.root, "--json").rows
    assert row == {"id": str(text), "kind": "text", "bytes": len(LINES), "time": row["time"], "words": "row 1"}
    assert row["time"].endswith("Z")


def test_what_must_not_be_opened_is_listed_as_such(store: FileBlobStore, text: BlobId, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("secret\n")
    (store.root / f"{MISSING}.txt").symlink_to(tmp_path / "elsewhere")
    answer = unspool("inspect", store.root)
    assert answer.code == 0
    assert f"(blob {MISSING} cannot be read" in answer.out
    assert "secret" not in answer.out
    assert "fault" in unspool("inspect", store.root, "--json").rows[1]


def test_an_empty_folder_is_exit_one(tmp_path: Path) -> None:
    answer = unspool("inspect", "--blobs", tmp_path)
    assert (answer.code, answer.out) == (1, "")
    assert answer.err == f"no stored output in {tmp_path}\n"


def test_hostile_words_reach_a_person_cleaned(store: FileBlobStore) -> None:
    store.store(Text("\x1b[31mred\u202e\nsecond"))
    assert "\x1b" not in unspool("inspect", store.root).out
    assert json.dumps("\x1b[31mred\u202e") in unspool("inspect", store.root, "--json").out


def test_the_id_of_a_session_that_looks_like_a_blob_is_that_of_the_session(home: Path) -> None:
    lines = Codex(home, Names(1), session_id=MISSING)
    lines.user("Go")
    lines.save()
    assert "one piece must be named" in unspool("inspect", MISSING).err


def test_a_folder_without_blobs_is_a_folder_of_sessions(home: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user("Go")
    lines.save()
    assert "one piece must be named" in unspool("inspect", home / ".claude").err


def test_a_blob_is_looked_up_where_the_settings_say(home: Path, store: FileBlobStore, text: BlobId) -> None:
    settings = home / ".config" / "unspool" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'blobs = "{store.root}"\n')
    lines = Claude(home, Names(1))
    lines.user("Go")
    lines.save()
    assert unspool("inspect", str(text), "tail:1").out == "row 2000\n"
    assert f"blob not found: {MISSING} in {store.root}; --blobs DIR" in unspool("inspect", MISSING).err


def test_a_blob_is_looked_up_beside_the_sessions(tmp_path: Path) -> None:
    lines = Yoi(tmp_path, Names(1), sessions=tmp_path / "agent" / "sessions")
    lines.save()
    blob = FileBlobStore(tmp_path / "agent" / "blobs").store(Text(LINES))
    assert unspool("inspect", f"[blob:{blob}]", "tail:1", "--root", tmp_path / "agent").out == "row 2000\n"
    (tmp_path / "agent" / "blobs").rename(tmp_path / "moved")
    (tmp_path / "agent" / "blobs").symlink_to(tmp_path / "moved")
    answer = unspool("inspect", str(blob), "--root", tmp_path / "agent")
    assert (answer.code, answer.out) == (2, "")
