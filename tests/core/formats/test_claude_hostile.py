"""Whatever JSON object is taken for one of Claude Code's records, nothing fails and every pointer holds."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.core.formats.claude_walk import walk
from tests.properties.laws import RECORDS, TEXT, VALUES, law
from unspool.formats.claude_code import CLAUDE_CODE
from unspool.formats.claude_notice import WORDS
from unspool.formats.piece import ImagePart, JsonPart, Part, TextPart


@given(st.data())
@law
def test_no_json_object_makes_decoding_or_folding_fail(data: st.DataObject) -> None:
    value = data.draw(HOSTILE)
    walked = walk(value, data.draw(HOSTILE), value)
    numbers = [piece.number for piece in CLAUDE_CODE.decode(value).pieces]
    assert len(set(numbers)) == len(numbers)
    assert len(walked.flags) == len(walked.pieces)
    assert CLAUDE_CODE.detect([value]) in (True, False)


@given(st.data())
@law
def test_every_pointer_leads_to_the_value_of_its_part(data: st.DataObject) -> None:
    value = data.draw(HOSTILE)
    for piece in CLAUDE_CODE.decode(value).pieces:
        for part in piece.parts:
            assert_points(value, part)


def assert_points(value: Any, part: Part) -> None:
    for step in part.pointer:
        value = value[step]
    if isinstance(part, JsonPart) and not part.encoded:
        assert value is part.value
    elif isinstance(part, TextPart):
        assert value == part.value
    elif isinstance(part, ImagePart):
        assert isinstance(value, dict)


BLOCKS = st.one_of(
    VALUES,
    st.fixed_dictionaries(
        {
            "type": st.sampled_from(
                [
                    "text",
                    "thinking",
                    "image",
                    "document",
                    "resource",
                    "search_result",
                    "web_fetch_result",
                    "tool_use",
                    "tool_result",
                    "mcp_tool_result",
                ]
            )
        },
        optional={
            "text": VALUES,
            "thinking": VALUES,
            "resource": VALUES | st.dictionaries(st.sampled_from(["text", "blob", "uri", "mimeType"]), VALUES),
            "source": VALUES | st.fixed_dictionaries({"type": TEXT, "data": TEXT, "media_type": VALUES}),
            "id": VALUES,
            "name": VALUES,
            "input": VALUES | st.sampled_from(["{", '{"a":1}', "[]"]),
            "tool_use_id": VALUES,
            "content": VALUES | st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": VALUES})),
        },
    ),
)
TYPES = st.sampled_from(
    [
        "user",
        "assistant",
        "system",
        "attachment",
        "progress",
        "summary",
        "result",
        "tool_use",
        "tool_result",
        "queue-operation",
    ]
)
HOSTILE = st.one_of(
    RECORDS,
    st.fixed_dictionaries(
        {"type": TYPES | VALUES},
        optional={
            "message": VALUES
            | st.fixed_dictionaries(
                {"content": VALUES | BLOCKS | st.lists(BLOCKS, max_size=4)},
                optional={"id": VALUES, "model": VALUES, "usage": VALUES | st.dictionaries(TEXT, VALUES)},
            ),
            "attachment": VALUES
            | st.fixed_dictionaries(
                {"type": st.sampled_from(sorted({"queued_command", *WORDS})) | VALUES},
                optional=dict.fromkeys(
                    ["content", "prompt", "origin", "skills", "files", "messages", "response"], BLOCKS
                ),
            ),
            **dict.fromkeys(
                [
                    "uuid",
                    "parentUuid",
                    "sessionId",
                    "timestamp",
                    "content",
                    "subtype",
                    "error",
                    "toolUseResult",
                    "data",
                ],
                VALUES,
            ),
            **dict.fromkeys(["leafUuid", "hookErrors", "retractedMessageUuids", "forkedFrom", "modelUsage"], VALUES),
            "isSidechain": st.booleans(),
            "content": VALUES | BLOCKS | st.lists(BLOCKS, max_size=3),
            "operation": VALUES | st.sampled_from(["enqueue", "dequeue", "remove", "popAll"]),
        },
    ),
)
