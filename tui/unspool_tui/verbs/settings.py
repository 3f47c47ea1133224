"""`unspool settings`: what is set, by whom, and what of it cannot be used."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping
from json import dumps
from typing import TYPE_CHECKING, Final

from unspool_tui.arguments import add_looks
from unspool_tui.command import Command
from unspool_tui.keymap import COMMANDS
from unspool_tui.present.key_names import shown_key
from unspool_tui.settings.limits import DOES
from unspool_tui.verbs import FOUND, WRONG

if TYPE_CHECKING:
    from unspool_tui.settings.options import Value
    from unspool_tui.settings.told import Told

ALIGNED: Final = 44
"""Characters up to which the sources of the values stand below each other."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("--show", action="store_true", help="print what is in force and who set it; the usual answer")
    add_looks(parser)


def run(command: Command) -> int:
    """Print every setting, as a file that would set all of them."""
    settings, output = command.settings, command.output
    told = {**settings.told, "roots": _roots(command)}
    if not output.json:
        output.text(f"# {settings.path}{'' if settings.exists else '  (not there)'}")
        if os.environ.get("NO_COLOR"):
            output.text("# NO_COLOR is set: there are no colours")
        for line in _lines(told):
            output.text(line)
        return WRONG if settings.faults else FOUND
    for name, each in told.items():
        source = {"source": each.kind, "where": each.where or None, "line": each.line}
        output.object({"setting": name, "value": each.value, **source})
    faults = [{"where": fault.place, "line": fault.line, "text": fault.text} for fault in settings.faults]
    command.summary(len(told), None, file=settings.path, exists=settings.exists, faults=faults)
    return WRONG if settings.faults else FOUND


def _roots(command: Command) -> Told:
    """Return the folders that are looked at; where nobody names any, the agents' variables do, or their habits."""
    from unspool.stores import STORES
    from unspool_tui.settings.place import home_of
    from unspool_tui.settings.told import Told

    def roots(environ: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(root for store in STORES for root in store.default_roots(environ, home))

    told = command.settings.told["roots"]
    if told.value is not None:
        return told
    home = home_of(os.environ)
    usual = roots({})
    named = sorted(name for name, value in os.environ.items() if roots({name: value}) != usual)
    return Told(roots(os.environ), "environment" if named else "default", ", ".join(named))


def _lines(told: Mapping[str, Told]) -> Iterator[str]:
    """Yield the lines of a settings file, behind each value who set it."""
    table = ""
    for name, each in told.items():
        first, dot, rest = name.partition(".")
        if dot and first != table:
            table = first
            yield f"\n[{table}]"
        key, value = (f'"{rest}"' if "." in rest else rest or name), each.value
        if table == "keys" and isinstance(value, tuple):
            value = tuple(shown_key(each, words=True) for each in value)
            value = value if len(value) > 1 else value[0]
        usual = name == "roots" and each.kind in ("default", "environment")
        unsaid = "# " if usual or each.value is None else ""
        does = f"; {COMMANDS[rest].does}" if table == "keys" else f"; {DOES[rest]}" if table == "limits" else ""
        yield f"{f'{unsaid}{key} = {_toml(value)}':<{ALIGNED}}  # {_source(each)}{does}"


def _toml(value: Value) -> str:
    """Write a value as TOML does, none as an empty string; its strings are those of JSON."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return dumps("" if value is None else value, ensure_ascii=False)


def _source(told: Told) -> str:
    if told.kind == "file":
        return os.path.basename(told.where) + (f":{told.line}" if told.line else "")
    return f"${told.where}" if told.kind == "environment" else told.where or told.kind
