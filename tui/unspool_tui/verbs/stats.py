"""`unspool stats`: what a session is made of."""

from __future__ import annotations

import argparse
from typing import Any, Final

from unspool_tui.arguments import TARGET_HELP
from unspool_tui.command import FOUND, Command
from unspool_tui.output import Output, counted
from unspool_tui.present import numbers

INDENT: Final = "  "


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("target", metavar="REF", help=TARGET_HELP)


def run(command: Command) -> int:
    """Print the statistics."""
    stats = command.view(command.arguments.target).stats().to_json()
    if command.output.json:
        command.output.object(stats)
    else:
        _print(command.output, stats, "")
    return FOUND


def _print(output: Output, values: dict[str, Any], indent: str) -> None:
    width = max((len(name) for name in values), default=0)
    for name, value in values.items():
        label = name.replace("_", " ")
        if isinstance(value, dict):
            output.row(f"{indent}{label}" + ("" if value else ": none"))
            _print(output, value, indent + INDENT)
        elif name == "worst":
            output.row(f"{indent}worst outputs" + ("" if value else ": none"))
            for row in value:
                output.row(f"{indent}{INDENT}{_output(row)}")
        elif isinstance(value, list):
            output.row(f"{indent}{label}" + ("" if value else ": none"))
            for each in value:
                output.row(f"{indent}{INDENT}{_inline(each)}")
        else:
            output.row(f"{indent}{label:<{width}}  {_inline(value)}")


def _output(row: dict[str, Any]) -> str:
    """Return one of the largest outputs as a row."""
    size = f"{numbers.size(row['bytes']):>9}  {counted(row['lines'], 'line'):>12}"
    return f"{row['id']:<9} {size}  {row['tool'] or '?'}  {row['summary']}"


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "  ".join(
            f"{name.replace('_', ' ')} {_inline(each)}" for name, each in value.items() if each is not None
        )
    if isinstance(value, list):
        return "..".join(map(str, value))
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "unknown" if value is None else str(value)
