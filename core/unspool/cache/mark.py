"""What a source was when it was read: by this it is recognised, grown or as it was."""

from __future__ import annotations

from typing import Final, Self

from unspool.blake2b import blake2b
from unspool.dataclass import replace
from unspool.errors import UnspoolError
from unspool.named_tuple import NamedTuple
from unspool.sources.document import open_log
from unspool.sources.identity import Identity
from unspool.sources.jsonl import JsonLines

SAMPLES: Final = 16
"""Places that are digested, both ends among them: they lie evenly, so that bytes which moved are noticed."""
SAMPLE_BYTES: Final = 4_096


class Mark(NamedTuple):
    """The file itself, how many bytes it held (of an archive: decompressed), and a digest of samples of these."""

    identity: Identity
    size: int
    digest: bytes

    @classmethod
    def of(cls, lines: JsonLines) -> Self | None:
        """Look at an open source; `None` when it was rewritten since it was opened. Raises `SourceChanged`."""
        stamp = lines.stamp()
        if stamp is not None and stamp[0] <= lines.identity.size:
            return None
        return cls(lines.identity, lines.size, _digest(lines, lines.size))

    def reopened(self, path: str) -> JsonLines | None:
        """Open the source at a path as it was; `None` when it is another one. Raises `UnspoolError`.

        A plain file may have grown: then its head is opened. Devices have other numbers from one start of a machine to
        the next.
        """
        lines = open_log(path)
        known, now = self.identity, lines.identity
        if type(lines) is JsonLines and lines.size == now.size > known.size:
            lines.close()
            lines = JsonLines.open_head(path, known.size)
            same = (known.inode, known.tail) == (now.inode, lines.identity.tail)
        else:
            same = known == replace(now, device=known.device)
        try:
            if same and lines.size == self.size and _digest(lines, self.size) == self.digest:
                return lines
        except UnspoolError:
            pass
        lines.close()
        return None


def _digest(lines: JsonLines, size: int) -> bytes:
    """Digest samples of the first `size` bytes."""
    digest = blake2b(digest_size=16)
    length = min(size, SAMPLE_BYTES)
    for number in range(SAMPLES):
        digest.update(lines.read((size - length) * number // (SAMPLES - 1), length))
    return digest.digest()
