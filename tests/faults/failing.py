"""The system's calls, of which the n-th fails."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from typing import Literal, get_args

from unspool.blobs.calls import Os

Arm = Literal["once", "every n-th", "from then on"]
ERRORS = [errno.EIO, errno.ENOSPC, errno.EACCES, errno.EMFILE, errno.EINTR, errno.EDQUOT, errno.EROFS]
ARMS: tuple[Arm, ...] = get_args(Arm)
CALLS = tuple(name for name in vars(Os) if not name.startswith("_"))


class FailingOs(Os):
    """Fails at the n-th call (from 1); `arm` says at which later ones too; `count` says how many calls were made.

    As in the real system a descriptor is gone although its close fails.
    """

    def __init__(self, at: int, error: int, *, arm: Arm = "once") -> None:
        self.at = at
        self.error = error
        self.arm = arm
        self.count = 0
        self.failed = False

    def _due(self) -> bool:
        self.count += 1
        match self.arm:
            case "once":
                due = self.count == self.at
            case "every n-th":
                due = self.count % self.at == 0
            case "from then on":
                due = self.count >= self.at
        self.failed = self.failed or due
        return due

    def _check(self) -> None:
        if self._due():
            raise OSError(self.error, os.strerror(self.error))

    def close(self, descriptor: int) -> None:
        super().close(descriptor)
        self._check()

    def names(self, descriptor: int) -> Iterator[str]:
        self._check()
        return super().names(descriptor)


def _failing(name: str) -> None:
    call = getattr(Os, name)

    def fail_or_call(self: FailingOs, *arguments: object, **named: object) -> object:
        self._check()
        return call(self, *arguments, **named)

    setattr(FailingOs, name, fail_or_call)


for _name in CALLS:
    if _name not in vars(FailingOs):
        _failing(_name)


class ShortWrites(Os):
    """Writes at most so many bytes in all, then the disk is full: the last write is a short one, as on a real disk."""

    def __init__(self, room: int) -> None:
        self.room = room

    def write(self, descriptor: int, data: bytes | memoryview) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = super().write(descriptor, data[: self.room])
        self.room -= written
        return written
