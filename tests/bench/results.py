"""The page of results: each figure beside its goal, how it grows, and what every arm took."""

from __future__ import annotations

import math
import os
import platform
import re
import textwrap
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from tests.bench.fast_path import Share
from tests.bench.figures.figure import Figure, Missed, Reading
from tests.bench.pairs import Spread
from tests.bench.sessions import GB, MB, Density

WIDTH: Final = 120

DENSITIES: Final[dict[Density, str]] = {
    "heavy": "Sessions with huge tool outputs",
    "real": "Sessions with lines as genuine ones have them",
}


def page(
    readings: Sequence[Reading],
    missed: Sequence[Missed],
    shares: Sequence[Share] = (),
    *,
    day: date,
    turns: int,
    load: float,
    command: str = "make bench",
) -> str:
    """Return the results as Markdown; `command` is what prints them again."""
    told = (
        f"`{command}`, {day.isoformat()}, {machine()}, load {load:.1f} before it began. What is compared ran by turns "
        f"in one run: medians (least to most) of {turns} turns each, `x` turn by turn. A goal is the most that the "
        "figure should be at the largest size of its row."
    )
    parts = ["# What unspool costs", textwrap.fill(told, WIDTH)]
    for density, title in DENSITIES.items():
        found = [each for each in readings if each.density == density]
        if found:
            parts += [f"## {title}", *_figures(found), "What each arm took:", *_arms(found)]
    if shares:
        parts += ["## How much of genuine sessions takes the fast paths", "\n".join(f"- {share}" for share in shares)]
    if missed:
        parts += ["## Not taken", "\n".join(f"- {line}" for line in dict.fromkeys(map(_missed, missed)))]
    return "\n\n".join(parts) + "\n"


def machine() -> str:
    """Say what a machine is, and nothing of whose it is."""
    kernel = re.match(r"[\d.]*", platform.release())
    return (
        f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()} {kernel[0] if kernel else ''}, "
        f"{platform.python_implementation()} {platform.python_version()}"
    )


def line(reading: Reading) -> str:
    """Return a reading as it is told while others are still to come."""
    figure = reading.figure
    arms = ", ".join(f"{name} {_number(each.median)} {_arm_unit(figure)}" for name, each in reading.arms.items())
    measured = f"{figure.name}, {reading.density}, {size_name(reading.size)}: {_spread(reading.spread)} {figure.unit}"
    return f"{measured}, {verdict([reading])}   [{arms}]"


def verdict(readings: Sequence[Reading]) -> str:
    """Say how a figure stands at the largest size that it was taken at."""
    last = max(readings, key=lambda each: each.size)
    figure, short = last.figure, last.short_by
    if last.goal is None:
        return f"not judged without {figure.beside}" if last.density in figure.goals else "for comparison"
    said = "met" if short is None else "short" if math.isinf(short) else f"short by {_number(short)} x"
    largest = figure.sizes[-1]
    return said if last.size == largest else f"{said} at {size_name(last.size)}, {size_name(largest)} not taken"


def size_name(size: int) -> str:
    """Return so many bytes in words, such as `100 MB`."""
    return f"{size / GB:g} GB" if size >= GB else f"{size / MB:g} MB"


def _figures(readings: Sequence[Reading]) -> list[str]:
    sizes = sorted({each.size for each in readings})
    rows = [["figure", "goal", *map(size_name, sizes), ""]]
    for figure, found in _by_figure(readings):
        by_size = {each.size: _spread(each.spread) for each in found}
        goal = found[0].goal
        asked = "" if goal is None else f"{goal:g} {figure.unit}"
        rows.append([_title(found[0]), asked, *(by_size.get(size, "") for size in sizes), verdict(found)])
    return [_table(rows)]


def _arms(readings: Sequence[Reading]) -> list[str]:
    sizes = sorted({each.size for each in readings})
    rows = [["figure", "arm", *map(size_name, sizes)]]
    for figure, found in _by_figure(readings):
        for name in dict.fromkeys(name for each in found for name in each.arms):
            by_size = {each.size: each.arms[name].median for each in found if name in each.arms}
            took = (f"{_number(by_size[size])} {_arm_unit(figure)}" if size in by_size else "" for size in sizes)
            rows.append([_title(found[0]), name, *took])
    return [_table(rows)]


def _title(reading: Reading) -> str:
    return " / ".join(filter(None, [reading.figure.title, reading.beside]))


def _by_figure(readings: Iterable[Reading]) -> list[tuple[Figure, list[Reading]]]:
    found: dict[str, list[Reading]] = {}
    for each in readings:
        found.setdefault(each.figure.name, []).append(each)
    return [(group[0].figure, group) for group in found.values()]


def _arm_unit(figure: Figure) -> str:
    return "ms" if figure.unit == "x" else figure.unit


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *body = ("| " + " | ".join(each) + " |" for each in rows)
    return "\n".join([head, "|" + "---|" * len(rows[0]), *body])


def _spread(spread: Spread) -> str:
    return f"{_number(spread.median)} ({_number(spread.least)} to {_number(spread.most)})"


def _number(value: float) -> str:
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}" if abs(value) < 100 else f"{value:.0f}"


def _missed(missed: Missed) -> str:
    where = f" ({missed.density}, {size_name(missed.size)})" if missed.broken else ""
    title = " / ".join(filter(None, [missed.figure.title, missed.figure.beside]))
    return f"{title}{where}: {missed.why}"
