"""Whoever names an entry without evidence is told what the entry is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.views.growing import Growing, called, said
from unspool.errors import NotFound
from unspool.views.inspecting import inspect
from unspool.views.view import SessionView


@pytest.fixture
def view(tmp_path: Path) -> SessionView:
    """Lines of every sort."""
    lines = [
        said(0, "zero"),
        b'{"type": "progress", "data": 1}',
        b'{"type": "attachment", "attachment": {"type": "x"}}',
        said(3, "torn")[:50],
        b"\xff\xfe nonsense",
        b" ",
        b"[1, 2]",
        called(7, "t1").replace(b'"command"', b'"com\nmand"'),
        b'{"type": "assistant", "message": {"content": []}}',
        said(10, "last"),
    ]
    return Growing(tmp_path, b"\n".join(lines) + b'\n{"type": "us').fresh()


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("E1", "E1 is a progress record and no evidence; --raw shows it"),
        ("E1.0", "E1 is a progress record and no evidence; --raw shows it"),
        ("E2.3", "E2 is an attachment/x record and no evidence; --raw shows it"),
        ("E3", "line 4 (E3) is unreadable: torn; --raw shows it"),
        ("E4", "line 5 (E4) is unreadable: encoding; --raw shows it"),
        ("E5", "line 6 (E5) is blank"),
        ("E6", "line 7 (E6) is JSON, but no record; --raw shows it"),
        ("E8", "line 9 (E8) belongs to the record that begins in E7"),
        ("E9", "E9 is an assistant record without anything to show; --raw shows it"),
        ("E11", "line 12 (E11) is half a record; --raw shows it"),
        ("E0.1", "there is no piece E0.1; E0 has E0.0"),
        ("E7.4-E7.9", "there is no piece E7.4-E7.9; E7 has E7.0"),
        ("E12", "there is no piece E12; the entries are E0 to E11"),
        ("E1-E2", "there is no piece E1-E2; the entries are E0 to E11"),
    ],
)
def test_an_entry_without_evidence_is_told_for_what_it_is(view: SessionView, target: str, told: str) -> None:
    for question in (view.read, view.slice, view.row):
        with pytest.raises(NotFound) as refused:
            question(target)
        assert str(refused.value) == f"{view.ref}: {told}"
    if "-" not in target and "." in target:
        with pytest.raises(NotFound) as refused:
            inspect(target, view=view)
        assert str(refused.value) == f"{view.ref}: {told}"


def test_a_restricted_view_names_the_entries_it_has(tmp_path: Path) -> None:
    file = Growing(tmp_path, b"\n".join(said(number, "x") for number in range(9)) + b"\n")
    from unspool.formats.claude_code import CLAUDE_CODE
    from unspool.ids import EntryRange

    view = SessionView.open(str(file.path), file.fresh().ref, CLAUDE_CODE, None, EntryRange(2, 4))
    with pytest.raises(NotFound, match=r"there is no piece E5\.0; the entries are E2 to E4"):
        view.read("E5.0")
