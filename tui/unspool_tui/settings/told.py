"""Who says what about the settings: the command line, the environment, the file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Final, Literal

from unspool.dataclass import dataclass, replace
from unspool_tui.settings.document import Document, Fault
from unspool_tui.settings.options import DEFAULTS, MARKS, THEMES, Value, choice, value_of
from unspool_tui.settings.rebinding import Unusable, without_clashes

Kind = Literal["default", "last run", "file", "environment", "command line"]

_VARIABLES: Final = {"theme": ("UNSPOOL_THEME", THEMES), "marks": ("UNSPOOL_MARKS", MARKS)}


@dataclass(frozen=True, slots=True)
class Told:
    """The value of a setting and who gave it; `where` is the option, variable or file, `line` one of the file."""

    value: Value
    kind: Kind
    where: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """What the command line says; nothing where it says nothing."""

    theme: str | None = None
    ascii: bool = False
    roots: tuple[str, ...] = ()


def of_command(given: Given) -> Iterator[tuple[str, Told]]:
    """Yield what the command line sets."""
    if given.theme is not None:
        yield "theme", Told(given.theme, "command line", "--theme")
    if given.ascii:
        yield "marks", Told("ascii", "command line", "--ascii")
    if given.roots:
        yield "roots", Told(given.roots, "command line", "--root")


def of_environment(environ: Mapping[str, str], faults: list[Fault]) -> Iterator[tuple[str, Told]]:
    """Yield what variables set; what is wrong with them is appended to `faults`."""
    for name, (variable, allowed) in _VARIABLES.items():
        if environ.get(variable):
            try:
                yield name, Told(choice(allowed, environ[variable]), "environment", variable)
            except Unusable as error:
                faults.append(Fault(variable, None, str(error)))


def of_file(document: Document, home: str, faults: list[Fault]) -> dict[str, Told]:
    """Return what the file sets; what is wrong with it is appended to `faults`, and costs only itself."""
    told: dict[str, Told] = {}
    for entry in document.entries:
        try:
            if entry.name in told:  # `a.b` and `"a.b"` are two for TOML
                raise Unusable("set twice; the first one holds")
            told[entry.name] = Told(value_of(entry.name, entry.value), "file", document.path, entry.line)
        except Unusable as error:
            named = f"{entry.name}: " if entry.name in DEFAULTS else ""
            faults.append(Fault(document.path, entry.line, f"{named}{error}"))
    for name, why in _clashing(told).items():
        faults.append(Fault(document.path, told.pop(name).line, f"{name}: {why}"))
    for name in ("roots", "blobs"):
        if name in told:
            _find_folders(told, name, home, faults)
    return told


def _clashing(told: Mapping[str, Told]) -> dict[str, str]:
    wanted = {name[len("keys.") :]: each.value for name, each in told.items() if name.startswith("keys.")}
    keys = {name: value for name, value in wanted.items() if isinstance(value, tuple)}
    return {f"keys.{name}": why for name, why in without_clashes(keys)[1].items()}


def _find_folders(told: dict[str, Told], name: str, home: str, faults: list[Fault]) -> None:
    """Leave out the folders that are not there now; when none is, the usual ones hold."""
    given = told.pop(name)
    found = []
    for folder in given.value if isinstance(given.value, tuple) else (str(given.value),):
        path = os.path.join(home, folder[2:]) if folder.startswith("~/") else folder
        if os.path.exists(path):
            found.append(path)
        else:
            faults.append(Fault(given.where, given.line, f"{name}: {folder} is not there; it is left out"))
    if found:
        told[name] = replace(given, value=tuple(found) if isinstance(given.value, tuple) else found[0])
