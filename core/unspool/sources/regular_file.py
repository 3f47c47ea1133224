"""Opening a plain file, and saying in one line why it cannot be read."""

from __future__ import annotations

import os
import stat

from unspool.errors import Unreadable


def open_regular(path: str) -> int:
    """Open a plain file for reading; raises `Unreadable`."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        raise Unreadable(f"{path} does not exist", path=path) from None
    except OSError as error:
        raise Unreadable(f"{path} cannot be opened: {error.strerror}", path=path) from error
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError as error:
        os.close(descriptor)
        raise unreadable(path, error) from error
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    what = "a folder" if stat.S_ISDIR(mode) else "no regular file"
    raise Unreadable(f"{path} is {what}; name a session file", path=path)


def unreadable(path: str, error: OSError) -> Unreadable:
    """Return the error that says what the system answered to who read a file."""
    return Unreadable(f"{path} cannot be read: {error.strerror}", path=path)
