"""Writing an export into a file that is the person's own: readable by nobody else, never over something by accident."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TextIO

from unspool.errors import AlreadyThere, Unwritable
from unspool.export.redaction import RULES
from unspool.export.session import ExportFormat, export_view
from unspool.pattern import pattern
from unspool.stores.ownership import owner_of

if TYPE_CHECKING:
    from unspool.export.report import Exported
    from unspool.export.shape import Rule
    from unspool.ids import SessionRef
    from unspool.views.filter import Filter
    from unspool.views.view import SessionView

MODE: Final = 0o600
NAMED_CHARACTERS: Final = 8
"""Of the session's id in a file's name: enough for a person to tell two files apart."""

ENDINGS: Final[Mapping[str, ExportFormat]] = {
    ".md": "md",
    ".markdown": "md",
    ".html": "html",
    ".htm": "html",
    ".json": "json",
}
"""What a file's name says about its format."""

_UNSAFE: Final = pattern(r"[^A-Za-z0-9_-]+")


def file_name(ref: SessionRef, format: ExportFormat) -> str:
    """Return the usual name of an export: `<agent>-<id, 8 characters>.<ending>`, parts behind a second `-`."""
    ids = [_UNSAFE.sub("-", each)[:NAMED_CHARACTERS] for each in (ref.session_id, ref.part) if each is not None]
    return f"{'-'.join([ref.agent, *ids])}.{format}"


def format_of(path: str) -> ExportFormat | None:
    """Return the format that a file's ending names, `None` for another ending."""
    return ENDINGS.get(os.path.splitext(path)[1].lower())


def export_file(
    view: SessionView,
    path: str,
    format: ExportFormat | None = None,
    filter: Filter | None = None,
    *,
    rules: Sequence[Rule] = RULES,
    full: bool = False,
    force: bool = False,
    environ: Mapping[str, str] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[Exported], object] = lambda exported: None,
) -> Exported:
    """Write pieces of a view into a file with mode 0600; see `Export`. The format is what `path` ends with, else `md`.

    With `force` a plain file of that name is replaced, whole and at once; without, nothing ever is. A file that could
    not be written whole is removed again. `environ` tells where agents keep their files (default: of this process).
    Raises `AlreadyThere`, and `Unwritable`, also for a place inside an agent's own folders.
    """
    _refuse(path, os.environ if environ is None else environ)
    _refuse_source(path, view)
    with _new_file(path, force=force) as (file, keep):
        named = format or format_of(path) or "md"
        exported = export_view(
            view, file.write, named, filter, rules=rules, full=full, cancelled=cancelled, progress=progress
        )
        if exported.complete:
            keep()
    return exported


def _refuse(path: str, environ: Mapping[str, str]) -> None:
    """Raise `Unwritable` for a place where an agent keeps its own files."""
    owner = owner_of(path, environ)
    if owner is not None:
        raise Unwritable(f"{owner.folder} belongs to {owner.agent}; write somewhere else", path=path)


def _refuse_source(path: str, view: SessionView) -> None:
    """Raise `Unwritable` when the file is the session itself."""
    if os.path.realpath(path) == os.path.realpath(view.source_path):
        raise Unwritable(f"{path} is the session itself; write somewhere else", path=path)


@contextmanager
def _new_file(path: str, *, force: bool) -> Iterator[tuple[TextIO, Callable[[], None]]]:
    """Give a file to write into, and what keeps it under its name; without that it is gone in the end."""
    kept: list[bool] = []
    try:
        made = _beside(path) if _is_there(path) and force else _created(path)
        try:
            with open(made[0], "w", encoding="utf-8", newline="", errors="backslashreplace") as file:
                yield file, lambda: kept.append(True)
            if kept and made[1] != path:
                os.replace(made[1], path)
        except BaseException:
            kept.clear()
            raise
        finally:
            if not kept:
                os.unlink(made[1])
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {error.strerror or type(error).__name__}", path=path) from error


def _created(path: str) -> tuple[int, str]:
    """Make a file that is not there yet."""
    try:
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, MODE), path
    except FileExistsError:
        raise AlreadyThere(f"{path} is there already; --force replaces it", path=path) from None


def _beside(path: str) -> tuple[int, str]:
    """Make a file beside the one that it will replace (`mkstemp` makes it with mode 0600)."""
    return tempfile.mkstemp(prefix=".unspool-", suffix=".part", dir=os.path.dirname(os.path.abspath(path)))


def _is_there(path: str) -> bool:
    """Say whether a plain file is there already; raises `Unwritable` for anything else that is."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(mode):
        raise Unwritable(f"{path} is a folder; name a file in it", path=path)
    if not stat.S_ISREG(mode):
        raise Unwritable(f"{path} is no plain file and is not replaced", path=path)
    return True
