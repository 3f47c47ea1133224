"""A quote is verified wherever its digest can be looked for, also when it names a range."""

from __future__ import annotations

import hashlib

import pytest

from tests.sessions import CLAUDE_CODE, CODEX, view_of
from unspool.formats.base import Format
from unspool.ids import EntryRange, Reference
from unspool.views import resolving
from unspool.views.view import SessionView

TEXTS = ["one", "two", "three", "four"]


def said(*texts: str) -> list[tuple[str, str]]:
    return [("user" if number % 2 == 0 else "assistant", text) for number, text in enumerate(texts)]


@pytest.fixture(params=[CLAUDE_CODE, CODEX], ids=["claude", "codex"])
def format(request: pytest.FixtureRequest) -> Format:
    """Either agent."""
    made: Format = request.param
    return made


@pytest.fixture
def view(format: Format) -> SessionView:
    """Four messages, in entries 0 to 3."""
    return view_of(said(*TEXTS), format)


def quote(view: SessionView, place: str, text: str, digits: int = 12) -> Reference:
    return Reference(view.ref, EntryRange.parse(place), None, hashlib.sha256(text.encode()).hexdigest()[:digits])


@pytest.mark.parametrize("digits", [12, 40, 64])
@pytest.mark.parametrize("place", ["E1-E3", "E2", "E2.0-E3.0", "E0-E99", "E2-E2"])
def test_a_range_that_holds_the_quoted_piece_is_intact_and_names_it(view: SessionView, place: str, digits: int) -> None:
    anchor = view.resolve(quote(view, place, "three", digits))
    assert (anchor.state, str(anchor.evidence_id)) == ("intact", "E2.0")
    assert anchor.digest == hashlib.sha256(b"three").hexdigest()


@pytest.mark.parametrize("place", ["E2-E3", "E9", "E0.5", "E7-E9"])
def test_a_quoted_piece_is_found_outside_of_its_range_too(view: SessionView, place: str) -> None:
    anchor = view.resolve(quote(view, place, "one"))
    assert (anchor.state, str(anchor.evidence_id)) == ("intact", "E0.0")


def test_the_same_text_inside_the_range_goes_before_one_outside(format: Format) -> None:
    view = view_of(said("same", "x", "same", "y"), format)
    assert str(view.resolve(quote(view, "E1-E3", "same")).evidence_id) == "E2.0"


@pytest.mark.parametrize(
    ("place", "state"), [("E0-E3", "changed"), ("E1", "changed"), ("E1.0", "changed"), ("E9", "missing")]
)
def test_a_digest_that_nothing_has_is_never_passed_over(view: SessionView, place: str, state: str) -> None:
    assert view.resolve(quote(view, place, "five")).state == state


@pytest.mark.parametrize("place", ["E0-E3", "E1", "E1.0"])
def test_without_a_digest_nothing_is_verified(view: SessionView, place: str) -> None:
    assert view.resolve(place).state == "unverified"


def test_a_quoted_piece_is_looked_for_among_those_that_no_list_shows(format: Format) -> None:
    view = view_of([("user", "one"), ("reasoning", "two"), ("assistant", "three")], format)
    anchor = view.resolve(quote(view, "E0", "two"))
    assert (anchor.state, str(anchor.evidence_id)) == ("intact", "E1.0")


def test_no_more_text_is_hashed_to_find_a_piece_than_may_be(format: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_of(said("x" * 90, "y" * 80, "a few", "behind"), format)
    monkeypatch.setattr(resolving, "SEARCHED_BYTES", 100)
    assert [view.resolve(quote(view, "E9", text)).state for text in ("x" * 90, "y" * 80, "a few", "behind")] == [
        "intact", "missing", "intact", "missing",
    ]  # fmt: skip
