"""Ids, ranges and references say the same whoever writes them, and what is none of them is refused in one line."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.properties.laws import law
from unspool.errors import BadReference
from unspool.ids import EntryRange, EvidenceId, Reference, SessionRef

ENTRIES = st.integers(0, 10**15 - 1)
PIECES = st.integers(0, 10**9 - 1)
IDS = st.builds(EvidenceId, ENTRIES, PIECES)
NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
SESSIONS = st.builds(
    SessionRef,
    st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True),
    NAMES,
    st.none() | NAMES,
    st.integers(1, 999_999),
)
DIGESTS = st.text(string.hexdigits.lower(), min_size=12, max_size=12).map(str.lower)


@st.composite
def ranges(draw: st.DrawFn) -> EntryRange:
    first, last = sorted([draw(ENTRIES), draw(ENTRIES)])
    first_piece, last_piece = draw(st.none() | PIECES), draw(st.none() | PIECES)
    if first == last and first_piece is not None and last_piece is not None:
        first_piece, last_piece = sorted([first_piece, last_piece])
    return EntryRange(first, last, first_piece, last_piece)


@st.composite
def line_ranges(draw: st.DrawFn) -> tuple[int, int]:
    first = draw(st.integers(1, 10**15 - 1))
    return first, draw(st.integers(first, 10**15 - 1))


REFERENCES = st.builds(Reference, SESSIONS, ranges(), st.none() | line_ranges(), st.none() | DIGESTS)


@law
@given(IDS)
def test_an_id_is_read_as_it_is_written(evidence_id: EvidenceId) -> None:
    assert EvidenceId.parse(str(evidence_id)) == evidence_id
    assert EvidenceId.parse(f" {str(evidence_id).lower()} ") == evidence_id


@law
@given(ranges())
def test_a_range_is_read_as_it_is_written(entry_range: EntryRange) -> None:
    assert EntryRange.parse(str(entry_range)) == entry_range
    assert EntryRange.parse(str(entry_range).lower().replace("-", " – ")) == entry_range


@law
@given(SESSIONS)
def test_a_session_is_read_as_it_is_written_and_needs_no_quoting(ref: SessionRef) -> None:
    written = str(ref)
    assert SessionRef.parse(written) == ref
    assert set(written) <= set(string.ascii_letters + string.digits + ":._-%~")


@law
@given(REFERENCES)
def test_a_reference_is_read_as_it_is_written(reference: Reference) -> None:
    assert Reference.parse(str(reference)) == reference


@law
@given(ranges(), IDS)
def test_a_range_holds_the_ids_between_its_ends(entry_range: EntryRange, evidence_id: EvidenceId) -> None:
    first = (entry_range.first, entry_range.first_piece or 0)
    last = (entry_range.last, 10**9 if entry_range.last_piece is None else entry_range.last_piece)
    assert (evidence_id in entry_range) == (first <= (evidence_id.entry, evidence_id.piece) <= last)


@law
@given(st.lists(IDS))
def test_ids_are_ordered_by_number_and_not_by_text(ids: list[EvidenceId]) -> None:
    assert sorted(ids) == sorted(ids, key=lambda each: (each.entry, each.piece))
    assert EvidenceId.parse("e009.09") == EvidenceId(9, 9)
    assert EvidenceId.parse("E9.9") < EvidenceId.parse("E9.10") < EvidenceId.parse("E10.0")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("e128", EntryRange(128, 128)),
        ("E128.2", EntryRange(128, 128, 2, 2)),
        ("E128-E140", EntryRange(128, 140)),
        ("e128-140", EntryRange(128, 140)),
        ("E128.3-E131.0", EntryRange(128, 131, 3, 0)),
        ("E5.3-E5", EntryRange(5, 5, 3, None)),
        ("E5-E5.2", EntryRange(5, 5, None, 2)),
        ("E007-E010", EntryRange(7, 10)),
    ],
)
def test_a_range_may_name_entries_or_pieces(text: str, wanted: EntryRange) -> None:
    assert EntryRange.parse(text) == wanted


@pytest.mark.parametrize(
    "text",
    ["", "E", "E-1", "E1.", "E1.x", "128", "-", "E1-", "E9-E3", "E5.3-E5.2", "E1 E2", "E1.2.3", "E١", "E" + "9" * 30],
)
def test_what_is_no_range_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(BadReference) as refused:
        EntryRange.parse(text)
    assert refused.value.text == text.strip()
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ["E5", "E5-E6", "", "5.1", "E5.1 "[:4] + "x"])
def test_an_id_names_one_piece(text: str) -> None:
    with pytest.raises(BadReference):
        EvidenceId.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "claude/E1.0",
        "claude:abc/",
        "claude:abc/E1.0#L0",
        "claude:abc/E1.0#L9-3",
        "claude:abc/E1.0@12345",
        "claude:abc/E1.0@zzzzzzzzzzzz",
        "claude:a b/E1.0",
        "/E1.0",
        "claude:abc./E1.0",
        "Claude:abc/E1.0",
    ],
)
def test_what_is_no_reference_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(BadReference) as refused:
        Reference.parse(text)
    assert "\n" not in str(refused.value)


def test_a_reference_may_name_one_line_and_a_whole_digest() -> None:
    reference = Reference.parse(f"codex:0af3.sub/e01.0#L7@{'AB' * 32}")
    assert reference == Reference(SessionRef("codex", "0af3", "sub"), EntryRange(1, 1, 0, 0), (7, 7), "ab" * 32)
    assert str(reference) == "codex:0af3.sub/E1.0#L7-7@abababababab"


@pytest.mark.parametrize(
    "text", ["claude:abc/E3.1:9", "claude:abc/E3.1:9:", "claude:abc/e3.1#L9", "claude:abc/E3.1:9-9"]
)
def test_the_line_that_a_hit_prints_behind_its_id_is_a_line_of_the_piece(text: str) -> None:
    assert Reference.parse(text) == Reference(SessionRef("claude", "abc"), EntryRange(3, 3, 1, 1), (9, 9))


@pytest.mark.parametrize(
    ("digest", "told"),
    [("abc", "'abc' has 3 characters"), ("", "'' has 0 characters"), ("g" * 12, "is no digest")],
)
def test_a_digest_that_is_none_is_named(digest: str, told: str) -> None:
    with pytest.raises(BadReference, match=f"{told}.*at least 12 hex digits"):
        Reference.parse(f"claude:abc/E3.1@{digest}")


@pytest.mark.parametrize("name", ["x~2", "a.b~10", "~", "~~3", "%7E2", "a/b#c@d", "x y"])
def test_a_name_that_looks_like_syntax_is_still_a_name(name: str) -> None:
    for ref in (SessionRef("codex", name), SessionRef("codex", "x", name), SessionRef("codex", name, copy=3)):
        assert SessionRef.parse(str(ref)) == ref
        assert Reference.parse(f"{ref}/E1.0").session == ref


def test_bytes_of_a_file_name_that_are_no_utf8_come_through() -> None:
    ref = SessionRef("codex", "caf\udce9", "\udcff.part")
    assert str(ref) == "codex:caf%E9.%FF%2Epart"
    assert SessionRef.parse(str(ref)) == ref
