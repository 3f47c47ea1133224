"""A disk, or a network, that gives nothing for a while: of some files, to who looks at them or reads them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from unittest import mock

CALLS = ("stat", "lstat", "fstat", "open", "pread", "preadv")


@contextmanager
def failing(path: str, fault: int, calls: tuple[str, ...] = CALLS) -> Iterator[None]:
    """Let calls for a file fail, by its path or by a descriptor of it."""
    known = os.stat(path)
    state = os.fstat

    def of_file(file: object) -> bool:
        if isinstance(file, int):
            with suppress(OSError):
                found = state(file)
                return (found.st_dev, found.st_ino) == (known.st_dev, known.st_ino)
        return file == path

    def failing_call(call: Callable[..., Any]) -> Callable[..., Any]:
        def called(file: object, *given: object, **more: object) -> object:
            if of_file(file):
                raise OSError(fault, os.strerror(fault))
            return call(file, *given, **more)

        return called

    with mock.patch.multiple(os, **{name: failing_call(getattr(os, name)) for name in calls}):
        yield
