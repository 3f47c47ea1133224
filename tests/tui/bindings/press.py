"""One key, the command that it must run, and what is seen afterwards and was not before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from unittest.mock import patch

from textual.app import App
from textual.dom import DOMNode
from textual.pilot import Pilot

from tests.tui.pictures.claims import Claim
from tests.tui.pictures.picture import Size, picture_of
from tests.tui.pictures.walk import Keys, Walk, go, holds, send
from tests.tui.quiet import quiet
from unspool_tui.keymap import COMMANDS

Pair = tuple[str, str]
"""The class of what a binding belongs to, and the id of its command."""

SAME = ("NewestFirstScreen", "BegunScreen")
"""Classes that have the keys of what they are made of, and become it."""


@dataclass(frozen=True)
class Press:
    """A key that runs a command of a widget or screen, named by its class.

    `before` is pressed first and proves nothing. All `claims` hold afterwards, and one of them at least did not before.
    `ends` is the exit code when the key leaves the app.
    """

    on: str
    does: str
    key: str
    claims: tuple[Claim, ...] = ()
    before: Keys = ()
    ends: int | None = None


@dataclass(frozen=True)
class Trail:
    """Presses one after the other, in an app that begins as a walk does."""

    start: Walk
    presses: tuple[Press, ...]
    size: Size = (120, 36)


@dataclass(frozen=True)
class Ran:
    """A command that ran: the class of what it belongs to, and its action."""

    on: str
    action: str
    ids: frozenset[str]


def named(kind: type[DOMNode]) -> str:
    """Return the name by which the keys of a class are proved."""
    return next(each.__name__ for each in kind.__mro__ if each.__name__ not in SAME)


@contextmanager
def heard() -> Iterator[list[Ran]]:
    """Take note of every command that a key runs."""
    ran: list[Ran] = []
    run: Callable[..., object] = App.run_action

    async def listening(app: App[int], action: str, default_namespace: DOMNode | None = None, **more: object) -> bool:
        done = await run(app, action, default_namespace, **more)  # type: ignore[misc]
        if done and default_namespace is not None:
            bound = (each for _, each in default_namespace._bindings if each.action == action)
            ran.append(Ran(named(type(default_namespace)), action, frozenset(each.id or "" for each in bound)))
        return bool(done)

    with patch.object(App, "run_action", listening):
        yield ran


async def prove(pilot: Pilot[int], press: Press) -> None:
    """Press the key, and see that its command ran and did what it says."""
    await go(pilot, *press.before)
    app, told = pilot.app, f"{press.key} for {press.does} of {press.on}"
    before = picture_of(app)
    with heard() as ran:
        send(pilot, press.key)
        await quiet(pilot)
    assert [(each.on, each.action) for each in ran[:1]] == [(press.on, COMMANDS[press.does].action)], told
    assert press.does in ran[0].ids, told
    if press.ends is not None:
        assert (app.is_running, app.return_code) == (False, press.ends), told
        return
    after = picture_of(app)
    failing = [claim.words for claim in press.claims if not holds(claim, after)]
    assert not failing, f"{told}: {failing} in\n{after}"
    assert not all(holds(claim, before) for claim in press.claims), f"{told}: it was so before in\n{before}"
