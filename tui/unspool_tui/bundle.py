"""Modules out of one file: of the hundreds that a start needs, none is looked for, opened and read by itself.

The file lies beside the bytecode of this module, and holds what other files of bytecode do: who may write it may write
those. It has no module but those in packages, which tell the folder that they are found in. One whose source is another
by now, or lies elsewhere, is loaded as if there were no bundle.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from marshal import loads
from types import CodeType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

    Stamp = tuple[int, int]
    """When a source was changed, in nanoseconds, and its bytes."""

    Place = tuple[str, str, str]
    """Of a module: the folder of its package, its source, and its own file of bytecode."""

    Kept = tuple[Place, Stamp, int, int]
    """Of a module: its place, what its source was, and where in the bundle its code begins, and how long it is."""

INIT: Final = "/__init__.py"
"""How the source of a package ends."""

LENGTH_BYTES: Final = 8
"""What the file begins with, little-endian: the length of its index, which follows; the code of each module is behind.

The index is marshalled: the version of Python, and what is kept of each module by its name.
"""

BROKEN: Final = (EOFError, MemoryError, OSError, OverflowError, TypeError, ValueError)
"""What reading a file may raise that was torn."""


class BundledLoader(SourceFileLoader):
    """Loads a module by the code that was kept of it, and anew as any other."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._kept: CodeType | None = code

    def get_code(self, fullname: str) -> CodeType | None:
        """Return the code of the module."""
        code, self._kept = self._kept, None
        return super().get_code(fullname) if code is None else code


class Bundle:
    """Finds modules in the file at a path, each once; in one that is not there, or is torn, it finds none.

    `left` are those that nobody has asked for yet.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.left: dict[str, Kept] = {}
        self._begins = 0
        self._file = -1
        with suppress(*BROKEN):
            self._file = os.open(path, os.O_RDONLY)
            length = int.from_bytes(os.pread(self._file, LENGTH_BYTES, 0), "little")
            version, kept = loads(os.pread(self._file, length, LENGTH_BYTES))
            if version == sys.version:
                self.left, self._begins = kept, LENGTH_BYTES + length

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to load a module in a package that has this `path`, `None` where that is others' business."""
        kept = self.left.pop(fullname, None)
        if kept is None or path != [kept[0][0]] or (code := self._code(kept)) is None:
            return None
        _, source, cached = kept[0]
        spec = ModuleSpec(fullname, BundledLoader(fullname, source, code), origin=source)
        spec.has_location, spec.cached = True, cached
        if source.endswith(INIT):
            spec.submodule_search_locations = [source.removesuffix(INIT)]
        return spec

    def _code(self, kept: Kept) -> CodeType | None:
        """Return the code of a module, `None` where it is torn, or its source is another one now."""
        (_, source, _), stamp, at, length = kept
        with suppress(*BROKEN):
            code = loads(os.pread(self._file, length, self._begins + at)) if stamp == stamp_of(source) else None
            return code if isinstance(code, CodeType) else None
        return None

    def close(self) -> None:
        """Find nothing any more."""
        self.left = {}
        if self._file >= 0:
            os.close(self._file)


def stamp_of(source: str) -> Stamp:
    """Return what tells a source from what it becomes when it is changed; raises `OSError`."""
    found = os.stat(source)
    return found.st_mtime_ns, found.st_size


@contextmanager
def bundled() -> Iterator[None]:
    """Load what is imported meanwhile from the bundle; what it lacked is in it the next time, unless this raises.

    It answers before the finder of files, and after all others that were put there: what they do is done. Where Python
    shall write no bytecode, or has no place for it, there is no bundle either.
    """
    if sys.dont_write_bytecode or not __spec__.cached or PathFinder not in sys.meta_path:
        yield
        return
    before = frozenset(sys.modules)
    bundle = Bundle(f"{__spec__.cached.removesuffix('.pyc')}.modules")
    sys.meta_path.insert(sys.meta_path.index(PathFinder), bundle)
    try:
        yield
        from unspool_tui.bundling import add

        with suppress(KeyboardInterrupt):  # all that was asked for has been done
            add(bundle, sys.modules.keys() - before)
    finally:
        sys.meta_path.remove(bundle)
        bundle.close()
