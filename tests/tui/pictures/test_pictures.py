"""Every state of every screen at three sizes: it shows what it must, breaks no law, and looks as it was recorded."""

from __future__ import annotations

import pytest

from tests.tui.conftest import NARROW, SIZES
from tests.tui.pictures.golden import FOLDER, differences, kept, name_of
from tests.tui.pictures.picture import Size
from tests.tui.pictures.sample import Sample
from tests.tui.pictures.table import WALKS
from tests.tui.pictures.walk import Walk, pictures

PLAIN = ("browse", "kiosk", "lens", "here")
"""The walks that are gone without colours too."""


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk.name)
async def test_every_state_shows_what_it_must_and_looks_as_it_was_recorded(
    walk: Walk, size: Size, sample: Sample
) -> None:
    wrong = []
    for state, picture in await pictures(walk, sample, size):
        name = name_of(walk.name, state.name, picture)
        said = [*state.complaints(picture), *differences(name, picture)]
        wrong += [f"{name}: {each}" for each in said]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("walk", [walk for walk in WALKS if walk.name in PLAIN], ids=lambda walk: walk.name)
async def test_without_colours_every_state_says_the_same(
    walk: Walk, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    for state, picture in await pictures(walk, sample, NARROW):
        name = name_of(walk.name, state.name, picture)
        if picture.modal:  # a line stands for the ground, and takes room
            assert "┌──" in str(picture), name
        else:
            assert str(picture) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8"), name
        hues = {
            cell.ink for row in picture.cells for cell in row if len({cell.ink[at : at + 2] for at in (1, 3, 5)}) > 1
        }
        assert not hues, name


def test_what_is_recorded_belongs_to_a_state() -> None:
    names = {
        f"{walk.name}-{state.name}-{width}x{height}"
        for walk in WALKS
        for state in walk.states
        for width, height in state.sizes
    }
    assert kept() == names
