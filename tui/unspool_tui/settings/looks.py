"""How the app is drawn as far as nobody sets it: what a locale, an encoding and the colours of a terminal tell."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from typing import Final

PLAIN: Final = frozenset({"C", "POSIX"})
"""The names of the locale that has nothing but ASCII."""

COERCED: Final = frozenset({"C.UTF-8", "C.utf8", "UTF-8"})
"""What Python takes in the place of a plain locale."""

_LIGHT_GROUNDS: Final = frozenset({"7", "15"})
"""White and bright white, as terminals number their colours."""


def is_dark(theme: str, environ: Mapping[str, str]) -> bool:
    """Say whether the dark theme is meant; some terminals tell the colour of their ground, others count as dark."""
    if theme == "auto":
        return environ.get("COLORFGBG", "").rpartition(";")[2] not in _LIGHT_GROUNDS
    return theme == "dark"


def is_ascii(marks: str, foreign: str | None, environ: Mapping[str, str]) -> bool:
    """Say whether marks are drawn in ASCII: because that is said, or a terminal or a person has nothing else."""
    return marks == "ascii" or (marks == "auto" and (foreign is not None or is_plain(environ)))


def is_plain(environ: Mapping[str, str]) -> bool:
    """Say whether a person asks for the plain locale, `C`; Python writes UTF-8 then all the same.

    Where `LANG` asks for it, Python itself sets `LC_CTYPE`, which is passed by.
    """
    plain = environ.get("LANG") in PLAIN
    names = ("LC_ALL", "LANG") if plain and environ.get("LC_CTYPE") in COERCED else ("LC_ALL", "LC_CTYPE", "LANG")
    return next((environ[name] for name in names if environ.get(name)), "") in PLAIN


def foreign_encoding(encoding: str | None) -> str | None:
    """Return the encoding of a terminal unless it has all signs."""
    try:
        name = codecs.lookup(encoding or "utf-8").name
    except LookupError:
        return "ascii"
    return None if name.startswith("utf") else name
