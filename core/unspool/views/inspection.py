"""What `inspect` answers: a bounded window of one output, with what the whole is and how to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from unspool.dataclass import dataclass

if TYPE_CHECKING:
    from unspool.ids import BlobId, EvidenceId
    from unspool.views.bounds import Truncation
    from unspool.views.inspectable import Shape

_SIZE_NAMES: Final = {"text": "lines", "json_array": "entries", "json_object": "keys", "json": "lines"}
_SINGULAR: Final = {"lines": "line", "entries": "entry", "keys": "key"}


@dataclass(frozen=True, slots=True)
class Inspection:
    """A window of one output. `bytes` and `size` measure the whole: `size` counts lines, entries or keys by `type`.

    `size` is `None` where counting would need a long walk that the question did not: the lines of an enormous blob for
    a window by bytes, the entries of a JSON value that is too long to be taken apart. `keys` are the first keys of an
    object, for whoever chooses among them.
    """

    id: EvidenceId | BlobId
    type: Shape
    bytes: int
    size: int | None
    text: str
    truncation: Truncation
    keys: tuple[str, ...] = ()

    @property
    def size_name(self) -> str:
        """What `size` counts: `lines`, `entries` or `keys`."""
        return _SIZE_NAMES[self.type]

    @property
    def size_noun(self) -> str:
        """What `size` counts, as it is said of so many: `1 entry`, `2 entries`."""
        return _SINGULAR[self.size_name] if self.size == 1 else self.size_name

    @property
    def why_nothing(self) -> str:
        """Why nothing was found; `text` says it too, in brackets, for whoever is given nothing else."""
        return self.text.removeprefix("(").removesuffix(")")

    def to_json(self) -> dict[str, Any]:
        """Return the object of the command's JSON; where nothing was found its text is empty and `notice` says why."""
        found = self.truncation.shown > 0
        return {
            "id": str(self.id),
            "type": self.type,
            "bytes": self.bytes,
            self.size_name: self.size,
            "text": self.text if found else "",
            "truncation": self.truncation.to_json(),
        } | ({} if found else {"notice": self.why_nothing})
