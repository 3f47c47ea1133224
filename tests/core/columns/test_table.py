"""Numbers of names in columns: one for each, as far as they reach."""

from __future__ import annotations

from unspool.columns.table import MOST_TOOLS, OTHER_TOOLS, Columns


def test_tools_for_which_there_is_no_number_left_are_one_tool() -> None:
    columns = Columns()
    numbers = [columns.tool_number(f"tool {number}") for number in range(MOST_TOOLS + 9)]
    assert numbers == [*range(1, MOST_TOOLS), *[MOST_TOOLS] * 10]
    assert columns.tools[MOST_TOOLS:] == [OTHER_TOOLS]
    assert columns.tool_number("tool 7") == 8
    assert columns.tool_number("") == columns.tool_number(None) == 0
    columns.tool.append(MOST_TOOLS)
