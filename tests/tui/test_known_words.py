"""What a list knows of its rows, and what of that it forgets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.views.growing import Growing, answered, called, said
from unspool.views.view import SessionView
from unspool_tui.present import known_words
from unspool_tui.present.known_words import KnownWords


def lines(*records: bytes) -> bytes:
    return b"".join(record + b"\n" for record in records)


@pytest.fixture
def growing(tmp_path: Path) -> Growing:
    calls = (called(number, f"call {number}") for number in range(1, 4))
    return Growing(tmp_path, lines(said(0, "Go."), *calls))


def known_of(view: SessionView) -> KnownWords:
    known = KnownWords()
    known.learn(view.evidence_rows(range(view.rows)), {})
    return known


def test_only_the_calls_that_were_answered_are_read_again(growing: Growing) -> None:
    view = growing.fresh()
    known = known_of(view)
    growing.append(lines(answered(4, "call 2", "done"), answered(5, "call 3", "done")))
    known.forget_answered(view.refreshed())
    assert known.evidence.keys() == {0, 1}
    known.learn(view.refreshed().evidence_rows([2, 3]), {})
    known.forget_answered(view.refreshed())
    assert known.evidence.keys() == {0, 1, 2, 3}, "they have their answer"


def test_a_row_that_is_gone_is_not_asked_for_its_answer(growing: Growing) -> None:
    known = known_of(growing.fresh())
    growing.path.write_bytes(lines(said(0, "Go.")))
    known.forget_from(1)
    known.forget_answered(growing.fresh())
    assert known.evidence.keys() == {0}


def test_no_more_is_known_than_is_looked_at(growing: Growing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_words, "ROWS_KEPT", 2)
    view = growing.fresh()
    known = known_of(view)
    known.learn(view.evidence_rows([3]), {})
    assert known.evidence.keys() == {3}
