"""Reading a long text front to back while the piece before is looked at: the two cost about the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator


def read_ahead(read: Callable[[int, int], bytes], start: int, size: int, piece: int) -> Iterator[bytes]:
    """Yield the bytes from `start` to `size`, `piece` bytes at a time, read one piece ahead of who takes them.

    `read(start, stop)` is called from another thread from the second piece on; what it raises is raised here.
    """
    if start < size:
        yield read(start, min(start + piece, size))
    if start + piece >= size:
        return  # a short walk starts no thread
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1, "unspool-read-ahead") as reader:
        ahead = None
        for at in range(start + piece, size, piece):
            coming = reader.submit(read, at, min(at + piece, size))
            if ahead is not None:
                yield ahead.result()
            ahead = coming
        assert ahead is not None
        yield ahead.result()
