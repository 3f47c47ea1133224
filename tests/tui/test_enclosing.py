from __future__ import annotations

import textwrap

import pytest

from tests.tui.test_reader_diff import STRUCTURED, gutter, made
from unspool_tui.present.diff import diff_lines
from unspool_tui.present.enclosing import ABOVE, LONGEST, enclosing

PYTHON = textwrap.dedent(
    """\
    import os

    class Queue:
        LIMIT = 4

        async def drain(self, limit: int) -> list[Job]:
            if limit < 1:
                raise ValueError
    # a remark at the left edge is no definition

            batch = [job for job in self.jobs]
            return batch

        def put(self): ...

    total = 1
    """
)

BRACES = textwrap.dedent(
    """\
    package main

    func (q *Queue) Drain(limit int) []Job {
    \tfor _, job := range q.jobs {
    \t\tkeep(job)
    \t}
    }

    static int
    drain(struct queue *q, int limit) {
      if (limit < 1) {
        return 0;
      }
    }

    export const drain = async (limit) => {
      keep(limit);
    };
    """
)


def line_of(text: str, words: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), 1) if words in line)


@pytest.mark.parametrize(
    ("text", "words", "definition"),
    [
        (PYTHON, "raise ValueError", "async def drain(self, limit: int) -> list[Job]:"),
        (PYTHON, "async def drain", "class Queue:"),
        (PYTHON, "LIMIT", "class Queue:"),
        (PYTHON, "def put", "class Queue:"),
        (PYTHON, "import os", ""),
        (PYTHON, "class Queue", ""),
        (PYTHON, "total = 1", ""),
        (BRACES, "keep(job)", "func (q *Queue) Drain(limit int) []Job {"),
        (BRACES, "return 0", "drain(struct queue *q, int limit) {"),
        (BRACES, "keep(limit)", "export const drain = async (limit) => {"),
    ],
)
def test_a_line_stands_in_the_innermost_definition_around_it(text: str, words: str, definition: str) -> None:
    assert enclosing(text, line_of(text, words)) == definition


def test_a_blank_line_stands_where_the_one_behind_it_does() -> None:
    assert enclosing("def a():\n    x = 1\n\n    y = 2\n\nb = 3\n", 3) == "def a():"
    assert enclosing("def a():\n    x = 1\n\n    y = 2\n\nb = 3\n", 5) == ""


@pytest.mark.parametrize("line", [-1, 0, 1, 7, 10**9])
def test_a_line_that_is_none_or_the_first_stands_in_nothing(line: int) -> None:
    assert enclosing("class A:\n    x = 1\n", line) == ""
    assert enclosing("", line) == ""


def test_what_is_far_above_or_in_a_huge_text_is_not_looked_for() -> None:
    filled = "class A:\n" + "    x = 1\n" * (ABOVE + 1)

    assert enclosing(filled, ABOVE) == "class A:"
    assert enclosing(filled, ABOVE + 2) == ""
    assert enclosing("class A:\n    x = 1\n" + "#" * LONGEST, 2) == ""


def test_a_recorded_change_is_headed_by_what_it_stands_in() -> None:
    original = "class Worker:\n" + "    x = 1\n" * 140 + "    def drain(self):\n" + "        pass\n" * 20
    heading, *_ = diff_lines(made(None, {**STRUCTURED, "originalFile": original}))

    assert (heading.text, "⋯" in gutter(heading)) == ("def drain(self):", True)


@pytest.mark.parametrize("original", [None, 7, ["class A:"], "short\n"])
def test_a_file_that_is_not_told_heads_nothing(original: object) -> None:
    heading, *_ = diff_lines(made(None, {**STRUCTURED, "originalFile": original}))

    assert heading.text == ""
