"""The settings in force: of all that are told, those of the command line first, then environment, file, last run."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from unspool.dataclass import dataclass, field
from unspool_tui.settings.document import Fault, read_document
from unspool_tui.settings.limits import DOES, Limits
from unspool_tui.settings.looks import foreign_encoding, is_ascii, is_dark
from unspool_tui.settings.options import DEFAULTS, THEMES
from unspool_tui.settings.place import VARIABLE, settings_path
from unspool_tui.settings.rebinding import USUAL, Keys
from unspool_tui.settings.told import Given, Told, of_command, of_environment, of_file


@dataclass(frozen=True, slots=True)
class Settings:
    """What the app is given. `dark` and `ascii` are decided; `encoding` is the terminal's where that is not UTF-8.

    `bell` says to ring when an agent waits, `cache` to keep what was read of sessions.
    `roots` is `None` for the agents' own folders, `blobs` where nobody names a folder of stored outputs. `keys` holds
    the commands that have other keys than the usual ones. `told` has every setting by its dotted name; `faults` says
    what of file and environment cannot be used.
    """

    path: str = ""
    exists: bool = False
    dark: bool = True
    ascii: bool = False
    bell: bool = False
    cache: bool = True
    encoding: str | None = None
    roots: tuple[str, ...] | None = None
    blobs: str | None = None
    limits: Limits = field(default_factory=Limits)
    keys: Mapping[str, Keys] = field(default_factory=dict)
    told: Mapping[str, Told] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()


def load_settings(
    environ: Mapping[str, str],
    home: str,
    *,
    given: Given | None = None,
    encoding: str | None = None,
    last_theme: str | None = None,
) -> Settings:
    """Gather the settings. What is wrong costs only itself, and stands in `faults`.

    `encoding` is that of the terminal the app draws on, `last_theme` the one that the last run ended with.
    """
    document = read_document(settings_path(environ, home), wanted=bool(environ.get(VARIABLE)))
    faults: list[Fault] = list(document.faults)
    told = {name: Told(value, "default") for name, value in DEFAULTS.items()}
    if last_theme in THEMES:
        told["theme"] = Told(last_theme, "last run")
    told |= of_file(document, home, faults)
    told |= of_environment(environ, faults)
    told |= of_command(given or Given())
    values: dict[str, Any] = {name: each.value for name, each in told.items()}
    foreign = foreign_encoding(encoding)
    return Settings(
        path=document.path,
        exists=document.exists,
        dark=is_dark(values["theme"], environ),
        ascii=is_ascii(values["marks"], foreign, environ),
        bell=values["bell"],
        cache=values["cache"],
        encoding=foreign,
        roots=values["roots"],
        blobs=values["blobs"],
        limits=Limits(**{name: values[f"limits.{name}"] for name in DOES}),
        keys=MappingProxyType({name: own for name in USUAL if (own := values[f"keys.{name}"]) != USUAL[name]}),
        told=MappingProxyType(told),
        faults=tuple(sorted(faults, key=lambda fault: (fault.place != document.path, fault.line or 0))),
    )
