"""What is selected in the reader is the source's own text, however it is drawn."""

from __future__ import annotations

import json

import pytest
from textual.selection import SELECT_ALL

from tests.tui.reader_host import MadeUpView, Piece, ReaderHost, call, result, windows_of
from unspool.text import clean

SCRIPT = 'for f in *.py; do\n    python "$f"\n\tdone\n'


async def selected(piece: Piece, *, size: tuple[int, int] = (60, 20), keys: tuple[str, ...] = ()) -> str:
    """Return all of a piece's body, selected as on a screen of a size."""
    app = ReaderHost(MadeUpView([piece]))
    async with app.run_test(size=size) as pilot:
        app.read(0)
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()
        found = app.reader.body.get_selection(SELECT_ALL)
        assert found is not None
        return found[0]


@pytest.mark.parametrize("keys", [(), ("w",)])
@pytest.mark.parametrize(
    "text",
    [
        "# A title\n\n- **bold** and `code`\n\n```py\n    x = 1\n```\n| a  |  b |\n|----|----|",
        "word " * 200,
        "日本語 " * 90 + "\n    and more",
        "  indented\n\n\n      deeper",
    ],
)
async def test_prose_is_selected_as_it_was_written(text: str, keys: tuple[str, ...]) -> None:
    assert await selected(Piece(text), keys=keys) == text


async def test_an_output_is_selected_with_all_of_its_runs_and_without_its_colours() -> None:
    text = "name" + " " * 90 + "size\n" + "=" * 120 + "\n\x1b[31mred\x1b[0m end"
    assert await selected(result(text)) == clean(text)


async def test_a_command_is_selected_as_it_was_typed() -> None:
    text = await selected(call(json.dumps({"command": SCRIPT}), arguments={"command": SCRIPT}))
    assert text == clean(SCRIPT).rstrip("\n")


async def test_lines_inside_json_are_selected_without_the_indent_of_the_layout() -> None:
    value = {"pattern": "x", "content": SCRIPT}
    text = await selected(call(json.dumps(value), tool="Note", arguments=value))
    assert clean(SCRIPT) in text
    assert '  "pattern": "x",' in text


async def test_a_raw_record_is_selected_as_it_is_stored() -> None:
    assert await selected(Piece("Go"), keys=("r",)) == '{"record":0}'


async def test_a_selection_over_windows_has_no_seam() -> None:
    text = "".join(f"line {number} {'x' * (number % 70)}\n" for number in range(60))
    app = ReaderHost(MadeUpView([Piece(text)]))
    with windows_of(800):
        async with app.run_test(size=(60, 12)) as pilot:
            app.read(0)
            await pilot.pause()
            for _ in range(4):
                await pilot.press("space")
                await pilot.pause()
            pages = app.reader.body.pages
            assert pages is not None
            assert pages.first.stop < pages.last.start or len(pages.lines) > 30
            found = app.reader.body.get_selection(SELECT_ALL)
            assert found is not None
            assert found[0] in text
