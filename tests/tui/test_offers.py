"""Which offers fit typed words, in which order, and how they are drawn."""

from __future__ import annotations

import time

from unspool_tui.present.cells import width_of
from unspool_tui.present.offers import LISTED, Fitting, Offer, fitting, offer_row


def offer(name: str, about: str = "", hidden: str = "", key: str = "") -> Offer:
    return Offer(name, lambda: None, key, about, hidden)


def names(found: Fitting) -> list[str]:
    return [each.name for each in found.offers]


def test_without_words_all_are_offered_in_order() -> None:
    assert names(fitting([offer("b"), offer("a")], "  ")) == ["b", "a"]


def test_what_begins_as_typed_stands_before_what_holds_it_somewhere() -> None:
    offers = [offer("Reset the page"), offer("Mind the settings"), offer("Settings in TOML"), offer("x", about="setup")]
    assert names(fitting(offers, "set")) == ["Settings in TOML", "Mind the settings", "Reset the page", "x"]


def test_every_typed_word_must_be_there_in_any_order_and_case() -> None:
    offers = [offer("Settings in TOML", about="codex  core"), offer("Settings page", about="claude  web")]
    assert names(fitting(offers, "CORE toml")) == ["Settings in TOML"]
    assert names(fitting(offers, "core page")) == []
    assert names(fitting(offers, "settings")) == ["Settings in TOML", "Settings page"]


def test_hidden_words_find_and_are_not_drawn() -> None:
    found = fitting([offer("Retry", hidden="claude:7c41e0d2")], "7c41")
    assert names(found) == ["Retry"]
    assert "7c41" not in "".join(
        text for text, _ in offer_row(found.offers[0], found.words, 60, bar=(" ", "text"), here=True)
    )


def test_a_list_is_bounded_and_says_what_is_left_out() -> None:
    found = fitting([offer(f"session {number}") for number in range(LISTED + 50)], "session")
    assert len(found.offers) == LISTED
    assert found.more == 50


def test_a_key_costs_nothing_that_a_person_feels_among_ten_thousand() -> None:
    offers = [
        offer(f"session {number} about the {number % 97} things", "claude  api", f"{number:032x}")
        for number in range(10_000)
    ]
    began = time.perf_counter()
    fitting(offers, "about 12")
    assert time.perf_counter() - began < 1


def test_a_row_is_as_wide_as_the_list_and_marks_what_was_typed() -> None:
    for width in (20, 40, 104):
        for each in (offer("Go to the next error", key="e"), offer("日本語のエラー" * 9, "claude  web  2h"), offer("")):
            row = offer_row(each, ("error", "エラー"), width, bar=(" ", "text"), here=False)
            assert width_of(row) <= max(width, 34)
    row = offer_row(offer("Go to the next error", key="e"), ("go", "error"), 60, bar=(" ", "text"), here=False)
    assert [text for text, ink in row if "match" in ink] == ["Go", "error"]
    assert row[-2] == ("e", "text bold")


def test_words_that_share_letters_are_marked_once() -> None:
    row = offer_row(offer("settings"), ("set", "etti"), 60, bar=(" ", "text"), here=False)
    assert [text for text, ink in row if "match" in ink] == ["set"]
    assert "settings" in "".join(text for text, _ in row)
