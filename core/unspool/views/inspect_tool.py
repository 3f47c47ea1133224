"""The tool with which an agent reads back what it was given a summary of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from unspool.errors import BadReference, BlobNotFound
from unspool.outputs.output import Verbatim
from unspool.text import elided
from unspool.views.inspecting import inspect
from unspool.views.tools import ToolSpec

if TYPE_CHECKING:
    from unspool.blobs.store import BlobStore
    from unspool.views.bounds import Bounds
    from unspool.views.inspection import Inspection

ID_CHARACTERS: Final = 80
"""Characters of a wrong id that an answer repeats: twice those of a right one."""

_DESCRIPTION: Final = (
    "Read a stored tool output, named by the id in [blob:ID], whole or a part of it. Answers are bounded and say how "
    "to go on."
)
_SELECTOR: Final = (
    "Which part: lines:20-50 (of a text; from 1, both ends included), tail:50 (its last lines), grep:TEXT (the lines "
    "that hold TEXT, case ignored), bytes:0..4096, slice:3..8 (of an array; from 0, the end excluded), key:NAME (of an "
    "object, top level). Without one, the beginning."
)


def inspect_tool(store: BlobStore, bounds: Bounds | None = None) -> ToolSpec:
    """Return the tool `inspect` over a store; each answer is bounded by `bounds`, beside one line about the whole.

    What it answers is `Verbatim`: it goes into context as it is and is never stored again.
    """

    def run(blob_id: str, selector: str | None = None, after: str | None = None) -> str:
        try:
            return Verbatim(_told(inspect(blob_id, selector, store=store, bounds=bounds, after=after)))
        except (BadReference, BlobNotFound) as missing:
            return Verbatim(_absent(blob_id, missing))

    properties = {
        "blob_id": {"type": "string", "description": "the id of a stored output, as it stands in [blob:ID]"},
        "selector": {"type": "string", "description": _SELECTOR},
        "after": {"type": "string", "description": "the continuation that an answer before named"},
    }
    parameters = {
        "type": "object",
        "properties": properties,
        "required": ["blob_id"],
        "additionalProperties": False,
    }
    return ToolSpec("inspect", _DESCRIPTION, parameters, run, reads=True)


def loop_tools(tools: Iterable[ToolSpec], store: BlobStore | None) -> tuple[ToolSpec, ...]:
    """Return the tools of an agent loop: its own, and `inspect` exactly when outputs are stored."""
    return (*tools, inspect_tool(store)) if store is not None else tuple(tools)


def _told(answer: Inspection) -> str:
    """Write what the whole is, the window, and how to go on."""
    size = [f"{answer.size} {answer.size_noun}"] if answer.size is not None else []
    if answer.keys:
        more = answer.size is not None and answer.size > len(answer.keys)
        named = " ".join(", ".join(answer.keys).split())
        size[-1] += f" ({named}{', …' if more else ''})"
    lines = [" | ".join([answer.type, *size, f"{answer.bytes} bytes"]), answer.text]
    stop = answer.truncation
    if stop.truncated:
        left = f"{stop.omitted_bytes} bytes left; " if stop.omitted_bytes else ""
        lines.append(f"[cut by {stop.reason}: {left}go on with after={stop.next}]")
    return "\n".join(lines)


def _absent(blob_id: str, missing: BadReference | BlobNotFound) -> str:
    """Say that there is no such blob; an id that anyone could have written is no fault of the tool's."""
    if isinstance(missing, BlobNotFound):
        return str(missing)
    return f"blob not found: {elided(blob_id, ID_CHARACTERS)!r}; a blob id is a UUID v7, as in [blob:ID]"
