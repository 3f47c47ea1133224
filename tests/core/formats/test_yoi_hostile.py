"""Whatever JSON object is taken for one of yoi's records, nothing fails and every pointer holds."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.core.formats.yoi_walk import walk
from tests.properties.laws import RECORDS, TEXT, VALUES, law
from unspool.formats.piece import ImagePart, JsonPart, SignPart, TextPart
from unspool.formats.yoi import YOI

TAGS = st.sampled_from(["message", "tool_call", "tool_result", "reasoning", "notification", "workflow", "image", "x"])
PARTS = VALUES | st.fixed_dictionaries(
    {"kind": st.sampled_from(["text", "refusal", "paste", "file_ref", "flow", "unknown", "image"])},
    optional=dict.fromkeys(["text", "refusal", "content", "path", "selector", "data", "mime_type"], VALUES),
)
ITEMS = VALUES | st.fixed_dictionaries(
    {"kind": TAGS},
    optional={
        "role": st.sampled_from(["user", "assistant", "system"]) | VALUES,
        "content": st.lists(PARTS, max_size=3) | VALUES,
        "attachments": st.lists(PARTS, max_size=3) | VALUES,
        "summary": st.lists(TEXT, max_size=2) | VALUES,
        **dict.fromkeys(["text", "body", "output", "arguments", "name", "call_id", "id", "is_error"], VALUES),
    },
)
HOSTILE = RECORDS | st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["session_start", "segment_start", "user_input", "assistant_items", "assistant_item",
                                 "tool_results", "system_item", "system_items", "hook_injected_items", "llm_usage"])
        | VALUES
    },
    optional={
        "item": ITEMS,
        **dict.fromkeys(["items", "history"], st.lists(ITEMS, max_size=3) | VALUES),
        "segments": st.lists(PARTS, max_size=4) | VALUES,
        **dict.fromkeys(["ts", "hash", "prev_hash", "forked_from", "compacted_from", "output_tokens"], VALUES),
    },
)  # fmt: skip


@given(HOSTILE, HOSTILE)
@law
def test_no_json_object_makes_decoding_or_folding_fail(one: dict[str, Any], other: dict[str, Any]) -> None:
    walk(one, other, one)
    numbers = [piece.number for piece in YOI.decode(one).pieces]
    assert len(set(numbers)) == len(numbers)
    assert all(number < YOI.decode(one).places for number in numbers)
    assert YOI.detect([one]) in (True, False)


@given(HOSTILE)
@law
def test_every_pointer_leads_to_the_value_of_its_part(record: dict[str, Any]) -> None:
    for part in (part for piece in YOI.decode(record).pieces for part in piece.parts):
        value: Any = record
        for step in part.pointer:
            value = value[step]
        if isinstance(part, JsonPart) and not part.encoded:
            assert value is part.value
        elif isinstance(part, TextPart):
            assert value == part.value
        elif isinstance(part, ImagePart):
            assert isinstance(value, str)
        elif isinstance(part, SignPart):
            assert isinstance(value, (dict, str, int, float, list, bool, type(None)))
