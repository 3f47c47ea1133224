from __future__ import annotations

from collections.abc import Mapping

import pytest

from unspool_tui.present.tokens import DARK, LIGHT, THEMES

GROUNDS = {
    "ground", "rail", "bar", "raised", "cursor", "cursor-dim", "chip", "thumb", "error-bg", "stored-bg", "match-bg",
    "match-now", "add-bg", "add-word", "del-bg", "del-word",
}  # fmt: skip
LINES = {"line", "thread", "stored-soft"}
"""What draws rules and bars, and no text."""

OWN_GROUNDS = (
    ("match", "match-bg"), ("match-now-text", "match-now"), ("error", "error-bg"), ("stored", "stored-bg"),
    ("text", "add-bg"), ("text", "add-word"), ("text", "del-bg"), ("text", "del-word"), ("add", "add-bg"),
    ("del", "del-bg"),
    *((token, ground) for token in ("syn-key", "syn-str", "syn-num", "syn-def") for ground in ("add-bg", "del-bg")),
)  # fmt: skip


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb`, as WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def grey(colour: str) -> str:
    """Return what is left of a colour without colours, as the screen library weighs it."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + f"{round(red * 0.299 + green * 0.587 + blue * 0.114):02x}" * 3


def contrast(one: str, other: str) -> float:
    """Return the ratio of two colours, 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def texts(theme: Mapping[str, str]) -> list[str]:
    """Return the tokens that text is written in on any ground."""
    return [token for token in theme if token not in GROUNDS | LINES | {"match-now-text"}]


def test_both_themes_have_the_same_tokens() -> None:
    assert DARK.keys() == LIGHT.keys()
    assert DARK.keys() >= GROUNDS | LINES


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_all_text_can_be_read_on_the_ground_with_colours_and_without(theme: Mapping[str, str]) -> None:
    weak = {token for token in texts(theme) if contrast(theme[token], theme["ground"]) < 4.5}
    assert weak == set()
    weak = {token for token in texts(theme) if contrast(grey(theme[token]), grey(theme["ground"])) < 4.5}
    assert weak == set()


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_what_has_a_ground_of_its_own_can_be_read_on_it(theme: Mapping[str, str]) -> None:
    weak = {pair for pair in OWN_GROUNDS if contrast(theme[pair[0]], theme[pair[1]]) < 4.5}
    assert weak == set()
    weak = {pair for pair in OWN_GROUNDS if contrast(grey(theme[pair[0]]), grey(theme[pair[1]])) < 4.5}
    assert weak == set()


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_names_and_counts_can_be_told_on_every_surface(theme: Mapping[str, str]) -> None:
    surfaces = ("rail", "bar", "raised", "cursor", "cursor-dim", "chip")
    weak = {(token, on) for token in texts(theme) for on in surfaces if contrast(theme[token], theme[on]) < 3.0}
    assert weak == set()
    weak = {
        (token, on)
        for token in ("text", "soft", "accent")
        for on in surfaces
        if contrast(theme[token], theme[on]) < 4.5
    }
    assert weak == set()


def test_the_steps_of_text_are_those_that_were_designed() -> None:
    designed = {"text": (12.8, 14.6), "muted": (7.0, 6.4), "faint": (5.5, 5.5)}
    for token, (dark, light) in designed.items():
        assert round(contrast(DARK[token], DARK["ground"]), 1) == dark
        assert round(contrast(LIGHT[token], LIGHT["ground"]), 1) == light
