"""A walk through the app: keys, and the states that they lead to."""

from __future__ import annotations

import math
import os
import unicodedata
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager, chdir
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from unittest.mock import patch

from textual.events import Key, Paste
from textual.keys import _character_to_key
from textual.pilot import Pilot

from tests.tui.conftest import NARROW, SIZES, app_on
from tests.tui.pictures.claims import Claim, Claims
from tests.tui.pictures.laws import broken
from tests.tui.pictures.picture import Picture, Size, picture_of
from tests.tui.pictures.sample import Sample
from tests.tui.quiet import quiet
from unspool_tui.app import UnspoolApp
from unspool_tui.gateway import session_questions
from unspool_tui.screens import panes, sessions
from unspool_tui.settings.effective import Settings

Keys = tuple[str, ...]
"""What is pressed, key by key; `type:words` is pasted, so that no filter is applied to half of it."""

TYPE: Final = "type:"


@dataclass(frozen=True)
class State:
    """A state with a name, the keys that lead to it from the one before, and what must stand in its picture.

    `narrow` are the keys where only one pane is shown, if they are others. `then` leads out of the state.
    """

    name: str
    keys: Keys = ()
    claims: tuple[Claim | Claims, ...] = ()
    narrow: Keys | None = None
    sizes: tuple[Size, ...] = SIZES

    def keys_at(self, size: Size) -> Keys:
        """Return the keys at a size."""
        return self.narrow if self.narrow is not None and size == NARROW else self.keys

    def complaints(self, picture: Picture) -> list[str]:
        """Return what is wrong with a picture of the state: laws that are broken, claims that do not hold."""
        claims = [each for claim in self.claims for each in (claim if isinstance(claim, tuple) else (claim,))]
        failing = [claim.words for claim in claims if picture.size in claim.sizes and not holds(claim, picture)]
        return [*broken(picture), *failing]


@dataclass(frozen=True)
class Walk:
    """States that follow from each other, in an app that begins on the sample: at the sessions, or where `target` says.

    `home` chooses what sessions there are, `here` is the folder that the app is started in.
    """

    name: str
    states: tuple[State, ...]
    target: Callable[[Sample], str] | None = None
    home: Callable[[Sample], Path] = lambda sample: sample.home
    settings: Settings = field(default_factory=Settings)
    here: str | None = None

    def app(self, sample: Sample) -> UnspoolApp:
        """Return the app at the beginning of the walk."""
        target = self.target(sample) if self.target is not None else None
        home = self.home(sample) if target is None else sample.small
        return app_on(home, target, self.settings)


async def pictures(walk: Walk, sample: Sample, size: Size) -> list[tuple[State, Picture]]:
    """Go a walk at a size; return each state with its picture."""
    app, taken = walk.app(sample), []
    async with standing_in(walk, sample), app.run_test(size=size) as pilot:
        await quiet(pilot)
        for state in walk.states:
            await go(pilot, *state.keys_at(size))
            if size in state.sizes:
                taken.append((state, picture_of(app)))
    return taken


@asynccontextmanager
async def standing_in(walk: Walk, sample: Sample) -> AsyncIterator[None]:
    """Stand in the home of the sessions, so that no path of this machine gets into a picture, nor its speed."""
    home = str(sample.home)
    with ExitStack() as stack:
        stack.enter_context(chdir(home))
        stack.enter_context(patch.dict(os.environ, HOME=home))
        stack.enter_context(patch.object(sessions, "_here", lambda: walk.here))
        stack.enter_context(patch.object(session_questions, "BATCH_SECONDS", math.inf))
        stack.enter_context(patch.object(panes, "SAID_SECONDS", 3600.0))
        yield


async def go(pilot: Pilot[int], *keys: str) -> None:
    """Press keys one by one, each when what the last one led to is drawn."""
    for key in keys:
        send(pilot, key)
        await quiet(pilot)


def send(pilot: Pilot[int], key: str) -> None:
    """Send a key, or what is typed, as the driver does."""
    event: Key | Paste
    if key.startswith(TYPE):
        event = Paste(key.removeprefix(TYPE))
    else:
        name = _character_to_key(key) if len(key) == 1 and not key.isalnum() else key
        event = Key(name, SIGNS.get(name) or (key if len(key) == 1 else None))
    event.set_sender(pilot.app)
    driver = pilot.app._driver
    assert driver is not None
    driver.send_message(event)


SIGNS: Final[Mapping[str, str]] = {
    _character_to_key(sign): sign for sign in map(chr, range(32, 127)) if unicodedata.category(sign)[0] != "L"
}
"""The character of each named key."""


def holds(claim: Claim, picture: Picture) -> bool:
    """Say whether a claim holds of a picture."""
    try:
        return claim.holds(picture)
    except KeyError:  # a widget that is not drawn
        return False
