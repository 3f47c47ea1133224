from __future__ import annotations

import json

import pytest

from unspool.views.members import named_texts, told, wrapped

PRINTED = "one\ntwo\n"


@pytest.mark.parametrize(
    "text",
    ['{"status":"ok"}', '["a\\nb"]', '{\n"a": "b\\nc"}', "{torn \\n", "plain\ntext", "", '{"a":{"b":"c\\nd"}}'],
)
def test_what_is_no_line_of_json_around_a_text_is_read_as_it_is(text: str) -> None:
    assert wrapped(text) is None


def test_an_output_in_a_wrapper_is_told_by_its_members_with_its_line_ends() -> None:
    text = json.dumps({"output": PRINTED, "metadata": {"exit_code": 1, "duration_seconds": 0.10}})
    members = wrapped(f" {text}\n")
    assert members is not None
    assert told(named_texts(members)) == ('output:\n  one\n  two\nmetadata: {"exit_code":1,"duration_seconds":0.1}')


def test_numbers_are_told_as_they_are_written() -> None:
    members = wrapped('{"said":"a\\nb","took":1.50}')
    assert members is not None
    assert told(named_texts(members)).endswith("took: 1.50")


def test_texts_deeper_in_hang_below_their_names() -> None:
    edits = {"file": "a.py", "edits": [{"old": "x\ny", "new": "z"}, "last"], "flat": [1, {"a": "b"}]}
    assert told(named_texts(edits)) == (
        'file: a.py\nedits:\n  - old:\n      x\n      y\n    new: z\n  - last\nflat: [1,{"a":"b"}]'
    )


def test_depth_ends_in_json() -> None:
    deep: object = "a\nb"
    for _ in range(50):
        deep = {"in": deep}
    assert told(named_texts({"out": deep})).count("in:") == 8
