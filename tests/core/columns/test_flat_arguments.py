"""Arguments that are an object of words are taken as they are; what no glance settles is still looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sessions import CLAUDE_CODE, view_of_lines

DATA = "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4" + "AAAA" * 20
BLANK = "words " * 20

LINE = (
    '{"type":"assistant","uuid":"u","timestamp":"2026-03-01T10:00:00Z","message":{"content":[{"type":"tool_use",'
    '"id":"t","name":"Draw","input":%s}]}}'
)


@pytest.mark.parametrize(
    ("written", "text", "images"),
    [
        ('{"word":"a","on":true,"none":null,"count":3}', '{"word":"a","on":true,"none":null,"count":3}', 0),
        (f'{{"data":"{DATA}","type":"image/png"}}', '{"data":"[image image/png 105]","type":"image/png"}', 1),
        (f'{{"data":"{BLANK}","type":"image/png"}}', f'{{"data":"{BLANK}","type":"image/png"}}', 0),
        ('{"at":"data:image/png;base64,iVBORw0KGgo="}', '{"at":"[image image/png 8]"}', 1),
        ('{"count":-0}', '{"count":-0}', 0),
        ('{"count":0}', '{"count":0}', 0),
        ('{"share":1.10}', '{"share":1.10}', 0),
        ('{"inner":{"share":1e2}}', '{"inner":{"share":1e2}}', 0),
        ('{"list":[1.50]}', '{"list":[1.50]}', 0),
        (f'{{"list":["data:image/png;base64,{DATA}"]}}', '{"list":["[image image/png 105]"]}', 1),
    ],
)
def test_a_value_reads_as_it_was_written_but_for_data(written: str, text: str, images: int, tmp_path: Path) -> None:
    view = view_of_lines([LINE % written], tmp_path, CLAUDE_CODE)
    (piece,) = view.read(view.id(0)).pieces
    columns = view._opened.builder.columns
    assert (piece.text, columns.images[0], columns.bytes[0]) == (text, images, len(text))
