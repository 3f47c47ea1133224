"""Drives the app to a state and takes its picture as SVG."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC
from html import escape, unescape
from pathlib import Path

from rich.cells import cell_len

from tests.screenshots.day import NOW
from tests.tui.driving import press, settle, until
from unspool.library.opening import open_library
from unspool_tui.app import UnspoolApp
from unspool_tui.present.tokens import THEMES
from unspool_tui.screens.clock import Clock

CELL = 12.2
"""Width of a cell in the SVG's units."""


WIDE_TEXT = re.compile(
    r'<text ([^>]*?)x="([\d.]+)" y="([\d.]+)" textLength="[\d.]+"([^>]*)>([^<]*[\u2e80-\uffee][^<]*)</text>'
)
"""A text of the SVG that holds characters of two cells."""


@dataclass(frozen=True)
class Shot:
    """One picture: a name, columns and rows, whether the session is opened, keys that lead to the state, a theme.

    Of the session, the last `written` lines are written after the keys.
    """

    name: str
    size: tuple[int, int]
    inside: bool
    keys: tuple[str, ...] = ()
    theme: str = "unspool-dark"
    written: int = 0


async def svg_of(shot: Shot, home: Path, session: str) -> str:
    """Return the picture of a state."""
    now = int(NOW.timestamp() * 1000)
    library = open_library(environ={}, home=str(home), now=lambda: now, alive=lambda pid: True)
    app = UnspoolApp(library, session if shot.inside else None, clock=Clock(UTC, now))
    app.theme = shot.theme
    rest = cut(session, shot.written)
    async with app.run_test(size=shot.size) as pilot:
        await settle(pilot)
        for key in shot.keys:
            await press(pilot, key)
        if rest:
            append(session, rest)
            await until(pilot, lambda grid: grid.has(" new "))
            await settle(pilot)
        return bare(app.export_screenshot(title="", simplify=True), THEMES[shot.theme]["ground"])


def cut(session: str, lines: int) -> bytes:
    """Take the last lines of a session away, and return them."""
    whole = Path(session).read_bytes()
    rest = b"".join(line + b"\n" for line in whole.split(b"\n")[-lines - 1 : -1]) if lines else b""
    if rest:
        Path(session).write_bytes(whole.removesuffix(rest))
    return rest


def append(session: str, lines: bytes) -> None:
    """Write lines behind the others."""
    with open(session, "ab") as file:
        file.write(lines)


def bare(svg: str, ground: str) -> str:
    """Cut the drawn window away, keep the terminal with a little air in the colour of its ground."""
    found = re.search(r'translate\((\d+), (\d+)\)" clip-path', svg)
    clip = re.search(r'-clip-terminal">\s*<rect x="0" y="0" width="([\d.]+)" height="([\d.]+)"', svg)
    assert found is not None
    assert clip is not None
    x, y, width, height = (float(value) for value in (*found.groups(), *clip.groups()))
    svg = re.sub(
        r'viewBox="[^"]*"', f'viewBox="{x - 8:.0f} {y - 5:.0f} {width + 16:.0f} {height + 10:.0f}"', svg, count=1
    )
    svg = re.sub(r"<circle[^>]*/>", "", svg)
    frame = r'<rect fill="#292929"[^>]*?(x="\d+" y="\d+" width="[\d.]+" height="[\d.]+")[^>]*/>'
    svg = re.sub(frame, rf'<rect fill="{ground}" \1/>', svg, count=1)
    svg = re.sub(r"@font-face\s*{[^}]*}\s*", "", svg)
    svg = svg.replace("font-size: 20px;", "font-size: 20px; font-variant-ligatures: none;", 1)
    return WIDE_TEXT.sub(_by_cells, svg)


def _by_cells(found: re.Match[str]) -> str:
    """Set wide text run by run, each at its cell; the exporter counts characters."""
    before, left, y, after, text = found.groups()
    x, runs = float(left), []
    for run in re.findall(r"[\u2e80-\uffee]+|[^\u2e80-\uffee]+", unescape(text)):
        length = cell_len(run) * CELL
        runs.append(f'<text {before}x="{x:.1f}" y="{y}" textLength="{length:.1f}"{after}>{escape(run)}</text>')
        x += length
    return "".join(runs)
