"""The settings in force: of all that are told, those of the command line first, then environment, file, last run."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from unspool.dataclass import dataclass, field
from unspool_tui.settings.document import Fault, read_document
from unspool_tui.settings.limits import DOES, Limits
from unspool_tui.settings.options import DEFAULTS, THEMES
from unspool_tui.settings.place import VARIABLE, settings_path
from unspool_tui.settings.rebinding import USUAL, Keys
from unspool_tui.settings.told import Given, Told, of_command, of_environment, of_file

PLAIN: Final = frozenset({"C", "POSIX"})
"""The names of the locale that has nothing but ASCII."""

COERCED: Final = frozenset({"C.UTF-8", "C.utf8", "UTF-8"})
"""What Python takes in the place of a plain locale."""

_LIGHT_GROUNDS: Final = frozenset({"7", "15"})
"""White and bright white, as terminals number their colours."""


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
    foreign = _foreign(encoding)
    return Settings(
        path=document.path,
        exists=document.exists,
        dark=_is_dark(values["theme"], environ),
        ascii=values["marks"] == "ascii" or (values["marks"] == "auto" and (foreign is not None or is_plain(environ))),
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


def is_plain(environ: Mapping[str, str]) -> bool:
    """Say whether a person asks for the plain locale, `C`; Python writes UTF-8 then all the same.

    Where `LANG` asks for it, Python itself sets `LC_CTYPE`, which is passed by.
    """
    plain = environ.get("LANG") in PLAIN
    names = ("LC_ALL", "LANG") if plain and environ.get("LC_CTYPE") in COERCED else ("LC_ALL", "LC_CTYPE", "LANG")
    return next((environ[name] for name in names if environ.get(name)), "") in PLAIN


def _foreign(encoding: str | None) -> str | None:
    """Return the encoding unless it has all signs."""
    try:
        name = codecs.lookup(encoding or "utf-8").name
    except LookupError:
        return "ascii"
    return None if name.startswith("utf") else name


def _is_dark(theme: str, environ: Mapping[str, str]) -> bool:
    """Say whether the dark theme is meant; some terminals tell the colour of their ground, others count as dark."""
    if theme == "auto":
        return environ.get("COLORFGBG", "").rpartition(";")[2] not in _LIGHT_GROUNDS
    return theme == "dark"
