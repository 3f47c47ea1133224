"""Print what full columns cost in byte codes: `python -m tests.bench.byte_codes FILE [FILE ...]`.

Byte codes for each line, in all and by function: unlike times they are the same on any machine, whatever else it does.
A session of some megabytes tells enough, for each byte code is counted by itself.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from types import CodeType, FrameType
from typing import Any, Final

from unspool import open_library

Trace = Callable[[FrameType, str, Any], Any]
"""What Python tells of each call and each byte code."""

SHOWN: Final = 20
"""Functions that are named, those with the most byte codes."""


def main(paths: Sequence[str]) -> None:
    """Read each session once to warm up, and once to count."""
    for path in paths:
        lines = read(path)
        counted: Counter[CodeType] = Counter()
        sys.settrace(counting(counted))
        try:
            read(path)
        finally:
            sys.settrace(None)
        print(f"{counted.total() / lines:8.0f} byte codes a line, {lines:,} lines  {path}")
        for code, number in counted.most_common(SHOWN):
            print(f"{number / lines:8.1f} {code.co_filename.rpartition('/')[2]} {code.co_qualname}")


def read(path: str) -> int:
    """Read a whole session of which nothing is kept; return its lines."""
    view = open_library([path], cache=None).view(path)
    view.close()
    return view.entries


def counting(counted: Counter[CodeType]) -> Trace:
    """Return what counts the byte codes of each function that is called from now on."""

    def trace(frame: FrameType, event: str, told: Any) -> Trace:
        if event == "call":
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        elif event == "opcode":
            counted[frame.f_code] += 1
        return trace

    return trace


if __name__ == "__main__":
    main(sys.argv[1:])
