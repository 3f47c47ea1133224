"""Keys that come at once, as a paste without brackets or a slow line sends them: each goes where it is meant to."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Input

from tests.tui.conftest import MEDIUM, app_on
from tests.tui.driving import settle
from tests.tui.terminal import Terminal
from unspool_tui.screens.ledger import LedgerScreen

NAMES = {
    "/": "slash", ":": "colon", ".": "full_stop", " ": "space", "?": "question_mark", "\x1b": "escape", "\r": "enter",
}  # fmt: skip


async def burst(pilot: Pilot[int], keys: str) -> None:
    """Send keys at once, without a moment between them for what they lead to."""
    for key in keys:
        pilot.app.post_message(Key(NAMES.get(key, "ctrl+p" if key == "\x10" else key), key))
    await settle(pilot)


@pytest.mark.parametrize(
    ("inside", "keys", "typed"),
    [
        (False, "/zsh", "zsh"),
        (False, "/foo", "foo"),
        (False, "sconnection refused", "connection refused"),
        (False, "oqs/x", "qs/x"),
        (True, "/zsh", "zsh"),
        (True, ":E41.0", "E41.0"),
        (True, "\r/zsh", "zsh"),
        (True, "?\x1b/zsh", "zsh"),
        (True, "\x10quit", "quit"),
    ],
)
async def test_letters_right_after_the_key_that_opens_a_field_are_typed_into_it(
    told: tuple[Path, str], inside: bool, keys: str, typed: str
) -> None:
    async with app_on(told[0], told[1] if inside else None).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await burst(pilot, keys)
        field = pilot.app.focused
        assert isinstance(field, Input), field
        assert field.value == typed


async def test_a_burst_of_commands_is_followed_one_by_one(told: tuple[Path, str]) -> None:
    async with app_on(*told).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        for keys in ("?q", "?\x1b?\x1b", "LqL\x1bPqUq", "xq", "x\x1bx\x1b", "]]e"):
            await burst(pilot, keys)
        shown = type(pilot.app.screen).__name__  # a session of the list is read first for what is to be exported
        assert shown in ("BrowseScreen", "SessionsScreen", "ExportDialog")


def test_a_terminal_that_sends_letters_at_once_has_them_typed_into_the_filter(told: tuple[Path, str]) -> None:
    with Terminal() as terminal:
        terminal.start("-m", "unspool_tui", environ={"HOME": str(told[0])})
        terminal.wait_for("Invoices drift by a cent")
        terminal.settle()
        terminal.type("/zsh")
        terminal.wait_for("/ zsh")
        terminal.settle()
        assert "Search all" not in terminal.rows[0]


async def test_keys_right_after_a_field_was_left_are_commands(told: tuple[Path, str]) -> None:
    async with app_on(*told).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await burst(pilot, "/kind:user\rL")
        assert isinstance(pilot.app.screen, LedgerScreen)
