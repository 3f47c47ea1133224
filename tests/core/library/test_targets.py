"""What names a session, and a piece inside one."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from backports import zstd
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from unspool.errors import Ambiguous, BadReference, NotFound, Unreadable
from unspool.formats.base import Format
from unspool.ids import EntryRange, EvidenceId, SessionRef
from unspool.library import Library, glance, open_library
from unspool.stores.base import SourceFile
from unspool.stores.claude_code import CLAUDE_CODE_STORE


@pytest.fixture
def lines(home: Path) -> Claude:
    """A Claude session with a call and its result."""
    lines = Claude(home, Names(1), session_id="aaaa1111-0000-4000-8000-000000000001", cwd="/srv/shop")
    lines.user("Go")
    lines.result(lines.call("ls"), "a\nb\nc")
    lines.answer("Done")
    lines.save()
    return lines


@pytest.fixture
def library(home: Path, lines: Claude) -> Library:
    """The library of the home, with more sessions in it."""
    other = Claude(home, Names(2), session_id="aaaa1111-0000-4000-8000-000000000002", cwd="/srv/barn")
    rollout = Codex(home, Names(3), session_id="aaaa1111-0000-4000-8000-000000000003")
    part = lines.path.with_suffix("") / "subagents" / "agent-b2c3.jsonl"
    child = Claude(home, Names(4), path=part, session_id=lines.session_id, isSidechain=True, agentId="b2c3")
    for each in (other, rollout, child):
        each.user("Go")
        each.save()
    return open_library([str(home)])


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("claude:aaaa1111-0000-4000-8000-000000000001", None),
        ("aaaa1111-0000-4000-8000-000000000001", None),
        ("claude:aaaa1111-0000-4000-8000-000000000001.b2c3", "b2c3"),
        ("claude:aaaa1111-0000-4000-8000-000000000001.b", "b2c3"),
    ],
)
def test_a_reference_or_its_beginning_names_a_session(library: Library, text: str, part: str | None) -> None:
    ref = library.resolve_target(text).ref
    assert (ref.session_id, ref.part) == ("aaaa1111-0000-4000-8000-000000000001", part)


def test_a_whole_id_goes_before_longer_ones_that_begin_with_it(home: Path, library: Library) -> None:
    short = Claude(home, Names(9), session_id="aaaa1111")
    short.user("Go")
    short.save()
    assert library.resolve_target("claude:aaaa1111").path == str(short.path) or library.doctor()
    assert open_library([str(home)]).resolve_target("aaaa1111").path == str(short.path)


def test_an_ambiguous_beginning_lists_its_candidates(library: Library) -> None:
    with pytest.raises(Ambiguous) as caught:
        library.resolve_target("aaaa")
    assert len(caught.value.candidates) == 3
    assert all(candidate in str(caught.value) for candidate in caught.value.candidates)
    assert "\n" not in str(caught.value)


def test_a_beginning_without_a_dot_names_no_subagent(library: Library) -> None:
    assert library.resolve_target("claude:aaaa1111-0000-4000-8000-000000000001").ref.part is None


@pytest.mark.parametrize("text", ["zzz", "claude:zzz", "nobody:aaaa", "aaaa1111-0000-4000-8000-000000000001.zz"])
def test_what_is_not_there_is_not_found(library: Library, text: str) -> None:
    with pytest.raises(NotFound):
        library.resolve_target(text)


@pytest.mark.parametrize("text", ["", "  ", "-", "-/E1.0", "claude:", "a\0b"])
def test_what_names_nothing_is_a_bad_reference(library: Library, text: str) -> None:
    with pytest.raises(BadReference):
        library.resolve_target(text)


def test_a_session_that_came_after_the_listing_is_found(home: Path, library: Library) -> None:
    list(library.sessions())
    late = Claude(home, Names(7), session_id="ffff0000")
    late.user("Go")
    late.save()
    assert library.resolve_target("ffff").path == str(late.path)


def test_last_is_the_newest_session_of_all(library: Library) -> None:
    newest = next(summary for summary in library.sessions() if summary.parent is None)
    assert library.resolve_target("last").ref == newest.ref


def test_the_newest_session_is_one_that_can_be_read(home: Path, library: Library) -> None:
    """Bytes without a meaning, and an archive whose head alone can be read, are the newest by every time."""
    expected = library.resolve_target("last").ref
    noise = home / ".claude" / "projects" / "-srv-shop" / "11111111-0000-4000-8000-000000000001.jsonl"
    noise.write_bytes(bytes(range(256)) * 400)
    torn = Codex(home, Names(8), cwd="/srv/shop", archived=True, suffix=".jsonl.zst")
    torn.user("Go")
    torn.answer(random.Random(1).randbytes(3000).hex())
    torn.save()
    whole = zstd.compress(torn.path.read_bytes())
    torn.path.write_bytes(whole[: len(whole) - 100])
    again = open_library([str(home)], folder="/srv/shop/deep")
    by_path = {summary.path: summary for summary in again.sessions()}
    assert by_path[str(torn.path)].fault is not None
    assert again.resolve_target("last").ref == expected
    assert again.resolve_target(".").ref.session_id == "aaaa1111-0000-4000-8000-000000000001"
    assert [*by_path][-1] == str(noise)


def test_where_no_session_can_be_read_the_newest_says_why(tmp_path: Path) -> None:
    noise = tmp_path / ".claude" / "projects" / "-srv-shop" / "11111111-0000-4000-8000-000000000001.jsonl"
    noise.parent.mkdir(parents=True)
    noise.write_bytes(bytes(range(256)) * 400)
    library = open_library([str(tmp_path)])
    with pytest.raises(Unreadable, match="not a text file"):
        library.view("last")


def test_a_dot_is_the_newest_session_of_this_folders_project(home: Path, library: Library) -> None:
    for folder in ("/srv/shop", "/srv/shop/deep/down"):
        here = open_library([str(home)], folder=folder)
        assert here.resolve_target(".").ref.session_id.endswith("1")
        assert here.resolve_target("./E0.0").place is not None
    with pytest.raises(NotFound, match="/nowhere/else"):
        open_library([str(home)], folder="/nowhere/else").resolve_target(".")


def test_a_path_names_the_session_that_is_listed_for_it(lines: Claude, library: Library) -> None:
    assert library.resolve_target(str(lines.path)).ref == library.resolve_target("claude:" + lines.session_id).ref


def test_copies_outside_the_roots_have_a_reference_each_and_keep_it(
    lines: Claude, library: Library, tmp_path: Path
) -> None:
    paths: list[Path] = []
    for number in range(3):
        path = tmp_path / str(number) / lines.path.name
        path.parent.mkdir()
        path.write_bytes(lines.path.read_bytes() + b"{}\n" * number)
        paths.append(path)
    for _ in range(2):
        refs = [library.resolve_target(str(path)).ref for path in paths]
        assert [ref.copy for ref in refs] == [2, 3, 4]
    assert [library.view(ref).source_path for ref in refs] == [str(path) for path in paths]


def test_a_file_outside_the_roots_has_a_reference_of_its_own(lines: Claude, library: Library, tmp_path: Path) -> None:
    copy = tmp_path / lines.path.name
    copy.write_bytes(lines.path.read_bytes() + b"{}\n")
    ref = library.resolve_target(str(copy)).ref
    assert str(ref) == f"claude:{lines.session_id}~2"
    assert library.view(ref).source_path == str(copy)


def test_a_folder_names_the_only_session_in_it(lines: Claude, library: Library) -> None:
    assert library.resolve_target(str(lines.path.parent)).path == str(lines.path)
    with pytest.raises(Ambiguous):
        library.resolve_target(str(lines.path.parents[1]))


def test_a_folder_without_sessions_is_unreadable(library: Library, tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="holds no session"):
        library.resolve_target(str(tmp_path))


def test_missing_paths_and_links_to_nothing_are_not_found(library: Library, tmp_path: Path) -> None:
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "gone")
    for path in (tmp_path / "gone.jsonl", tmp_path / "link.jsonl", tmp_path / "gone.jsonl" / "E1.0"):
        with pytest.raises(NotFound, match="no such file"):
            library.resolve_target(str(path))


@pytest.mark.parametrize(
    ("tail", "within"),
    [
        ("E2.0", EntryRange(2, 2, 0, 0)),
        ("e2", EntryRange(2, 2)),
        ("E1-E3", EntryRange(1, 3)),
        ("E2.0#L1-2@0123456789ab", EntryRange(2, 2, 0, 0)),
    ],
)
def test_a_piece_stands_behind_the_last_slash(lines: Claude, library: Library, tail: str, within: EntryRange) -> None:
    for head in ("claude:" + lines.session_id, str(lines.path), "last", "."):
        if head != ".":
            place = library.resolve_target(f"{head}/{tail}").place
            assert place is not None
            assert place.within == within


@pytest.mark.parametrize("tail", ["E2.0:3", "E2.0:3:", "e2:3", "E1-E2:3"])
def test_a_line_may_stand_behind_a_piece_as_hits_print_it(lines: Claude, library: Library, tail: str) -> None:
    for head in ("claude:" + lines.session_id, str(lines.path), "last", "aaaa1111-0000-4000-8000-000000000002"):
        place = library.resolve_target(f"{head}/{tail}").place
        assert place is not None
        assert (place.native, place.lines) == (None, (3, 3))


@pytest.mark.parametrize(
    ("tail", "told"),
    [
        ("E2.0@abc", "at least 12 hex digits"),
        ("E2@abcdefabcdeg", "at least 12 hex digits"),
        ("E2.0#L0", "lines count from 1"),
        ("E2.0#L3-2", "lines count from 1"),
        ("E2.0:0", "lines count from 1"),
        ("E9-E2", "swap its ends"),
    ],
)
def test_what_is_wrong_behind_a_session_is_not_taken_for_an_unknown_session(
    library: Library, tail: str, told: str
) -> None:
    with pytest.raises(BadReference, match=told):
        library.resolve_target(f"last/{tail}")


def test_message_ids_that_look_like_pieces_are_none(library: Library) -> None:
    for native in ("e304c70b-0000-4000-8000-000000000001", "E5a.b:c-d", "7", "c1", "call_a|fc_b", "f.B+x=:0", "été"):
        place = library.resolve_target(f"last/{native}").place
        assert place is not None
        assert place.native == native


def test_a_call_id_names_its_result_and_by_request_its_call(home: Path, lines: Claude, library: Library) -> None:
    view = library.view(str(lines.path))
    call = view.call_id(1)
    assert call is not None
    target = library.resolve_target(f"{lines.path}/{call}")
    assert library.place(target, view) == EntryRange.of(EvidenceId(2, 0))
    from unspool.formats.piece import ToolPart

    assert library.place(target, view, ToolPart.INPUT) == EntryRange.of(EvidenceId(1, 0))


def test_a_message_id_names_its_entry(lines: Claude, library: Library) -> None:
    view = library.view(str(lines.path))
    native = view.evidence_at(0).native_id
    target = library.resolve_target(f"{lines.path}/{native}")
    assert library.place(target, view) == EntryRange(0, 0)


def test_an_unknown_id_inside_a_session_is_not_found(lines: Claude, library: Library) -> None:
    target = library.resolve_target(f"{lines.path}/toolu_nowhere")
    with pytest.raises(NotFound, match="toolu_nowhere"):
        library.place(target, library.view(target))


def test_short_references_are_as_long_as_they_must_be(library: Library) -> None:
    for summary in library.sessions():
        assert library.resolve_target(library.short(summary.ref)).ref == summary.ref


def test_a_quote_may_name_the_piece_by_an_id_of_the_log(lines: Claude, library: Library) -> None:
    view = library.view(str(lines.path))
    native, quoted = view.native_id(view.row(EvidenceId(2, 0))), view.reference(EvidenceId(2, 0))
    assert library.resolve(f"claude:{lines.session_id}/{native}").state == "unverified"
    assert library.resolve(f"claude:{lines.session_id}/{native}@{quoted.digest}").state == "intact"
    assert library.resolve(f"{lines.path}/{native}@{'0' * 12}").state == "changed"
    place = library.resolve_target(f"last/{native}#L1-2@{'0' * 12}").place
    assert place is not None
    assert (place.native, place.lines, place.digest) == (native, (1, 2), "0" * 12)
    with pytest.raises(BadReference, match="at least 12 hex digits"):
        library.resolve(f"{lines.path}/{native}@abc")


def test_a_quote_resolves_wherever_it_is_and_a_lost_session_is_gone(lines: Claude, library: Library) -> None:
    view = library.view(str(lines.path))
    quoted = view.reference(EvidenceId(2, 0))
    assert library.resolve(str(quoted)).state == "intact"
    assert library.resolve(f"{lines.path}/E2.0").state == "unverified"
    assert library.resolve(str(quoted).replace("@", "@00000")[:-5]).state == "changed"
    assert library.resolve(f"{lines.path}/E99.0").state == "missing"
    lines.path.unlink()
    assert library.resolve(str(quoted)).state == "source gone"


def test_naming_one_session_looks_into_no_other(
    home: Path, library: Library, lines: Claude, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(20, 24):
        other = Claude(home, Names(seed), cwd="/srv/shop")
        other.user("Go")
        other.save()
    described = CLAUDE_CODE_STORE.described
    seen: list[str] = []

    def noted(path: str, state: os.stat_result) -> SourceFile:
        seen.append(path)
        return described(path, state)

    monkeypatch.setattr(CLAUDE_CODE_STORE, "described", noted)
    monkeypatch.setattr(glance, "take_glance", lambda *_: pytest.fail("looked into"))
    for named in (f"claude:{lines.session_id}/E0.0", f"{lines.path}/E0.0"):
        target = library.resolve_target(named)
        library.view(target).close()
        assert (library.short(target.ref), target.ref.session_id) == (
            "claude:aaaa1111-0000-4000-8000-000000000001",
            lines.session_id,
        )
    assert all("aaaa1111" in path for path in seen)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_name_means_the_same_before_and_after_everything_is_listed(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    home = tmp_path_factory.mktemp("home")
    ids = data.draw(st.lists(st.text("ab1-", min_size=1, max_size=12), min_size=1, max_size=6, unique=True))
    for seed, session_id in enumerate(ids):
        lines = Claude(home, Names(seed), session_id=session_id, cwd=data.draw(st.sampled_from(["/srv/a", "/srv/b"])))
        lines.user("Go")
        lines.save()
        if data.draw(st.booleans()):
            part = data.draw(st.sampled_from(["p1", "p12", "q"]))
            inside = lines.path.with_suffix("") / "subagents" / f"agent-{part}.jsonl"
            path = data.draw(st.sampled_from([inside, lines.path.with_name(f"agent-{part}.jsonl")]))
            child = Claude(home, Names(90 + seed), path=path, session_id=session_id, isSidechain=True, agentId=part)
            child.user("Go")
            child.save()
    named = st.sampled_from(ids).map(lambda each: f"claude:{each}")
    nested = st.tuples(named, st.sampled_from(["p", "p1", "q"])).map(".".join)
    text = data.draw(named | nested | st.text("ab1-.p2:", min_size=1, max_size=8))
    fresh, listed = open_library([str(home)]), open_library([str(home)])
    list(listed.sessions())
    assert _meant(fresh, text) == _meant(listed, text)


def _meant(library: Library, text: str) -> tuple[str, ...]:
    """Return what a text names, and how that is called; or why it names nothing."""
    try:
        ref = library.resolve_target(text).ref
    except (Ambiguous, BadReference, NotFound, Unreadable) as error:
        return type(error).__name__, str(error)
    return str(ref), library.short(ref)


def test_a_session_that_moved_since_it_was_listed_is_read_and_followed_where_it_lies(home: Path) -> None:
    lines = Claude(home, Names(3))
    lines.user("Go")
    path = Path(lines.save().path)
    library = open_library([str(home)])
    [summary] = library.sessions()
    there = path.parent.with_name("-elsewhere") / path.name
    there.parent.mkdir()
    path.rename(there)
    assert library.tail(summary.ref).view.source_path == str(there)
    assert library.view(summary.ref).source_path == str(there)


@pytest.mark.parametrize(("later", "lives"), [(1_000, True), (10_000_000, False)])
def test_whether_one_session_lives_is_known_without_a_look_at_others(
    home: Path, library: Library, lines: Claude, monkeypatch: pytest.MonkeyPatch, later: int, lives: bool
) -> None:
    looked: list[str] = []
    take = glance.take_glance

    def noted(source: SourceFile, format: Format) -> glance.Glance:
        looked.append(source.path)
        return take(source, format)

    monkeypatch.setattr(glance, "take_glance", noted)
    now = lines.path.stat().st_mtime_ns // 1_000_000 + later
    fresh, ref = open_library([str(home)], now=lambda: now), SessionRef("claude", lines.session_id)
    assert fresh.lives(ref) is lives
    assert looked == [str(lines.path)]
    assert fresh.summary(ref).live is lives
