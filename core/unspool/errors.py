"""Every error that unspool raises on purpose.

    UnspoolError
    ├── BadReference      a text that is no id, range, session reference or target
    ├── NotFound          a well-formed id, session or path that leads nowhere
    ├── Ambiguous         a prefix that fits several sessions (`candidates`)
    ├── BadQuery          an empty query, bounds below the minimum, an unknown filter word
    ├── Unreadable        a file or folder that cannot be opened or is no session
    ├── Unwritable        a file that may not, or can not, be written
    │   └── AlreadyThere  because something of that name is there, which was not to be replaced
    ├── BadEvent          what is no message or event that a session's log can hold
    ├── NotResumable      a session that its agent cannot be asked to go on with
    ├── BlobError         a blob that cannot be stored or read
    │   ├── BlobNotFound  no blob of that id in the store
    │   └── BlobConflict  another content is there under the id that was to be stored
    └── SourceChanged     the bytes behind a view are no longer those it was made from

The message is one line that says what is wrong and the way out; it may hold text from outside and goes through
`text.clean()` before it is shown.
"""

from __future__ import annotations

from collections.abc import Sequence


class UnspoolError(Exception):
    """Root of all errors that unspool raises on purpose; `str(error)` is one line for a person."""


class BadReference(UnspoolError):
    """A text does not parse as the id, range, reference or target that it should be; `text` is that text."""

    def __init__(self, message: str, *, text: str) -> None:
        super().__init__(message)
        self.text = text


class NotFound(UnspoolError):
    """Nothing exists under an id, a session reference or a path."""


class Ambiguous(UnspoolError):
    """A prefix fits several sessions; `candidates` lists their references."""

    def __init__(self, message: str, *, candidates: Sequence[str]) -> None:
        super().__init__(message)
        self.candidates = tuple(candidates)


class BadQuery(UnspoolError):
    """A query, filter or bound that cannot be answered."""


class Unreadable(UnspoolError):
    """A file or folder cannot be opened, or holds no session that unspool knows; `path` names it."""

    def __init__(self, message: str, *, path: str) -> None:
        super().__init__(message)
        self.path = path


class Unwritable(UnspoolError):
    """A file may not be written (it is there already, it is an agent's own) or cannot; `path` names it."""

    def __init__(self, message: str, *, path: str) -> None:
        super().__init__(message)
        self.path = path


class AlreadyThere(Unwritable):
    """Something is there under the name of a file that was to be new."""


class BadEvent(UnspoolError):
    """What was given is no message and no event, or no JSON, so that a session's log cannot hold it."""


class NotResumable(UnspoolError):
    """No command leads back into a session, or none that is safe to paste."""


class SourceChanged(UnspoolError):
    """The bytes behind a view changed since it was made; a refreshed view sees the new ones.

    `path` names the source, `byte_range` the half-open range that was asked for.
    """

    def __init__(self, message: str, *, path: str, byte_range: tuple[int, int]) -> None:
        super().__init__(message)
        self.path = path
        self.byte_range = byte_range


class BlobError(UnspoolError):
    """A blob cannot be stored or read; when it comes from `store`, nothing that was there is harmed."""


class BlobNotFound(BlobError):
    """The store has no blob of an id."""


class BlobConflict(BlobError):
    """Under the id of a blob that was to be stored stands another content, which is left as it is."""
