"""A pattern is compiled when it is first used, and is a compiled one then."""

from __future__ import annotations

import re

import pytest

import unspool.pattern
from unspool.pattern import pattern


def test_it_finds_what_a_compiled_one_finds() -> None:
    words = pattern(r"(?P<first>[a-z])[a-z]*", re.IGNORECASE)
    found = words.search("7 Words")
    assert found is not None
    assert (found[0], found["first"]) == ("Words", "W")
    assert [each[0] for each in words.finditer("a B c")] == ["a", "B", "c"]
    assert words.sub("-", "a B") == "- -"
    assert words.pattern == r"(?P<first>[a-z])[a-z]*"
    assert pattern(rb"[0-9]+").findall(b"1 22") == [b"1", b"22"]


def test_it_is_compiled_when_it_is_first_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    real = re.compile
    monkeypatch.setattr(re, "compile", lambda *written: compiled.append(written[0]) or real(*written))
    word = unspool.pattern.pattern("[a-z]+")
    assert compiled == []
    assert word.match("word")
    assert word.match("another")
    assert compiled == ["[a-z]+"]


def test_a_wrong_one_and_a_wrong_method_are_told() -> None:
    with pytest.raises(re.error):
        pattern("(").match("")
    with pytest.raises(AttributeError):
        _ = pattern("a").nothing  # type: ignore[attr-defined]
