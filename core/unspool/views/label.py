"""Short texts that say what a piece is: labels, excerpts, exit codes. Made lazily, for the rows that are looked at."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from unspool.formats.piece import Flag, Kind, ToolPart
from unspool.pattern import pattern
from unspool.text import elided

if TYPE_CHECKING:
    from unspool.formats.decoded import Compaction
    from unspool.ids import BlobId

EXCERPT_CHARACTERS: Final = 300
"""Three lines of a wide overview."""

LABEL_CHARACTERS: Final = 80
"""Of a tool's name, and of what tells most about a call: a label is one line."""

_HEAD: Final = 16_384
"""Characters looked at for an exit code: it stands at the beginning."""

_EXIT = pattern(
    r"\A(?:Error: )?Exit code:? (-?\d{1,6})\b"
    r"|^Process exited with code (-?\d{1,6})\b"
    r'|\A\{\s*"output"\s*:.{0,16000}?"metadata"\s*:\s*\{[^{}]*?"exit_code"\s*:\s*(-?\d{1,6})\b',
    re.MULTILINE | re.DOTALL,
)
"""Claude Code and older Codex begin with it, newer Codex has it in its preamble, the oldest wraps outputs in JSON."""


def exit_code(text: str) -> int | None:
    """Return the exit code that a tool output states, `None` where it states none."""
    head = text[:_HEAD]
    found = _EXIT.search(head) if "xit" in head else None
    return int(next(group for group in found.groups() if group is not None)) if found else None


def excerpt(text: str) -> str:
    """Return the beginning of a text with its white space folded, at most 300 characters."""
    return elided(" ".join(text[: EXCERPT_CHARACTERS * 8].split()), EXCERPT_CHARACTERS)


def label(
    kind: Kind, part: ToolPart | None, tool: str | None, flags: Flag, headline: str, code: int | None, lines: int,
    compaction: Compaction | None = None, notice: str | None = None, blob: BlobId | None = None,
) -> str:  # fmt: skip
    """Return a label made for scanning: `Bash · pytest -q`, `output · exit 1 · 412 lines`, `user`.

    `notice` says what is wrong with a saved output; `blob` is its name where no call tells what it is.
    """
    if compaction is not None:
        return " · ".join(_compaction_words(compaction))
    if part == ToolPart.INPUT:
        named = " ".join((tool or "tool").split())
        return " · ".join(elided(word, LABEL_CHARACTERS) for word in (named, headline) if word)
    if part == ToolPart.OUTPUT:
        return " · ".join(_output_words(flags, code, lines, notice, blob))
    return f"{kind} · reasoning" if Flag.REASONING in flags else str(kind)


def _compaction_words(compaction: Compaction) -> list[str]:
    words = ["compaction"]
    if compaction.trigger is not None:
        words.append(elided(" ".join(compaction.trigger.split()), LABEL_CHARACTERS))
    before, after = compaction.before, compaction.after
    if before is not None and after is not None:
        words.append(f"{before} → {after} tokens")
    elif before is not None or after is not None:
        words.append(f"{after} tokens after" if before is None else f"{before} tokens before")
    return words


def _output_words(flags: Flag, code: int | None, lines: int, notice: str | None, blob: BlobId | None) -> list[str]:
    words = ["output" if blob is None else str(blob)]
    if code is not None:
        words.append(f"exit {code}")
    elif Flag.ERROR in flags:
        words.append("error")
    words.append("1 line" if lines == 1 else f"{lines} lines")
    if Flag.MISSING in flags and notice is not None:
        words.append(notice.partition(":")[0])
    return words
