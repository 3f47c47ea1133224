from __future__ import annotations

import pytest

from unspool_tui.present.failure import first_failure, with_context

FAILURES = [
    "=================================== FAILURES ===================================",
    "E       assert 1 == 2",
    "FAILED tests/queue/test_drain.py::test_drain - AssertionError",
    "--- FAIL: TestDrain (0.00s)",
    "not ok 3 drains the queue",
    "Traceback (most recent call last):",
    "thread 'main' panicked at src/main.rs:4:5:",
    "goroutine 1 [running]:",
    'Exception in thread "main" java.lang.IllegalStateException',
    "error[E0308]: mismatched types",
    "src/a.c:3:5: error: expected ';'",
    "docs/guide.mdx:289:61 error MD047/single-trailing-newline Files should end with a newline",
    "src/app.ts(12,5): error TS2304: Cannot find name 'queue'.",
    "  12:5  error  'queue' is not defined  no-undef",
    "Program.cs : error CS1002: ; expected",
    "fatal: not a git repository",
    "npm ERR! missing script: test",
    "TypeError: undefined is not a function",
    "bash: pytset: command not found",
    "cat: nothing.txt: No such file or directory",
    "Segmentation fault (core dumped)",
    "  ✕ drains the queue (3 ms)",
]
CALM = [
    "collected 410 items",
    "0 errors, 2 warnings",
    "Found 0 errors in 3 files",
    "error: 0",
    "no failures",
    "tests/errors/test_error_page.py ....",
    "class QueueError(Exception)",
    "retry after failure of a worker",
    "handles errors well",
    "12:05 no error was seen",
    "an error rate of 3",
]


@pytest.mark.parametrize("line", FAILURES)
def test_each_kind_of_failure_is_found_behind_lines_that_are_none(line: str) -> None:
    before = "".join(f"{calm}\n" for calm in CALM)

    assert first_failure(before + line + "\nmore\n") == len(before)


@pytest.mark.parametrize("line", CALM)
def test_lines_that_only_speak_of_errors_are_no_failure(line: str) -> None:
    assert first_failure(line) is None


def test_the_first_of_several_failures_counts() -> None:
    assert first_failure("fine\nerror: one\nerror: two\n") == len("fine\n")
    assert first_failure("fine\nTraceback (most recent call last):\nTypeError: no\n") == len("fine\n")


def test_three_lines_before_a_failure_are_shown_as_far_as_there_are_any() -> None:
    text = "a\nb\nc\nd\nerror: x\n"

    assert with_context(text, text.index("error")) == text.index("b")
    assert with_context("a\nerror: x", 2) == 0
    assert with_context("error: x", 0) == 0
