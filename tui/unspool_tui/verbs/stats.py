"""`unspool stats`: what a session is made of."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from unspool_tui.arguments import TARGET_HELP
from unspool_tui.command import Command
from unspool_tui.output import counted
from unspool_tui.present import numbers
from unspool_tui.verbs import FOUND
from unspool_tui.verbs.evidence import evidence_rows

if TYPE_CHECKING:
    from unspool.views.part_stats import PartStats
    from unspool.views.stats import Stats
    from unspool.views.view import SessionView

MEANINGS: Final = {
    "twin": "messages that the format logged a second time in another form",
    "replayed": "written again after a compaction, or at the beginning of a fork",
    "abandoned": "on branches that were rewound or tried again",
    "reasoning": "what the model thought, as far as it was logged",
    "errors": "outputs that failed, and faults of the API",
    "stored": "outputs of which the model saw only a part",
    "inherited": "copied from another session by a fork or a resume",
}
"""What the rare sorts of pieces are; a sort of which there are none is left out."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("target", metavar="REF", help=TARGET_HELP)
    parser.add_argument("--paths", action="store_true", help="also the paths that the session touches")


def run(command: Command) -> int:
    """Print the statistics."""
    stats = _stats(command.views(command.arguments.target), paths=command.arguments.paths)
    if command.output.json:
        command.output.object(stats.to_json())
    else:
        for line in _lines(stats, whole_names=not command.output.terminal):
            command.output.row(line)
    return FOUND


def _stats(views: Sequence[SessionView], *, paths: bool) -> Stats | PartStats:
    from unspool.views.part_stats import PartStats

    if len(views) == 1:
        return views[0].stats(paths=paths)
    return PartStats(tuple((view.ref.part or "", view.stats(paths=paths)) for view in views))


def _lines(stats: Stats | PartStats, *, whole_names: bool) -> Iterator[str]:
    values = stats.to_json()
    width = max(map(len, values))
    for name, value in values.items():
        if name == "outputs":
            yield f"{name:<{width}}  {value['outputs']:,}  {weighed(value).strip()}"
        elif name == "worst":
            yield from _section(name, _worst(stats, whole_names))
        elif isinstance(value, dict):
            yield from _section(name, _table(name, value))
        elif isinstance(value, list):
            yield from _section(name, map(_listed, value))
        elif value or name not in MEANINGS:
            meaning = f"  {MEANINGS[name]}" if name in MEANINGS else ""
            yield f"{name:<{width}}  {_number(name, value)}{meaning}"


def _worst(stats: Stats | PartStats, whole_names: bool) -> Iterator[str]:
    """Yield the largest outputs, behind the part that each is in where there are several."""
    from unspool.views.stats import Stats

    if isinstance(stats, Stats):
        return evidence_rows(stats.worst, whole_names=whole_names)
    parts, rows = zip(*stats.worst, strict=True) if stats.worst else ((), ())
    written = evidence_rows(rows, whole_names=whole_names)
    return (f"{part}/{row}" for part, row in zip(parts, written, strict=True))


def _section(name: str, rows: Iterator[str]) -> Iterator[str]:
    first = next(rows, None)
    yield name if first is not None else f"{name}: none"
    if first is not None:
        yield f"  {first}"
    yield from (f"  {row}" for row in rows)


def _table(name: str, values: Mapping[str, Any]) -> Iterator[str]:
    shown = {key: _tool(each) if isinstance(each, dict) else _number(name, each) for key, each in values.items()}
    keys, width = (max(map(len, texts), default=0) for texts in (shown, shown.values()))
    return (f"{key:<{keys}}  {text:>{width}}" for key, text in shown.items())


def _tool(value: Mapping[str, int]) -> str:
    words = [f"{counted(value[name], name.removesuffix('s')):>9}" for name in ("pieces", "calls") if name in value]
    return "  ".join([*words, weighed(value)])


def weighed(value: Mapping[str, int]) -> str:
    """Say what outputs made, and what the model saw when that was less."""
    made, seen = value["bytes"], value["model_bytes"]
    return f"{numbers.size(made):>6}{f'  the model saw {numbers.size(seen)}' if seen < made else ''}"


def _listed(value: Any) -> str:
    """Return a model, a version, or the place of an unreadable line."""
    if not isinstance(value, dict):
        return str(value)
    first, last = value["byte_range"]
    part = f"{value['part']}, " if "part" in value else ""
    return f"{part}line {value['line']}: {value['reason']}, bytes {first}..{last}"


def _number(name: str, value: int | None) -> str:
    """Return a number for a person: a size where the name says bytes."""
    if value is None:
        return "unknown"
    return numbers.size(value) if name.startswith("bytes") else f"{value:,}"
