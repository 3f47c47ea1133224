from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unspool.recording.side_file import is_name_of, plain_name, safe_name, second_name
from unspool.recording.stand_in import StandIn, read_stand_in, size_label, write_stand_in
from unspool.recording.utf16 import beginning, length

TEXTS = st.text(alphabet=st.sampled_from("a\n.日😀\r"), max_size=80)


@given(st.text(), st.integers(0, 40))
def test_lengths_are_those_of_utf16_and_no_character_is_split(text: str, units: int) -> None:
    assert length(text) == len(text.encode("utf-16-le", "surrogatepass")) // 2
    head = beginning(text, units)
    assert text.startswith(head)
    assert length(head) <= units
    assert head == text or length(text[: len(head) + 1]) > units


def test_a_stand_in_is_exactly() -> None:
    text = "x" * 54_321
    assert write_stand_in(path="/h/t1.txt", text=text, size=54_321, preview_units=2_000) == (
        "<persisted-output>\nOutput too large (54K chars). Full output saved to: /h/t1.txt\n\n"
        f"Preview (first 2K chars):\n{'x' * 2_000}\n...\n</persisted-output>"
    )


def test_the_preview_ends_at_a_line_in_its_second_half_and_its_true_size_is_told() -> None:
    text = "a" * 1_200 + "\n" + "b" * 5_000
    told = write_stand_in(path="/t", text=text, size=6_201, preview_units=2_000)
    assert f"Preview (first 1K chars):\n{'a' * 1_200}\n...\n" in told
    early = "a" * 900 + "\n" + "b" * 5_000
    assert f"\n{early[:2_000]}\n...\n" in write_stand_in(path="/t", text=early, size=5_901, preview_units=2_000)


@given(TEXTS, st.integers(1, 90))
def test_what_a_stand_in_says_is_read_back(text: str, units: int) -> None:
    told = read_stand_in(write_stand_in(path="/h/a b/t1.txt", text=text, size=length(text), preview_units=units))
    assert told is not None
    assert told.path == "/h/a b/t1.txt"
    assert text.startswith(told.preview)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<persisted-output>",
        "<persisted-output>\nsomething else\n</persisted-output>",
        write_stand_in(path="/t", text="x" * 99, size=99, preview_units=9) + "\n",
        " " + write_stand_in(path="/t", text="x" * 99, size=99, preview_units=9),
        write_stand_in(path="/t", text="x" * 99, size=99, preview_units=9).replace("Preview", "A look"),
    ],
)
def test_anything_else_that_begins_with_the_tag_is_no_stand_in(text: str) -> None:
    assert read_stand_in(text) is None


def test_what_another_program_of_the_format_wrote_is_read() -> None:
    text = (
        "<persisted-output>\nOutput too large (1.2M chars). Full output saved to: C:\\h\\t.json\n\n"
        "Preview (first 2K chars):\nfirst\nsecond\n</persisted-output>"
    )
    assert read_stand_in(text) == StandIn("C:\\h\\t.json", "first\nsecond")


@pytest.mark.parametrize(
    ("units", "label"),
    [(0, "0 chars"), (999, "999 chars"), (1_000, "1K chars"), (1_499, "1K chars"), (1_500, "2K chars"),
     (50_001, "50K chars"), (999_999, "1000K chars"), (1_000_000, "1.0M chars"), (1_150_000, "1.1M chars"),
     (5_250_000, "5.3M chars")],
)  # fmt: skip
def test_sizes_are_written_as_the_format_writes_them(units: int, label: str) -> None:
    assert size_label(units) == label


IDS = [
    "toolu_01",
    "call.1",
    "a/b",
    "a_b",
    "a b",
    "../..\\evil/name",
    "..",
    ".",
    "",
    " ",
    "\x00",
    "é",
    "A" * 400,
    "A" * 399,
]


def test_names_stay_inside_and_are_each_ids_own() -> None:
    names = [safe_name(tool_use_id) for tool_use_id in IDS]
    assert len({name.lower() for name in names}) == len(IDS)
    for name in names:
        assert name.strip(".")
        assert not set(name) & set("/\\\x00 ")
        assert len(name) <= 200
    assert safe_name("toolu_01") == plain_name("toolu_01") == "toolu_01"


def test_an_id_knows_its_names_and_no_other_ids() -> None:
    for tool_use_id in IDS:
        assert is_name_of(safe_name(tool_use_id), tool_use_id)
        assert is_name_of(plain_name(tool_use_id), tool_use_id)
        assert is_name_of(second_name(tool_use_id, "other"), tool_use_id)
    assert not is_name_of(safe_name("a/b"), "a_b")
    assert not is_name_of("toolu_01-notes", "toolu_01")
    assert not is_name_of("toolu_02", "toolu_01")
