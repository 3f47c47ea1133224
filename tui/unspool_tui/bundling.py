"""Writing the bundle: the bytecode of the modules that a start has loaded, each as its own file holds it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import MAGIC_NUMBER
from marshal import dumps
from typing import TYPE_CHECKING, Final

from unspool_tui.bundle import BROKEN, LENGTH_BYTES, Bundle, BundledLoader, stamp_of

if TYPE_CHECKING:
    from unspool_tui.bundle import Kept, Place, Stamp

HEAD_BYTES: Final = 16
"""What a file of bytecode begins with: Python's number, flags, and time and size of the source (PEP 552)."""

MODE: Final = 0o644


def add(bundle: Bundle, loaded: Iterable[str]) -> None:
    """Write the bundle anew if it lacks modules that were loaded; those that nobody asked for stay in it.

    Nothing is said where that cannot be done: the next start finds its modules as this one did.
    """
    if not os.access(os.path.dirname(bundle.path), os.W_OK):
        return
    specs = {name: spec for name in loaded if (spec := _spec_of(name)) is not None}
    lacked = {name: spec for name, spec in specs.items() if type(spec.loader) is SourceFileLoader}
    places = dict(_places(lacked))
    codes = dict(_codes(places))
    if codes:
        places |= {name: kept[0] for name, kept in bundle.left.items()} | dict(_places(specs))
        with suppress(OSError):
            _write(bundle.path, places, codes | dict(_codes({name: places[name] for name in places.keys() - codes})))


def _spec_of(name: str) -> ModuleSpec | None:
    """Return how a module was loaded, if that was from its source, and under its own name."""
    spec = getattr(sys.modules.get(name), "__spec__", None)
    if not isinstance(spec, ModuleSpec) or spec.name != name:
        return None
    return spec if type(spec.loader) in (SourceFileLoader, BundledLoader) else None


def _places(specs: dict[str, ModuleSpec]) -> Iterator[tuple[str, Place]]:
    """Yield where modules lie that are found in the one folder of a package."""
    for name, spec in specs.items():
        path = getattr(sys.modules.get(name.rpartition(".")[0]), "__path__", None)
        if isinstance(path, list) and len(path) == 1 and spec.origin and spec.cached:
            yield name, (path[0], spec.origin, spec.cached)


def _codes(places: dict[str, Place]) -> Iterator[tuple[str, tuple[Stamp, bytes]]]:
    """Yield the code of modules, marshalled, and what their sources are; but not where the bytecode is an old one."""
    for name, (_, source, cached) in places.items():
        with suppress(ImportError, SyntaxError, *BROKEN):
            modified, size = stamp = stamp_of(source)
            with open(cached, "rb") as file:
                head = file.read(HEAD_BYTES)
            if head == MAGIC_NUMBER + bytes(4) + _low(modified // 1_000_000_000) + _low(size):
                code = SourceFileLoader(name, source).get_code(name)  # of bytecode that was copied it mends the paths
                yield name, (stamp, dumps(code))


def _low(number: int) -> bytes:
    return (number & 0xFFFF_FFFF).to_bytes(4, "little")


def _write(path: str, places: dict[str, Place], codes: dict[str, tuple[Stamp, bytes]]) -> None:
    """Put a new bundle in the place of what is there, whole or not at all; raises `OSError`."""
    kept: dict[str, Kept] = {}
    at = 0
    for name, (stamp, code) in codes.items():
        kept[name] = places[name], stamp, at, len(code)
        at += len(code)
    index = dumps((sys.version, kept))
    beside = f"{path}.{os.getpid()}"
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, MODE)
    try:
        with open(descriptor, "wb") as file:
            file.write(len(index).to_bytes(LENGTH_BYTES, "little") + index)
            file.writelines(code for _, code in codes.values())
            file.flush()
            os.fsync(descriptor)  # what a loss of power tears would be run
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
