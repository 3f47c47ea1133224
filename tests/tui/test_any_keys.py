"""Whatever is typed, as fast as it may be, and however the window changes meanwhile, the app goes on."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

import pytest

from tests.tui.terminal import Terminal

ESC: Final = "\x1b[27u"
KEYS: Final = (
    *"??xLPszjk/GgeE701235twmrHF bdu[]:nNpcMU\t\r", *("\x10", "\x14", "\x1b[Z", ESC, ESC, ESC, "\x1b[C", "\x1b[D"),
)  # fmt: skip
"""Every way into a screen, a field or a card and out of it; `q` and ctrl+c alone are left for the end."""

WINDOWS: Final = ((120, 36), (80, 24), (160, 48), (121, 36), (99, 30), (100, 24), (139, 40), (200, 60), (80, 48))
ACTS: Final = 150
HASTE: Final = 0.02
"""Seconds without a byte after which the next key comes, where it waits at all."""


@pytest.mark.parametrize("seed", range(4))
def test_keys_and_windows_in_any_order_end_nothing(told: tuple[Path, str], tmp_path: Path, seed: int) -> None:
    chosen = random.Random(seed)
    acts: list[object] = []
    with Terminal() as terminal:
        target = ("open", told[1]) if seed % 2 else ()
        terminal.start("-m", "unspool_tui", *target, environ={"HOME": str(told[0])}, folder=tmp_path)
        terminal.wait_for("help")
        for _ in range(ACTS):
            act = chosen.choice(WINDOWS) if chosen.random() < 0.2 else chosen.choice(KEYS)
            acts.append(act)
            if isinstance(act, str):
                terminal.type(act)
            else:
                terminal.resize(act)
            if chosen.random() < 0.5:
                terminal.settle(HASTE)
            assert terminal.process is not None
            assert terminal.process.poll() is None, (acts, terminal.written[-2000:])
        terminal.settle()
        terminal.type(ESC * 8 + "\x03")
        assert terminal.ended() == 0, acts
