"""The settings file as it was written: its values with their lines, or why it cannot be used."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from typing import Any, Final

from unspool.dataclass import dataclass, field
from unspool.pattern import pattern

LARGEST: Final = 32_768
"""Bytes of a settings file: every setting there is, with comments, takes a quarter of it."""

LONGEST: Final = 4_096
"""Characters of a line: a key of many dots costs its square."""

STATEMENT_LINES: Final = 100
"""Lines of one value up to which it is known where the next one stands; longer ones cost their square."""

DEEPEST: Final = 4
"""Tables within each other that are looked into: `keys.error.next` is the deepest there is."""

_PLACE = pattern(r" \(at (?:line ([0-9]+), column [0-9]+|end of document)\)\Z")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong where: `place` is a file or a variable, `line` is counted from 1 and `None` for the whole."""

    place: str
    line: int | None
    text: str

    def __str__(self) -> str:
        return self._at(self.place)

    @property
    def short(self) -> str:
        """The same with no more than the file's name, for where little room is."""
        return self._at(os.path.basename(self.place))

    def _at(self, place: str) -> str:
        return f"{place}: {self.text}" if self.line is None else f"{place}:{self.line}: {self.text}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One value of the file; `name` is its dotted path (`limits.hits`), however it was written."""

    name: str
    value: object
    line: int | None


@dataclass(frozen=True, slots=True)
class Document:
    """What was read. A file that cannot be used has no entries, and a fault that says why."""

    path: str
    exists: bool = False
    entries: tuple[Entry, ...] = ()
    faults: tuple[Fault, ...] = field(default=())


def read_document(path: str, *, wanted: bool = False) -> Document:
    """Read a settings file. That there is none is a fault only where it is `wanted`."""
    try:
        text = _text_of(path)
    except FileNotFoundError:
        missing = Fault(path, None, "no such file; the defaults are used")
        return Document(path, faults=(missing,) if wanted else ())
    except OSError as error:
        why = error.strerror or type(error).__name__
        return _useless(path, None, f"cannot be read ({why}); the defaults are used")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return _useless(path, line, "not UTF-8; save it as UTF-8, until then the defaults are used")
    return _parsed(path, text)


def _parsed(path: str, text: str) -> Document:
    import tomllib

    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST:
            return _useless(path, number, f"longer than {LONGEST:,} characters; the defaults are used")
    try:
        values = tomllib.loads(text)
    except RecursionError:
        return _useless(path, None, "nested too deeply to be settings; the defaults are used")
    except ValueError as error:
        said = str(error)
        found = _PLACE.search(said)
        where = int(found[1] or text.rstrip().count("\n") + 1) if found else None
        return _useless(path, where, f"no TOML ({_PLACE.sub('', said)}); until it is mended the defaults are used")
    lines = _lines_of(text)
    return Document(path, True, tuple(Entry(name, value, lines.get(name)) for name, value in _leaves(values)))


def _useless(path: str, line: int | None, text: str) -> Document:
    return Document(path, True, faults=(Fault(path, line, text),))


def _text_of(path: str) -> str:
    """Return the text of a regular file, or nothing for the null device; a pipe is not waited for."""
    if path == os.devnull:
        return ""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(None, "it is a folder" if stat.S_ISDIR(mode) else "it is no regular file")
        content = os.read(descriptor, LARGEST + 1)
    finally:
        os.close(descriptor)
    if len(content) > LARGEST:
        raise OSError(None, f"it is larger than {LARGEST:,} bytes")
    return content.decode("utf-8-sig")


def _leaves(table: Mapping[str, Any], before: tuple[str, ...] = ()) -> Iterator[tuple[str, object]]:
    """Yield every value that is no table, by its dotted path; a table that is empty or too deep counts as a value."""
    for key, value in table.items():
        if isinstance(value, dict) and value and len(before) < DEEPEST:
            yield from _leaves(value, (*before, key))
        else:
            yield ".".join((*before, key)), value


def _lines_of(text: str) -> dict[str, int]:
    """Return the line that each value of a valid document begins in.

    A statement ends with its line unless it is open: whatever parses alone is whole.
    """
    import tomllib

    lines: dict[str, int] = {}
    table: tuple[str, ...] = ()
    statement: list[str] = []
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        statement.append(line)
        if len(statement) > STATEMENT_LINES:
            break
        try:
            values = tomllib.loads("\n".join(statement))
        except ValueError:
            continue
        if line.lstrip().startswith("[") and len(statement) == 1:
            table = _path_of(values)
            lines[".".join(table)] = number
        for name, _ in _leaves(values, table) if "=" in statement[0] else ():
            lines.setdefault(name, number - len(statement) + 1)
        statement = []
    return lines


def _path_of(values: dict[str, Any]) -> tuple[str, ...]:
    """Return the names that lead to the innermost table of a heading."""
    path: list[str] = []
    inner: object = values
    while isinstance(inner, dict) and inner:
        key, inner = next(iter(inner.items()))
        path.append(key)
    return tuple(path)
