from __future__ import annotations

from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.running import unspool

pytestmark = pytest.mark.usefixtures("home")


def written(home: Path, *counts: int) -> None:
    """Write sessions with so many prompts that hold one word, and a torn line in each."""
    names = Names(1)
    for number, count in enumerate(counts):
        lines = Claude(home, names, cwd="/srv/shop")
        for place in range(count):
            lines.user(f"needle {number} {place}")
        lines.save()
        lines.path.write_bytes(lines.path.read_bytes() + b'{"needle\n')


def pages(*arguments: str) -> list[dict[str, object]]:
    """Follow a search to its end, and return what each page says of the whole of it."""
    found, after = [], list[str]()
    while True:
        answer = unspool("search", "needle", "--json", *arguments, *after)
        found.append(answer.summary)
        if answer.summary["next"] is None:
            return found
        after = ["--after", answer.summary["next"]]


@pytest.mark.parametrize("more", [[], ["--raw"]])
def test_every_page_counts_what_the_pages_before_went_over(home: Path, more: list[str]) -> None:
    written(home, 3, 9, 4)
    (whole,) = pages("--limit", "50", *more)
    assert whole["total"] == 16
    for limit in (1, 4, 5, 13):
        found = pages("--limit", str(limit), *more)
        assert found[-1] == whole
        sizes = [(each["total"], each["searched"]["sessions"]) for each in found]  # type: ignore[index]
        assert sizes == sorted(sizes)
        assert all(each["complete"] == (each["total"] == 16) for each in found)


def test_a_first_page_that_went_over_all_says_the_same_as_the_pages_behind_it(home: Path) -> None:
    written(home, 13, 57)
    assert len({str({**each, "next": None}) for each in pages("--limit", "60")}) == 1


@pytest.mark.parametrize("after", ["E0.0+1", "x|E0.0+1", "a|b|c", "a|b|1,2", "a|b|0,0,0,0,0,0,0"])
def test_what_is_no_continuation_is_refused(home: Path, after: str) -> None:
    written(home, 1, 1)
    answer = unspool("search", "needle", "--after", after)
    assert answer.code == 2
    assert "not a continuation of this search" in answer.err
