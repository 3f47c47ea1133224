"""The line of an output that says how it went."""

from __future__ import annotations

import pytest

from unspool.views.telling import LINE_CHARACTERS, first_line, telling_line

PYTEST = "Exit code 1\n....F\n=== FAILURES ===\nE   AssertionError: x\n===== 1 failed, 409 passed in 10.42s =====\n"
TRACE = "Exit code 1\nTraceback (most recent call last):\n  File 'a.py', line 1\nKeyError: 'port'\n"


@pytest.mark.parametrize(
    ("text", "failed", "expected"),
    [
        (PYTEST, True, "1 failed, 409 passed in 10.42s"),
        ("..\n2 passed in 0.1s", False, "2 passed in 0.1s"),
        (
            "test result: FAILED. 3 passed; 1 failed; 0 ignored",
            True,
            "test result: FAILED. 3 passed; 1 failed; 0 ignored",
        ),
        (TRACE, True, "KeyError: 'port'"),
        ("Cloning…\nfatal: repository not found\ndone", True, "fatal: repository not found"),
        ("Exit code: 2\nWall time: 0.1 seconds\nOutput:\nls: x: No such file", True, "ls: x: No such file"),
        ("\n\n  hello \nworld", False, "hello"),
        ("KeyError: 'port'\nis how it failed", False, "KeyError: 'port'"),
        ("Exit code 1", True, "Exit code 1"),
        ("Chunk ID: 223b39\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n", False, ""),
        ("Chunk ID: 22\nProcess exited with code 3\nOutput:\n", True, "Process exited with code 3"),
        ("", False, ""),
    ],
)
def test_an_output_says_how_it_went(text: str, failed: bool, expected: str) -> None:
    assert telling_line(text, text[-4096:], failed=failed) == expected


@pytest.mark.parametrize(
    "preamble",
    [
        "Error: Exit code 1",
        "Exit code: -1",
        "Chunk ID: 223b39",
        "Wall time: 0.1 seconds",
        "Process exited with code 3",
        "Output:",
        "```console",
        "Total output lines: 99",
        "Original token count: 99",
    ],
)
def test_what_a_harness_puts_before_an_output_is_not_what_it_says(preamble: str) -> None:
    assert telling_line(f"  {preamble} \nwhat it says", "", failed=False) == "what it says"


def test_an_exception_counts_only_in_a_failed_output() -> None:
    assert telling_line("reading\nKeyError: 'x'", "reading\nKeyError: 'x'", failed=False) == "reading"


def test_no_line_is_longer_than_a_row() -> None:
    verdict = f"1 failed in {'x' * 999}"
    for line in (
        first_line("y" * 999),
        telling_line("x" * 999, "x", failed=False),
        telling_line("", verdict, failed=True),
    ):
        assert len(line) == LINE_CHARACTERS
        assert line.endswith("…")
    assert first_line("y" * LINE_CHARACTERS) == "y" * LINE_CHARACTERS
