"""A stack trace in an output is seen at a glance: its head and the error that it ends with stand out."""

from __future__ import annotations

import pytest

from tests.tui.reader_host import MadeUpView, result
from unspool_tui.present.body import body_lines
from unspool_tui.present.opening import open_piece
from unspool_tui.present.traces import telling_lines

PYTHON = """collecting
Traceback (most recent call last):
  File "a.py", line 1, in <module>
    main()

  File "a.py", line 9, in main
KeyError: 'port'
later"""

CHAINED = """Traceback (most recent call last):
  File "a.py", line 1
ValueError: one

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "a.py", line 2
shop.errors.Broken"""

INDENTED = '  Traceback (most recent call last):\n    File "a.py"\n  OSError: no\nx'
NODE = "a\nTypeError: x is not a function\n    at run (/srv/a.js:3:9)\n    at main (/srv/a.js:9:1)\n\nNode.js v22"
JAVA = 'Exception in thread "main" java.lang.IllegalStateException: no\n\tat shop.Main.run(Main.java:3)'


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (PYTHON, {1, 6}), (CHAINED, {0, 2, 6, 8}), (INDENTED, {0, 2}), (NODE, {1}), (JAVA, {0}),
        ("Traceback (most recent call last):\n  File \"a.py\"", {0}), ("we meet\n  at home", set()), ("fine", set()),
    ],
)  # fmt: skip
def test_head_and_error_of_a_trace_are_found(text: str, lines: set[int]) -> None:
    assert telling_lines(text.split("\n")) == lines


def test_head_and_error_of_a_trace_have_the_ink_of_errors_though_the_output_did_not_fail() -> None:
    lines = body_lines(PYTHON, open_piece(MadeUpView([result(PYTHON, exit_code=0)]), 0).subject)
    assert [at for at, line in enumerate(lines) if line.cells and line.cells[0][1] == "error"] == [1, 6]
