"""What `unspool` promises to those who import it."""

from __future__ import annotations

import re

import pytest

import unspool


def test_public_names_are_listed_in_order_and_once() -> None:
    assert list(unspool.__all__) == sorted(set(unspool.__all__))


def test_every_public_name_can_be_imported() -> None:
    assert [name for name in unspool.__all__ if getattr(unspool, name, None) is None] == []


def test_every_public_name_is_offered_by_dir() -> None:
    assert set(unspool.__all__) <= set(dir(unspool))


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = unspool.no_such_name  # type: ignore[attr-defined]


def test_the_version_is_a_version() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", unspool.__version__)
