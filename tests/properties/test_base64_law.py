"""Base64 is never text: wherever a record holds it, all that reads a piece gives its type and size in its place."""

from __future__ import annotations

import json
from functools import reduce
from operator import getitem
from typing import Any

import pytest

from tests.oracle.values import compact, decode_whole
from tests.sessions import CLAUDE_CODE, CODEX
from unspool.formats.base import Format
from unspool.views.bounds import Bounds
from unspool.views.filter import Filter
from unspool.views.view import SessionView

DATA = "iVBORw0KGgoQUJD" * 20
FRAGMENT = "QUJDiVBOR"
LINE = "[image image/png 225]"
SOURCE = {"type": "base64", "media_type": "image/png", "data": DATA}
ADDRESS = f"data:image/png;base64,{DATA}"
MCP = {"type": "image", "data": DATA, "mimeType": "image/png"}
WHOLE = Bounds(1, 1 << 20, 1 << 20)


def claude(block: dict[str, Any]) -> dict[str, Any]:
    role = "user" if block["type"] == "tool_result" else "assistant"
    return {"type": role, "uuid": "u", "isSidechain": False, "message": {"role": role, "content": [block]}}


def item(**payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-06-01T09:00:00Z", "type": "response_item", "payload": payload}


def call(arguments: Any) -> dict[str, Any]:
    return claude({"type": "tool_use", "id": "t", "name": "N", "input": arguments})


def result(content: Any) -> dict[str, Any]:
    return claude({"type": "tool_result", "tool_use_id": "t", "content": content})


PAGE = {"type": "web_fetch_result", "url": "u", "content": {"type": "document", "source": SOURCE}}
FETCHED = {"type": "web_fetch_tool_result", "tool_use_id": "t", "content": PAGE}
ENCODED = json.dumps({"a": [ADDRESS]})
FOUND = {"type": "web_search_end", "results": [{"icon": ADDRESS}]}
records: list[tuple[str, Format, dict[str, Any]]] = [
    ("a source in arguments", CLAUDE_CODE, call({"shots": [{"image": {"type": "image", "source": SOURCE}}]})),
    ("an address in arguments", CLAUDE_CODE, call({"page": {"icon": ADDRESS}})),
    ("a result of one image", CLAUDE_CODE, result({"type": "image", "source": SOURCE})),
    ("a result of one image as MCP writes it", CLAUDE_CODE, result(MCP)),
    ("a result of such images", CLAUDE_CODE, result([MCP])),
    ("a structured result", CLAUDE_CODE, result({"content": [MCP]})),
    ("a fetched document", CLAUDE_CODE, claude(FETCHED)),
    ("an address in a document", CODEX, item(type="function_call", call_id="c", arguments=ENCODED)),
    ("a result of MCP", CODEX, item(type="function_call_output", call_id="c", output={"result": {"content": [MCP]}})),
    ("images of MCP", CODEX, item(type="function_call_output", call_id="c", output=[MCP])),
    ("a shell's action", CODEX, item(type="local_shell_call", call_id="c", action={"env": {"shot": ADDRESS}})),
    ("found pages", CODEX, {"type": "event_msg", "payload": FOUND}),
]  # fmt: skip
every_record = pytest.mark.parametrize(
    ("format", "record"), [row[1:] for row in records], ids=[row[0] for row in records]
)


@every_record
def test_base64_is_neither_found_nor_shown(format: Format, record: dict[str, Any]) -> None:
    view = SessionView.of([record], format)
    assert (view.rows, view.images(0)) == (1, 1)
    assert view.search(FRAGMENT).total == 0
    assert view.search(LINE, case="exact").total == view.search("[IMAGE image/png").total == 1
    text = view.read(view.id(0), bounds=WHOLE).pieces[0].text
    assert LINE in text
    assert view.bytes(0) == len(text)
    shown = [text, view.brief(), json.dumps(view.evidence_at(0).to_json()), view.slice(view.id(0)).text]
    shown += [json.dumps(hit.to_json()) for hit in view.search("image", filter=Filter()).hits]
    assert not [one for one in shown if FRAGMENT in one]


@every_record
def test_its_pointer_leads_to_what_the_text_says(format: Format, record: dict[str, Any]) -> None:
    view = SessionView.of([record], format)
    pointers = view.resolve(view.id(0)).pointers
    found = [said(reduce(getitem, pointer, decode_whole(json.dumps(record)))) for pointer in pointers]
    assert view.read(view.id(0), bounds=WHOLE).pieces[0].text == "\n".join(found)


def said(value: Any) -> str:
    """What the text says of a value in a record: of a block of its own, or of its data, the line alone."""
    if value == DATA or (isinstance(value, dict) and value.get("type") in ("image", "document")):
        return LINE
    if isinstance(value, str):
        return compact(decode_whole(value)) if value.startswith("{") else value
    return compact(value)


def test_words_about_base64_are_text() -> None:
    said = f"Paste {ADDRESS} or {DATA} into the page"
    view = SessionView.of([result(said), call({"note": DATA, "page": said})], CLAUDE_CODE)
    assert view.search(FRAGMENT).total == 2
    assert view.images(0) == view.images(1) == 0
