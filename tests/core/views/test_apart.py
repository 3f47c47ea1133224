"""One snapshot read by several threads."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sessions import view_of_lines
from unspool.views.filter import Filter
from unspool.views.view import SessionView


def long_view(folder: Path) -> SessionView:
    """Return a view of one text of some MB, whose lines tell their numbers."""
    text = "\n".join(f"line {number}" for number in range(400_000))
    record = {"type": "user", "uuid": "u1", "message": {"role": "user", "content": text}}
    return view_of_lines([json.dumps(record)], folder)


@pytest.fixture
def restless() -> Iterator[None]:
    """Let threads take turns after every few steps."""
    kept = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(kept)


@pytest.mark.usefixtures("restless")
def test_readers_apart_do_not_disturb_each_other(tmp_path: Path) -> None:
    view = long_view(tmp_path)
    wrong: list[str] = []

    def read(own: SessionView, lines: range) -> None:
        for line in lines:
            text = own.slice("E0.0", lines=(line, line)).text.strip()
            if text != f"line {line - 1}":
                wrong.append(text)

    threads = [
        threading.Thread(target=read, args=(view.apart(), range(start, 400_000, 40_000))) for start in (1, 7, 399, 9)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_view_apart_holds_what_the_snapshot_holds_however_the_session_grew(tmp_path: Path) -> None:
    record = '{"type":"user","uuid":"u%d","message":{"role":"user","content":"Go %d"}}'
    view = view_of_lines([record % (number, number) for number in range(3)], tmp_path)
    with (tmp_path / "session.jsonl").open("a") as file:
        file.write(record % (3, 3) + "\n")
    grown = view.refreshed()
    assert (view.apart().rows, grown.apart().rows) == (3, 4)
    assert view.apart().wanted(Filter()) == view.wanted(Filter())
    assert view.apart().slice("E2.0").text == "Go 2"
